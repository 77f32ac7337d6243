/**
 * The nonce of an EIP-3009 authorization to the approval proxy. The proxy accepts no other than the hash of who relays
 * it, who gets what is left, and every call that is then made. The answer does not show these, but there are only so
 * many ways to deposit for the order: if one of them has the nonce, the authorization can do nothing else. Source:
 * `permit3009TransferAndMulticall` and `_getRelayerWitnessHash` of the service's RelayApprovalProxyV3.
 *
 * If none has it, the finding says that token, amount and time are bound and the order is not. Only what the proxy
 * itself must receive is bound so: anybody may submit a `TransferWithAuthorization` to the token, which leaves the
 * tokens with the proxy and its owner.
 */

import { concatHex, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from 'viem/utils';
import type { Address } from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type { RouterCall } from '../../quote/KnownCalls.js';
import type { Facts } from './TokenGrant.js';

/**
 * The EIP-712 type hashes: keccak256 of each type's encoding. The witness has one with metadata and one without: version 3
 * of the proxy, and version 2.
 */
const types = {
  /** Call3Value(address target,bool allowFailure,uint256 value,bytes callData) */
  call: '0xfd3926a097b5d365885a8c0afe16fa80ed4d377e8627017476dfe9729e8a6cde',
  /** RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values) */
  withMetadata: '0x4b21a98ca11613e848d71d25db5eb5a6ee6e910560d8f8eebeff8ea5168af917',
  /** RelayerWitness(address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values) */
  plain: '0xe23dc67d94bc5ccc95cdaa7f8c7e41f4c3b78d9d1e7baad8604a2773456e2b3c',
} as const;

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)',
]);
const ofAmount = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)']);
const ofAllowance = parseAbi(['function depositErc20(address depositor, address token, bytes32 id)']);

/** What a nonce commits to, if it is a deposit of the input for the order. */
export type Commitment = { relayer: Address };

/** Finds the deposit that a nonce commits to; undefined if it is none of the known ways, or if facts are missing. */
export function commitmentOf(nonce: Hex, facts: Facts): Commitment | undefined {
  const { input } = facts;
  const [depository, router] = [addressOf(facts.contracts.depository), addressOf(facts.contracts.router)];
  const [user, token] = [addressOf(facts.user), addressOf(facts.token)];
  const [orderId, requestId] = [idOf(facts.orderId), idOf(facts.requestId)];
  if (!depository || !router || !user || !token || input >> 256n !== 0n || !orderId) return undefined;
  const solvers = (facts.solvers ?? []).flatMap((each) => addressOf(each) ?? []);
  const known = (...all: (Address | undefined)[]): Address[] => [...new Set(all.filter((each) => each !== undefined))];
  const own = known(addressOf(facts.refundTo), user, ...solvers);
  const nftOwners = known(...own, addressOf(facts.recipient));
  const written: Hex[] = ['0x', ...(requestId === undefined ? [] : metadataOf(requestId))];
  const metadatas = [undefined, ...written.map(encoded)];
  const deposit = { depository, router, user, token, input, orderId };
  const wanted = nonce.toLowerCase();
  for (const calls of depositsOf(deposit).map(hashOf))
    for (const relayer of solvers)
      for (const refundTo of own)
        for (const nftRecipient of nftOwners)
          for (const metadata of metadatas)
            if (witnessesOf({ relayer, refundTo, nftRecipient, metadata, calls }).includes(wanted as Hex))
              return { relayer };
  return undefined;
}

/** In lower case: the case of the service's addresses need not be a checksum. */
function addressOf(text: string | undefined): Address | undefined {
  return text !== undefined && /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Address) : undefined;
}

function idOf(text: string | undefined): Hex | undefined {
  return text !== undefined && /^0x[0-9a-f]{64}$/i.test(text) ? (text.toLowerCase() as Hex) : undefined;
}

type Deposit = { depository: Address; router: Address; user: Address; token: Address; input: bigint; orderId: Hex };

/** The ways in which the router can deposit the input for the order. */
function depositsOf({ depository, router, user, token, input, orderId }: Deposit): RouterCall[][] {
  const call = (target: Address, callData: Hex): RouterCall => ({ target, allowFailure: false, value: 0n, callData });
  const exact = encodeFunctionData({ abi: ofAmount, args: [user, token, input, orderId] });
  const whole = encodeFunctionData({ abi: ofAllowance, args: [user, token, orderId] });
  const approval = encodeFunctionData({ abi, functionName: 'approve', args: [depository, input] });
  const handedOver = (amount: bigint): RouterCall =>
    call(
      router,
      encodeFunctionData({
        abi,
        functionName: 'cleanupErc20sViaCall',
        args: [[token], [depository], [whole], [amount]],
      }),
    );
  return [
    [handedOver(0n)],
    [handedOver(input)],
    [call(token, approval), call(depository, exact)],
    [call(token, approval), call(depository, whole)],
  ];
}

/** As the live service writes it (its digits backwards, and one byte), and as it is. */
function metadataOf(requestId: string): Hex[] {
  const digits = requestId.slice(2).toLowerCase();
  return [`0x${[...digits].reverse().join('')}00`, `0x${digits}`];
}

function hashOf(calls: readonly RouterCall[]): Hex {
  const fields = [{ type: 'bytes32' }, { type: 'address' }, { type: 'bool' }, { type: 'uint256' }, { type: 'bytes32' }];
  return keccak256(
    concatHex(
      calls.map(({ target, allowFailure, value, callData }) =>
        keccak256(encodeAbiParameters(fields, [types.call, target, allowFailure, value, keccak256(callData)])),
      ),
    ),
  );
}

type Witness = {
  relayer: Address;
  refundTo: Address;
  nftRecipient: Address;
  metadata: Metadata | undefined;
  calls: Hex;
};

/** The hashes of a witness: the metadata hashed, as EIP-712 wants it, or as bytes, as one version encodes it. */
function witnessesOf({ relayer, refundTo, nftRecipient, metadata, calls }: Witness): Hex[] {
  const parties = [relayer, refundTo, nftRecipient].map(word);
  if (metadata === undefined) return [keccak256(concatHex([types.plain, ...parties, calls]))];
  const head = [types.withMetadata, ...parties];
  const { hash, tail } = metadata;
  // Joined by hand, because there are many candidates: all values but the metadata are single words.
  return [keccak256(concatHex([...head, hash, calls])), keccak256(concatHex([...head, offset, calls, tail]))];
}

/** Metadata as it enters a hash: hashed itself, or with its length behind the other values. */
type Metadata = { hash: Hex; tail: Hex };

function encoded(metadata: Hex): Metadata {
  return { hash: keccak256(metadata), tail: `0x${encodeAbiParameters([{ type: 'bytes' }], [metadata]).slice(66)}` };
}

function word(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Where the metadata begins, behind six words. */
const offset: Hex = `0x${(6 * 32).toString(16).padStart(64, '0')}`;
