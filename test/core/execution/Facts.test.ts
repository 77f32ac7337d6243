import { beforeAll, describe, expect, test } from 'vitest';
import type { VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import type { BaseError } from '../../../src/core/base/Errors.js';
import * as Execution from '../../../src/core/execution/Execution.js';
import * as Facts from '../../../src/core/execution/Facts.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import * as GaslessSigning from '../../../src/core/gasless/GaslessSigning.js';
import type { Chain } from '../../../src/core/ports/Ports.js';
import { failure } from '../../support/failures.js';
import { useSandbox } from '../../support/sandbox.js';
import { planOn, signer, type Transfer, transferOn } from '../../support/transfer.js';
import * as withdrawal from '../../support/withdrawal.js';

const { sandbox } = useSandbox();
let transfer: Transfer;

beforeAll(async () => {
  transfer = transferOn(sandbox);
});

/** The node, and how often each of its methods was called. */
function counted(node: Chain): { node: Chain; calls: Map<string, number> } {
  const calls = new Map<string, number>();
  const methods = Object.entries(node).map(([name, method]) => [
    name,
    (...args: never[]) => {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return (method as (...args: never[]) => unknown)(...args);
    },
  ]);
  return { node: Object.fromEntries(methods) as Chain, calls };
}

const tip = Promise.resolve(7n);

describe('recent', () => {
  const permit = { kind: 'permit', at: 1_000, tip: undefined } as const;

  test.each([
    ['to the last millisecond', 11_000, 'permit', permit],
    ['not later', 11_001, 'permit', undefined],
    ['not of another kind', 1_000, 'batch', undefined],
  ] as const)('default: %s', (_, now, kind, expected) => {
    expect(Facts.recent(kind, permit, { now: () => now })).toBe(expected);
  });
});

describe('ofTransactions', () => {
  test('default: each is asked for once, with the time before', async () => {
    const { ports } = transfer;
    const { node, calls } = counted(ports.origin);
    const plan = await planOn(transfer, '3', 'alpha/usdc', 'beta/usdc');
    const facts = await Facts.ofTransactions(plan, { origin: node, tip, clock: { now: () => 5 } });
    expect(facts).toMatchObject({ at: 5, code: '0x', allowances: [0n, undefined], tip: 7n });
    expect(facts.nonce).toBe(await ports.origin.nonce(ports.account.address));
    expect(Object.fromEntries(calls)).toEqual({
      ...{ chainId: 1, balance: 2, gasPrice: 1, code: 1, nonce: 1, estimateGas: 1, allowance: 1 },
    });
  });

  test('behavior: what cannot be estimated yet is no failure, but a balance that is too low is', async () => {
    const { ports } = transfer;
    const plan = await planOn(transfer, '3', 'alpha/usdc', 'beta/usdc');
    const nodes = { origin: ports.origin, tip, clock: ports.clock };
    const [, deposit] = plan.actions;
    if (!deposit) throw new Error('no deposit');
    expect((await Facts.ofTransactions({ ...plan, actions: [deposit] }, nodes)).gas).toBeUndefined();
    const rich = await planOn(transfer, '1000001', 'alpha/dai', 'beta/dai', signer('dev1').address);
    await expect(Facts.ofTransactions(rich, nodes)).rejects.toMatchObject({ code: 'submit.insufficient-balance' });
  });
});

describe('Execution.run', () => {
  /** How often what was gathered is asked for until the first transaction is signed. */
  async function askedBy(ageMs: number): Promise<readonly (number | undefined)[]> {
    const { ports } = transfer;
    const plan = await planOn(transfer, '3', 'alpha/usdt', 'beta/usdt');
    const now = ports.clock.now();
    const clock = { ...ports.clock, now: () => now };
    const nodes = { origin: ports.origin, tip: Facts.tipOf(ports.destination), clock };
    const facts = { ...(await Facts.ofTransactions(plan, nodes)), at: now - ageMs };
    const { node, calls } = counted(ports.origin);
    const at = { ...ports, origin: node, clock };
    const running = Execution.run(plan, at, { wait: true, timeoutMs: 60_000 }, new Map(), { facts });
    for (let step = await running.next(); !step.done; step = await running.next())
      if (step.value.type === 'signed') break;
    await running.return(undefined as never);
    return ['chainId', 'gasPrice', 'code', 'nonce', 'estimateGas'].map((method) => calls.get(method));
  }

  test('behavior: what was gathered just now is not asked for again, and what is old is', async () => {
    expect(await askedBy(0)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(await askedBy(60_000)).toEqual([1, 1, 1, 1, 1]);
  });
});

test('GaslessSigning.sign: error: a permit for more than there is, of which nothing was gathered', async () => {
  const rich = await planOn(transfer, '1000001', 'alpha/dai', 'beta/dai', signer('dev1').address);
  const permit = { summary: '', typed: { primaryType: 'Permit' } } as Plan.Permit;
  const ports = { ...transfer.ports, replay: false, referrer: undefined, relayer: undefined, validForMs: undefined };
  const signing = GaslessSigning.sign({ ...rich, permits: [permit] }, ports, undefined);
  await expect(signing.next()).rejects.toMatchObject({ code: 'submit.insufficient-balance' });
});

describe('meansOf and solvent', () => {
  const check = async ({ quote, gas }: Plan.Plan, node: Chain): Promise<Facts.Solvent> =>
    Facts.solvent(quote, await Facts.meansOf(quote, node), gas);
  const assert = (planned: Plan.Plan): Promise<BaseError> => failure(check(planned, transfer.ports.origin));
  test('error: a balance below the amount', async () => {
    const error = await assert(await planOn(transfer, '1000001', 'alpha/dai', 'beta/dai', signer('dev1').address));
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6 });
  });
  test('error: no gas money', async () => {
    const error = await assert(await planOn(transfer, '1', 'alpha/usdc', 'beta/usdc', signer('dev9').address));
    expect(error.code).toBe('submit.insufficient-gas');
    expect(Object.fromEntries(error.facts).balance).toBe('0 ETH');
  });
  test('error: a node of another chain', async () => {
    const planned = await planOn(transfer, '1', 'alpha/eth', 'beta/eth');
    const other = transfer.ports.destination;
    if (!other) throw new Error('no destination');
    await expect(check(planned, other)).rejects.toMatchObject({ code: 'chain.wrong-chain' });
    const named = { ...planned.intent.origin.chain, name: 'base-sepolia' };
    expect(() => Facts.assertChain(named, 1)).toThrowError(
      expect.objectContaining({ hint: expect.stringContaining(' FERRY_RPC_URL_BASE_SEPOLIA,') }),
    );
  });
});

describe('assertVenueBalance', () => {
  const holding = (perps: string): VenueAccount => ({
    index: 1,
    wallet: signer('dev0').address,
    isMaster: true,
    isActive: true,
    assets: [{ symbol: 'USDC', assetIndex: 3, perps, spot: '0' }],
  });

  test('default: the amount and the fee, to the last millionth', async () => {
    expect(() => Facts.assertVenueBalance(withdrawal.quote('withdrawal'), holding('42.5'))).not.toThrow();
    const error = await failure(
      (async () => Facts.assertVenueBalance(withdrawal.quote('withdrawal'), holding('42.499999')))(),
    );
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, funds: 'untouched' });
    expect(error.facts).toEqual([
      ['amount', '40 USDC'],
      ['venue fee', '2.5 USDC'],
      ['balance', '42.499999 USDC'],
    ]);
  });
});
