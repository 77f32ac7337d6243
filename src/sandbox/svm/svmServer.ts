/**
 * Exposes the sandbox's Solana node on a port of its own: JSON-RPC over HTTP, single calls and batches, with what wallets,
 * ferry and the chain's own client library ask.
 */
import { createServer, type ServerResponse } from 'node:http';
import * as Amount from '../../core/base/Amount.js';
import * as BaseCodec from '../../core/order/BaseCodec.js';
import { close, listen, refusalOf, urlOf } from '../http/httpServer.js';
import { readLimited } from '../http/validation.js';
import { usdcDecimals, usdcMint } from './solverPayment.js';
import { type Account, type Landed, RejectedError, type SvmNode, type TokenBalance } from './svmNode.js';

export type SvmServer = Awaited<ReturnType<typeof serveSvm>>;

/** @throws sandbox.start if it cannot listen */
export async function serveSvm(node: SvmNode) {
  /** So far. */
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    const { host, origin } = incoming.headers;
    const refusal = refusalOf({ host, origin });
    if (refusal) return send(outgoing, refusal.status, refusal.body);
    // Pages on this machine may call the chain, as with any other node for development.
    if (origin !== undefined) {
      outgoing.setHeader('access-control-allow-origin', origin);
      outgoing.setHeader('access-control-allow-headers', incoming.headers['access-control-request-headers'] ?? '*');
    }
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end();
    readLimited(incoming).then(
      (body) => send(outgoing, 200, respond(body)),
      () => outgoing.destroy(),
    );
  });

  function respond(body: string): unknown {
    let asked: unknown;
    try {
      asked = JSON.parse(body);
    } catch {
      return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
    }
    return Array.isArray(asked) ? asked.map(one) : one(asked);
  }

  function one(asked: unknown): unknown {
    const { id = null, method, params } = (asked ?? {}) as Call;
    calls += 1;
    try {
      if (typeof method !== 'string') throw new RpcRefusal(-32600, 'Invalid request');
      const answer = methods[method];
      if (!answer) throw new RpcRefusal(-32601, 'Method not found');
      return { jsonrpc: '2.0', id, result: answer(node, Array.isArray(params) ? params : []) };
    } catch (error) {
      const { code, message, data } = error instanceof RpcRefusal ? error : new RpcRefusal(-32603, 'Internal error');
      return { jsonrpc: '2.0', id, error: { code, message, data } };
    }
  }

  await listen(server, 0);
  return { url: urlOf(server), calls: () => calls, close: () => close(server) };
}

type Call = { id?: unknown; method?: unknown; params?: unknown };

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A JSON-RPC error, with the codes of Solana's own nodes. */
class RpcRefusal extends Error {
  override name = 'RpcRefusal';
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type RpcOptions = Readonly<Record<string, unknown>>;

const methods: Readonly<Record<string, (node: SvmNode, params: readonly unknown[]) => unknown>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '2.3.0', 'feature-set': 0 }),
  getGenesisHash: () => usdcMint,
  getSlot: (node) => node.slot(),
  getBlockHeight: (node) => node.slot(),
  getEpochInfo: (node) => ({
    ...{ absoluteSlot: node.slot(), blockHeight: node.slot(), epoch: Math.floor(node.slot() / slotsInEpoch) },
    ...{ slotIndex: node.slot() % slotsInEpoch, slotsInEpoch, transactionCount: null },
  }),
  getLatestBlockhash: (node) => {
    const { hash, lastValidSlot } = node.blockhash();
    return at(node, { blockhash: hash, lastValidBlockHeight: lastValidSlot });
  },
  isBlockhashValid: (node, [hash]) => at(node, node.isGood(String(hash))),
  getFeeForMessage: (node, [message]) => at(node, 5_000 * signersOf(Buffer.from(String(message), 'base64'))),
  getRecentPrioritizationFees: () => [],
  getMinimumBalanceForRentExemption: (node, [bytes]) => Number(node.rent(Number(bytes))),
  getBalance: (node, [address]) => at(node, Number(node.account(key(address))?.lamports ?? 0n)),
  getAccountInfo: (node, [address, options]) => at(node, accountInfo(node, key(address), optionsOf(options))),
  getMultipleAccounts: (node, [addresses, options]) =>
    at(
      node,
      (Array.isArray(addresses) ? addresses : []).map((each) => accountInfo(node, key(each), optionsOf(options))),
    ),
  getTokenAccountBalance: (node, [address]) => {
    const held = node.tokens(key(address));
    if (!held) throw new RpcRefusal(-32602, 'Invalid param: could not find account');
    return at(node, uiAmount(held.amount));
  },
  getTokenSupply: (node, [address]) => {
    if (key(address) !== usdcMint) throw new RpcRefusal(-32602, 'Invalid param: not a Token mint');
    return at(node, uiAmount(supplyOf(node)));
  },
  getTokenAccountsByOwner: (node, [owner, filter, options]) => {
    const { mint } = optionsOf(filter);
    const wanted = node.tokensOf(key(owner)).filter((each) => mint === undefined || each.mint === mint);
    return at(
      node,
      wanted.map(({ address }) => ({ pubkey: address, account: accountInfo(node, address, optionsOf(options)) })),
    );
  },
  getSignatureStatuses: (node, [signatures]) =>
    at(
      node,
      (Array.isArray(signatures) ? signatures : []).map((each) => statusOf(node.landed(String(each)))),
    ),
  getSignaturesForAddress: (node, [address, options]) => {
    const { limit = 1_000 } = optionsOf(options);
    return node
      .history(key(address))
      .slice(0, Number(limit))
      .map(({ signature, slot, blockTime, err }) => ({
        ...{ signature, slot, blockTime, err },
        ...{ memo: null, confirmationStatus: 'finalized' },
      }));
  },
  getTransaction: (node, [signature, options]) => {
    const found = node.landed(String(signature));
    return found ? transactionOf(found, optionsOf(options)) : null;
  },
  getBlockTime: (_, [slot]) => Math.floor((Number(slot) * 400 + Date.UTC(2025, 0, 1)) / 1000),
  sendTransaction: (node, [wire, options]) => {
    const { skipPreflight = false } = optionsOf(options);
    return rejecting(() => node.land(bytesOf(wire, options), { mayFail: skipPreflight === true }).signature);
  },
  simulateTransaction: (node, [wire, options]) => {
    const { err, logs, units } = rejecting(() => node.simulate(bytesOf(wire, options)));
    return at(node, { err, logs, accounts: null, unitsConsumed: Number(units), returnData: null });
  },
  requestAirdrop: (node, [address, lamports]) => rejecting(() => node.fund(key(address), BigInt(Number(lamports)))),
};

