import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { type Ended, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { nobody } from '../support/loopback.js';
import { ask, miningAt } from '../support/node.js';
import { type User, useSandbox } from '../support/sandbox.js';

const folders: string[] = [];
const { sandbox, env, user } = useSandbox();
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const payer = accounts.dev3.address;
const payee = accounts.dev4.address;

/** A delivered run, its receipt in a file, and the commands of one user. */
async function paid(...transfer: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-receipt-'));
  folders.push(folder);
  const own = { env: { ...env, FERRY_STATE_DIR: join(folder, 'state') }, home: folder };
  const run = (...argv: string[]): Promise<Ended> => ferry([...argv, '--json'], own);
  const ended = await run('execute', ...transfer, '--account', 'dev3', '--yes');
  expect([ended.code, ended.json().error]).toEqual([0, undefined]);
  const file = join(folder, 'receipt.json');
  const id: string = ended.json().data.run;
  const made = await run('receipt', id, '-o', file);
  expect([made.code, made.json().error]).toEqual([0, undefined]);
  return { file, made: made.json().data, run: id, ferry: run };
}

/** The receipt of a deposit to the venue, in a file. */
async function deposited({ run }: User): Promise<[file: string, receipt: Envelope]> {
  const file = join(temporaryFolder(), 'receipt.json');
  const paid = await run('venue', 'deposit', '10', 'alpha/usdc', '--account', 'dev3');
  return [file, (await run('receipt', paid.json().data.run, '-o', file)).json().data];
}

/** What another user's ferry says of a receipt, at nodes of their own. */
function verified(file: string, ...options: string[]): Promise<Ended> {
  return user().run('verify', file, ...options);
}

/** The checks of a verdict that are not verified, but for those that nothing was required for. */
function missed(ended: Ended): string[] {
  const { proof } = ended.json().data as { proof: { check: string; verdict: string }[] };
  return proof.filter(({ verdict }) => ['mismatch', 'cannot verify'].includes(verdict)).map(({ check }) => check);
}

/** The receipt, changed, in another file. */
function altered(file: string, change: (receipt: Envelope) => void): string {
  const envelope = JSON.parse(readFileSync(file, 'utf8')) as Envelope;
  change(envelope.data);
  const other = join(temporaryFolder(), 'receipt.json');
  writeFileSync(other, JSON.stringify(envelope));
  return other;
}

describe('run', () => {
  test.each([
    ['across chains', ['100', 'alpha/usdc', 'beta/usdc']],
    ['native', ['0.1', 'alpha/eth', 'beta/eth']],
    ['with a swap', ['50', 'alpha/usdc', 'beta/gull']],
    ['on one chain', ['0.1', 'alpha/eth', 'alpha/usdc']],
    ['as a batch', ['10', 'alpha/usdc', 'beta/usdc', '--gasless']],
    ['by permit', ['10', 'alpha/usdc', 'beta/usdc', '--permit']],
  ])('default: %s, and the payee’s own ferry agrees', async (_, transfer) => {
    const { file, made } = await paid(...transfer, '--recipient', payee);
    expect(BigInt(made.received.amount)).toBeGreaterThanOrEqual(BigInt(made.minimum.amount));
    expect(made.witnesses.map(({ fact }: { fact: string }) => fact)).toEqual(
      expect.arrayContaining(['deposit', 'delivered']),
    );
    // A plain payment names no order, and a receipt says what it cannot prove.
    const open = transfer[2] === 'beta/eth' ? ['fill-order'] : [];
    const required = ['--recipient', payee, '--user', payer, '--min-out', made.minimum.formatted];
    const ended = await verified(file, ...required, ...open.flatMap((check) => ['--allow', check]));
    expect([ended.code, missed(ended)]).toEqual([0, open]);
    expect(ended.json().data).toMatchObject({
      verdict: 'verified',
      receipt: { payer, recipient: payee, received: made.received.formatted },
    });
  });

  test('default: a deposit to the venue', async () => {
    const [file, made] = await deposited(user());
    expect(made.witnesses).toContainEqual({ fact: 'delivered', witnesses: ['venue'] });
    expect([(await verified(file)).code, missed(await verified(file, '--min-out', '9'))]).toEqual([0, []]);
  });

  test('attack: what the venue has paid for another order is not taken for this one', async () => {
    const there = user();
    const [[, { fills }], [file]] = [await deposited(there), await deposited(there)];
    const ended = await verified(altered(file, (receipt) => Object.assign(receipt, { fills })));
    expect([ended.code, missed(ended)]).toEqual([5, ['fill-order']]);
  });

  test('behavior: as text, and from a pipe', async () => {
    const { run, ferry: own } = await paid('5', 'alpha/usdc', 'beta/usdc');
    const stdin = (await own('receipt', run)).stdout;
    const ended = await ferry(['verify', '-', '--to', 'beta/usdc'], { env, stdin });
    expect(ended.stdout).toMatch(/✓ \d+ checks passed: 4\.9\d+ beta\/usdc arrived at 0x/);
  });

  test('error: a run that is not delivered', async () => {
    const there = user();
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 0 });
    const { run } = (await there.run('execute', '5', 'alpha/usdc', 'beta/usdc', '--no-wait')).json().data;
    const { error } = (await there.run('receipt', run)).json();
    expect(error).toMatchObject({ code: 'request.unsupported', funds: 'in-flight', next: `ferry resume ${run}` });
  });

  test('error: a service that names another transaction as the fill', async () => {
    const { ferry: own, run } = await paid('5', 'alpha/usdc', 'beta/usdc');
    const older = await paid('5', 'alpha/usdc', 'beta/dai');
    const value = older.made.fills.map(({ txHash }: { txHash: string }) => txHash);
    const match = { path: '/intents/status/v3' };
    await addFault(sandbox, 'service', { kind: 'tamper', path: '/txHashes', value, match });
    const ended = await own('receipt', run);
    expect(ended.json().error).toMatchObject({ code: 'verify.unverified', funds: 'delivered' });
    expect(Object.keys(ended.json().error.facts)).toContain('delivered');
  });
});

