/**
 * The least that a gasless transfer can be, by viem: the quote fetched, its calls signed as one batch with an
 * authorization for the batch executor, posted, the request polled to the same state. Nothing is checked. What
 * `ferry execute --gasless` is measured against.
 */
import {
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  http,
  numberToHex,
  parseAbi,
  publicActions,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { batchTypes } from '../support/batchTypes.js';
import { delivered, headers, quoted } from './bareRequest.js';

const [baseUrl = '', rpcUrl, body = ''] = process.argv.slice(2);
// The last of the ten well-known development keys, whose account has tokens and cannot pay for gas.
const account = privateKeyToAccount('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6');
const executor = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';
const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
  'function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable',
  'function getSeq(uint256 key) view returns (uint256)',
]);

const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
const quote = await quoted(baseUrl, body);
const items = quote.steps.flatMap(({ items }) => items.map(({ data }) => data));
const calls = items.map(({ to, data, value }) => ({ to, data, value: BigInt(value) }));
const chainId = items[0]?.chainId ?? 0;
const { address, nonce: at, r, s, yParity } = await wallet.signAuthorization({ contractAddress: executor, chainId });
const nonce = await wallet.readContract({ address: account.address, abi, functionName: 'getSeq', args: [0n] });
const batch = {
  batchedCall: { calls, revertOnFailure: true },
  nonce,
  keyHash: numberToHex(0, { size: 32 }),
  executor: zeroAddress,
  deadline: BigInt(Math.floor(Date.now() / 1000) + 360),
};
const signature = await wallet.signTypedData({
  domain: {
    name: 'Calibur',
    version: '1.0.0',
    chainId,
    verifyingContract: account.address,
    salt: numberToHex(BigInt(executor), { size: 32 }),
  },
  types: batchTypes,
  primaryType: 'SignedBatchedCall',
  message: batch,
});
const wrapped = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [signature, '0x']);
const data = encodeFunctionData({ abi, functionName: 'execute', args: [batch, wrapped] });
const authorizationList = [{ chainId, address, nonce: at, yParity, r, s }];
const posted = await fetch(`${baseUrl}/execute`, {
  method: 'POST',
  headers,
  body: JSON.stringify({
    executionKind: 'rawCalls',
    data: { chainId, to: account.address, data, value: '0', authorizationList },
    executionOptions: { referrer: 'sandbox-referrer', subsidizeFees: false },
    requestId: quote.requestId,
  }),
});
if (!posted.ok) throw new Error(await posted.text());
await delivered(baseUrl, quote.requestId);
