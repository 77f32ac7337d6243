/** Turns every failure of a node into the error a user reads. Shows only the origin of the RPC URL. */

import { BaseError, type Code, type Extra, type Fact } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import * as Url from '../../core/base/Url.js';
import { rpcUrlVariable } from '../../core/config/SettingDefinitions.js';
import { type Chain, type Network, noRpc, settingUrl } from '../../core/network/Network.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as Revert from '../../core/trace/Revert.js';
import { NetworkError } from '../http/networkError.js';
import { RpcError } from './jsonRpc.js';

/** Its network's name is for the settings that an error points to. */
export type Node = { network: string; chain: Chain; rpcUrl: string };

/** The nodes of a chain, each once. @throws chain.no-rpc */
export function nodesOf(chain: Chain, network: Network): Node[] {
  if (chain.rpcUrl === undefined) throw noRpc(chain.name, network);
  const urls = new Set([chain.rpcUrl, ...(chain.rpcUrls ?? [])]);
  return [...urls].map((rpcUrl) => ({ network: network.name, chain, rpcUrl }));
}

/** Converts anything a request to the node throws into `chain.unreachable` or `chain.refused`. */
export function toChainError(thrown: unknown, node: Node): BaseError {
  const error = innermost(thrown);
  if (error instanceof NetworkError) return unreachable(error.message, node, error.hint);
  if (error instanceof BaseError) return error;
  // It answers, and is behind.
  if (error instanceof Error && error.name === 'BlockNotFoundError')
    return new ChainError('chain.refused', `The RPC node of ${node.chain.name} has no such block.`, node);
  // An answer that viem could not parse, such as a balance that is not a number.
  if (!(error instanceof RpcError)) return unreachable(strange, node);
  if (error.isBusy) return new BusyError(error, node);
  if (error.status === 401 || error.status === 403)
    return refused('rejected the key', error, node, {
      ...otherNodeAdvice(node),
      hint: 'Check the key in its RPC URL. If it needs none, its host or something in between blocks this machine.',
    });
  if (error.isAnswer && (error.status === undefined || error.status < 500))
    return refused('refused a request', error, node, error.isPassing ? { retryable: true } : {});
  return unreachable(
    error.status === undefined ? strange : `it responded with status ${error.status}`,
    node,
    undefined,
    nodeFacts(error, node),
  );
}

const strange = 'the server does not respond like a node of the chain';

/** The original error inside viem's wrappers. */
export function innermost(thrown: unknown): unknown {
  let error = thrown;
  for (let depth = 0; depth < 8; depth++) {
    if (error instanceof RpcError || error instanceof NetworkError || error instanceof BaseError) return error;
    if (!(error instanceof Error) || error.cause === undefined) break;
    error = error.cause;
  }
  return thrown;
}

function unreachable(why: string, node: Node, hint?: string, facts: readonly Fact[] = []): ChainError {
  const { chain } = node;
  return new ChainError('chain.unreachable', `The RPC node of ${chain.name} does not answer.`, node, {
    facts: [['reason', why], ...facts],
    ...otherNodeAdvice(node),
    ...(hint ? { hint } : {}),
  });
}

function refused(what: string, error: RpcError, node: Node, extra: Extra = {}): ChainError {
  const facts = [...nodeFacts(error, node), ...(extra.facts ?? [])];
  const rest = { ...extra, facts, httpStatus: error.status };
  return new ChainError('chain.refused', `The RPC node of ${node.chain.name} ${what}.`, node, rest);
}

export function reverted(error: RpcError, node: Node): ChainError {
  const data = revertData(error);
  const revert = data === undefined ? undefined : Revert.from(data);
  const words =
    revert && revert.type !== 'empty' ? revert.reason : error.words.replace(/^execution reverted:?\s*/i, '');
  return new ChainError('submit.simulation', 'The transaction would fail, so it was not sent.', node, {
    facts: [
      ['reason', sanitize(words || 'no reason given', node)],
      ...(revert?.selector ? ([['selector', revert.selector]] as const) : []),
      ['chain', node.chain.name],
    ],
    hint: 'The balance, an allowance or the price may have changed. Request a new quote.',
  });
}

/** The return data of a reverted call, wherever the node put it. */
function revertData({ data }: RpcError): Hex | undefined {
  if (typeof data === 'string') {
    const hex = /0x[0-9a-fA-F]*$/.exec(data)?.[0];
    return hex as Hex | undefined;
  }
  const inner = (data as { data?: unknown } | null | undefined)?.data;
  return typeof inner === 'string' && /^0x[0-9a-fA-F]*$/.test(inner) ? (inner as Hex) : undefined;
}

/** Whether the call itself failed, rather than the node. */
export function isFailure(error: RpcError): boolean {
  return error.code === 3 || revertData(error) !== undefined || failures.test(error.words);
}

const failures =
  /revert|evm error|invalid (opcode|jump)|opcode|stack (under|over)flow|out ?of ?gas|gas required exceeds|intrinsic gas/i;

/** Whether the sender lacks native balance. */
export function isShort(error: RpcError): boolean {
  return /insufficient (funds|balance)|out ?of ?funds/i.test(error.words) && revertData(error) === undefined;
}

/** The node's error as facts, escaped and shortened. */
export function nodeFacts(error: RpcError, node: Node): Fact[] {
  const words = sanitize(error.words, node);
  const facts: Fact[] = words ? [['the node says', words]] : [];
  if (error.code !== undefined) facts.push(['code', String(error.code)]);
  if (error.status !== undefined) facts.push(['status', String(error.status)]);
  return facts;
}

/** Text from a node or a contract, escaped and shortened. Hides the RPC URL, whose key a node may repeat. */
export function sanitize(words: string, { rpcUrl }: Node): string {
  const flat = Url.conceal(words, rpcUrl).replace(/\s+/g, ' ').trim();
  return TerminalText.escape(flat.length > 300 ? `${flat.slice(0, 300)}…` : flat);
}

function otherNodeAdvice({ network, chain, rpcUrl }: Node): Pick<Extra, 'hint' | 'next'> {
  const variable = rpcUrl === chain.rpcUrl ? chain.urlVariable : chain.urlsVariable;
  const key = `networks.${network}.chains.${chain.name}.rpcUrl`;
  if (variable !== undefined)
    return { hint: `Try again, or use another node: ${variable} sets this one.`, next: settingUrl(key, variable) };
  if (network === 'sandbox') return { hint: 'The chain belongs to the sandbox.', next: 'ferry sandbox status' };
  return {
    hint: `Try again, or use another node: set ${key} or ${rpcUrlVariable(chain.name)}.`,
    next: settingUrl(key, undefined),
  };
}

/** A failure of a node. Its facts always name the node. */
export class ChainError extends BaseError {
  override name = 'ChainError';
  constructor(code: Code, message: string, { rpcUrl }: Node, { facts = [], ...extra }: Extra = {}) {
    super(code, message, { ...extra, facts: [...facts, ['node', Url.redact(rpcUrl)]] });
  }
}

/** The node answers nothing now to whoever has asked too much. */
export class BusyError extends ChainError {
  override name = 'BusyError';
  constructor(error: RpcError, node: Node) {
    super('chain.refused', `The RPC node of ${node.chain.name} received too many requests.`, node, {
      facts: nodeFacts(error, node),
      httpStatus: error.status,
      retryable: true,
    });
  }
}
