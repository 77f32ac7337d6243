/** The venue's routes: each validates its request, reads the books and returns the documented response. */

import { type Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import * as VenueApi from '../../core/api/VenueApi.js';
import { native } from '../../core/base/Address.js';
import * as AuthToken from '../../venue/AuthToken.js';
import * as Schnorr from '../../venue/Schnorr.js';
import { HttpError, toResponse } from '../http/HttpError.js';
import { readText } from '../http/validation.js';
import type { Books } from './books.js';
import type { Sequencer } from './sequencer.js';
import * as VenueAnswers from './VenueAnswers.js';
import { type Code, VenueRefusalError } from './VenueRefusal.js';
import type { Account } from './venueAccounts.js';
import { activationFee, transferFee } from './venueAccounts.js';

/** An auth token: what is signed (deadline in Unix seconds, account, API key), and the signature. */
const authToken = /^((\d{1,12}):(\d{1,15}):(\d{1,3})):([0-9a-f]{160})$/;

/** The longest validity of a token. */
const longestTokenMs = 8 * 60 * 60_000;

export type Components = { clock: () => number; books: Books; sequencer: Sequencer };

export function createRoutes({ clock, books, sequencer }: Components): Hono {
  const app = new Hono();
  const lookups = createLookups(clock, books);

  app.post(VenueApi.sendTx.path, async (c) => {
    const { tx_type, tx_info } = read(VenueApi.sendTx.request, await sentFields(c.req.raw));
    if (Number(tx_type) !== VenueApi.sendTx.transferType) throw new VenueRefusalError(21505);
    const { hash, dueMs } = await sequencer.accept(tx_info);
    return c.json(VenueAnswers.accepted(hash, dueMs));
  });

  addAccountRoutes(app, books, lookups);
  addTransactionRoutes(app, { clock, books, lookups });

  // What signers ask first: that it is there, and the time.
  app.get('/', (c) => c.json({ status: 200, network_id: 1, timestamp: Math.floor(clock() / 1000) }));

  // The sandbox's venue has no contract on any chain.
  app.get(VenueApi.info.path, (c) =>
    c.json({ contract_address: native } satisfies VenueApi.Answer<typeof VenueApi.info>),
  );

  app.notFound(() => toResponse(new VenueRefusalError(29404)));
  app.onError((error) => toResponse(error instanceof HttpError ? error : new VenueRefusalError(29500)));

  return app;
}

/** Accounts, their API keys, nonces and fees. */
function addAccountRoutes(app: Hono, books: Books, { ofOwner, account, apiKey, assertAuthorized }: Lookups): void {
  app.get(VenueApi.accountsByL1Address.path, (c) => {
    const { l1_address } = query(c, VenueApi.accountsByL1Address.query);
    return c.json(VenueAnswers.byL1Address(l1_address, ofOwner(l1_address)));
  });

  app.get(VenueApi.account.path, (c) => {
    const { by, value } = query(c, VenueApi.account.query);
    return c.json(VenueAnswers.detailed(by === 'index' ? [account(value, 29404)] : ofOwner(value)));
  });

  app.get(VenueApi.apiKeys.path, (c) => {
    const { account_index, api_key_index = String(VenueApi.apiKeys.all) } = query(c, VenueApi.apiKeys.query);
    const { index } = account(account_index);
    if (Number(api_key_index) === VenueApi.apiKeys.all) return c.json(VenueAnswers.apiKeys(books.apiKeys(index)));
    return c.json(VenueAnswers.apiKeys([apiKey(index, api_key_index)]));
  });

  app.get(VenueApi.nextNonce.path, (c) => {
    const { account_index, api_key_index } = query(c, VenueApi.nextNonce.query);
    const key = apiKey(account(account_index).index, api_key_index);
    return c.json({ code: 200, nonce: books.nextNonce(key) } satisfies VenueApi.Answer<typeof VenueApi.nextNonce>);
  });

  app.get(VenueApi.transferFeeInfo.path, (c) => {
    const { account_index, to_account_index = '-1', ...rest } = query(c, VenueApi.transferFeeInfo.query);
    const from = account(account_index);
    assertAuthorized(tokenOf(c, rest) ?? '', from);
    const to = to_account_index === '-1' ? undefined : account(to_account_index);
    const fee = transferFee(from, to) + activationFee(to);
    return c.json({ code: 200, transfer_fee_usdc: Number(fee) } satisfies VenueApi.Answer<
      typeof VenueApi.transferFeeInfo
    >);
  });

  app.get(VenueApi.assetDetails.path, (c) => {
    // 0 stands for all of them.
    const { asset_id = '0' } = query(c, VenueApi.assetDetails.query);
    const found = VenueAnswers.assets.filter((asset) => Number(asset_id) === 0 || asset.asset_id === Number(asset_id));
    if (found.length === 0) throw new VenueRefusalError(21801);
    return c.json({ code: 200, asset_details: [...found] } satisfies VenueApi.Answer<typeof VenueApi.assetDetails>);
  });
}

/** Transfers that were accepted. */
function addTransactionRoutes(
  app: Hono,
  { clock, books, lookups }: Pick<Components, 'clock' | 'books'> & { lookups: Lookups },
): void {
  const { account, assertAuthorized } = lookups;
  app.get(VenueApi.tx.path, (c) => {
    const { by, value } = query(c, VenueApi.tx.query);
    const entry =
      by === 'hash'
        ? books.entry(value.toLowerCase())
        : books.entries().find(({ sequence }) => String(sequence) === value);
    if (!entry) throw new VenueRefusalError(21500);
    return c.json(VenueAnswers.transaction(entry, account(String(entry.from)).l1Address, clock()));
  });

  app.get(VenueApi.accountTxs.path, (c) => {
    const { value, limit, index = '0', types, ...rest } = query(c, VenueApi.accountTxs.query);
    const from = account(value);
    const token = tokenOf(c, rest);
    if (token !== undefined) assertAuthorized(token, from);
    const isAsked = types === undefined || types.match(/\d+/g)?.map(Number).includes(VenueApi.sendTx.transferType);
    const own = isAsked ? books.entries().filter((entry) => entry.from === from.index) : [];
    const latestFirst = own.sort((a, b) => b.sequence - a.sequence);
    const page = latestFirst.slice(Number(index), Number(index) + Number(limit));
    return c.json(VenueAnswers.transactions(page, from.l1Address, clock()));
  });

  app.get(VenueApi.transferHistory.path, (c) => {
    const { account_index, type = 'all', cursor = '', ...rest } = query(c, VenueApi.transferHistory.query);
    const owner = account(account_index);
    assertAuthorized(tokenOf(c, rest) ?? '', owner);
    if (!/^\d{0,15}$/.test(cursor)) throw new VenueRefusalError(20001);
    const entries = type === 'all' || type === 'L2Transfer' ? books.entries() : [];
    const ownerOf = (each: number): string => books.account(each)?.l1Address ?? '';
    return c.json(VenueAnswers.history(owner.index, entries, { ownerOf, skip: Number(cursor) }));
  });
}

type Lookups = ReturnType<typeof createLookups>;

/** What a request names; what is not there is refused with the venue's code. */
function createLookups(clock: () => number, books: Books) {
  function ofOwner(l1Address: string): readonly Account[] {
    if (!/^0x[0-9a-fA-F]{40}$/.test(l1Address)) throw new VenueRefusalError(20001);
    const found = books.accounts().filter((each) => each.l1Address.toLowerCase() === l1Address.toLowerCase());
    if (found.length === 0) throw new VenueRefusalError(21100);
    return found;
  }

  function account(index: string, missing: Code = 21100): Account {
    if (!/^\d{1,15}$/.test(index)) throw new VenueRefusalError(20001);
    const found = books.account(Number(index));
    if (!found) throw new VenueRefusalError(missing);
    return found;
  }

  function apiKey(accountIndex: number, apiKeyIndex: string) {
    if (Number(apiKeyIndex) > 254) throw new VenueRefusalError(21110);
    const found = books.apiKey(accountIndex, Number(apiKeyIndex));
    if (!found) throw new VenueRefusalError(21109);
    return found;
  }

  /** @throws 20013 if the token is invalid for the account */
  function assertAuthorized(text: string, { index }: Account): void {
    const [, message = '', deadline, account, apiKey, signature = ''] = authToken.exec(text) ?? [];
    const leftMs = Number(deadline) * 1_000 - clock();
    const key = Number(account) === index ? books.apiKey(index, Number(apiKey)) : undefined;
    const isSigned =
      key !== undefined &&
      Schnorr.verify({
        publicKey: Buffer.from(key.publicKey, 'hex'),
        message: AuthToken.hash(message),
        signature: Buffer.from(signature, 'hex'),
      });
    if (!isSigned || leftMs <= 0 || leftMs > longestTokenMs) throw new VenueRefusalError(20013);
  }

  return { ofOwner, account, apiKey, assertAuthorized };
}

function query<schema extends z.ZodMiniType>(c: Context, schema: schema): z.output<schema> {
  return read(schema, Object.fromEntries(new URL(c.req.url).searchParams));
}

/** @throws 20001 */
function read<schema extends z.ZodMiniType>(schema: schema, input: unknown): z.output<schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw new VenueRefusalError(20001);
  return result.data;
}

