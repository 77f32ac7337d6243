/** Lies about how a transfer has ended: by the service about deliveries and refunds, by a node about reverts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { forward, json, loopback, nobody } from '../support/loopback.js';
import { ask, inFrontOf } from '../support/node.js';
import { sampled } from '../support/sampled.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => clearFaults(sandbox));
afterAll(() => sandbox.stop());

type Account = 'dev0' | 'dev1' | 'dev2' | 'dev3' | 'dev4';

/** A payer with a state directory of their own. */
function payer(account: Account, more: Record<string, string | undefined> = {}) {
  const env = { ...at(sandbox), ...more, FERRY_STATE_DIR: temporaryFolder() };
  return {
    env,
    address: accounts[account].address,
    run: (...argv: string[]): Promise<Ended> =>
      ferry([...argv, '--account', account, '--yes', '--json'], {
        env,
        pace: argv.includes('--timeout') ? pace : undefined,
      }),
  };
}

/** The service says something of every request. */
async function says(status: string, ...txHashes: string[]): Promise<void> {
  for (const [path, value] of [
    ['/status', status],
    ['/txHashes', txHashes],
  ] as const)
    await addFault(sandbox, 'service', {
      ...{ kind: 'tamper', times: 0, match: { path: '/intents/status/v3' } },
      ...{ path, value },
    });
}

/** The service, which calls every transfer something, and a pace that is fast once the transfer is over. */
async function calling(status?: string): Promise<{ url: string; pace(): number }> {
  let isOver = false;
  const { url } = await loopback((response, request) => {
    void forward(sandbox.baseUrl + request.path, request).then((honest) => {
      const answer = JSON.parse(honest.text);
      if (!request.path.startsWith('/intents/status')) return json(answer, honest.status)(response, request);
      isOver ||= answer.status === 'success';
      json(status ? { ...answer, status } : answer)(response, request);
    });
  });
  return { url, pace: () => (isOver ? pace : 1) };
}

/** How many times faster waits pass where a deadline is named: for what is never shown, a run waits to its end. */
const pace = 40;

const invented = `0x${'ab'.repeat(32)}`;
const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc'];
const impatient = ['--timeout', '20s'];
const unwitnessed = { code: 'track.unwitnessed', funds: 'unknown', retryable: false };

/** A transfer that is paid and not filled, and how to go on with it. */
async function stuck(one: ReturnType<typeof payer>): Promise<{ resume(...argv: string[]): Promise<Ended> }> {
  await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 1 });
  const sent = await one.run(...transfer, '--no-wait');
  expect(sent.code).toBe(0);
  const { run } = sent.json().data;
  return { resume: (...argv) => one.run('resume', run, ...impatient, ...argv) };
}

describe('attack: delivered', () => {
  test('an invented fill is no delivery; once the real one is named it is', async () => {
    const one = payer('dev4');
    await says('success', invented);
    const first = await one.run(...transfer, ...impatient);
    const { error } = first.json();
    expect([first.code, error]).toMatchObject([10, unwitnessed]);
    expect(error.message).toBe('The service reports the delivery, but beta does not show it.');
    expect(error.next).toBe(`ferry resume ${error.run} --account dev4`);
    await clearFaults(sandbox);
    const resumed = await one.run('resume', error.run);
    expect([resumed.code, resumed.json().data]).toMatchObject([
      0,
      { funds: 'delivered', witnesses: ['the service', 'the node of beta'] },
    ]);
  });

  test.each(['the same', 'another'])('an old fill of another transfer, by %s state directory', async (state) => {
    const one = payer('dev3');
    const before = (await one.run(...transfer)).json().data;
    await says('success', before.fills[0].txHash);
    const other = state === 'the same' ? one : payer('dev3');
    const ended = await other.run(...transfer, ...impatient);
    expect([ended.code, ended.json().error]).toMatchObject([10, unwitnessed]);
    await clearFaults(sandbox);
    expect((await other.run('resume', ended.json().error.run)).code).toBe(0);
  });

  test('a fill that came later, and was counted for another transfer of this machine', async () => {
    const one = payer('dev2');
    const waiting = await stuck(one);
    const other = (await one.run(...transfer, '--again')).json().data;
    await says('success', other.fills[0].txHash);
    const ended = await waiting.resume();
    expect([ended.code, ended.json().error]).toMatchObject([10, unwitnessed]);
  });

  test('a fiftieth of the minimum is no delivery', async () => {
    const one = payer('dev1');
    const waiting = await stuck(one);
    const crumb = await payer('dev0').run('execute', '0.2', 'beta/usdc', 'beta/usdc', '--recipient', one.address);
    expect(crumb.code).toBe(0);
    await says('success', crumb.json().data.transactions[0].txHash);
    const ended = await waiting.resume();
    expect([ended.code, ended.json().error]).toMatchObject([10, unwitnessed]);
    expect(ended.json().error.facts).toMatchObject({ shown: expect.stringContaining('0.2 USDC') });
  });

  test('the payer’s own transfer to the recipient is no fill', async () => {
    const one = payer('dev1');
    const friend = accounts.dev0.address;
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 1 });
    const sent = (await one.run(...transfer, '--recipient', friend, '--no-wait')).json().data;
    const own = (await one.run('execute', '10', 'beta/usdc', 'beta/usdc', '--recipient', friend)).json().data;
    await says('success', own.transactions[0].txHash);
    const ended = await one.run('resume', sent.run, ...impatient);
    expect([ended.code, ended.json().error]).toMatchObject([10, unwitnessed]);
  });
});

