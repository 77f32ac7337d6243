import { parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { createPlaces } from '../../../src/sandbox/deposit/sweeper.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { cast } from '../../support/cast.js';
import { revert, send } from '../../support/chains.js';
import { key, useService, type Wish } from '../../support/customer.js';
import { add, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';
import { ask } from '../../support/node.js';
import { connect } from '../../support/nodeClients.js';

const service = useService();
const { alpha, beta } = service.chains;

type Address = `0x${string}`;

/** Somebody else than the payer, with nothing to pay gas with. */
const refundTo: Address = '0x00000000000000000000000000000000deadbee1';
const recipient: Address = '0x00000000000000000000000000000000deadbee2';
const { dev3 } = accounts;

async function asked(wish: Partial<Wish> = {}) {
  const quote = await service.quote({
    from: 'alpha/ETH',
    to: 'beta/ETH',
    amount: String(10n ** 17n),
    user: refundTo,
    refundTo,
    recipient,
    useDepositAddress: true,
    strict: true,
    ...wish,
  });
  const address = quote.steps[0]?.depositAddress as Address;
  return { quote, address, requestId: quote.requestId };
}

/** Pays with cast, as an exchange or a wallet would: a plain transfer. */
async function payByCast(address: string, amount: bigint, on: 'alpha' | 'beta' = 'alpha'): Promise<void> {
  const { rpcUrl } = service.chains[on];
  await cast('send', address, '--value', String(amount), '--rpc-url', rpcUrl, '--private-key', dev3.privateKey);
}

async function payToken(symbol: 'USDC' | 'DAI', address: Address, amount: bigint): Promise<void> {
  const token = { address: alpha.tokens[symbol].address, abi: abi.token };
  await send(alpha, dev3, { ...token, functionName: 'transfer', args: [address, amount] });
}

const reindex = (body: object) =>
  service.posted('/transactions/deposit-address/reindex', { chainId: alpha.id, ...body });

/** Resolves once the sweeper has looked at alpha, from now on twice: the first time it may have begun before. */
async function looked(): Promise<void> {
  const { id, rpcUrl } = alpha;
  for (let times = 0; times < 2; times++) {
    await ask(rpcUrl, 'evm_mine');
    const block = BigInt((await ask(rpcUrl, 'eth_blockNumber')) as string);
    await expect.poll(() => (service.sandbox.ledger.seenBlock(id) ?? 0n) >= block, { interval: 5 }).toBe(true);
  }
}

const itemOf = ({ steps }: QuoteAnswer.Response) => steps[0]?.items[0]?.data;

describe('createSweeper', () => {
  test('default: whoever pays the address, the recipient gets what was quoted', async () => {
    const { quote, address, requestId } = await asked();
    expect(itemOf(quote)).toMatchObject({ to: address.toLowerCase(), data: '0x', value: String(10n ** 17n) });
    const { orderId = '', orderData } = quote.protocol?.v2 ?? {};
    const compute = { functionName: 'computeDepositAddress', args: [orderId as Address, refundTo] } as const;
    const factory = { address: alpha.depositFactory, abi: abi.depositFactory };
    expect(await connect(alpha).readContract({ ...factory, ...compute })).toBe(address);
    expect((orderData?.output.deadline ?? 0) - Date.now() / 1000).toBeGreaterThan(179.9 * 86_400);
    const before = await service.holds(recipient, 'beta/ETH');
    await payByCast(address, 10n ** 17n);
    expect(await service.end(requestId)).toMatchObject({ status: 'success' });
    const got = (await service.holds(recipient, 'beta/ETH')) - before;
    expect(got).toBe(BigInt(quote.details.currencyOut.amount));
    expect(await service.holds(address, 'alpha/ETH')).toBe(0n);
    const record = await service.record(requestId);
    expect(record).toMatchObject({
      depositAddress: { address, type: 'strict', depositor: refundTo },
      features: ['deposit_address'],
    });
    const found = await service.asked(`/requests/v3?depositAddress=${address}`, key);
    expect(found).toMatchObject([200, { requests: [{ id: requestId }] }]);
    const known = await service.asked(`/deposit-addresses/v1?address=${address}`, key);
    expect(known).toMatchObject([200, { depositAddress: address, type: 'strict', requestId, refundTo }]);
    expect((await service.get(`/deposit-addresses/v1?address=${address}`)).status).toBe(401);
  });

  test('behavior: of an address that nobody has asked for nothing is known, whatever resembles it in the index', async () => {
    for (let turn = 0; turn < 3; turn++) await asked();
    const strangers = Array.from({ length: 400 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, 'c')}`);
    const known = await Promise.all(
      strangers.map(async (address) => (await service.get(`/deposit-addresses/v1?address=${address}`, key)).status),
    );
    expect(new Set(known)).toEqual(new Set([404]));
  });

  test('behavior: too much delivers what was quoted, and a second payment is sent back', async () => {
    const { quote, address, requestId } = await asked({ amount: '20000000', from: 'alpha/USDC', to: 'beta/USDC' });
    // A number, and only there.
    expect(itemOf(quote)).toMatchObject({ gas: 2_500_000, value: '0' });
    const [got, refunded] = [await service.holds(recipient, 'beta/USDC'), await service.holds(refundTo, 'alpha/USDC')];
    await payToken('USDC', address, 21_000_000n);
    expect(await service.end(requestId)).toMatchObject({ status: 'success' });
    expect((await service.holds(recipient, 'beta/USDC')) - got).toBe(BigInt(quote.details.currencyOut.amount));
    await payToken('USDC', address, 20_000_000n);
    await expect
      .poll(async () => (await service.holds(refundTo, 'alpha/USDC')) - refunded)
      .toBeGreaterThan(19_900_000n);
    expect(await service.status(requestId)).toMatchObject({ status: 'success' });
  });

  test('behavior: what comes late is sent back', async () => {
    const { address, requestId } = await asked();
    service.travel(180 * 86_400_000 + 60_000);
    try {
      await payByCast(address, 10n ** 17n);
      expect(await service.end(requestId)).toMatchObject({
        status: 'refund',
        failReason: 'PROTOCOL_DEADLINE_EXPIRED',
      });
    } finally {
      service.travel(-180 * 86_400_000 - 60_000);
    }
  });

  test('behavior: another token stays at the address until somebody asks, and is then sent back', async () => {
    const { address, requestId } = await asked();
    const before = await service.holds(refundTo, 'alpha/DAI');
    const held = 5n * 10n ** 18n;
    await payToken('DAI', address, held);
    await expect.poll(() => service.holds(address, 'alpha/DAI')).toBe(held);
    const DAI = alpha.tokens.DAI.address;
    const [found, again] = await Promise.all([
      reindex({ depositAddress: address, currency: DAI }),
      reindex({ depositAddress: address }),
    ]);
    expect(again[0]).toBe(429);
    const triggeredCurrencies = [{ currency: DAI, symbol: 'DAI', balance: String(held) }];
    expect(found).toMatchObject([200, { triggeredCurrencies, failedCurrencies: 0 }]);
    expect(await service.end(requestId)).toMatchObject({ status: 'refund', failReason: 'INCORRECT_DEPOSIT_CURRENCY' });
    expect((await service.holds(refundTo, 'alpha/DAI')) - before).toBeGreaterThan(0n);
    expect((await reindex({ depositAddress: refundTo }))[0]).toBe(404);
  });

  test('behavior: a payment that arrives while the service is down is found when it is back', async () => {
    const { address, requestId } = await asked();
    await service.sandbox.stop();
    await payByCast(address, 10n ** 17n);
    await service.restart();
    expect(await service.end(requestId)).toMatchObject({ status: 'success' });
  });

  test('behavior: what comes after a clock was set forward and back is deposited', async () => {
    const { address, requestId } = await asked();
    service.travel(190 * 86_400_000);
    await asked({ to: 'beta/USDC' });
    await looked();
    service.travel(-190 * 86_400_000);
    await payByCast(address, 10n ** 17n);
    expect(await service.end(requestId)).toMatchObject({ status: 'success' });
  });

  test('behavior: blocks are looked at without a search of the records', async () => {
    const { requestId } = await asked();
    const { ledger } = service.sandbox;
    const { search } = ledger;
    let [searches, read] = [0, 0];
    ledger.search = function* (what) {
      searches += 1;
      for (const entry of search(what)) {
        read += 1;
        yield entry;
      }
    };
    try {
      await looked();
    } finally {
      ledger.search = search;
    }
    expect({ searches, read }).toEqual({ searches: 0, read: 0 });
    expect(await service.status(requestId)).toMatchObject({ status: 'waiting' });
  });

  test('behavior: nobody takes what an address holds', async () => {
    const { quote, address } = await asked();
    const orderId = quote.protocol?.v2?.orderId;
    const factory = { address: alpha.depositFactory, abi: abi.depositFactory, functionName: 'sweep' };
    // With another depositor it is another address.
    await send(alpha, dev3, { ...factory, args: [orderId, dev3.address, [`0x${'0'.repeat(40)}`]] });
    await send(alpha, dev3, { ...factory, args: [orderId, refundTo, []] });
    expect(await connect(alpha).getCode({ address })).toMatch(/^0x3d/);
    const own = { address, abi: parseAbi(['function sweep(address, address, bytes32)', 'error OnlyFactory()']) };
    const args = [alpha.tokens.USDC.address, refundTo, orderId];
    expect(await revert(alpha, dev3, { ...own, functionName: 'sweep', args })).toBe('OnlyFactory()');
  });
});

const startMs = market.market.nowMs;
const strict = { request: { useDepositAddress: true, strict: true } };

describe('createPlaces', () => {
  test('default: those that the ledger has, and those that are added', async () => {
    const ledger = ledgerAt(startMs, inMemory());
    await add(ledger);
    const first = await add(ledger, strict);
    const places = createPlaces(ledger, [alpha.id, beta.id]);
    const addressesOn = (chainId: number) => places(chainId).map(({ address }) => address);
    expect(addressesOn(alpha.id)).toEqual([first.order.depositAddress]);
    expect(places(alpha.id)[0]?.untilMs).toBe(first.order.deadline * 1_000 + 86_400_000);
    await add(ledger);
    const second = await add(ledger, strict);
    const other = await add(ledger, { from: 'beta/usdc', to: 'alpha/usdc', ...strict });
    expect(addressesOn(alpha.id)).toEqual([first.order.depositAddress, second.order.depositAddress]);
    expect(addressesOn(beta.id)).toEqual([other.order.depositAddress]);
  });
});
