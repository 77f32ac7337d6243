import { parseEther } from 'viem';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/service/service.js';
import { DamagedLogError, inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { listen, send } from '../../support/served.js';
import { customerOf } from '../../support/venueCustomer.js';

const service = useService();
const recipient = `0x${'a'.repeat(40)}` as const;

afterEach(() => service.clearFaults());

describe('createSandbox', () => {
  test('default: a bridge, from deposit to success', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '100000000', recipient });
    const hash = await service.pay(quote);
    const status = await service.end(quote.requestId);
    expect(status).toMatchObject({
      status: 'success',
      inTxHashes: [hash],
      originChainId: 313371,
      destinationChainId: 313372,
      failReason: 'N/A',
      refundFailReason: 'N/A',
    });
    expect(status.txHashes).toHaveLength(1);
    const delivered = await service.holds(recipient, 'beta/USDC');
    expect(delivered).toBe(BigInt(quote.details.currencyOut.amount));
  });

  test.each([
    ['a cross-chain swap', 'alpha/USDC', 'beta/WETH', '250000000'],
    ['a swap of a minor token, through two pools', 'beta/GULL', 'alpha/DAI', parseEther('1000').toString()],
    ['a token to native currency', 'alpha/USDC', 'beta/ETH', '100000000'],
    ['native currency to a token', 'beta/ETH', 'alpha/USDC', parseEther('0.1').toString()],
    ['native currency', 'alpha/ETH', 'beta/ETH', parseEther('0.25').toString()],
    ['USDT, which wants its allowance from zero', 'alpha/USDT', 'beta/USDT', '50000000'],
  ])('behavior: %s', async (_, from, to, amount) => {
    const receiver = stranger();
    const quote = await service.quote({ from, to, amount, recipient: receiver });
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
    const delivered = await service.holds(receiver, to);
    expect(delivered).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount));
    const record = await service.record(quote.requestId);
    expect(record.data?.route?.actual?.destination?.outputCurrency?.amount).toBe(delivered.toString());
  });

  test.each([
    ['a token', 'alpha/USDC', 'beta/WETH', parseEther('0.04').toString()],
    ['native currency', 'alpha/USDC', 'beta/ETH', parseEther('0.04').toString()],
    ['the same currency', 'alpha/DAI', 'beta/DAI', parseEther('25').toString()],
  ])('behavior: an exact output of %s is exact', async (_, from, to, amount) => {
    const receiver = stranger();
    const quote = await service.quote({ from, to, amount, recipient: receiver, tradeType: 'EXACT_OUTPUT' });
    await service.pay(quote);
    expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
    expect(await service.holds(receiver, to)).toBe(BigInt(amount));
  });

  test('behavior: an expected output', async () => {
    const receiver = stranger();
    const amount = parseEther('100').toString();
    const wish = { from: 'alpha/USDC', to: 'beta/GULL', amount, recipient: receiver } as const;
    const quote = await service.quote({ ...wish, tradeType: 'EXPECTED_OUTPUT' });
    await service.pay(quote);
    expect((await service.end(quote.requestId)).status).toBe('success');
    const delivered = await service.holds(receiver, 'beta/GULL');
    expect(Math.abs(Number(delivered) / 1e20 - 1)).toBeLessThan(0.001);
  });

  test('behavior: the solver fills on the origin chain on request', async () => {
    const receiver = stranger();
    const wish = { from: 'alpha/USDC', to: 'alpha/WETH', amount: '100000000', recipient: receiver } as const;
    const quote = await service.quote({ ...wish, forceSolverExecution: true });
    await service.pay(quote);
    const { inTxHashes, txHashes, status } = await service.end(quote.requestId);
    expect([status, inTxHashes?.length, txHashes?.length]).toEqual(['success', 1, 1]);
    expect(inTxHashes).not.toEqual(txHashes);
    const delivered = await service.holds(receiver, 'alpha/WETH');
    expect(delivered).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount));
  });

  test('behavior: twenty concurrent orders, each filled once', async () => {
    const receiver = '0xcccccccccccccccccccccccccccccccccccccccc';
    const payers = ['dev1', 'dev2', 'dev3', 'dev4'] as const satisfies readonly Name[];
    const quotes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.quote({
          from: 'alpha/USDC',
          to: index % 2 ? 'beta/USDC' : 'beta/WETH',
          amount: '20000000',
          recipient: receiver,
          account: payers[index % 4] ?? 'dev1',
        }),
      ),
    );
    // Serial per payer, concurrent across payers.
    await Promise.all(
      payers.map(async (account, payer) => {
        for (const quote of quotes.filter((_, index) => index % 4 === payer)) await service.pay(quote, account);
      }),
    );
    const ends = await Promise.all(quotes.map((quote) => service.end(quote.requestId)));
    expect(ends.map((end) => end.status)).toEqual(quotes.map(() => 'success'));
    expect(new Set(ends.flatMap((end) => end.txHashes)).size).toBe(20);
    const bridged = quotes.filter((_, index) => index % 2).map((quote) => BigInt(quote.details.currencyOut.amount));
    expect(await service.holds(receiver, 'beta/USDC')).toBe(bridged.reduce((sum, amount) => sum + amount, 0n));
  });

  test('behavior: request ids are determined by seed, order and clock', async () => {
    const clock = () => 1_790_000_000_000;
    const { alpha, beta } = service.chains;
    const ids = await Promise.all(
      ['one', 'one', 'two'].map(async (seed) => {
        const sandbox = await createSandbox({ chains: [alpha, beta], seed, instance: seed, clock });
        onTestFinished(() => sandbox.stop());
        const body = {
          user: accounts.dev0.address,
          originChainId: alpha.id,
          destinationChainId: beta.id,
          originCurrency: alpha.tokens.USDC.address,
          destinationCurrency: beta.tokens.USDC.address,
          tradeType: 'EXACT_INPUT',
          amount: '1000000',
        };
        const ask = async (): Promise<string> => {
          const headers = { 'content-type': 'application/json' };
          const init = { method: 'POST', headers, body: JSON.stringify(body) };
          const answer = await sandbox.fetch(new Request('http://localhost/quote/v2', init));
          return ((await answer.json()) as { requestId: string }).requestId;
        };
        return [await ask(), await ask()];
      }),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(new Set(ids.flat()).size).toBe(4);
    expect(ids[0]?.[0]).toMatch(/^0x1790000000[0-9a-f]{54}$/);
  });
});

