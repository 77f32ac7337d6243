/** Sends a signed transaction once and finds out whether the node has it, however its answer went missing. */

import { keccak256 } from 'viem/utils';
import type { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Clock } from '../../core/ports/Ports.js';
import { NetworkError } from '../http/networkError.js';
import { ChainError, explained, innermost, type Node, refused, said } from './chainError.js';
import { type Rpc, RpcError } from './jsonRpc.js';

export type Sender = { rpc: Rpc; node: Node; clock: Clock; signal: AbortSignal };

/**
 * Sends the bytes and returns their hash. A node that has them already counts as success.
 *
 * @throws chain.refused · chain.unreachable where they were surely not taken, submit.unknown where they may have been
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
    if (verdict === 'taken') return hash;
    if (error instanceof NetworkError && verdict === 'rejected') throw explained(error, node);
    // A node behind the one that answered may have passed the transaction on, so even a clear no is looked up.
    const known = await isKnown(hash, verdict, sender);
    if (known) return hash;
    if (error instanceof RpcError && verdict === 'rejected') throw rejected(error, node, hash);
    if (error instanceof RpcError && verdict === 'stale' && known === false) throw rejected(error, node, hash);
    throw unknown(hash, error, sender);
  }
}

/** What an error says about the transaction; `stale` is a nonce that has been used, perhaps by this very one. */
type Verdict = 'taken' | 'rejected' | 'stale' | 'unclear';

function judge(error: unknown): Verdict {
  if (error instanceof NetworkError) return error.arrived === 'no' ? 'rejected' : 'unclear';
  if (!(error instanceof RpcError)) return 'unclear';
  if (error.isBusy) return 'rejected';
  if (!error.isAnswer) return [400, 401, 403, 404, 405, 413, 415].includes(error.status ?? 0) ? 'rejected' : 'unclear';
  const words = error.words.toLowerCase();
  if (taken.test(words)) return 'taken';
  if (stale.test(words)) return 'stale';
  return refusals.test(words) || malformedCodes.includes(error.code ?? 0) ? 'rejected' : 'unclear';
}

const taken = /already known|already imported|known transaction|already in (the )?(mempool|pool)|already exists/;
const stale = /nonce too low|nonce is too low|old nonce|nonce has already been used/;
/** How nodes say that a transaction did not even enter the pool. */
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

/** How often, and how long in between, a node is asked for a transaction whose answer was lost. */
const lookups = 3;
const pauseMs = 700;

/** Whether the node has the transaction; undefined where it could not be asked. */
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
  const busy = error.isBusy ? { retryable: true, hint: 'Wait a moment, then type the same command again.' } : {};
  const refusal = refused('did not take the transaction', error, node, { ...busy, facts: [['transaction', hash]] });
  return refusal;
}

function unknown(hash: Hex, error: unknown, { node }: Sender): BaseError {
  const why = error instanceof NetworkError ? ([['why', error.message]] as const) : [];
  const words = error instanceof RpcError ? said(error, node) : [];
  return new ChainError(
    'submit.unknown',
    `The RPC node of ${node.chain.name} gave no clear answer to a transaction, which may have been sent.`,
    node,
    {
      facts: [['transaction', hash], ...why, ...words],
      hint: 'Do not send it again. Look for this transaction first: it may still be mined.',
      next: `ferry status ${hash}`,
      txHash: hash,
    },
  );
}
