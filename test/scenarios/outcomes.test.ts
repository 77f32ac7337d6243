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
import type { Ended, Envelope, Surroundings } from '../support/ferry.js';
import { forward, json, loopback, passTo, type ReceivedRequest } from '../support/loopback.js';
import { balanceAt, minedAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';
import { idle, usdcOf } from '../support/venueBooks.js';

const { sandbox, user } = useSandbox();

const addressOf = (chain: 'alpha' | 'beta', token: string): string =>
  Network.token(Network.chain(network, chain), token)?.address ?? '';

/** How many times faster waits pass: for what is never shown, a run waits to its end. */
const fast = 40;

/** A payer with a state directory of their own. */
function payer(account: `dev${2 | 3 | 4 | 7 | 8 | 9}`, pace: Surroundings['pace'] = fast) {
  const { address } = accounts[account];
  const { ask } = user();
  return {
    address,
    held: (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, addressOf('alpha', 'usdc'), address),
    run: (
      argv: readonly string[],
      env: Readonly<Record<string, string>> = {},
      more: Surroundings = {},
    ): Promise<Ended> => ask([...argv, '--account', account, '--yes'], { env, pace, ...more }),
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

test('attack: what the recipient has fetched itself is not what a batch has delivered', async () => {
  const [owner, recipient] = [accounts.dev5.address, accounts.dev6.address];
  const abi = parseAbi(['function approve(address, uint256)', 'function transferFrom(address, address, uint256)']);
  const sent = (from: Hex, data: Hex) => minedAt(sandbox.rpcUrls.alpha, { from, to: addressOf('alpha', 'dai'), data });
  const fetched = encodeFunctionData({ abi, functionName: 'transferFrom', args: [owner, recipient, 10n ** 20n] });
  await sent(owner, encodeFunctionData({ abi, functionName: 'approve', args: [recipient, 10n ** 20n] }));
  let hash: string | undefined;
  let isOver = false;
  const one = payer('dev9', () => (isOver ? fast : 1));
  const env = await service(async (request, honest) => {
    if (!isStatus(request)) return undefined;
    const answer = await honest();
    if (answer.status !== 'success') return answer;
    isOver = true;
    hash ??= await sent(recipient, fetched);
    return { ...answer, txHashes: [hash] };
  });
  const swap = ['execute', '10', 'alpha/usdc', 'alpha/dai', '--recipient', recipient, '--gasless', '--sponsor', 'all'];
  const { error } = (await one.run([...swap, ...impatient], { ...env, FERRY_API_KEY: network.apiKey ?? '' })).json();
  expect(error).toMatchObject({ ...unwitnessed, facts: { shown: 'nothing' } });
});

describe('attack: failed', () => {
  test.each([
    ['beta', []],
    ['alpha', ['--recipient', accounts.dev5.address]],
  ])('what has arrived on %s is not held by the service because it says so', async (chain, more) => {
    const one = payer('dev7');
    const env = await service(async (request, honest) => {
      if (!isStatus(request)) return undefined;
      const answer = await honest();
      return answer.status === 'success' ? { ...answer, status: 'failure' } : answer;
    });
    const ended = await one.run(['execute', '10', 'alpha/usdc', `${chain}/usdc`, ...more, ...impatient], env);
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([10, unwitnessed]);
    expect(error.message).toBe(`The service reports the failure, but ${chain} shows the delivery.`);
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
});

test('attack: a withdrawal is not untouched that somebody on the way pays with the memo of an expired one', async () => {
  const one = payer('dev3', 10);
  const [first, second] = [accounts.dev5.address, accounts.dev6.address];
  const infos: Record<string, unknown>[] = [];
  const { url } = await loopback((response, request) => {
    if (!request.path.endsWith('/sendTx')) return passTo(sandbox.venueUrl)(response, request);
    const form = new URLSearchParams(request.body);
    const info = JSON.parse(form.get('tx_info') ?? '');
    const [kept = info] = infos;
    infos.push(info);
    if (String(info.Memo) === String(kept.Memo)) return void response.destroy();
    form.set('tx_info', JSON.stringify({ ...info, Memo: kept.Memo, L1Sig: kept.L1Sig }));
    forward(sandbox.venueUrl + request.path, { ...request, body: String(form) })
      .then(() => json({ code: 21104, message: 'invalid nonce' }, 400)(response, request))
      .catch(() => response.destroy());
  });
  const to = async (recipient: string, ...more: string[]): Promise<Envelope> => {
    const argv = ['venue', 'withdraw', '10', 'alpha/usdc', '--recipient', recipient, ...more];
    return (await one.run(argv, { FERRY_VENUE_URL: url })).json().error;
  };
  expect(await to(first, '--valid-for', '5s', ...impatient)).toMatchObject({ code: 'submit.expired' });
  const before = await usdcOf(sandbox, 103);
  const error = await to(second, ...impatient);
  await idle(sandbox, 103);
  expect(before - (await usdcOf(sandbox, 103))).toBe(13_000_000n);
  expect(error).toMatchObject({ code: 'submit.unknown', funds: 'unknown', retryable: false });
});

/** One unit of a token on beta by somebody else. Resolves to its hash. */
async function given(token: string, to: string): Promise<string> {
  const abi = parseAbi(['function transfer(address to, uint256 amount)']);
  const data = encodeFunctionData({ abi, args: [to as Hex, 1n] });
  return await minedAt(sandbox.rpcUrls.beta, { from: accounts.dev1.address, to: token, data });
}

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