describe('saved', () => {
  test('default: keeps all requests across a restart, and continues with new ids', async () => {
    const before = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000' });
    await service.pay(before);
    const status = await service.end(before.requestId);
    await service.restart();
    expect(await service.status(before.requestId)).toEqual(status);
    const after = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000' });
    expect(after.requestId).not.toBe(before.requestId);
  });

  test('behavior: fills a deposit made while it was stopped', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000' });
    await service.sandbox.stop();
    await service.pay(quote);
    expect((await service.status(quote.requestId)).status).toBe('waiting');
    await service.restart();
    expect((await service.end(quote.requestId)).status).toBe('success');
  });

  test('behavior: resumes work in progress', async () => {
    await service.fault({ kind: 'solver', does: 'delay', delayMs: 60_000 });
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000' });
    await service.pay(quote);
    await service.until(quote.requestId, 'delayed');
    expect(service.sandbox.isBusy()).toBe(true);
    await service.restart();
    expect((await service.end(quote.requestId)).status).toBe('success');
  });

  test('error: a malformed ledger', async () => {
    const { alpha, beta } = service.chains;
    const ledger = inMemory();
    ledger.append(Buffer.from([2, 0, 0]));
    const options = { chains: [alpha, beta], seed: 'x', instance: 'x', logs: { ledger, venue: inMemory() } };
    await expect(createSandbox(options)).rejects.toThrow(DamagedLogError);
  });
});

describe('fetch', () => {
  test('behavior: names the instance', async () => {
    expect((await service.get('/lives')).headers.get('x-sandbox-instance')).toBe('test');
  });

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80'])(
    'error: rejects a request for host %s',
    async (host) => {
      const response = await service.sandbox.fetch(new Request(`http://${host}/chains`));
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ statusCode: 403, code: 'FORBIDDEN_HOST' });
    },
  );

  test('behavior: over a real server', async () => {
    const port = await listen(service.sandbox);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '[::1]']) {
      expect((await send(port, '/lives', { host })).status).toBe(200);
    }
    expect((await send(port, '/lives', { host: 'evil.example' })).status).toBe(403);
  });
});

describe('idleSince', () => {
  test('default: the last request', async () => {
    const before = Date.now();
    await service.get('/lives');
    expect(service.sandbox.idleSince()).toBeGreaterThanOrEqual(before);
    expect(service.sandbox.isBusy()).toBe(false);
  });
});

describe('venue', () => {
  test('behavior: names the instance, and accepts only loopback hosts', async () => {
    const { venue } = service.sandbox;
    const here = await venue.fetch(new Request('http://127.0.0.1:8000/sandbox/instance'));
    expect([here.status, here.headers.get('x-sandbox-instance')]).toEqual([200, 'test']);
    expect((await venue.fetch(new Request('http://evil.example/sandbox/instance'))).status).toBe(403);
  });

  test('behavior: requests and transfers count as use of the sandbox', async () => {
    const customer = customerOf(service.venue, service.travel);
    const before = Date.now();
    await customer.nonce(100);
    expect(service.sandbox.idleSince()).toBeGreaterThanOrEqual(before);
    const hash = await service.venue.pay({ to: 100, amount: 5_000_000n, memo: `0x${'5f'.repeat(32)}` }, () => {});
    expect(service.sandbox.isBusy()).toBe(true);
    expect(await customer.end(hash)).toMatchObject({ status: 'executed' });
    await service.restart();
    expect(service.venue.transfer(hash)).toMatchObject({ status: 'executed', amount: 5_000_000n });
  });
});

let strangers = 0;

/** An unused account. */
function stranger(): `0x${string}` {
  strangers += 1;
  return `0x${strangers.toString(16).padStart(40, 'b')}`;
}
