/** The venue's endpoints, as its documentation has them. Responses keep what a later version adds. */
import * as z from 'zod/mini';
import * as Primitives from './schema/Primitives.js';

/** An account index, a nonce, or a fee in base units: a number, or in some versions a string of digits. */
export const integer = z.union([z.int(), z.string().check(z.regex(/^-?[0-9]+$/))]);

/** A decimal amount in whole units of an asset: `100.000000`. */
export const decimal = z.string().check(z.regex(/^-?[0-9]+(\.[0-9]+)?$/));

/** The body of an error, with an HTTP status of 400, 401, 429 or 500. The set of codes is open. */
export const failure = Primitives.object({ code: z.int(), message: z.optional(z.string()) });

/** A code, 200 or absent on success, and on failure a message, which may end in a space. */
const envelope = { code: z.optional(z.int()), message: z.optional(z.string()) };

/** The auth token, if it is not in the `authorization` header. */
const token = { auth: z.optional(z.string()), authorization: z.optional(z.string()) };

/** The venue's documentation has three names for the index; ferry calls it `index`. */
const basicAccount = Primitives.object({
  /** 0 for a master account, 1 for a sub-account. */
  account_type: z.optional(z.int()),
  index: z.optional(integer),
  account_index: z.optional(integer),
  accountIndex: z.optional(integer),
  l1_address: z.string(),
  /** In whole USDC. */
  available_balance: z.optional(z.string()),
  collateral: z.optional(z.string()),
  /** 1 if active, 0 if inactive. */
  status: z.optional(z.int()),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

/** The accounts of a wallet, its master account first. Public. */
export const accountsByL1Address = {
  method: 'GET',
  path: '/api/v1/accountsByL1Address',
  query: Primitives.object({ l1_address: z.string(), cursor: z.optional(z.string()) }),
  response: Primitives.object({
    ...envelope,
    l1_address: z.string(),
    sub_accounts: z.array(basicAccount),
    next_cursor: z.nullish(z.string()),
  }),
} as const;

/** An account's balances of one asset, in whole units. */
const balance = Primitives.object({
  symbol: z.string(),
  asset_id: z.int(),
  /** On the spot route. */
  balance: decimal,
  locked_balance: z.optional(decimal),
  margin_mode: z.optional(z.string()),
  /** On the perps route. */
  margin_balance: z.optional(decimal),
});

const detailedAccount = z.extend(basicAccount, { assets: z.optional(z.array(balance)) });

/** An account with its assets, if they were asked for. */
export type Account = z.output<typeof detailedAccount>;

/** An account in detail, or all accounts of a wallet. Public. */
export const account = {
  method: 'GET',
  path: '/api/v1/account',
  query: Primitives.object({ by: z.enum(['index', 'l1_address']), value: z.string() }),
  response: Primitives.object({
    ...envelope,
    total: z.optional(z.int()),
    accounts: z.array(detailedAccount),
    next_cursor: z.nullish(z.string()),
  }),
} as const;

/** The API keys that can sign for an account. Public. */
export const apiKeys = {
  method: 'GET',
  path: '/api/v1/apikeys',
  /** The index that requests all keys of an account. */
  all: 255,
  query: Primitives.object({ account_index: Primitives.digits, api_key_index: z.optional(Primitives.digits) }),
  response: Primitives.object({
    ...envelope,
    api_keys: z.array(
      Primitives.object({
        account_index: integer,
        api_key_index: z.int(),
        nonce: integer,
        /** 80 hexadecimal digits without a prefix. */
        public_key: z.string(),
        /** Unix time in microseconds. */
        transaction_time: z.optional(z.number()),
      }),
    ),
  }),
} as const;

/** The venue's assets. Public. */
export const assetDetails = {
  method: 'GET',
  path: '/api/v1/assetDetails',
  query: Primitives.object({ asset_id: z.optional(Primitives.digits) }),
  response: Primitives.object({
    ...envelope,
    asset_details: z.array(
      Primitives.object({
        asset_id: z.int(),
        symbol: z.string(),
        decimals: Primitives.decimals,
        l1_decimals: z.optional(Primitives.decimals),
        /** In whole units. */
        min_transfer_amount: z.optional(decimal),
        min_withdrawal_amount: z.optional(decimal),
        margin_mode: z.optional(z.string()),
        /** In dollars. */
        index_price: z.optional(decimal),
        /** The token on Ethereum; zero for ether. */
        l1_address: z.optional(z.string()),
      }),
    ),
  }),
} as const;

/** The venue's contract. Public. */
export const info = {
  method: 'GET',
  path: '/info',
  response: Primitives.object({ contract_address: z.string() }),
} as const;

/** The nonce for an API key's next transaction. Public. */
export const nextNonce = {
  method: 'GET',
  path: '/api/v1/nextNonce',
  query: Primitives.object({ account_index: Primitives.digits, api_key_index: Primitives.digits }),
  response: Primitives.object({ ...envelope, nonce: integer }),
} as const;

/** The venue's fee for a transfer between two accounts. Requires an auth token. */
export const transferFeeInfo = {
  method: 'GET',
  path: '/api/v1/transferFeeInfo',
  query: Primitives.object({
    account_index: Primitives.digits,
    /** -1, as if it were absent, for no account in particular. */
    to_account_index: z.optional(z.string().check(z.regex(/^(-1|[0-9]+)$/))),
    ...token,
  }),
  response: Primitives.object({
    ...envelope,
    /** Millionths of USDC. */
    transfer_fee_usdc: integer,
  }),
} as const;

/**
 * Submits a signed transaction, as a form (`multipart/form-data` or URL-encoded) or with query parameters. A 200 means that
 * it was accepted; the sequencer may still fail it.
 */
export const sendTx = {
  method: 'POST',
  path: '/api/v1/sendTx',
  /** The `tx_type` of a transfer. */
  transferType: 12,
  request: Primitives.object({
    tx_type: Primitives.digits,
    /** The transaction as JSON, in the format of its type. */
    tx_info: z.string(),
    price_protection: z.optional(z.enum(['true', 'false'])),
  }),
  response: Primitives.object({
    ...envelope,
    tx_hash: z.string(),
    predicted_execution_time_ms: z.optional(z.number()),
    volume_quota_remaining: z.nullish(z.number()),
  }),
} as const;

const listedTx = Primitives.object({
  hash: z.string(),
  type: z.int(),
  /** The transaction as JSON. */
  info: z.string(),
  /** JSON; `ae` is the reason why the sequencer failed the transaction. */
  event_info: z.optional(z.string()),
  status: z.int(),
  transaction_index: z.optional(z.number()),
  l1_address: z.optional(z.string()),
  account_index: z.optional(integer),
  nonce: z.optional(integer),
  /** Unix time in milliseconds. */
  expire_at: z.optional(z.number()),
  block_height: z.optional(z.number()),
  queued_at: z.optional(z.number()),
  executed_at: z.optional(z.number()),
  sequence_index: z.optional(z.number()),
  parent_hash: z.optional(z.string()),
  api_key_index: z.optional(z.int()),
  /** Unix time in microseconds. */
  transaction_time: z.optional(z.number()),
});

export type ListedTx = z.output<typeof listedTx>;

/** The status of a transaction. Public. */
export const tx = {
  method: 'GET',
  path: '/api/v1/tx',
  query: Primitives.object({ by: z.enum(['hash', 'sequence_index']), value: z.string() }),
  response: z.extend(listedTx, {
    ...envelope,
    committed_at: z.optional(z.number()),
    verified_at: z.optional(z.number()),
  }),
} as const;

/** The transactions that an account has sent, latest first. Public. */
export const accountTxs = {
  method: 'GET',
  path: '/api/v1/accountTxs',
  query: Primitives.object({
    by: z.enum(['account_index']),
    value: Primitives.digits,
    /** 1 to 100. */
    limit: z.string().check(z.regex(/^([1-9][0-9]?|100)$/)),
    /** How many to skip. */
    index: z.optional(Primitives.digits),
    /** Transaction types: `12`, `12,13` or `[12,13]`. */
    types: z.optional(z.string().check(z.regex(/^\[?[0-9]+( *, *[0-9]+)*\]?$/))),
    ...token,
  }),
  response: Primitives.object({ ...envelope, txs: z.array(listedTx) }),
} as const;

/** The executed transfers of an account, latest first. Requires an auth token. */
export const transferHistory = {
  method: 'GET',
  path: '/api/v1/transfer/history',
  query: Primitives.object({
    account_index: Primitives.digits,
    /** The `cursor` of the page before. */
    cursor: z.optional(z.string()),
    type: z.optional(z.enum(['all', 'L2Transfer', 'L2MintShares', 'L2BurnShares', 'L2StakeAssets', 'L2UnstakeAssets'])),
    ...token,
  }),
  response: Primitives.object({
    ...envelope,
    transfers: z.array(
      Primitives.object({
        id: z.string(),
        asset_id: z.int(),
        /** In whole units. */
        amount: decimal,
        /** In whole USDC. */
        fee: decimal,
        /** Unix time in milliseconds. */
        timestamp: z.int(),
        /** `L2TransferInflow` or `L2TransferOutflow`; the set is open. */
        type: z.string(),
        from_l1_address: z.string(),
        to_l1_address: z.string(),
        from_account_index: integer,
        to_account_index: integer,
        /** `perps` or `spot`. */
        from_route: z.string(),
        to_route: z.string(),
        tx_hash: z.string(),
      }),
    ),
    /** Empty on the last page. */
    cursor: z.optional(z.string()),
  }),
} as const;

export type Answer<Endpoint extends { response: z.core.$ZodType }> = z.output<Endpoint['response']>;
