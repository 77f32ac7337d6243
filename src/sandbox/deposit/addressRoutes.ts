/** The routes of deposit addresses: what one belongs to, and a second look at what it holds. */
import type { Hono } from 'hono';
import * as ForeignApi from '../../core/api/ForeignApi.js';
import { type Address, native } from '../../core/base/Address.js';
import { describeChain } from '../chain/readMarket.js';
import { keyNameOf } from '../http/apiKey.js';
import { messageError } from '../http/HttpError.js';
import { readJson, readQuery } from '../http/validation.js';
import type { Entry } from '../ledger/Entry.js';
import * as RecordFacets from '../ledger/RecordFacets.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { tokenAt } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import type { Sweeper } from './sweeper.js';

/** How soon an address may be looked at again. */
const pauseMs = 10_000;

export function addAddressRoutes(app: Hono, instance: Instance, sweeper: Pick<Sweeper, 'sweep'>): void {
  const { ledger, clock } = instance;
  const lookedAt = new Map<string, number>();

  function byAddress(address: string): Entry | undefined {
    const found = ledger.search({ words: [RecordFacets.wordsFor('depositAddress', address)] });
    return [...found].find(({ order }) => order.depositAddress?.toLowerCase() === address.toLowerCase());
  }

  app.get(ForeignApi.depositAddresses.path, (c) => {
    if (keyNameOf(c.req.raw) === undefined) throw messageError(401, 'Unauthorized: Check API Key');
    const { address, requestId } = readQuery(c.req.raw, ForeignApi.depositAddresses.query);
    const entry = requestId === undefined ? byAddress(address ?? '') : ledger.byRequestId(requestId);
    if (!entry?.order.depositAddress) throw messageError(404, 'Deposit address not found');
    const { order } = entry;
    return c.json({
      depositAddress: order.depositAddress,
      type: 'strict',
      requestId: order.requestId,
      chainId: order.origin.chainId,
      createdAt: new Date(entry.createdAtMs).toISOString(),
      currency: order.origin.token.address.toLowerCase(),
      refundTo: order.refundTo ?? null,
    });
  });

  app.post(ForeignApi.reindex.path, async (c) => {
    const body = await readJson(c.req.raw, ForeignApi.reindex.request);
    const entry = byAddress(body.depositAddress);
    if (!entry || entry.order.origin.chainId !== body.chainId) throw messageError(404, 'Deposit address not found');
    const named = body.currency === undefined ? undefined : PartyAccount.toAddress(body.currency);
    if (body.currency !== undefined && !named) throw messageError(400, 'Invalid currency');
    const key = body.depositAddress.toLowerCase();
    if (clock() - (lookedAt.get(key) ?? -Infinity) < pauseMs) throw messageError(429, 'Reindexed a moment ago');
    lookedAt.set(key, clock());
    const wanted = named ? [named] : [...new Set([entry.order.payment.token.address as Address, native])];
    const found = await Promise.all(
      wanted.map(async (currency) => ({ currency, held: await sweeper.sweep(entry, currency).catch(() => undefined) })),
    );
    return c.json({
      message: 'Deposit address reindexed',
      triggeredCurrencies: found.flatMap(({ currency, held = 0n }) =>
        held > 0n ? [{ currency, symbol: symbolOf(entry, currency), balance: held.toString() }] : [],
      ),
      checkedCurrencies: found.length,
      failedCurrencies: found.filter(({ held }) => held === undefined).length,
    });
  });

  function symbolOf({ order }: Entry, currency: Address): string {
    const node = nodeOf(instance, order.origin.chainId);
    return (node && tokenAt(describeChain(node), currency)?.symbol) ?? '';
  }
}
