/** Broadcasts a signed transaction once. If the node's answer is lost, looks up whether it has the transaction. */

import { keccak256 } from 'viem/utils';
import type { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Clock } from '../../core/ports/Ports.js';
import { NetworkError } from '../http/networkError.js';
import { ChainError, innermost, type Node, nodeFacts, refused, toChainError } from './chainError.js';
import { type Rpc, RpcError } from './jsonRpc.js';

export type Sender = { rpc: Rpc; node: Node; clock: Clock; signal: AbortSignal };

/**
 * Sends the signed bytes and returns the transaction hash. A node that already has the transaction counts as success.
 *
 * @throws chain.refused · chain.unreachable if the node certainly did not accept it, submit.unknown if it may have
 */
export async function broadcast(signed: Hex, sender: Sender): Promise<Hex> {
  const { rpc, node, signal } = sender;
  const hash = keccak256(signed);
  signal.throwIfAborted();
  try {
    await rpc.request({ method: 'eth_sendRawTransaction', params: [signed] });
    return hash;
  } catch (thrown) {
    const error = innermost(thrown);
    const verdict = judge(error);
    if (verdict === 'accepted') return hash;
    if (error instanceof NetworkError && verdict === 'rejected') throw toChainError(error, node);
    // A node behind the answering one may have relayed the transaction, so even a clear rejection is looked up.
    const known = await isKnown(hash, verdict, sender);
    if (known) return hash;
    if (error instanceof RpcError && verdict === 'rejected') throw rejected(error, node, hash);
    if (error instanceof RpcError && verdict === 'stale' && known === false) throw rejected(error, node, hash);
    throw unknown(hash, error, sender);
  }
}

/** What an error implies for the transaction; `stale` is a used nonce, perhaps used by this very transaction. */
type Verdict = 'accepted' | 'rejected' | 'stale' | 'unclear';

function judge(error: unknown): Verdict {
  if (error instanceof NetworkError) return error.arrived === 'no' ? 'rejected' : 'unclear';
  if (!(error instanceof RpcError)) return 'unclear';
  if (error.isBusy) return 'rejected';
  if (!error.isAnswer) return [400, 401, 403, 404, 405, 413, 415].includes(error.status ?? 0) ? 'rejected' : 'unclear';
  const words = error.words.toLowerCase();
  if (accepted.test(words)) return 'accepted';
  if (stale.test(words)) return 'stale';
  return refusals.test(words) || malformedCodes.includes(error.code ?? 0) ? 'rejected' : 'unclear';
}

const accepted = /already known|already imported|known transaction|already in (the )?(mempool|pool)|already exists/;
const stale = /nonce too low|nonce is too low|old nonce|nonce has already been used/;
/** Node errors that mean the transaction never entered the mempool. */
const refusals = new RegExp(
  [
    'insufficient (funds|balance)',
    'intrinsic gas',
    'nonce too high',
    'underpriced',
    'exceeds block gas limit',
    'gas limit (is )?too (high|low)',
    'gas (price|fee) (is )?too low',
    'max fee per gas less than block base fee',
    'max priority fee per gas higher than max fee per gas',
    'fee cap (less|cannot)',
    'tip higher than fee cap',
    'invalid (sender|signature|chain ?id|transaction|rlp)',
    'chain ?id (mismatch|does not match)',
    'only replay-protected',
    'failed to decode signed transaction',
    'rlp:',
    'typed transaction too short',
    'transaction type not supported',
    'oversized data',
    'max initcode size exceeded',
    'txpool is full',
  ].join('|'),
);
/** Parse error, invalid request, unknown method, invalid parameters. */
const malformedCodes = [-32700, -32600, -32601, -32602];

/** How often, and at what interval, a node is asked for a transaction after its answer was lost. */
const lookups = 3;
const pauseMs = 700;

/** Whether the node has the transaction; undefined if it could not be reached. */
async function isKnown(hash: Hex, verdict: Verdict, { rpc, clock, signal }: Sender): Promise<boolean | undefined> {
  let answered: false | undefined;
  for (let made = 1; made <= (verdict === 'unclear' ? lookups : 1); made++) {
    try {
      if (made > 1) await clock.sleep(pauseMs, signal);
      if (await rpc.request({ method: 'eth_getTransactionByHash', params: [hash] })) return true;
      answered = false;
    } catch {
      if (signal.aborted) return undefined;
    }
  }
  return answered;
}

function rejected(error: RpcError, node: Node, hash: Hex): BaseError {
  const busy = error.isBusy ? { retryable: true, hint: 'Wait a moment, then run the same command again.' } : {};
  const refusal = refused('rejected the transaction', error, node, { ...busy, facts: [['transaction', hash]] });
  return refusal;
}

function unknown(hash: Hex, error: unknown, { node }: Sender): BaseError {
  const why = error instanceof NetworkError ? ([['why', error.message]] as const) : [];
  const words = error instanceof RpcError ? nodeFacts(error, node) : [];
  return new ChainError(
    'submit.unknown',
    `The RPC node of ${node.chain.name} gave no conclusive answer. The transaction may have been sent.`,
    node,
    {
      facts: [['transaction', hash], ...why, ...words],
      hint: 'Do not send it again. Check this transaction first: it may still be mined.',
      next: `ferry status ${hash}`,
      txHash: hash,
    },
  );
}
