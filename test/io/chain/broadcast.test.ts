import type { Server, Socket } from 'node:net';
import { type Hex, keccak256 } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/core/ports/Ports.js';
import { createChain } from '../../../src/io/chain/chainClient.js';
import type { Fetch } from '../../../src/io/http/httpClient.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { facts, failure, printed } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import {
  ask,
  chainAt,
  inFrontOf,
  methodOf,
  optionsAt,
  passOn,
  receiptAt,
  signedBy,
  startNode,
} from '../../support/node.js';

const { dev0, dev1, dev3 } = accounts;
const send = 'eth_sendRawTransaction';

let rpcUrl: string;

beforeAll(async () => {
  rpcUrl = await startNode();
});

/** A fresh transfer of dev0. */
async function transfer(): Promise<Hex> {
  return signedBy('dev0', { nonce: await chainAt(rpcUrl).nonce(dev0.address) });
}

async function isMined(hash: Hex): Promise<boolean> {
  return (await chainAt(rpcUrl).receipt(hash)) !== undefined;
}

function sends(server: Loopback.Loopback): number {
  return server.seen.filter((seen) => methodOf(seen) === send).length;
}

function fault(code: number, message: string): Loopback.Behaviour {
  return Loopback.json({ jsonrpc: '2.0', id: 1, error: { code, message } });
}

describe('broadcast', () => {
  test('behavior: a mined transaction counts as sent', async () => {
    const signed = await transfer();
    const hash = await chainAt(rpcUrl).broadcast(signed);
    await receiptAt(rpcUrl, hash);
    const balance = await ask(rpcUrl, 'eth_getBalance', dev3.address, 'latest');
    expect(await chainAt(rpcUrl).broadcast(signed)).toBe(hash);
    expect(await ask(rpcUrl, 'eth_getBalance', dev3.address, 'latest')).toBe(balance);
  });

  test('behavior: a pending transaction counts as sent', async () => {
    await ask(rpcUrl, 'evm_setAutomine', false);
    try {
      const signed = await transfer();
      const hash = await chainAt(rpcUrl).broadcast(signed);
      expect(await isMined(hash)).toBe(false);
      expect(await chainAt(rpcUrl).broadcast(signed)).toBe(hash);
    } finally {
      await ask(rpcUrl, 'evm_mine');
      await ask(rpcUrl, 'evm_setAutomine', true);
    }
  });
});

const open = { code: 'submit.unknown', exit: 10, funds: 'unknown', retryable: false };