const slotsInEpoch = 432_000;

/** The number of signatures that a message needs: its first byte, after the version if it has one. */
function signersOf(message: Buffer): number {
  const [first = 0, second = 0] = message;
  return first >= 0x80 ? second : first;
}

/** An answer with the slot that it was read at. */
function at(node: SvmNode, value: unknown): unknown {
  return { context: { apiVersion: '2.3.0', slot: node.slot() }, value };
}

function optionsOf(value: unknown): RpcOptions {
  return (value ?? {}) as RpcOptions;
}

/** @throws RpcRefusal */
function key(value: unknown): string {
  if (typeof value === 'string' && BaseCodec.decode(value, BaseCodec.bitcoin)?.length === 32) return value;
  throw new RpcRefusal(-32602, 'Invalid param: Invalid');
}

function bytesOf(wire: unknown, options: unknown): Uint8Array {
  const { encoding = 'base58' } = optionsOf(options);
  // A transaction in Base58 is longer than any key.
  const bytes =
    encoding === 'base64'
      ? Buffer.from(String(wire), 'base64')
      : BaseCodec.decode(String(wire), BaseCodec.bitcoin, 1_700);
  if (!bytes || bytes.length === 0 || bytes.length > 1232) throw new RpcRefusal(-32602, 'invalid transaction');
  return bytes;
}

function rejecting<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    throw new RpcRefusal(-32002, `Transaction simulation failed: ${error.message}`, {
      ...{ accounts: null, err: error.message, logs: error.logs, returnData: null, unitsConsumed: 0 },
    });
  }
}

function accountInfo(node: SvmNode, address: string, { encoding = 'base58' }: RpcOptions): unknown {
  const found = node.account(address);
  if (!found) return null;
  const { lamports, owner, executable, data } = found;
  return {
    data: encoding === 'jsonParsed' ? (parsed(node, found) ?? encoded(data, 'base64')) : encoded(data, encoding),
    ...{ executable, lamports: Number(lamports), owner, rentEpoch: 0, space: data.length },
  };
}

function encoded(data: Uint8Array, encoding: unknown): unknown {
  if (encoding === 'base64') return [Buffer.from(data).toString('base64'), 'base64'];
  return encoding === 'base58' ? [BaseCodec.bitcoin.encode(data), 'base58'] : BaseCodec.bitcoin.encode(data);
}

/** A token account as the node reads it for its caller. */
function parsed(node: SvmNode, { address, data }: Account): unknown {
  const held = node.tokens(address);
  if (!held) return undefined;
  const { mint, owner, amount } = held;
  const info = { isNative: false, mint, owner, state: 'initialized', tokenAmount: uiAmount(amount) };
  return { parsed: { info, type: 'account' }, program: 'spl-token', space: data.length };
}

function uiAmount(amount: bigint) {
  const text = Amount.format(amount, usdcDecimals);
  return { amount: String(amount), decimals: usdcDecimals, uiAmount: Number(text), uiAmountString: text };
}

function supplyOf(node: SvmNode): bigint {
  const data = node.account(usdcMint)?.data;
  return data ? Buffer.from(data).readBigUInt64LE(36) : 0n;
}

function statusOf(found: Landed | undefined): unknown {
  if (!found) return null;
  const { slot, err } = found;
  return {
    slot,
    confirmations: null,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: 'finalized',
  };
}

function transactionOf(found: Landed, { encoding = 'json' }: RpcOptions): unknown {
  const { slot, blockTime, err, fee, logs, keys, before, after, tokensBefore, tokensAfter, signature, wire } = found;
  const tokenOf = ({ amount, ...each }: TokenBalance) => ({
    ...each,
    programId: tokenProgram,
    uiTokenAmount: uiAmount(BigInt(amount)),
  });
  const accountKeys =
    encoding === 'jsonParsed'
      ? keys.map((each) => ({ ...each, source: 'transaction' }))
      : keys.map(({ pubkey }) => pubkey);
  const isRaw = encoding === 'base64' || encoding === 'base58';
  const whole = {
    signatures: [signature],
    message: { accountKeys, instructions: [], recentBlockhash: '', addressTableLookups: [] },
  };
  return {
    slot,
    blockTime,
    version: 0,
    meta: {
      ...{ err, fee, logMessages: logs, innerInstructions: [], rewards: [] },
      ...{ preBalances: before, postBalances: after },
      ...{ preTokenBalances: tokensBefore.map(tokenOf), postTokenBalances: tokensAfter.map(tokenOf) },
      ...{ loadedAddresses: { readonly: [], writable: [] }, status: err === null ? { Ok: null } : { Err: err } },
    },
    transaction: isRaw ? encoded(Buffer.from(wire, 'base64'), encoding) : whole,
  };
}

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
