/**
 * Lies about how a transfer has ended, as a person meets them: what is said, and that it is paid once. The simulator tells
 * many more; here they are told about real contracts, of the venue, and in words.
 */
import type { ServerResponse } from 'node:http';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, type Envelope, ferry, type Surroundings, temporaryFolder } from '../support/ferry.js';
import { forward, json, loopback, nobody, type ReceivedRequest } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, minedAt, passOn } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const addressOf = (chain: 'alpha' | 'beta', token: string): string =>
  Network.token(Network.chain(network, chain), token)?.address ?? '';

/** How many times faster waits pass: for what is never shown, a run waits to its end. */
const fast = 40;

/** A payer with a state directory of their own. */
function payer(account: `dev${2 | 3 | 4 | 7 | 8 | 9}`, pace: Surroundings['pace'] = fast) {
  const { address } = accounts[account];
  const own = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
  return {
    address,
    env: own,
    held: (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, addressOf('alpha', 'usdc'), address),
    run: (
      argv: readonly string[],
      env: Readonly<Record<string, string>> = {},
      more: Surroundings = {},
    ): Promise<Ended> =>
      ferry([...argv, '--account', account, '--yes', '--json'], { env: { ...own, ...env }, pace, ...more }),
  };
}

/** The service, whose answers are told as the test says; those that are undefined are the true ones. */
async function service(
  tell: (request: ReceivedRequest, honest: () => Promise<Envelope>) => Promise<unknown>,
): Promise<{ FERRY_BASE_URL: string }> {
  const answer = async (response: ServerResponse, request: ReceivedRequest): Promise<void> => {
    const asking = () => forward(sandbox.baseUrl + request.path, request);
    const told = await tell(request, async () => JSON.parse((await asking()).text));
    if (told !== undefined) return json(told)(response, request);
    const { status, text } = await asking();
    json(JSON.parse(text), status)(response, request);
  };
  const { url } = await loopback((response, request) => {
    answer(response, request).catch(() => response.destroy());
  });
  return { FERRY_BASE_URL: url };
}

const isStatus = ({ path }: ReceivedRequest): boolean => path.startsWith('/intents/status/v3');
const isQuote = ({ path }: ReceivedRequest): boolean => path.startsWith('/quote/v2');

const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc'];
const native = ['execute', '0.01', 'alpha/eth', 'beta/eth'];
const impatient = ['--timeout', '20s'];
const unwitnessed = { code: 'track.unwitnessed', funds: 'unknown', retryable: false };

describe('attack: delivered', () => {
  test('an invented fill is no delivery; once the real one is named it is', async () => {
    const one = payer('dev4');
    const invented = `0x${'ab'.repeat(32)}`;
    const env = await service(async (request) =>
      isStatus(request) ? { status: 'success', txHashes: [invented] } : undefined,
    );
    const first = await one.run([...transfer, ...impatient], env);
    const { error } = first.json();
    expect([first.code, error]).toMatchObject([10, unwitnessed]);
    expect(error.message).toBe('The service reports the delivery, but beta does not show it.');
    expect(error.next).toBe(`ferry resume ${error.run} --account dev4`);
    const resumed = await one.run(['resume', error.run]);
    expect([resumed.code, resumed.json().data]).toMatchObject([
      0,
      { funds: 'delivered', witnesses: ['the service', 'the node of beta'] },
    ]);
  });

  test('a second quote with the order of the first: nothing is signed for it', async () => {
    const one = payer('dev3');
    let first: Envelope | undefined;
    const env = await service(async (request, honest) => {
      if (isQuote(request)) first ??= await honest();
      return isQuote(request) ? first : undefined;
    });
    expect((await one.run(transfer, env)).json().data).toMatchObject({ funds: 'delivered' });
    const before = await one.held();
    const { error } = (await one.run(transfer, env)).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(error.message).toMatch(/^Another run has the same (order|request) id/);
    expect(await one.held()).toBe(before);
  });

  test('a permit whose nonce an earlier one has used is not signed', async () => {
    const one = payer('dev9', 1);
    let used: string | undefined;
    const env = await service(async (request, honest) => {
      if (!isQuote(request)) return undefined;
      const quote = await honest();
      const { value } = quote.steps[0].items[0].data.sign;
      value.nonce = used ?? value.nonce;
      used = value.nonce;
      return quote;
    });
    expect((await one.run([...transfer, '--permit'], env)).code).toBe(0);
    const { error } = (await one.run([...transfer, '--permit', '--allow', 'order-binding'], env)).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(Object.keys(error.facts)).toEqual(['signature-nonce of authorize1']);
  });
});

