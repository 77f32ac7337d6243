/** Calldata of the service's router as the live service composes it, made and taken apart with an interface of the tests' own. */
import { decodeFunctionData, encodeFunctionData, type Hex, hashStruct, parseAbi, zeroAddress } from 'viem';

export type Address = `0x${string}`;

export type Call = { target: Address; allowFailure: boolean; value: bigint; callData: Hex };

/** A call of the approval proxy, or of the router itself if no tokens are named. */
export type Multicall = {
  tokens: readonly Address[] | undefined;
  amounts: readonly bigint[];
  calls: readonly Call[];
  refundTo: Address;
  nftRecipient: Address;
  metadata: Hex;
  suffix: Hex | undefined;
};

export const abi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function withdraw(uint256 amount)',
  'function depositNative(address depositor, bytes32 id) payable',
  'function cleanupNativeViaCall(uint256 amount, address to, bytes data)',
  'function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)',
  'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)',
  'function cleanupNative(uint256 amount, address recipient, bytes metadata)',
  'struct Description { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Execution { address callTarget; address approveTarget; bytes targetData; Description desc; bytes clientData; }',
  'function swap(Execution execution) payable returns (uint256, uint256)',
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)',
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
]);

/** Calldata of one of these. */
function encoded(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args } as never);
}

/** Both forms of a deposit of a token: of an amount, and of the whole allowance. */
export const deposits = {
  ofAmount: parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)']),
  ofAllowance: parseAbi(['function depositErc20(address depositor, address token, bytes32 id)']),
};

export const kyberSwap: Address = '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5';
export const allowanceHolder: Address = '0x0000000000001fF3684f28c67538d4D072C22734';

/** How aggregators write the native asset. */
const nativeAlias: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

export function encode({ tokens, amounts, calls, refundTo, nftRecipient, metadata, suffix = '0x' }: Multicall): Hex {
  const data = tokens
    ? encoded('transferAndMulticall', tokens, amounts, calls, refundTo, nftRecipient, metadata)
    : encoded('multicall', calls, refundTo, nftRecipient, metadata);
  return `${data}${suffix.slice(2)}`;
}

/** Takes apart what `encode` makes. */
export function decode(data: Hex): Multicall {
  const { functionName, args } = decodeFunctionData({ abi, data });
  if (functionName !== 'transferAndMulticall' && functionName !== 'multicall')
    throw new Error(`${functionName} is no call of the router`);
  const [tokens, amounts, calls, refundTo, nftRecipient, metadata] =
    functionName === 'multicall' ? ([undefined, [], ...args] as const) : args;
  const parts = { tokens, amounts, calls, refundTo, nftRecipient, metadata };
  const rest = data.slice(encode({ ...parts, suffix: undefined }).length);
  return { ...parts, suffix: rest ? `0x${rest}` : undefined };
}

export function call(target: Address, callData: Hex, value = 0n): Call {
  return { target, allowFailure: false, value, callData };
}

export function approve(token: Address, spender: Address, amount: bigint): Call {
  return call(token, encoded('approve', spender, amount));
}

export type Swap = {
  from: Address;
  to: Address;
  amount: bigint;
  minimum: bigint;
  receiver: Address;
  flags?: bigint;
  /** What the executor and its helpers are handed; all by default. */
  handed?: readonly bigint[];
  fees?: readonly bigint[];
};

export function viaKyberSwap({
  from,
  to,
  amount,
  minimum,
  receiver,
  flags = 0x200n,
  handed = [amount],
  fees = [],
}: Swap): Call {
  const executor: Address = '0x8F10B468b06c6FD214B65F87778827F7D113f996';
  const desc = {
    srcToken: from,
    dstToken: to === zeroAddress ? nativeAlias : to,
    srcReceivers: handed.map(() => executor),
    srcAmounts: handed,
    feeReceivers: fees.map(() => executor),
    feeAmounts: fees,
    dstReceiver: receiver,
    amount,
    minReturnAmount: minimum,
    flags,
    permit: '0x' as const,
  };
  const execution = {
    callTarget: executor,
    approveTarget: zeroAddress,
    targetData: '0x1234' as const,
    desc,
    clientData: '0x7b7d' as const,
  };
  return call(kyberSwap, encoded('swap', execution));
}

export function viaZeroEx({ from, to, amount, minimum, receiver }: Swap, settler: Address): Call {
  const slippage = { recipient: receiver, buyToken: to === zeroAddress ? nativeAlias : to, minAmountOut: minimum };
  const zid = `0x${'00'.repeat(32)}` as const;
  const inner = encoded('execute', slippage, ['0x38c9c147'], zid);
  const args = [settler, from, amount, settler, inner] as const;
  return call(allowanceHolder, encoded('exec', ...args));
}

export type Deposit = { router: Address; depository: Address; depositor: Address; token: Address; id: Hex };

/** The router's whole balance of a token, deposited for an order. */
export function depositAll({ router, depository, depositor, token, id }: Deposit, amount = 0n): Call {
  if (token === zeroAddress) {
    const data = encoded('depositNative', depositor, id);
    return call(router, encoded('cleanupNativeViaCall', amount, depository, data));
  }
  const args = [depositor, token, id] as const;
  const data = encodeFunctionData({ abi: deposits.ofAllowance, functionName: 'depositErc20', args });
  return call(router, encoded('cleanupErc20sViaCall', [token], [depository], [data], [amount]));
}

/** The metadata of the live service: the digits of the request id backwards, and one byte. */
export function metadataOf(requestId: Hex): Hex {
  return `0x${[...requestId.slice(2)].reverse().join('')}00`;
}

export type Witness = { relayer: Hex; refundTo: Hex; nftRecipient: Hex; metadata: Hex; calls: readonly Call[] };

/** The nonce that the approval proxy demands of an authorization: the hash of a witness by EIP-712, computed by viem. */
export function witnessHash({ calls, ...parties }: Witness): Hex {
  const types = {
    RelayerWitness: [
      { name: 'relayer', type: 'address' },
      { name: 'refundTo', type: 'address' },
      { name: 'nftRecipient', type: 'address' },
      { name: 'metadata', type: 'bytes' },
      { name: 'call3Values', type: 'Call3Value[]' },
    ],
    Call3Value: [
      { name: 'target', type: 'address' },
      { name: 'allowFailure', type: 'bool' },
      { name: 'value', type: 'uint256' },
      { name: 'callData', type: 'bytes' },
    ],
  } as const;
  return hashStruct({ primaryType: 'RelayerWitness', types, data: { ...parties, call3Values: calls } });
}
