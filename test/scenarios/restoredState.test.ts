/**
 * A state directory that is put back from a copy after more was paid: every way to pay pays as asked once,
 * or refuses with the reason before it signs. What was paid is read from the chain.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { balanceAt, miningAt } from '../support/node.js';
import { backup, richNetwork } from '../support/richNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

afterEach(async () => {
  await clearFaults(sandbox);
  await mining(true);
});

const usdcOf = (chain: string): string => Network.token(Network.chain(network, chain), 'usdc')?.address ?? '';

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** What a payment led to. */
type Result = { code: string; funds: string; run: string | undefined };

const newRecipient = (): string => privateKeyToAddress(generatePrivateKey());

function resultOf(ended: Ended): Result {
  const { error, data } = ended.json();
  return { code: error?.code ?? 'none', funds: (error ?? data).funds, run: (error ?? data).run };
}

/** How many times 5 USDC have arrived on beta. The fees are small against it. */
async function arrived(recipient: string): Promise<number> {
  return Math.round(Number(await balanceAt(sandbox.rpcUrls.beta, usdcOf('beta'), recipient)) / 5e6);
}

/** A customer with 50 USDC, on a network with real money, who pays a recipient whom nobody else pays. */
async function customer() {
  const rich = await richNetwork(sandbox);
  const run = async (...argv: string[]): Promise<Result> => resultOf(await rich.run(...argv));
  const accepted = `batchExecutor=${Network.chain(network, 'alpha').contracts.batchExecutor}`;
  expect((await rich.run('contracts', 'accept', 'alpha', accepted, '--yes')).code).toBe(0);
  const transfer = [usdcOf('alpha'), 'transfer(address,uint256)', rich.address, '50000000'];
  await cast('send', ...transfer, '--private-key', accounts.dev0.privateKey, '--rpc-url', rich.rpcUrl);
  const recipient = newRecipient();
  const argv = ['5', 'alpha/usdc', 'beta/usdc', '--recipient', recipient, '--yes'];
  return {
    stateDir: rich.stateDir,
    run,
    /** A new transfer each time. */
    pay: (...flags: string[]) => run('execute', ...argv, ...flags),
    /** How many times the recipient was paid. */
    times: () => arrived(recipient),
  };
}

async function paid(running: Promise<Result>): Promise<void> {
  expect(await running).toMatchObject({ code: 'none', funds: 'delivered' });
}

describe('another payment, after the state directory was restored', () => {
  test('behavior: it is refused', async () => {
    const { pay, stateDir, times } = await customer();
    await paid(pay());
    const restore = backup(stateDir);
    await paid(pay());
    restore();
    expect(await pay()).toMatchObject({ code: 'run.foreign-nonce', funds: 'untouched' });
    expect(await times()).toBe(2);
  });
});

describe('a batch, after the state directory and the ledger were restored', () => {
  test('behavior: a line that was paid since is refused, also without real money', async () => {
    const folder = temporaryFolder();
    const stateDir = join(folder, 'state');
    const [batch, ledger] = [join(folder, 'batch.ndjson'), join(folder, 'ledger.ndjson')];
    const recipient = newRecipient();
    const env = { ...at(sandbox), FERRY_STATE_DIR: stateDir };
    /** Pays lines with these ids; returns the error code of the last result. */
    const pay = async (...ids: string[]): Promise<string | undefined> => {
      const line = { amount: '5', from: 'alpha/usdc', to: 'beta/usdc', recipient, account: 'dev2' };
      writeFileSync(batch, ids.map((id) => `${JSON.stringify({ id, ...line })}\n`).join(''));
      const ended = await ferry(['execute', '--batch', batch, '--out', ledger, '--yes', '--json'], { env });
      return ended.lines().findLast(({ type }) => type === 'result')?.error?.code;
    };
    expect(await pay('a')).toBeUndefined();
    const restore = backup(stateDir);
    const results = readFileSync(ledger);
    expect(await pay('a', 'b')).toBeUndefined();
    restore();
    writeFileSync(ledger, results);
    expect(await pay('a', 'b')).toBe('run.foreign-nonce');
    expect(await arrived(recipient)).toBe(2);
  });
});

describe('resume, after the state directory was restored', () => {
  test('behavior: the approval was pending, then it was paid, which the service denies', async () => {
    const { pay, run, stateDir, times } = await customer();
    await mining(false);
    expect((await pay('--one-by-one', '--timeout', '500ms')).code).toBe('track.unfinished');
    const restore = backup(stateDir);
    await mining(true);
    await paid(run('resume', '--yes'));
    restore();
    const denial = { kind: 'status', status: 200, body: { status: 'unknown' }, times: 0 } as const;
    await addFault(sandbox, 'service', { ...denial, match: { path: '/intents/status' } });
    expect((await run('resume', '--yes')).code).toBe('run.foreign-nonce');
    expect(await times()).toBe(1);
  });
});

describe('runs cancel, after the state directory was restored', () => {
  test('error: only the approval was signed, then the payment was, which is pending', async () => {
    const { pay, run, stateDir } = await customer();
    await mining(false);
    const { run: id } = await pay('--one-by-one', '--timeout', '500ms');
    await mining(true);
    await mining(false);
    const restore = backup(stateDir);
    expect((await run('resume', '--yes', '--timeout', '500ms')).code).toBe('track.unfinished');
    restore();
    expect(await run('runs', 'cancel', id ?? '', '--yes')).toMatchObject({ code: 'run.foreign-nonce' });
  });
});