describe('broadcast when the node refuses', () => {
  test.each([
    ['a nonce used by another transaction', { nonce: 0, value: 2n }, /nonce/i],
    ['more than the balance', { nonce: 1_000, value: 10n ** 24n }, /insufficient funds/i],
    ['too little gas', { gas: 100n }, /gas/i],
    ['another chain', { chainId: 1 }, /chain id/i],
    ['too low a fee', { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, /fee/i],
  ])('error: %s is its word alone, which is shown', async (_, extra, words) => {
    await receiptAt(rpcUrl, await chainAt(rpcUrl).broadcast(await transfer()));
    const nonce = await chainAt(rpcUrl).nonce(dev0.address);
    const signed = await signedBy('dev0', { nonce, ...extra });
    const error = await failure(chainAt(rpcUrl).broadcast(signed));
    expect(error).toMatchObject({ ...open, txHash: keccak256(signed) });
    expect(error.message).toMatch(/answered with an error\. It has the signed transaction, and may still send it\.$/);
    expect(facts(error)['the node says']).toMatch(words);
    expect(await chainAt(rpcUrl).nonce(dev0.address)).toBe(nonce);
  });

  test.each([
    ['too low a fee', { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, 'the node wants higher fees'],
    ['more than the balance', { value: 10n ** 24n }, 'add funds first'],
  ])('error: %s has advice of its own', async (_, extra, advice) => {
    const signed = await signedBy('dev0', { nonce: await chainAt(rpcUrl).nonce(dev0.address), ...extra });
    expect((await failure(chainAt(rpcUrl).broadcast(signed))).hint).toContain(advice);
  });

  test.each([
    'replacement transaction underpriced',
    'FeeTooLowToCompete',
    'Replacement transaction underpriced',
    'Gas price below configured minimum gas price',
  ])('error: "%s" advises higher fees', async (message) => {
    const server = await inFrontOf(rpcUrl, { [send]: fault(-32000, message) });
    const { hint } = await failure(chainAt(server.url).broadcast(await signedBy('dev1', { nonce: 900 })));
    expect(hint).toContain('the node wants higher fees');
  });

  const refusals = [
    ['too many requests', Loopback.json({ message: 'Too many requests' }, 429), 3],
    ['a limit in words', fault(-32005, 'limit exceeded'), 3],
    ['insufficient funds', fault(-32000, 'insufficient funds for gas'), 1],
    ['nonce too low', fault(-32000, 'nonce too low'), 1],
    ['an unknown method', fault(-32601, 'the method does not exist'), 1],
    ['a wrong key', Loopback.json({}, 401), 1],
    ['a bad request', Loopback.html(400), 1],
  ] as const;

  test.each(refusals)('attack: %s of a node that takes and hides it', async (_, refusal, times) => {
    const server = await inFrontOf(rpcUrl, {
      [send]: passOn(rpcUrl, refusal),
      eth_getTransactionByHash: Loopback.json({ jsonrpc: '2.0', id: 1, result: null }),
    });
    const signed = await transfer();
    expect(await failure(chainAt(server.url).broadcast(signed))).toMatchObject(open);
    expect(sends(server)).toBe(times);
    await expect.poll(() => isMined(keccak256(signed))).toBe(true);
  });

  test.each(refusals)('behavior: %s, although it was accepted', async (_, refusal) => {
    const server = await inFrontOf(rpcUrl, { [send]: passOn(rpcUrl, refusal) });
    const signed = await transfer();
    expect(await chainAt(server.url).broadcast(signed)).toBe(keccak256(signed));
    expect(sends(server)).toBe(1);
  });

  test('behavior: a node that is too busy once is given the same bytes again', async () => {
    let asked = 0;
    const server = await inFrontOf(rpcUrl, {
      [send]: (response, request) => {
        asked += 1;
        (asked === 1 ? Loopback.json({}, 429, { 'retry-after': '0' }) : passOn(rpcUrl))(response, request);
      },
    });
    const signed = await transfer();
    expect(await chainAt(server.url).broadcast(signed)).toBe(keccak256(signed));
    expect(
      new Set(server.seen.filter((seen) => methodOf(seen) === send).map(({ body }) => JSON.parse(body).params[0])),
    ).toEqual(new Set([signed]));
    expect(sends(server)).toBe(2);
  });

  test('attack: a busy node that is gone when it is asked again may have it', async () => {
    const leave: Loopback.Behaviour = (response, request) => {
      (response.socket as Socket & { server: Server }).server.close();
      Loopback.json({}, 429, { connection: 'close' })(response, request);
    };
    const server = await inFrontOf(rpcUrl, { [send]: leave });
    expect(await failure(chainAt(server.url).broadcast(await transfer()))).toMatchObject(open);
    expect(sends(server)).toBe(1);
  });

  test('error: nonce too low, and the transaction cannot be looked up', async () => {
    const server = await inFrontOf(rpcUrl, {
      [send]: fault(-32000, 'nonce too low'),
      eth_getTransactionByHash: Loopback.html(500),
    });
    expect(await failure(chainAt(server.url).broadcast(await transfer()))).toMatchObject(open);
  });
});

describe('broadcast to a node that has it', () => {
  const empty = { eth_getTransactionByHash: Loopback.json({ jsonrpc: '2.0', id: 1, result: null }) };

  test.each([
    'already known',
    'AlreadyKnown',
    'Known transaction',
    'Transaction with the same hash was already imported.',
    'tx already exists in cache',
    'existing tx with same hash',
    'known transaction. transaction with hash 0x12 is already in the system',
  ])('behavior: "%s" counts as sent', async (message) => {
    const server = await inFrontOf(rpcUrl, { [send]: fault(-32000, message), ...empty });
    const signed = await signedBy('dev1', {});
    expect(await chainAt(server.url).broadcast(signed)).toBe(keccak256(signed));
  });

  test.each([
    'unknown transaction type',
    'transaction type 4 is not a known transaction type',
    'The transaction has too low priority to replace another transaction already in the pool.',
    'a transaction with the same nonce already exists',
    'replacement transaction underpriced: another transaction is already in mempool',
    'account 0x12 already exists',
  ])('error: "%s" does not', async (message) => {
    const server = await inFrontOf(rpcUrl, { [send]: fault(-32000, message), ...empty });
    expect(await failure(chainAt(server.url).broadcast(await signedBy('dev1', {})))).toMatchObject(open);
  });
});

describe('broadcast when the answer is lost', () => {
  const losses = [
    ['a reset', Loopback.reset],
    ['no response', Loopback.silence],
    ['a truncated response', Loopback.cutOff('{"jsonrpc":"2.0",')],
    ['truncated JSON', Loopback.text('{"jsonrpc":"2.0",', 'application/json')],
    ['HTML', Loopback.html()],
    ['500', Loopback.html(500)],
    ['502', Loopback.html(502)],
    ['a redirect', Loopback.redirect('https://elsewhere.invalid/')],
    ['an unknown message', fault(-32000, 'something went wrong')],
    ['an internal error', fault(-32603, 'request timed out')],
  ] as const;

  /** The chain at a server. If that does not respond, it is not waited for for long; it has the broadcast all the same. */
  async function chainLosing(loss: Loopback.Behaviour, url: string): Promise<Chain> {
    if (loss !== Loopback.silence) return chainAt(url);
    const options = optionsAt(url);
    const fetch: Fetch = (to, init) =>
      options.fetch(to, init?.body?.includes(send) ? { ...init, timeoutMs: 400 } : init);
    const chain = createChain({ ...options, fetch });
    // From now on there is a connection, on which a broadcast leaves at once.
    await chain.chainId();
    return chain;
  }

  test.each(losses)('behavior: %s after the transaction was accepted', async (_, loss) => {
    let accept = (): void => {};
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    const server = await inFrontOf(rpcUrl, {
      [send]: passOn(rpcUrl, (...exchange) => {
        accept();
        loss(...exchange);
      }),
      eth_getTransactionByHash: (...exchange) => void accepted.then(() => passOn(rpcUrl)(...exchange)),
    });
    const signed = await transfer();
    expect(await (await chainLosing(loss, server.url)).broadcast(signed)).toBe(keccak256(signed));
    await receiptAt(rpcUrl, keccak256(signed));
    expect(sends(server)).toBe(1);
  });

  test.each(losses)('error: %s before it was accepted', async (_, loss) => {
    const server = await inFrontOf(rpcUrl, { [send]: loss });
    const signed = await transfer();
    const hash = keccak256(signed);
    const chain = await chainLosing(loss, `${server.url}/0123456789abcdef`);
    const error = await failure(chain.broadcast(signed));
    expect(error).toMatchObject({ ...open, txHash: hash, next: `ferry status ${hash}` });
    expect(facts(error).transaction).toBe(hash);
    expect(printed(error)).not.toContain('0123456789abcdef');
    expect(sends(server)).toBe(1);
    expect(await isMined(hash)).toBe(false);
  });

  test('behavior: a transaction that appears late', async () => {
    let asked = 0;
    const empty = Loopback.json({ jsonrpc: '2.0', id: 1, result: null });
    const server = await inFrontOf(rpcUrl, {
      [send]: passOn(rpcUrl, Loopback.reset),
      eth_getTransactionByHash: (response, request) => {
        asked += 1;
        (asked < 3 ? empty : passOn(rpcUrl))(response, request);
      },
    });
    const signed = await transfer();
    expect(await chainAt(server.url).broadcast(signed)).toBe(keccak256(signed));
  });

  test('error: connection refused, so nothing was sent', async () => {
    const error = await failure(chainAt(Loopback.nobody).broadcast(await signedBy('dev1', {})));
    expect(error).toMatchObject({ code: 'chain.unreachable', funds: 'untouched' });
  });

  test('error: Ctrl-C while waiting', async () => {
    const controller = new AbortController();
    const server = await inFrontOf(rpcUrl, { [send]: Loopback.silence });
    const signed = await transfer();
    const pending = failure(chainAt(server.url, { signal: controller.signal }).broadcast(signed));
    await expect.poll(() => server.seen.map(methodOf)).toContain(send);
    controller.abort(new Error('Ctrl-C'));
    expect(await pending).toMatchObject({ code: 'submit.unknown', txHash: keccak256(signed) });
  });

  test('error: Ctrl-C before sending', async () => {
    const reason = new Error('Ctrl-C');
    const server = await inFrontOf(rpcUrl, {});
    const sending = chainAt(server.url, { signal: AbortSignal.abort(reason) }).broadcast(await signedBy('dev1', {}));
    await expect(sending).rejects.toBe(reason);
    expect(server.seen).toEqual([]);
    expect(await chainAt(rpcUrl).nonce(dev1.address)).toBe(0);
  });
});