describe('attack: refunded', () => {
  test('an invented refund is none', async () => {
    const one = payer('dev4');
    const waiting = await stuck(one);
    await says('refund', invented);
    const ended = await waiting.resume();
    expect([ended.code, ended.json().error]).toMatchObject([10, unwitnessed]);
    expect(ended.json().error.message).toBe('The service reports the refund, but alpha does not show it.');
  });

  test.each(
    sampled(
      [
        ['a fill', 'dev3', transfer, 'beta'],
        ['a deposit at the venue', 'dev0', ['execute', '10', 'alpha/usdc', 'lighter/usdc'], 'the venue'],
        ['a withdrawal', 'dev2', ['venue', 'withdraw', '10', 'alpha/usdc'], 'alpha'],
      ] as const,
      2,
    ),
  )('%s that is called a refund is not returned; called by its name it is delivered', async (_, who, argv, where) => {
    const one = payer(who);
    const service = await calling('refund');
    const first = await ferry([...argv, ...impatient, '--account', who, '--yes', '--json'], {
      env: { ...one.env, FERRY_BASE_URL: service.url },
      pace: service.pace,
    });
    const { error } = first.json();
    expect([first.code, error]).toMatchObject([
      10,
      { ...unwitnessed, next: `ferry resume ${error.run} --account ${who}` },
    ]);
    expect(error.message).toBe(`The service reports the refund, but ${where} shows the delivery.`);
    expect(error.facts.shown).toMatch(/^9\.\d+ USDC .*to /);
    expect((await one.run(...argv)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
    const resumed = await one.run('resume', error.run);
    expect([resumed.code, resumed.json().data?.funds]).toEqual([0, 'delivered']);
  });

  test('a real one is shown by both', async () => {
    await addFault(sandbox, 'service', { kind: 'solver', does: 'refund', times: 1 });
    const ended = await payer('dev4').run(...transfer, '--require-witness');
    expect([ended.code, ended.json().error]).toMatchObject([
      7,
      { funds: 'returned', facts: { 'shown by': 'the service, the node of alpha' } },
    ]);
  });
});

describe('one witness', () => {
  test('without a node of the destination it is delivered by the service’s word, or with --require-witness unknown', async () => {
    const one = payer('dev4', { FERRY_RPC_URL_BETA: nobody });
    const ended = await one.run(...transfer, '--timeout', '40m');
    expect([ended.code, ended.json().data]).toMatchObject([
      0,
      { funds: 'delivered', received: null, witnesses: ['the service'] },
    ]);
    const service = await calling();
    const strict = await ferry(
      [...transfer, ...impatient, '--require-witness', '--account', 'dev4', '--yes', '--json'],
      { env: { ...one.env, FERRY_BASE_URL: service.url }, pace: service.pace },
    );
    expect([strict.code, strict.json().error]).toMatchObject([10, unwitnessed]);
    expect(strict.json().error.message).toContain('The service alone reports the delivery');
  });

  test('with one it is witnessed', async () => {
    const ended = await payer('dev4').run(...transfer, '--require-witness');
    expect([ended.code, ended.json().data.witnesses]).toEqual([0, ['the service', 'the node of beta']]);
  });
});

/** A node that takes what is sent and keeps it, and says that it was mined and has reverted. */
async function withholding(isThorough: boolean) {
  const { rpcUrl } = { rpcUrl: sandbox.rpcUrls.alpha };
  const kept: string[] = [];
  const answering =
    (answer: (honest: unknown, params: unknown[]) => unknown) =>
    (response: Parameters<ReturnType<typeof json>>[0], request: Parameters<ReturnType<typeof json>>[1]) => {
      const { id, method, params } = JSON.parse(request.body) as { id: number; method: string; params: unknown[] };
      const honest = method === 'eth_sendRawTransaction' ? Promise.resolve(undefined) : ask(rpcUrl, method, ...params);
      honest
        .then(async (found) => json({ jsonrpc: '2.0', id, result: await answer(found, params) })(response, request))
        .catch((error: Error) =>
          json({ jsonrpc: '2.0', id, error: { code: -32000, message: error.message } })(response, request),
        );
    };
  const { keccak256, parseTransaction, recoverTransactionAddress } = await import('viem');
  const { url } = await inFrontOf(rpcUrl, {
    eth_sendRawTransaction: answering((_, [raw]) => {
      kept.push(raw as string);
      return keccak256(raw as `0x${string}`);
    }),
    eth_getTransactionReceipt: answering(async (found, [hash]) => {
      const raw = kept.find((each) => keccak256(each as `0x${string}`) === hash);
      if (!raw) return found;
      const { number } = (await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as { number: string };
      return {
        ...{ transactionHash: hash, status: '0x0', blockNumber: number, blockHash: invented, logs: [] },
        ...{ from: await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }), to: null },
        ...{ gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x7', transactionIndex: '0x0' },
        ...{ logsBloom: `0x${'00'.repeat(256)}`, type: '0x2', contractAddress: null },
      };
    }),
    eth_getTransactionCount: answering((found, [, block]) => {
      const isLied = isThorough || block === 'latest' || block === 'pending';
      return isLied ? `0x${(Number(found) + kept.length).toString(16)}` : found;
    }),
  });
  return { url, kept: () => kept.map((raw) => parseTransaction(raw as `0x${string}`).nonce) };
}

const native = ['execute', '0.01', 'alpha/eth', 'beta/eth'];

describe('attack: reverted', () => {
  test('a node that says status 0 and holds the bytes back: unknown, and not repeated', async () => {
    const node = await withholding(false);
    const one = payer('dev4', { FERRY_RPC_URL_ALPHA: node.url });
    const first = await one.run(...native, ...impatient);
    expect([first.code, first.json().error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
    const second = await one.run(...native, ...impatient);
    expect(second.json().error).toMatchObject({ code: 'run.unfinished', run: first.json().error.run });
    expect(node.kept()).toHaveLength(1);
  });

  test('a node that says that a cancellation is mined and holds it back: not canceled, and the payment goes on', async () => {
    const { alpha } = sandbox.rpcUrls;
    const one = payer('dev2');
    await ask(alpha, 'evm_setAutomine', false);
    try {
      const { error } = (await one.run(...native, ...impatient)).json();
      expect(error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight' });
      const node = await withholding(false);
      const ended = await ferry(['runs', 'cancel', error.run, '--account', 'dev2', '--yes', '--json', ...impatient], {
        env: { ...one.env, FERRY_RPC_URL_ALPHA: node.url },
        pace,
      });
      expect(new Set(node.kept()).size).toBe(1);
      expect([9, 10]).toContain(ended.code);
      expect(['in-flight', 'unknown']).toContain(ended.json().error.funds);
      await ask(alpha, 'evm_setAutomine', true);
      await ask(alpha, 'evm_mine');
      const resumed = await one.run('resume', error.run);
      expect([resumed.code, resumed.json().data?.funds]).toEqual([0, 'delivered']);
    } finally {
      await ask(alpha, 'evm_setAutomine', true);
    }
  });

  test('a real revert that one node alone shows is unknown, and final once a second node shows it', async () => {
    // The depository is broken while the deposit is mined.
    const depository = Network.chain(network, 'alpha').contracts.depository ?? '';
    const rpcUrl = sandbox.rpcUrls.alpha;
    const { url } = await inFrontOf(rpcUrl, {
      eth_sendRawTransaction: async (response, request) => {
        const { id, params } = JSON.parse(request.body) as { id: number; params: unknown[] };
        const code = await ask(rpcUrl, 'eth_getCode', depository, 'latest');
        await ask(rpcUrl, 'anvil_setCode', depository, '0xfe');
        const result = await ask(rpcUrl, 'eth_sendRawTransaction', ...params);
        await expect.poll(() => ask(rpcUrl, 'eth_getTransactionReceipt', result)).not.toBeNull();
        await ask(rpcUrl, 'anvil_setCode', depository, code);
        json({ jsonrpc: '2.0', id, result })(response, request);
      },
    });
    const one = payer('dev3', { FERRY_RPC_URL_ALPHA: url });
    const ended = await one.run(...native, ...impatient);
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
    expect((await one.run(...native)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
    const env = { ...one.env, FERRY_RPC_URLS_ALPHA: rpcUrl };
    const resumed = await ferry(['resume', error.run, '--account', 'dev3', '--yes', '--json'], { env });
    expect([resumed.code, resumed.json().error]).toMatchObject([6, { code: 'submit.reverted', funds: 'untouched' }]);
    expect(resumed.json().error.facts['shown by']).toBe(`${url}, ${rpcUrl}`);
  });
});

describe('several nodes of a chain', () => {
  /** The same node by another name. */
  const second = async (): Promise<string> => (await inFrontOf(sandbox.rpcUrls.alpha, {})).url;

  test('two that agree; and one that is dead is passed over', async () => {
    const honest = payer('dev2', { FERRY_RPC_URLS_ALPHA: await second() });
    expect((await honest.run(...native, '--require-witness')).code).toBe(0);
    const half = payer('dev2', { FERRY_RPC_URL_ALPHA: nobody, FERRY_RPC_URLS_ALPHA: sandbox.rpcUrls.alpha });
    expect((await half.run(...native)).code).toBe(0);
  });

  test('one that says status 0 and holds the bytes back: the other gets them, and both are named', async () => {
    const node = await withholding(false);
    const one = payer('dev1', { FERRY_RPC_URL_ALPHA: node.url, FERRY_RPC_URLS_ALPHA: sandbox.rpcUrls.alpha });
    const ended = await one.run(...native, ...impatient);
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
    expect(error.facts['one node']).toContain(`${node.url}: reverted`);
    expect(error.facts.another).toContain(`${sandbox.rpcUrls.alpha}: success`);
    const honest = payer('dev1', { FERRY_STATE_DIR: one.env.FERRY_STATE_DIR });
    const resumed = await ferry(['resume', error.run, '--account', 'dev1', '--yes', '--json'], {
      env: { ...honest.env, FERRY_STATE_DIR: one.env.FERRY_STATE_DIR },
    });
    expect([resumed.code, resumed.json().data.funds]).toEqual([0, 'delivered']);
  });

  test('two that disagree about a balance are named before anything is signed, without the keys of their URLs', async () => {
    const liar = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_getBalance: (response, request) =>
        json({ jsonrpc: '2.0', id: JSON.parse(request.body).id, result: '0xde0b6b3a7640000' })(response, request),
    });
    const one = payer('dev0', { FERRY_RPC_URLS_ALPHA: `${liar.url}/v2/hush-hush-key` });
    const ended = await one.run(...native);
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([3, { code: 'chain.disagreement', funds: 'untouched' }]);
    expect(Object.values(error.facts).join()).toContain(liar.url);
    expect(ended.stdout + ended.stderr).not.toContain('hush-hush');
  });
});
