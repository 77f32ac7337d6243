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
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** @import { Address, Hex } from 'viem' */

/**
 * The part of a quote that is signed.
 *
 * @typedef {{ requestId: string, steps: { items: { data: Call }[] }[] }} Quote
 * @typedef {{ to: Address, data: Hex, value: string, chainId: number }} Call
 */

const [baseUrl, rpcUrl, body = ''] = process.argv.slice(2);
// The last of the ten well-known development keys, whose account has tokens and cannot pay for gas.
const account = privateKeyToAccount('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6');
const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };
const executor = '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00';
/** @type {Address} */
const anybody = '0x0000000000000000000000000000000000000000';
const abi = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'struct BatchedCall { Call[] calls; bool revertOnFailure; }',
  'struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }',
  'function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable',
  'function getSeq(uint256 key) view returns (uint256)',
]);
const types = {
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  BatchedCall: [
    { name: 'calls', type: 'Call[]' },
    { name: 'revertOnFailure', type: 'bool' },
  ],
  SignedBatchedCall: [
    { name: 'batchedCall', type: 'BatchedCall' },
    { name: 'nonce', type: 'uint256' },
    { name: 'keyHash', type: 'bytes32' },
    { name: 'executor', type: 'address' },
    { name: 'deadline', type: 'uint256' },
  ],
};

const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
const answer = await fetch(`${baseUrl}/quote/v2`, { method: 'POST', headers, body });
const quote = /** @type {Quote} */ (await answer.json());
const calls = quote.steps.flatMap(({ items }) =>
  items.map(({ data: { to, data, value } }) => ({ to, data, value: BigInt(value) })),
);
const chainId = quote.steps[0]?.items[0]?.data.chainId ?? 0;
const { address, nonce: at, r, s, yParity } = await wallet.signAuthorization({ contractAddress: executor, chainId });
const nonce = await wallet.readContract({ address: account.address, abi, functionName: 'getSeq', args: [0n] });
const batch = {
  batchedCall: { calls, revertOnFailure: true },
  nonce,
  keyHash: numberToHex(0, { size: 32 }),
  executor: anybody,
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
  types,
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
for (;;) {
  const told = await fetch(`${baseUrl}/intents/status/v3?requestId=${quote.requestId}`);
  const { status } = /** @type {{ status: string }} */ (await told.json());
  if (status === 'success') break;
  if (status === 'failure' || status === 'refund') throw new Error(status);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
process.stdout.write(`${JSON.stringify({ ok: true, data: { status: 'success' } })}\n`);
