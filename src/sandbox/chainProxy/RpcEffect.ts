/** What a JSON-RPC method does to a chain that has to survive a restart. */
import type { Call } from './RpcRequest.js';

export type RpcEffect =
  /** Nothing: it reads, or sets what a restart resets, such as impersonation or the pace of mining. */
  | 'none'
  /** Sends signed bytes. */
  | 'send'
  /** Sends from an account that the node holds, or mines: shows in a block. */
  | 'block'
  /** Reads a receipt, which nobody is to have before its block is kept. */
  | 'receipt'
  /** Reads a nonce at a numbered block, which may be ahead of the chain. */
  | 'ahead'
  /** Anything else, and whatever is not known. */
  | 'change';

export function of({ method, params }: Pick<Call, 'method' | 'params'>): RpcEffect {
  if (method === 'eth_getTransactionCount' && blockOf({ params }) !== undefined) return 'ahead';
  if (method === 'eth_getTransactionReceipt') return 'receipt';
  if (/^eth_sendRawTransaction(Sync|Conditional)?$/.test(method)) return 'send';
  if (blocks.test(method)) return 'block';
  return reads.test(method) || settings.test(method) ? 'none' : 'change';
}

/** The numbered block that a nonce is read at. */
export function blockOf({ params }: Pick<Call, 'params'>): bigint | undefined {
  const [, block] = params;
  return typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block) ? BigInt(block) : undefined;
}

/** The signed bytes of a call that sends some. */
export function rawOf({ params }: Call): `0x${string}` | undefined {
  const [raw] = params;
  return typeof raw === 'string' && /^0x[0-9a-fA-F]{2,}$/.test(raw) ? (raw as `0x${string}`) : undefined;
}

const blocks =
  /^(eth_sendTransaction(Sync)?|eth_sendUnsignedTransaction|(evm|anvil|hardhat)_mine(_detailed)?|evm_mineDetailed)$/;

const reads =
  /^((eth|net|web3|debug|trace|txpool|ots|erigon|rpc)_(?!send|setCode|resend)\w+|(anvil|hardhat)_(dumpState|nodeInfo|metadata|get\w+)|(evm|anvil)_snapshot)$/;

const settings =
  /^((anvil|hardhat)_(impersonateAccount|stopImpersonatingAccount|autoImpersonateAccount|setLoggingEnabled|enableTraces|setMinGasPrice|setNextBlockBaseFeePerGas|setIntervalMining|setAutomine|setRpcUrl|setBlockTimestampInterval|removeBlockTimestampInterval|increaseTime|setTime|setNextBlockTimestamp)|evm_(setAutomine|setIntervalMining|setBlockGasLimit|increaseTime|setTime|setNextBlockTimestamp))$/;
