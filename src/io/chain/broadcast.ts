/**
 * Broadcasts a signed transaction. Whoever was given it can send it for as long as its nonce is unused, whatever they
 * answer: only a node that was never reached certainly does not have it.
 */

import { keccak256 } from 'viem/utils';
import type { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import type { Clock } from '../../core/ports/Ports.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import { NetworkError } from '../http/networkError.js';
import { ChainError, innermost, type Node, nodeFacts, toChainError } from './chainError.js';
import { type Rpc, RpcError } from './jsonRpc.js';

export type Sender = { rpc: Rpc; node: Node; clock: Clock; signal: AbortSignal };

/** How often a node that is too busy is given the same bytes, and the longest pause between. */
const attempts = 3;
const longestPauseMs = 5_000;

/**
 * Sends the signed bytes and returns the transaction hash. A node that already has the transaction counts as success. A
 * refusal is one witness: funds that are short can come, and the node can send what it was given then, or at once.
 *
 * @throws chain.unreachable if the node was never reached, submit.unknown if it was and does not show the transaction
 */
export async function broadcast(signed: Hex, sender: Sender): Promise<Hex> {
  const { rpc, node, clock, signal } = sender;
  const hash = keccak256(signed);
  signal.throwIfAborted();
  for (let made = 1; ; made++) {
    try {
      await rpc.request({ method: 'eth_sendRawTransaction', params: [signed] });
      return hash;
    } catch (thrown) {
      const error = innermost(thrown);
      if (made === 1 && error instanceof NetworkError && error.arrived === 'no') throw toChainError(error, node);
      if (error instanceof RpcError && isAccepted(error.words.toLowerCase())) return hash;
      const isAgain = error instanceof RpcError && error.isBusy && made < attempts;
      if (await isKnown(hash, isAgain ? 1 : lookups, sender)) return hash;
      if (!isAgain) throw unknown(hash, error, sender);
      const pauseMs = Math.min(error.waitMs ?? made * lookupPauseMs, longestPauseMs);
      await clock.sleep(pauseMs, signal).catch(() => {});
      if (signal.aborted) throw unknown(hash, error, sender);
    }
  }
}

/** Whether a node says that it has this transaction: not one of the same nonce, which it prefers, nor a type of them. */
function isAccepted(words: string): boolean {
  return has.test(words) && !hasAnother.test(words);
}

/** In the words of all kinds of nodes. */
const has =
  /already ?known|already imported|\bknown transaction|already in (the )?(mempool|pool|cache|system)|already exists|existing tx with same hash|duplicate (tx|transaction)/;
const hasAnother = /nonce|another|replac|priority|underpriced|transaction type|account|invalid/;

/** What a node says of fees that are too low for it, as they are beside a transaction that has the nonce. */
const wantsMore = /underpriced|fee ?too ?low|gas price (too low|below)|less than block base fee/i;

/** How often, and at what interval, a node is asked for a transaction that it did not say to have. */
const lookups = 3;
const lookupPauseMs = 700;

async function isKnown(hash: Hex, looks: number, { rpc, clock, signal }: Sender): Promise<boolean> {
  for (let made = 1; made <= looks; made++) {
    try {
      if (made > 1) await clock.sleep(lookupPauseMs, signal);
      if (await rpc.request({ method: 'eth_getTransactionByHash', params: [hash] })) return true;
    } catch {
      if (signal.aborted) return false;
    }
  }
  return false;
}

function unknown(hash: Hex, error: unknown, { node }: Sender): BaseError {
  const why = error instanceof NetworkError ? ([['reason', error.message]] as const) : [];
  const words = error instanceof RpcError ? nodeFacts(error, node) : [];
  const answered = error instanceof RpcError && (error.isAnswer || error.isBusy);
  const lacking =
    error instanceof RpcError && wantsMore.test(error.words)
      ? 'the node wants higher fees, with which ferry runs speed-up pays'
      : 'add funds first if the account lacks them';
  return new ChainError(
    'submit.unknown',
    answered
      ? `The RPC node of ${node.chain.name} answered with an error. It has the signed transaction, and may still send it.`
      : `The RPC node of ${node.chain.name} gave no conclusive answer. The transaction may have been sent.`,
    node,
    {
      facts: [['transaction', hash], ...why, ...words],
      hint: answered
        ? `Do not pay again. The same bytes can be sent again, and cannot pay twice: ${lacking}. ferry runs cancel makes void what a run has signed.`
        : 'Do not send it again. Check this transaction first: it may still be mined.',
      next: ShellCommand.line`ferry status ${hash}`,
      txHash: hash,
    },
  );
}