describe('attack: refunded', () => {
  test('a withdrawal that is called a refund is not returned; called by its name it is delivered', async () => {
    let isOver = false;
    const one = payer('dev2', () => (isOver ? fast : 1));
    const env = await service(async (request, honest) => {
      if (!isStatus(request)) return undefined;
      const answer = await honest();
      isOver ||= answer.status === 'success';
      return { ...answer, status: 'refund' };
    });
    const withdrawal = ['venue', 'withdraw', '10', 'alpha/usdc'];
    const first = await one.run([...withdrawal, ...impatient], env);
    const { error } = first.json();
    expect([first.code, error]).toMatchObject([10, unwitnessed]);
    expect(error.message).toBe('The service reports the refund, but alpha shows the delivery.');
    expect(error.facts.shown).toMatch(/^9\.\d+ USDC .*to /);
    expect((await one.run(withdrawal)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
    const resumed = await one.run(['resume', error.run]);
    expect([resumed.code, resumed.json().data?.funds]).toEqual([0, 'delivered']);
  });

  test('one unit of a currency that only the route states is no refund', async () => {
    let hash: string | undefined;
    const one = payer('dev4', () => (hash ? 20 : 1));
    const dai = addressOf('beta', 'dai');
    const env = await service(async (request, honest) => {
      if (isStatus(request)) {
        // Once it is paid, a crumb of another token reaches the recipient.
        if ((await honest()).status === 'waiting') return undefined;
        hash ??= await given(dai, one.address);
        return { status: 'refund', txHashes: [hash], destinationChainId: Network.chain(network, 'beta').id };
      }
      if (!isQuote(request)) return undefined;
      const answer = await honest();
      const { currencyOut, route = {} } = answer.details;
      const currency = { ...currencyOut.currency, address: dai, symbol: 'DAI', decimals: 18 };
      const amounts = { amount: '1', minimumAmount: '1', amountFormatted: '0.000000000000000001' };
      const destination = { ...route.destination, inputCurrency: { ...currencyOut, currency, ...amounts } };
      return { ...answer, details: { ...answer.details, route: { ...route, destination } } };
    });
    const { error } = (await one.run([...transfer, '--timeout', '5s'], env)).json();
    expect(hash).toBeDefined();
    expect(error).toMatchObject({ code: 'track.unwitnessed', exit: 10, funds: 'unknown' });
    expect((await one.run(transfer)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
  });

  test('a real one is shown by both', async () => {
    await addFault(sandbox, 'service', { kind: 'solver', does: 'refund', times: 1 });
    const ended = await payer('dev4', 1).run([...transfer, '--require-witness']);
    expect([ended.code, ended.json().error]).toMatchObject([
      7,
      { funds: 'returned', facts: { 'shown by': 'the service, the node of alpha' } },
    ]);
  });
});

/** One unit of a token on beta by somebody else. Resolves to its hash. */
async function given(token: string, to: string): Promise<string> {
  const abi = parseAbi(['function transfer(address to, uint256 amount)']);
  const data = encodeFunctionData({ abi, args: [to as Hex, 1n] });
  return await minedAt(sandbox.rpcUrls.beta, { from: accounts.dev1.address, to: token, data });
}

test('without a node of the destination it is delivered by the service’s word, or with --require-witness unknown', async () => {
  const one = payer('dev4');
  const ended = await one.run([...transfer, '--timeout', '40m'], { FERRY_RPC_URL_BETA: nobody });
  expect([ended.code, ended.json().data]).toMatchObject([
    0,
    { funds: 'delivered', received: null, witnesses: ['the service'] },
  ]);
  const strict = await one.run([...transfer, '--timeout', '1m', '--require-witness'], { FERRY_RPC_URL_BETA: nobody });
  expect([strict.code, strict.json().error]).toMatchObject([10, unwitnessed]);
  expect(strict.json().error.message).toContain('The service alone reports the delivery');
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
  const one = payer('dev3');
  const ended = await one.run([...native, ...impatient], { FERRY_RPC_URL_ALPHA: url });
  const { error } = ended.json();
  expect([ended.code, error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
  expect((await one.run(native)).json().error).toMatchObject({ code: 'run.unfinished', run: error.run });
  const resumed = await one.run(['resume', error.run], { FERRY_RPC_URL_ALPHA: url, FERRY_RPC_URLS_ALPHA: rpcUrl });
  expect([resumed.code, resumed.json().error]).toMatchObject([6, { code: 'submit.reverted', funds: 'untouched' }]);
  expect(resumed.json().error.facts['shown by']).toBe(`${url}, ${rpcUrl}`);
  for (const flags of [[], ['--watch']]) {
    const status = await ferry(['status', error.run, ...flags, '--json'], { env: one.env });
    expect([status.code, status.json().error]).toMatchObject([6, { code: 'submit.reverted', funds: 'untouched' }]);
  }
});

test('two nodes that disagree about a balance are named before anything is signed, without the keys of their URLs', async () => {
  const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {
    eth_getBalance: (response, request) =>
      json({ jsonrpc: '2.0', id: JSON.parse(request.body).id, result: '0xde0b6b3a7640000' })(response, request),
  });
  const ended = await payer('dev4').run(native, { FERRY_RPC_URLS_ALPHA: `${url}/v2/hush-hush-key` });
  const { error } = ended.json();
  expect([ended.code, error]).toMatchObject([3, { code: 'chain.disagreement', funds: 'untouched' }]);
  expect(Object.values(error.facts).join()).toContain(url);
  expect(ended.stdout + ended.stderr).not.toContain('hush-hush');
});

test('a node refuses a payment and says why: it is unknown, and finished with another node', async () => {
  let sends = 0;
  const one = payer('dev7', () => (sends > 1 ? 1_000 : 10));
  const before = await one.held();
  const { alpha } = sandbox.rpcUrls;
  const { url } = await inFrontOf(alpha, {
    eth_sendRawTransaction: (response, request) => {
      sends += 1;
      const error = { code: -32000, message: 'insufficient funds for gas * price + value' };
      (sends > 1 ? json({ jsonrpc: '2.0', id: 1, error }) : passOn(alpha))(response, request);
    },
  });
  const { error } = (await one.run([...transfer, '--timeout', '1m'], { FERRY_RPC_URL_ALPHA: url })).json();
  expect(error).toMatchObject({
    ...{ code: 'submit.unknown', funds: 'unknown', retryable: false, next: `ferry resume ${error.run} --account dev7` },
    facts: { 'the node says': 'insufficient funds for gas * price + value' },
    hint: expect.stringContaining('cannot pay twice'),
  });
  const resumed = await one.run(['resume', error.run], {}, { pace: 1 });
  expect([resumed.code, resumed.json().data?.funds]).toEqual([0, 'delivered']);
  expect(before - (await one.held())).toBe(10_000_000n);
});

const refusal = { message: 'Invalid input', errorCode: 'INVALID_INPUT', requestId: '0x00' };

test('runs cancel: a permit that was refused is made void, and cannot be used any more', async () => {
  const flags = ['--permit', '--referrer', 'debug-eip2612', '--allow', 'order-binding'];
  const one = payer('dev8', 10);
  const before = await one.held();
  let handed: ReceivedRequest | undefined;
  const env = await service(async (request) => {
    if (!request.path.startsWith('/execute/permits')) return undefined;
    handed = request;
    throw new Error('lost');
  });
  const { error } = (await one.run([...transfer, '--timeout', '1s', ...flags], env)).json();
  expect(error).toMatchObject({ code: 'submit.unknown' });
  const ended = await one.run(['runs', 'cancel', error.run]);
  expect(ended.json().data).toMatchObject({ status: 'cancelled', funds: 'untouched' });
  // Whoever has the signature tries it now.
  if (handed) await forward(sandbox.baseUrl + handed.path, handed);
  expect((await one.run([...transfer, ...flags])).code).toBe(0);
  expect(before - (await one.held())).toBe(10_000_000n);
});

// It moves the clock of the chain, and so comes last: what is signed later would have expired there.
test('a batch that is refused is unknown until its deadline, then untouched by what two nodes show', async () => {
  const one = payer('dev9', 1);
  const before = await one.held();
  await addFault(sandbox, 'service', {
    ...{ kind: 'status', status: 400, body: refusal, times: 0, match: { path: '/execute' } },
  });
  const argv = [...transfer, '--timeout', '1s', '--gasless', '--valid-for', '8s'];
  const { error } = (await one.run(argv)).json();
  const unknown = {
    code: 'submit.unknown',
    exit: 10,
    funds: 'unknown',
    next: `ferry resume ${error.run} --account dev9`,
  };
  expect(error).toMatchObject({
    ...{ ...unknown, retryable: false, facts: { 'valid until': expect.any(String), code: 'INVALID_INPUT' } },
    message: expect.stringMatching(/unknown until (\d{4}-\d\d-\d\d )?\d\d:\d\dZ/),
  });
  // The chain passes the deadline, and its blocks become final.
  await ask(sandbox.rpcUrls.alpha, 'evm_increaseTime', 60);
  for (let block = 0; block < 70; block++) await ask(sandbox.rpcUrls.alpha, 'evm_mine');
  const later = { laterMs: 3_600_000, pace: 20 };
  const resume = ['resume', error.run, '--timeout', '20s'];
  // One node could hide that it was used. The sandbox's own cannot.
  const { url } = await inFrontOf(sandbox.rpcUrls.alpha, {});
  expect((await one.run(resume, { FERRY_RPC_URL_ALPHA: url }, later)).json().error).toMatchObject({
    ...{ ...unknown, message: expect.stringContaining('by two nodes') },
    hint: expect.stringContaining('networks.<name>.chains.alpha.rpcUrls'),
  });
  expect((await one.run(resume, {}, later)).json().error).toMatchObject({
    ...{ code: 'submit.expired', exit: 6, funds: 'untouched', retryable: true },
    facts: { 'valid until': expect.any(String), 'final block': expect.any(String), 'unused then': expect.any(String) },
  });
  expect(await one.held()).toBe(before);
});
