/**
 * A state directory that is put back from a copy after more was paid: every way to pay pays as asked once,
 * or refuses with the reason before it signs. What was paid is read from the chain.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { balanceAt, inFrontOf, miningAt } from '../support/node.js';
import { backup, richNetwork } from '../support/richNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

afterEach(async () => {
  await clearFaults(sandbox);
  await mining(true);
});

const alpha = Network.chain(network, 'alpha');
const usdcOf = (chain: string): string => Network.token(Network.chain(network, chain), 'usdc')?.address ?? '';

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** What a payment led to. */
type Result = { code: string; funds: string; run: string | undefined };

type Customer = {
  stateDir: string;
  /** Pays a recipient whom nobody else pays; a new transfer each time. */
  pay(...flags: string[]): Promise<Result>;
  /** How many times the recipient was paid. */
  times(): Promise<number>;
  /** Another command of the same account. */
  run(...argv: string[]): Promise<Result>;
};

/**
 * A network of the user's own knows no account of the service, and so cannot find in an authorization's nonce the deposit
 * that its proxy will make. What is read afterwards, whether it was used, is the same.
 */
const permit = ['--permit', '--allow', 'order-binding'];

const newRecipient = (): string => privateKeyToAddress(generatePrivateKey());

function resultOf(ended: Ended): Result {
  const { error, data } = ended.json();
  return { code: error?.code ?? 'none', funds: (error ?? data).funds, run: (error ?? data).run };
}

/** How many times an amount has arrived on beta. The fees are small against it. */
async function arrived(recipient: string, token: string, amount: number): Promise<number> {
  return Math.round(Number(await balanceAt(sandbox.rpcUrls.beta, token, recipient)) / amount);
}

/** A customer with 50 USDC and 10 ETH, on a network with real money. */
async function customer(currency: 'eth' | 'usdc', ...way: string[]): Promise<Customer> {
  // A cancellation is believed on two nodes.
  const more = currency === 'eth' ? [(await inFrontOf(sandbox.rpcUrls.alpha, {})).url] : [];
  const rich = await richNetwork(sandbox, more);
  const run = async (...argv: string[]) => resultOf(await rich.run(...argv));
  if (currency === 'usdc') {
    const accepted = `batchExecutor=${alpha.contracts.batchExecutor}`;
    expect((await rich.run('contracts', 'accept', 'alpha', accepted, '--yes')).code).toBe(0);
    const transfer = [usdcOf('alpha'), 'transfer(address,uint256)', rich.address, '50000000'];
    await cast('send', ...transfer, '--private-key', accounts.dev0.privateKey, '--rpc-url', rich.rpcUrl);
  }
  const recipient = newRecipient();
  const [amount, units, token] = currency === 'eth' ? ['0.01', 1e16, native] : ['5', 5e6, usdcOf('beta')];
  const argv = [`alpha/${currency}`, `beta/${currency}`, '--recipient', recipient, '--yes', ...way];
  return {
    stateDir: rich.stateDir,
    run,
    pay: (...flags) => run('execute', amount, ...argv, ...flags),
    times: () => arrived(recipient, token, units),
  };
}

async function paid(running: Promise<Result>): Promise<void> {
  expect(await running).toMatchObject({ code: 'none', funds: 'delivered' });
}

const refused = { code: 'run.foreign-nonce', funds: 'untouched' };

describe('another payment, after the state directory was restored', () => {
  test('behavior: it is refused', async () => {
    const { pay, stateDir, times } = await customer('usdc');
    await paid(pay());
    const restore = backup(stateDir);
    await paid(pay());
    restore();
    expect(await pay()).toMatchObject(refused);
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
    expect(await arrived(recipient, usdcOf('beta'), 5e6)).toBe(2);
  });
});

describe('resume, after the state directory was restored', () => {
  test('behavior: the approval was pending, then it was paid, which the service denies', async () => {
    const { pay, run, stateDir, times } = await customer('usdc');
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

  test('behavior: a permit was signed, then paid', async () => {
    const { pay, run, stateDir, times } = await customer('usdc', ...permit);
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 0 });
    expect((await pay('--timeout', '500ms')).code).toBe('track.unfinished');
    const restore = backup(stateDir);
    await clearFaults(sandbox);
    for (const _ of ['as it was', 'restored']) {
      await paid(run('resume', '--yes'));
      expect(await times()).toBe(1);
      restore();
    }
  });
});

describe('speed-up and cancel, after the state directory was restored', () => {
  test('behavior: the approval was mined, then it was paid: a cancellation does not say that nothing moved', async () => {
    const { pay, run, stateDir, times } = await customer('usdc');
    await mining(false);
    const { run: id = '' } = await pay('--one-by-one', '--timeout', '500ms');
    const pending = backup(stateDir);
    await mining(true);
    await paid(run('resume', '--yes'));
    pending();
    expect(await run('runs', 'cancel', id, '--yes')).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
    await paid(run('resume', '--yes'));
    expect(await times()).toBe(1);
  });

  /** A payment that waits in the pool, in a directory with a copy from then. */
  async function waiting() {
    const it = await customer('eth');
    await mining(false);
    const { code, run: id = '' } = await it.pay('--timeout', '500ms');
    expect(code).toBe('track.unfinished');
    return { ...it, id, restore: backup(it.stateDir) };
  }

  test('behavior: it was mined since: nothing is signed, and resume finds it', async () => {
    const { run, id, restore, times } = await waiting();
    await mining(true);
    await paid(run('resume', '--yes'));
    restore();
    for (const command of ['speed-up', 'cancel'])
      expect((await run('runs', command, id, '--yes')).code).toBe('run.settled');
    await paid(run('resume', '--yes'));
    expect(await times()).toBe(1);
  });

  test('behavior: it was canceled since and then paid by another run: not paid again', async () => {
    const { pay, run, id, restore, times } = await waiting();
    expect((await run('runs', 'cancel', id, '--yes', '--timeout', '500ms')).code).toBe('track.unfinished');
    await mining(true);
    expect((await run('resume', '--yes')).code).toBe('submit.cancelled');
    await paid(pay());
    restore();
    expect(await run('runs', 'speed-up', id, '--yes')).toMatchObject({ code: 'submit.replaced', funds: 'untouched' });
    expect(await run('resume', '--yes')).toMatchObject(refused);
    expect(await times()).toBe(1);
  });
});
