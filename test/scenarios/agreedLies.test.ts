/**
 * Lies that agree with each other: the service and its solver, or a node, lie in everything that they are asked, by a plan.
 * Nothing is final while what was signed can still act, and a payment is known by its order, not by an id that the service
 * has chosen.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, keccak256, parseAbi, parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, type Envelope, ferry, type Surroundings, temporaryFolder } from '../support/ferry.js';
import { type Behaviour, forward, json, loopback, type ReceivedRequest } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, nonceAt, passOn } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const addressOf = (chain: 'alpha' | 'beta', token: string): string =>
  Network.token(Network.chain(network, chain), token)?.address ?? '';
const usdc = addressOf('alpha', 'usdc');

type Payer = 'dev0' | 'dev3' | 'dev4' | 'dev5' | 'dev6' | 'dev7' | 'dev8' | 'dev9';

/** A payer with a state directory of their own. */
function payer(account: Payer, pace: Surroundings['pace'] = 20) {
  const stateDir = temporaryFolder();
  const { address } = accounts[account];
  return {
    address,
    held: (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, address),
    nonce: (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, address),
    run: (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
      ferry([...argv, '--account', account, '--yes', '--json'], {
        env: { ...at(sandbox), FERRY_STATE_DIR: stateDir, ...env },
        pace,
      }),
    /** How many entries of a type the runs have. */
    count: (type: string): number =>
      readdirSync(join(stateDir, 'runs'))
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) =>
          readFileSync(join(stateDir, 'runs', name), 'utf8')
            .trimEnd()
            .split('\n'),
        )
        .filter((line) => JSON.parse(line).entry.type === type).length,
  };
}

/** The service, whose answers are told as the test says. `honest` asks the true one, as an answer that is undefined does. */
async function service(
  tell: (request: ReceivedRequest, honest: () => Promise<Envelope>) => Promise<unknown>,
): Promise<{ FERRY_BASE_URL: string }> {
  const answer = async (response: ServerResponse, request: ReceivedRequest): Promise<void> => {
    const asking = () => forward(sandbox.baseUrl + request.path, request);
    try {
      const told = await tell(request, async () => JSON.parse((await asking()).text));
      if (told !== undefined) return json(told)(response, request);
      const { status, type, text } = await asking();
      response.writeHead(status, { 'content-type': type }).end(text);
    } catch {
      response.destroy();
    }
  };
  const { url } = await loopback((response, request) => void answer(response, request));
  return { FERRY_BASE_URL: url };
}

const isStatus = ({ path }: ReceivedRequest): boolean => path.startsWith('/intents/status/v3');
const isQuote = ({ path }: ReceivedRequest): boolean => path.startsWith('/quote/v2');

describe('one fill, two deliveries', () => {
  test.each([
    ['the same request id', (answer: Envelope, first: Envelope) => renamed(answer, idOf(answer), idOf(first))],
    ['the same order', (_: Envelope, first: Envelope) => first],
  ])('attack: two quotes with %s: nothing is signed for the second', async (_, second) => {
    const one = payer('dev3');
    let first: Envelope | undefined;
    const env = await service(async (request, honest) => {
      if (!isQuote(request)) return undefined;
      const answer = await honest();
      if (first) return second(answer, first);
      first = answer;
      return answer;
    });
    const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc'];
    expect((await one.run(transfer, env)).json().data).toMatchObject({ funds: 'delivered' });
    const before = await one.held();
    const { error } = (await one.run(transfer, env)).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(error.message).toMatch(/^Another run has the same (order|request) id/);
    expect(await one.held()).toBe(before);
  });
});

function idOf({ steps }: Envelope): string {
  return steps[0].requestId;
}

function renamed(answer: Envelope, from: string, to: string): Envelope {
  return JSON.parse(JSON.stringify(answer).replaceAll(from, to));
}

/** A transfer of tokens by somebody else. Resolves to its hash. */
async function given(chain: 'alpha' | 'beta', token: string, to: string, amount: bigint): Promise<string> {
  const abi = parseAbi(['function transfer(address to, uint256 amount)']);
  const data = encodeFunctionData({ abi, args: [to as Hex, amount] });
  const sent = { from: accounts.dev1.address, to: addressOf(chain, token), data };
  const hash = String(await ask(sandbox.rpcUrls[chain], 'eth_sendTransaction', sent));
  await expect.poll(() => ask(sandbox.rpcUrls[chain], 'eth_getTransactionReceipt', hash)).not.toBeNull();
  return hash;
}

