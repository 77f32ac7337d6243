/** Every way a node can fail, as the error that a person reads. Shows no RPC URL beyond its origin. */

import { BaseError, type Code, type Extra, type Fact } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as Url from '../../core/base/Url.js';
import { rpcUrlVariable } from '../../core/config/SettingDefinitions.js';
import type { Chain } from '../../core/network/Network.js';

import * as TerminalText from '../../core/text/TerminalText.js';
import * as Revert from '../../core/trace/Revert.js';
import { NetworkError } from '../http/networkError.js';
import { RpcError } from './jsonRpc.js';

/** The node in question. */
export type Node = { network: string; chain: Chain; rpcUrl: string };

/** Whatever a request to the node threw, as `chain.unreachable` or `chain.refused`. */
export function explained(thrown: unknown, node: Node): BaseError {
  const error = innermost(thrown);
  if (error instanceof NetworkError) return unreachable(error.message, node, error.hint);
  if (error instanceof BaseError) return error;
  // What viem could not read, such as a balance that is no number.
  if (!(error instanceof RpcError)) return unreachable(strange, node);
  if (error.isBusy) return refused('has had too many requests', error, node, { retryable: true });
  if (error.status === 401 || error.status === 403)
    return refused('wants another key', error, node, { ...elsewhere(node), hint: 'Is the key in its RPC URL right?' });
  if (error.isAnswer && (error.status === undefined || error.status < 500))
    return refused('refused a request', error, node);
  return unreachable(
    error.status === undefined ? strange : `it answered with status ${error.status}`,
    node,
    undefined,
    said(error, node),
  );
}

const strange = 'what answers does not answer like an Ethereum node';

/** The error beneath those that viem puts around it. */
export function innermost(thrown: unknown): unknown {
  let error = thrown;
  for (let depth = 0; depth < 8; depth++) {
    if (error instanceof RpcError || error instanceof NetworkError || error instanceof BaseError) return error;
    if (!(error instanceof Error) || error.cause === undefined) break;
    error = error.cause;
  }
  return thrown;
}

/** `chain.unreachable`. */
function unreachable(why: string, node: Node, hint?: string, facts: readonly Fact[] = []): ChainError {
  const { chain } = node;
  return new ChainError('chain.unreachable', `The RPC node of ${chain.name} does not answer.`, node, {
    facts: [['why', why], ...facts],
    ...elsewhere(node),
    ...(hint ? { hint } : {}),
  });
}

/** `chain.refused`, with the node's own words. */
export function refused(what: string, error: RpcError, node: Node, extra: Extra = {}): ChainError {
  const facts = [...said(error, node), ...(extra.facts ?? [])];
  return new ChainError('chain.refused', `The RPC node of ${node.chain.name} ${what}.`, node, { ...extra, facts });
}

/** `submit.simulation`, with the reason decoded. */
export function reverted(error: RpcError, node: Node): ChainError {
  const data = revertData(error);
  const revert = data === undefined ? undefined : Revert.from(data);
  const words =
    revert && revert.type !== 'empty' ? revert.reason : error.words.replace(/^execution reverted:?\s*/i, '');
  return new ChainError('submit.simulation', 'The transaction would fail, so it was not sent.', node, {
    facts: [
      ['reason', shown(words || 'no reason given', node)],
      ...(revert?.selector ? ([['selector', revert.selector]] as const) : []),
      ['chain', node.chain.name],
    ],
    hint: 'The balance, an allowance or the price may have changed. Ask for a new quote.',
  });
}

/** The bytes that a reverted call returned, wherever the node put them. */
export function revertData({ data }: RpcError): Hex | undefined {
  if (typeof data === 'string') {
    const hex = /0x[0-9a-fA-F]*$/.exec(data)?.[0];
    return hex as Hex | undefined;
  }
  const inner = (data as { data?: unknown } | null | undefined)?.data;
  return typeof inner === 'string' && /^0x[0-9a-fA-F]*$/.test(inner) ? (inner as Hex) : undefined;
}

/** The node's words as facts, safe and short. */
export function said(error: RpcError, node: Node): Fact[] {
  const words = shown(error.words, node);
  const facts: Fact[] = words ? [['the node says', words]] : [];
  if (error.code !== undefined) facts.push(['code', String(error.code)]);
  if (error.status !== undefined) facts.push(['status', String(error.status)]);
  return facts;
}

/** Words of a node or a contract, safe and short. A node may repeat the key it was called with. */
export function shown(words: string, { rpcUrl }: Node): string {
  const flat = Url.conceal(words, rpcUrl).replace(/\s+/g, ' ').trim();
  return TerminalText.escape(flat.length > 300 ? `${flat.slice(0, 300)}…` : flat);
}

/** How to use another node. */
function elsewhere({ network, chain }: Node): Pick<Extra, 'hint' | 'next'> {
  if (network === 'sandbox') return { hint: 'The chain belongs to the sandbox.', next: 'ferry sandbox status' };
  return {
    hint: `Try again, or name another node: set networks.${network}.chains.${chain.name}.rpcUrl or ${rpcUrlVariable(chain.name)}.`,
    next: `ferry config set networks.${network}.chains.${chain.name}.rpcUrl <url>`,
  };
}

/** A failure of a node, always with the node named. */
export class ChainError extends BaseError {
  override name = 'ChainError';
  constructor(code: Code, message: string, { rpcUrl }: Node, { facts = [], ...extra }: Extra = {}) {
    super(code, message, { ...extra, facts: [...facts, ['node', Url.redact(rpcUrl)]] });
  }
}
