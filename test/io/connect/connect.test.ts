import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as VenueAccount from '../../../src/core/accounts/VenueAccount.js';
import * as Amount from '../../../src/core/base/Amount.js';
import * as Execution from '../../../src/core/execution/Execution.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import * as Preparation from '../../../src/core/execution/Preparation.js';
import * as GaslessExecution from '../../../src/core/gasless/GaslessExecution.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type { Network } from '../../../src/core/network/Network.js';
import { network as unlocated } from '../../../src/core/network/sandbox.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import type { Entry } from '../../../src/core/tracking/Journal.js';
import * as WithdrawalChecks from '../../../src/core/withdrawal/WithdrawalChecks.js';
import * as WithdrawalExecution from '../../../src/core/withdrawal/WithdrawalExecution.js';
import * as WithdrawalSigning from '../../../src/core/withdrawal/WithdrawalSigning.js';
import { type Connection, connect } from '../../../src/io/connect/connect.js';
import { createAccount } from '../../../src/io/keys/localAccount.js';
import { createVenueSigner } from '../../../src/io/keys/venueSigner.js';
import { type RunningSandbox, startSandbox } from '../../../src/io/sandbox/startSandbox.js';
import { failure } from '../../support/workbench.js';

let sandbox: RunningSandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startSandbox();
  connection = connect(sandbox.network);
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.stop();
});

type Wish = {
  amount: string;
  from: string;
  to: string;
  typed?: TransferIntent.Typed;
  user: string;
  recipient?: string;
};

/** The plan of a transfer, prepared the way the manual does it. */
async function planned({ amount, from, to, typed = {}, user, recipient }: Wish): Promise<Plan.Plan> {
  const { network } = connection;
  const [origin, destination] = [await connection.currency(from), await connection.currency(to)];
  const base = Amount.from(amount, origin.token.decimals);
  const intent = TransferIntent.from(base, origin, destination, typed, { network: network.name, user, recipient });
  return prepared(await Quote.ask(intent, connection), connection);
}

async function prepared(quote: Quote.Quote, of: Connection, maxImpactBps = 500): Promise<Plan.Plan> {
  const caps = { maxImpactBps, maxAgeMs: 30_000 };
  const proposal = { quote, caps, allow: [], baseUrl: of.service.baseUrl, findings: [] };
  return (await ended(Preparation.run(proposal, { ...of, journal: undefined }))).outcome.plan;
}

/** Runs to completion and returns the events and the outcome. */
async function ended<Event extends { type: string }, Outcome>(run: AsyncGenerator<Event, Outcome>) {
  const told: string[] = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) told.push(step.value.type);
  return { told, outcome: step.value };
}

const patience = { wait: true, timeoutMs: 20_000 };
const account = (at: number) => createAccount({ name: `dev${at}`, key: DevelopmentAccount.key(at) });

function journal() {
  const entries: Entry[] = [];
  return { entries, append: async (entry: Entry) => void entries.push(entry) };
}

describe('portsOf', () => {
  test('behavior: a gasless bridge from an account without ETH', async () => {
    const dev9 = await account(9);
    const wish = { amount: '100', from: 'alpha/usdc', to: 'beta/usdc', user: dev9.address };
    const plan = await planned({ ...wish, typed: { gasless: true } });
    const ports = connection.portsOf(plan, { account: dev9, journal: journal() });
    const { outcome } = await ended(GaslessExecution.run(plan, ports, patience));
    expect([outcome.status, outcome.gasCost]).toEqual(['success', 0n]);
  });

  test('error: a second quote of the same order, whose fill would show both', async () => {
    const dev2 = await account(2);
    const plan = await planned({ amount: '5', from: 'alpha/usdc', to: 'beta/usdc', user: dev2.address });
    const own = { account: dev2, journal: journal() };
    connection.portsOf(plan, own);
    connection.portsOf(plan, own);
    const again = await prepared({ ...plan.quote }, connection);
    await failure('verify.mismatch', () => connection.portsOf(again, own));
  });

  test('behavior: warns that the arrival is not verified without a node of the destination', async () => {
    const warnings: string[] = [];
    const chains = sandbox.network.chains.map((each) => (each.name === 'beta' ? { ...each, rpcUrl: undefined } : each));
    const half = connect({ ...sandbox.network, chains }, { warn: (text) => warnings.push(text) });
    const dev1 = await account(1);
    const origin = await half.currency('alpha/usdc');
    const destination = await half.currency('beta/usdc');
    const user = dev1.address;
    const intent = TransferIntent.from(5_000_000n, origin, destination, {}, { network: 'sandbox', user });
    const quote = await Quote.ask(intent, half);
    const plan = await prepared(quote, half, 9_000);
    const ports = half.portsOf(plan, { account: dev1, journal: journal() });
    const { outcome } = await ended(Execution.run(plan, ports, patience));
    expect([outcome.status, outcome.received]).toEqual(['success', undefined]);
    expect(warnings.join()).toContain('No RPC node of beta');
    await half.close();
  });
});