/** The token of a request: in the header, or in either query parameter. */
function tokenOf(
  c: Context,
  { auth, authorization }: { auth?: string | undefined; authorization?: string | undefined },
): string | undefined {
  return c.req.header('authorization') ?? auth ?? authorization;
}

/**
 * The query parameters, and over them the fields of a form, which is `multipart/form-data` or URL-encoded.
 *
 * @throws 20001 for another body
 */
async function sentFields(request: Request): Promise<Record<string, unknown>> {
  const inQuery = Object.fromEntries(new URL(request.url).searchParams);
  const header = request.headers.get('content-type') ?? undefined;
  const type = header?.split(';')[0]?.trim().toLowerCase();
  const text = await readText(request);
  if (type === 'application/x-www-form-urlencoded') {
    return { ...inQuery, ...Object.fromEntries(new URLSearchParams(text)) };
  }
  if (type === 'multipart/form-data') return { ...inQuery, ...(await partsOf(text, header ?? '')) };
  if (text !== '' || type !== undefined) throw new VenueRefusalError(20001);
  return inQuery;
}

/** The parts of a multipart form. A file has no text, so that its field is refused. */
async function partsOf(text: string, type: string): Promise<Record<string, unknown>> {
  try {
    return Object.fromEntries(await new Response(text, { headers: { 'content-type': type } }).formData());
  } catch {
    throw new VenueRefusalError(20001);
  }
}