/** The origin's node, which answers all but some methods honestly. */
async function node(behaviours: Readonly<Record<string, Behaviour>>): Promise<{ FERRY_RPC_URL_ALPHA: string }> {
  return { FERRY_RPC_URL_ALPHA: (await inFrontOf(sandbox.rpcUrls.alpha, behaviours)).url };
}

const answered = (result: unknown): Behaviour => json({ jsonrpc: '2.0', id: 1, result });
const rawOf = ({ body }: ReceivedRequest): Hex => JSON.parse(body).params[0];
const nonceOf = (raw: Hex): number => parseTransaction(raw).nonce ?? 0;

/** Takes the transactions whose nonce is not below the first, and keeps them. */
function keeping(first: number, kept: Hex[]): Behaviour {
  return (response, request) => {
    const raw = rawOf(request);
    if (nonceOf(raw) < first) return passOn(sandbox.rpcUrls.alpha)(response, request);
    kept.push(raw);
    answered(keccak256(raw))(response, request);
  };
}

/** Sends what was kept. */
async function release(kept: readonly Hex[]): Promise<void> {
  for (const raw of new Set(kept)) await ask(sandbox.rpcUrls.alpha, 'eth_sendRawTransaction', raw);
}

const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc', '--timeout', '5s'];

describe('a refund', () => {
  test('attack: one unit of a currency that only the route states is no refund', async () => {
    let hash: string | undefined;
    const one = payer('dev4', () => (hash ? 20 : 1));
    const env = await service(async (request, honest) => {
      if (isStatus(request)) {
        // Once it is paid, a crumb of another token reaches the recipient.
        if ((await honest()).status === 'waiting') return undefined;
        hash ??= await given('beta', 'dai', one.address, 1n);
        return { status: 'refund', txHashes: [hash], destinationChainId: Network.chain(network, 'beta').id };
      }
      if (!isQuote(request)) return undefined;
      const answer = await honest();
      const { details } = answer;
      const currency = {
        ...details.currencyOut.currency,
        address: addressOf('beta', 'dai'),
        symbol: 'DAI',
        decimals: 18,
      };
      const crumb = {
        ...details.currencyOut,
        currency,
        amount: '1',
        minimumAmount: '1',
        amountFormatted: '0.000000000000000001',
      };
      const { route = {} } = details;
      return {
        ...answer,
        details: { ...details, route: { ...route, destination: { ...route.destination, inputCurrency: crumb } } },
      };
    });
    const { error } = (await one.run(transfer, env)).json();
    expect(hash).toBeDefined();
    expect(error).toMatchObject({ code: 'track.unwitnessed', exit: 10, funds: 'unknown' });
    expect((await one.run(transfer)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
  });
});

describe('nothing is final while what was signed can still act', () => {
  test.each(['failure', 'refund'] as const)(
    'attack: a permit that the service takes, calls a %s and keeps is signed once',
    async (status) => {
      const one = payer('dev5');
      const taken: ReceivedRequest[] = [];
      const txHashes = status === 'refund' ? [await given('alpha', 'usdc', one.address, 9_000_000n)] : [];
      const before = await one.held();
      const env = await service(async (request) => {
        if (isStatus(request)) return taken.length > 0 ? { status, txHashes } : undefined;
        if (!request.path.startsWith('/execute/permits')) return undefined;
        taken.push(request);
        return { message: 'Success', steps: [] };
      });
      const first = (await one.run([...transfer, '--permit'], env)).json();
      expect(first.error).toMatchObject({ code: 'submit.unknown', exit: 10, funds: 'unknown' });
      const second = (await one.run([...transfer, '--permit'], env)).json();
      expect(second.error).toMatchObject({ code: 'run.unfinished', run: first.error.run });
      for (const request of taken) await forward(sandbox.baseUrl + request.path, request);
      await expect.poll(one.held).toBe(before - 10_000_000n);
      const resumed = (await one.run(['resume', first.error.run])).json();
      expect([resumed.error, resumed.data?.funds]).toEqual([undefined, 'delivered']);
      expect(await one.held()).toBe(before - 10_000_000n);
    },
    60_000,
  );

  test('behavior: whoever is told that it is unknown what became of a permit need not wait until it is known', async () => {
    let waitedMs = 0;
    const one = payer('dev9', (ms) => {
      waitedMs += ms;
      return 1_000;
    });
    let isTaken = false;
    const env = await service(async (request) => {
      if (isStatus(request)) return isTaken ? { status: 'failure' } : undefined;
      if (!request.path.startsWith('/execute/permits')) return undefined;
      isTaken = true;
      return { message: 'Success', steps: [] };
    });
    const { error } = (await one.run([...transfer, '--permit'], env)).json();
    expect(error).toMatchObject({ code: 'submit.unknown', funds: 'unknown' });
    // By a clock that no machine makes slow: the status and the nonce are asked for until --timeout, and then neither.
    expect(waitedMs).toBeLessThan(10_000);
  });

  test('attack: an answer that is none does not show that a permit was used, which the service calls failed', async () => {
    const { alpha } = sandbox.rpcUrls;
    const isState = ({ body }: ReceivedRequest): boolean => body.includes('"data":"0xe94a0102');
    for (const result of ['0x', '0x1234']) {
      const nothing = json({ jsonrpc: '2.0', id: 1, result });
      const { url } = await inFrontOf(alpha, {
        eth_call: (response, request) => (isState(request) ? nothing : passOn(alpha))(response, request),
      });
      let isTaken = false;
      const env = await service(async (request) => {
        if (isStatus(request)) return isTaken ? { status: 'failure' } : undefined;
        if (!request.path.startsWith('/execute/permits')) return undefined;
        isTaken = true;
        return { message: 'Success', steps: [] };
      });
      const one = payer('dev8', 1_000);
      const { error } = (await one.run([...transfer, '--permit'], { ...env, FERRY_RPC_URL_ALPHA: url })).json();
      expect(error).toMatchObject({ code: 'submit.unknown', exit: 10, funds: 'unknown' });
    }
  });

  test('attack: a permit whose nonce an earlier one has used, which the service would call failed, is not signed', async () => {
    const one = payer('dev9');
    let used: string | undefined;
    let isTaken = false;
    const env = await service(async (request, honest) => {
      if (isStatus(request)) return isTaken ? { status: 'failure' } : undefined;
      if (isQuote(request)) {
        const quote = await honest();
        const { value } = quote.steps[0].items[0].data.sign;
        value.nonce = used ?? value.nonce;
        used = value.nonce;
        return quote;
      }
      isTaken = request.path.startsWith('/execute/permits');
      return isTaken ? { message: 'Success', steps: [] } : undefined;
    });
    const honest = await service(async (request) => {
      if (!isQuote(request)) return undefined;
      const { text } = await forward(env.FERRY_BASE_URL + request.path, request);
      return JSON.parse(text);
    });
    expect((await one.run([...transfer, '--permit'], honest)).code).toBe(0);
    const { error } = (await one.run([...transfer, '--permit', '--allow', 'order-binding'], env)).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(Object.keys(error.facts)).toEqual(['signature-nonce of authorize1']);
    expect(isTaken).toBe(false);
  });

  test('attack: a deposit that is not mined, and that the service calls failed, is signed once', async () => {
    const kept: Hex[] = [];
    const one = payer('dev6', () => (kept.length > 0 ? 20 : 1));
    const before = await one.held();
    const env = {
      ...(await node({ eth_sendRawTransaction: keeping((await one.nonce()) + 1, kept) })),
      ...(await service(async (request) => (isStatus(request) && kept.length > 0 ? { status: 'failure' } : undefined))),
    };
    const { error } = (await one.run(transfer, env)).json();
    expect(error).toMatchObject({ code: 'submit.unknown', exit: 10, funds: 'unknown' });
    expect((await one.run(transfer, env)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
    await release(kept);
    const resumed = (await one.run(['resume', error.run])).json();
    expect([resumed.error, resumed.data?.funds]).toEqual([undefined, 'delivered']);
    expect(before - (await one.held())).toBe(10_000_000n);
  });

  test('attack: a node that holds a deposit back, and shows that it reverted, is not paid again by --retry-failed', async () => {
    const one = payer('dev7');
    const before = await one.held();
    const first = (await one.nonce()) + 1;
    const kept: Hex[] = [];
    const { alpha } = sandbox.rpcUrls;
    const env = await node({
      eth_sendRawTransaction: keeping(first, kept),
      eth_getTransactionCount: (response, request) =>
        passOn(alpha, (out, seen) => {
          const next = kept.reduce((most, raw) => Math.max(most, nonceOf(raw) + 1), 0);
          void ask(alpha, 'eth_getTransactionCount', ...JSON.parse(seen.body).params).then((honest) =>
            answered(`0x${Math.max(Number(honest), next).toString(16)}`)(out, seen),
          );
        })(response, request),
      eth_getTransactionReceipt: (response, request) => {
        const [hash] = JSON.parse(request.body).params;
        if (!kept.some((raw) => keccak256(raw) === hash)) return passOn(alpha)(response, request);
        const zero = `0x${'00'.repeat(32)}`;
        const mined = { transactionHash: hash, transactionIndex: '0x0', blockHash: zero, blockNumber: '0x1' };
        const gas = { gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' };
        const rest = { from: one.address, to: usdc, logs: [], logsBloom: `0x${'00'.repeat(256)}`, type: '0x2' };
        answered({ ...mined, ...gas, ...rest, contractAddress: null, status: '0x0' })(response, request);
      },
    });
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 'lines.ndjson'), join(folder, 'results.ndjson')];
    writeFileSync(file, `${JSON.stringify({ id: 1, amount: '10', from: 'alpha/usdc', to: 'beta/usdc' })}\n`);
    const batch = ['execute', '--batch', file, '--out', out, '--retry-failed', '--timeout', '5s'];
    for (let again = 0; again < 3; again++) expect((await one.run(batch, env)).code).toBe(10);
    expect(JSON.parse(readFileSync(out, 'utf8').trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'submit.unknown',
      funds: 'unknown',
      message: expect.stringContaining('One node says'),
    });
    expect(new Set(kept).size).toBe(1);
    await release(kept);
    expect((await one.run(['resume'])).json().data).toMatchObject({ funds: 'delivered' });
    expect(before - (await one.held())).toBe(10_000_000n);
  }, 60_000);

  test('attack: a node that dates its final block ahead does not end a batch that can still be used', async () => {
    const one = payer('dev8', 100);
    const before = await one.held();
    const { alpha } = sandbox.rpcUrls;
    const taken: ReceivedRequest[] = [];
    const env = {
      ...(await node({
        eth_getBlockByNumber: (response, request) =>
          passOn(alpha, (out, seen) => {
            void ask(alpha, 'eth_getBlockByNumber', ...JSON.parse(seen.body).params).then((honest) => {
              const isFinal = JSON.parse(seen.body).params[0] === 'finalized';
              const dated = isFinal ? { timestamp: `0x${(2 ** 33).toString(16)}` } : {};
              answered({ ...(honest as object), ...dated })(out, seen);
            });
          })(response, request),
      })),
      ...(await service(async (request) => {
        if (!request.path.startsWith('/execute')) return undefined;
        taken.push(request);
        throw new Error('lost');
      })),
    };
    const ended = await one.run([...transfer.slice(0, -1), '3m', '--gasless', '--valid-for', '2m'], env);
    const { error } = ended.json();
    for (const request of taken) await forward(sandbox.baseUrl + request.path, request);
    expect(error).toMatchObject({ code: 'submit.unknown', exit: 10, funds: 'unknown' });
    await expect.poll(one.held).toBe(before - 10_000_000n);
  }, 60_000);
});

describe('nonces of what was signed', () => {
  test('attack: a deposit that a node took without its approval is not released by the next transfer', async () => {
    const one = payer('dev0');
    const before = await one.held();
    const first = await one.nonce();
    const refused = json({ jsonrpc: '2.0', id: 1, error: { code: -32016, message: 'over rate limit' } });
    const env = await node({
      eth_sendRawTransaction: (response, request) =>
        (nonceOf(rawOf(request)) === first ? refused : passOn(sandbox.rpcUrls.alpha))(response, request),
    });
    const { error } = (await one.run(transfer, env)).json();
    expect(error).toMatchObject({ exit: 10, funds: 'unknown' });
    const next = (await one.run(['execute', '11', 'alpha/usdc', 'beta/usdc'])).json();
    expect(next.error).toMatchObject({ code: 'run.unfinished', funds: 'untouched', run: error.run });
    expect([one.count('signed'), await one.nonce()]).toEqual([2, first]);
    // Another wallet of the account fills the gap, and a node that keeps no old state cannot tell who did.
    const abi = parseAbi(['function approve(address spender, uint256 amount)']);
    const depository = Network.chain(network, 'alpha').contracts.depository as Hex;
    const data = encodeFunctionData({ abi, args: [depository, 50_000_000n] });
    await ask(sandbox.rpcUrls.alpha, 'eth_sendTransaction', { from: one.address, to: usdc, data });
    await expect.poll(one.nonce).toBe(first + 2);
    const lost = json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'missing trie node' } });
    const pruned = await node({
      eth_getTransactionCount: (response, request) =>
        (/^0x/.test(JSON.parse(request.body).params[1]) ? lost : passOn(sandbox.rpcUrls.alpha))(response, request),
    });
    const resumed = (await one.run(['resume', error.run], pruned)).json();
    expect([resumed.error, resumed.data?.funds]).toEqual([undefined, 'delivered']);
    expect(before - (await one.held())).toBe(10_000_000n);
  }, 60_000);
});