describe('ferry verify of a receipt', () => {
  let real: Awaited<ReturnType<typeof paid>>;
  let other: Awaited<ReturnType<typeof paid>>;
  beforeAll(async () => {
    real = await paid('100', 'alpha/usdc', 'beta/usdc', '--recipient', payee);
    other = await paid('100', 'alpha/usdc', 'beta/usdc', '--recipient', payee);
  });

  test.each<[string, (receipt: Envelope) => void, string[]]>([
    [
      'another recipient',
      (receipt) => Object.assign(receipt, { recipient: accounts.dev5.address }),
      ['order-recipient'],
    ],
    ['a larger minimum', (receipt) => Object.assign(receipt.minimum, { amount: '200000000' }), ['order-minimum']],
    [
      'a larger minimum in the order too',
      ({ minimum, order }) => {
        minimum.amount = '200000000';
        order.output.payments[0].minimumAmount = '200000000';
      },
      ['order-id', 'delivered'],
    ],
    ['more than was received', (receipt) => Object.assign(receipt.received, { amount: '1' }), ['received']],
    ['another order id', (receipt) => Object.assign(receipt, { orderId: `0x${'77'.repeat(32)}` }), ['order-id']],
    ['no order', (receipt) => Object.assign(receipt, { order: null }), ['order-id']],
    ['another payer', (receipt) => Object.assign(receipt, { payer: accounts.dev6.address }), ['deposit']],
    ['no fill', (receipt) => Object.assign(receipt, { fills: [] }), ['delivered']],
    ['an invented fill', ({ fills }) => Object.assign(fills[0], { txHash: `0x${'be'.repeat(32)}` }), ['delivered']],
    ['other events', ({ fills }) => fills[0].logs.pop(), ['events']],
    ['an invented deposit', ({ deposit }) => Object.assign(deposit, { txHash: `0x${'be'.repeat(32)}` }), ['deposit']],
    [
      'a signature of somebody else',
      (receipt) => Object.assign(receipt, { orderSignature: `0x${'11'.repeat(65)}` }),
      ['solver-signature'],
    ],
  ])('error: %s', async (_, change, checks) => {
    const ended = await verified(altered(real.file, change), '--recipient', payee);
    expect(ended.code).toBe(5);
    expect(missed(ended)).toEqual(expect.arrayContaining(checks));
  });

  test('error: the deposit of another transfer', async () => {
    const file = altered(real.file, (receipt) => Object.assign(receipt, { deposit: other.made.deposit }));
    expect(missed(await verified(file))).toEqual(expect.arrayContaining(['deposit', 'deposit-amount']));
  });

  test('error: the fill of another transfer of the same amount to the same recipient', async () => {
    const file = altered(real.file, (receipt) => Object.assign(receipt, { fills: other.made.fills }));
    const ended = await verified(file);
    expect([ended.code, missed(ended)]).toEqual([5, ['fill-order']]);
  });

  /** Mines transactions of other accounts on the destination in one block. Resolves to their hashes. */
  async function minedTogether(...transactions: { from: string; to: string; value?: string; data?: string }[]) {
    const node = sandbox.rpcUrls.beta;
    await miningAt(node, false);
    const hashes: string[] = [];
    for (const each of transactions) hashes.push(String(await ask(node, 'eth_sendTransaction', each)));
    await miningAt(node, true);
    return hashes;
  }

  const fillOf = async (txHash: string) => {
    const { logs, blockNumber } = (await ask(sandbox.rpcUrls.beta, 'eth_getTransactionReceipt', txHash)) as Envelope;
    const own = logs.map(({ address, topics, data }: Envelope) => ({ address, topics, data }));
    return [{ chainId: made.fills[0].chainId, txHash, blockNumber: String(BigInt(blockNumber)), logs: own }];
  };
  let made: Envelope;

  test('attack: a native payment of somebody else, also in the block of what names the order', async () => {
    const native = await paid('0.1', 'alpha/eth', 'beta/eth', '--recipient', payee);
    made = native.made;
    const [named = '', payment = ''] = await minedTogether(
      { from: accounts.dev5.address, to: accounts.dev5.address, data: made.orderId },
      { from: accounts.dev6.address, to: payee, value: `0x${BigInt(made.received.amount).toString(16)}` },
    );
    for (const [txHash, check] of [
      [payment, 'fill-order'],
      [named, 'delivered'],
    ] as const) {
      const fills = await fillOf(txHash);
      const ended = await verified(altered(native.file, (receipt) => Object.assign(receipt, { fills })));
      expect([ended.code, missed(ended)]).toEqual([5, expect.arrayContaining([check])]);
    }
  });

  test('attack: one transfer of a token under two orders proves one receipt', async () => {
    made = real.made;
    const amount = BigInt(made.received.amount).toString(16).padStart(64, '0');
    const call = `0xa9059cbb${payee.slice(2).padStart(64, '0')}${amount}`;
    const data = [real.made.orderId, other.made.orderId].reduce((all, id) => all + id.slice(2), call);
    const [transfer = ''] = await minedTogether({ from: accounts.dev6.address, to: made.destination.address, data });
    const fills = await fillOf(transfer);
    const verdicts = [];
    for (const { file } of [real, other]) {
      const ended = await verified(altered(file, (receipt) => Object.assign(receipt, { fills })));
      verdicts.push([ended.code, missed(ended)]);
    }
    expect(verdicts).toEqual([
      [5, ['fill-order']],
      [0, []],
    ]);
  });

  test('attack: one payment on one chain under two requests is counted once by whoever is paid', async () => {
    const swap = await paid('0.1', 'alpha/eth', 'alpha/usdc', '--recipient', payee);
    const twice = altered(swap.file, (receipt) => Object.assign(receipt, { requestId: `0x${'77'.repeat(32)}` }));
    const { run } = user();
    const check = (file: string): Promise<Ended> => run('verify', file);
    expect((await check(swap.file)).code).toBe(0);
    const ended = await check(twice);
    expect([ended.code, missed(ended)]).toEqual([5, ['counted']]);
    expect((await check(swap.file)).code).toBe(0);
  });

  test.each(['many', '-1', '1.5', '0x1', `1${'0'.repeat(90)}`])(
    'error: a minimum of %s is no amount',
    async (amount) => {
      const ended = await verified(altered(real.file, (receipt) => Object.assign(receipt.minimum, { amount })));
      expect(ended.json().error).toMatchObject({ code: 'quote.unreadable' });
    },
  );

  test('behavior: a fill that is named twice counts once', async () => {
    const file = altered(real.file, ({ fills }) => fills.push(fills[0]));
    expect((await verified(file, '--min-out', '150')).code).toBe(5);
    expect((await verified(file)).code).toBe(0);
  });

  test.each([
    ['--recipient', accounts.dev5.address, 'recipient'],
    ['--user', accounts.dev5.address, 'user'],
    ['--min-out', '100', 'delivered'],
    ['--to', 'beta/dai', 'to'],
    ['--from', 'alpha/dai', 'from'],
  ])('error: it is held to %s', async (flag, value, check) => {
    const ended = await verified(real.file, flag, value);
    expect([ended.code, missed(ended)]).toEqual([5, [check]]);
  });

  test('error: without a node nothing is shown', async () => {
    const ended = await user({ FERRY_RPC_URL_BETA: nobody }).run('verify', real.file);
    expect([ended.code, missed(ended)]).toEqual([5, ['delivered']]);
  });

  test('error: an option that says nothing about a receipt', async () => {
    const ended = await verified(real.file, '--refund-to', payee);
    const message = expect.stringContaining('--refund-to');
    expect(ended.json().error).toMatchObject({ code: 'usage.invalid', message });
  });

  test('error: a receipt is not executed, and a broken one is named', async () => {
    const executed = await real.ferry('execute', real.file, '--account', 'dev3', '--yes');
    expect(executed.json().error).toMatchObject({ code: 'quote.unreadable', facts: { reason: 'it is a receipt' } });
    const broken = altered(real.file, (receipt) => delete receipt.deposit);
    expect((await verified(broken)).json().error).toMatchObject({ code: 'quote.unreadable' });
  });
});