test('venuePortsOf: a withdrawal signed by an API key and the wallet', async () => {
  const wallet = await account(0);
  const apiKey = await createVenueSigner({ name: 'dev0', key: DevelopmentAccount.venueKey(0) });
  const venue = connection.venue();
  const owned = await venue.firstAccountOf(wallet.address);
  if (!owned) throw new Error('dev0 has an account');
  const wish = { amount: '50', from: 'lighter/usdc', to: 'alpha/usdc', recipient: wallet.address };
  const plan = WithdrawalChecks.planOf(await planned({ ...wish, user: String(owned.index) }));
  const slot = WithdrawalSigning.slotOf(owned, await venue.apiKeys(owned.index), apiKey, undefined);
  const signingChainId = connection.network.venue?.signingChainId ?? 0;
  const nonce = await venue.nextNonce(owned.index, slot.index);
  const expiredAtMs = Date.now() + WithdrawalSigning.defaultValidForMs;
  const terms = { apiKeyIndex: slot.index, nonce, expiredAtMs, signingChainId };
  const transfer = WithdrawalSigning.transferOf(plan, terms);
  const signed = await WithdrawalSigning.sign(transfer, { signingChainId }, { apiKey, wallet });
  const ports = connection.venuePortsOf(plan, { journal: journal() });
  const { told, outcome } = await ended(WithdrawalExecution.run(plan, signed, ports, patience));
  expect([told[0], outcome.status]).toEqual(['venue-sent', 'success']);
  expect(outcome.received).toBeGreaterThanOrEqual(plan.quote.minimum);
  const after = await venue.account(owned.index);
  expect(after && VenueAccount.usdc(owned) - VenueAccount.usdc(after)).toBe(50_000_000n + plan.transfer.usdcFee);
});

test('currency: reads the decimals of an unknown token on its chain', async () => {
  const chains = sandbox.network.chains.map((chain) => ({ ...chain, tokens: [] }));
  const bare = connect({ ...sandbox.network, chains });
  const address = sandbox.network.chains[0]?.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '';
  const token = { address, symbol: 'USDC', name: 'USD Coin', decimals: 6 };
  expect((await bare.currency(`alpha/${address}`)).token).toEqual(token);
  await failure('request.unknown-token', () => bare.currency('alpha/usdc'));
  await bare.close();
});

describe('connect', () => {
  test('behavior: works with the platform’s own fetch', async () => {
    const asked: string[] = [];
    const own = connect(sandbox.network, {
      fetch: (url, init) => {
        asked.push(new URL(url).pathname);
        return fetch(url, { ...init, redirect: 'error' });
      },
    });
    expect((await own.service.chains()).chains.map(({ name }) => name)).toContain('alpha');
    expect(asked).toEqual(['/chains']);
    await own.close();
  });

  test('behavior: the signal aborts requests in flight', async () => {
    const end = new AbortController();
    const cut = connect(sandbox.network, { signal: end.signal });
    const slept = cut.clock.sleep(60_000, end.signal);
    end.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
    await expect(cut.service.chains()).rejects.toThrow('enough');
    await cut.close();
  });

  test('error: a network without a base URL, a chain without a node, an unknown venue', async () => {
    await failure('config.invalid', () => connect(unlocated));
    const network: Network = { ...unlocated, baseUrl: 'http://127.0.0.1:1', venue: undefined };
    const half = connect(network);
    const [alpha] = network.chains;
    if (!alpha) throw new Error('the table has chains');
    await failure('chain.no-rpc', () => half.chain(alpha));
    await failure('venue.unconfigured', () => half.venue());
    await failure('service.unreachable', () => half.service.chains());
    await half.close();
  });
});
