import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/service/service.js';
import { DamagedLogError, inMemory } from '../../../src/sandbox/storage/frameLog.js';
import type { Name } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { customerOf } from '../../support/venueCustomer.js';

const service = useService();
const { alpha, beta } = service.chains;

describe('createSandbox', () => {
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
});

describe('saved', () => {
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
    const ledger = inMemory();
    ledger.append(Buffer.from([2, 0, 0]));
    const options = { chains: [alpha, beta], seed: 'x', instance: 'x', logs: { ledger, venue: inMemory() } };
    await expect(createSandbox(options)).rejects.toThrow(DamagedLogError);
  });
});

describe('venue', () => {
  test('behavior: it and the service name the instance, and accept only loopback hosts', async () => {
    for (const { fetch } of [service.sandbox, service.sandbox.venue]) {
      const here = await fetch(new Request('http://127.0.0.1:8000/sandbox/instance'));
      expect([here.status, here.headers.get('x-sandbox-instance')]).toEqual([200, 'test']);
      expect((await fetch(new Request('http://evil.example/sandbox/instance'))).status).toBe(403);
    }
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
