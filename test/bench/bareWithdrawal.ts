/**
 * The least that a withdrawal from the venue can be: the wallet's account looked up, the quote fetched, the next nonce asked
 * for, the transfer signed by both keys and sent, the request polled to the same state. Nothing is checked. What
 * `ferry venue withdraw` is measured against, which is not told the account's index either.
 */
import { randomBytes } from 'node:crypto';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import * as Transfer from '../../src/venue/Transfer.js';
import { delivered, quoted } from './bareRequest.js';

/** What the venue's step asks to be signed. */
type Parameters = Record<
  'toAccountIndex' | 'assetIndex' | 'fromRouteType' | 'toRouteType' | 'amount' | 'usdcFee',
  number
> & { memo: `0x${string}` };

const [baseUrl = '', venueUrl = '', body = ''] = process.argv.slice(2);
const signingChainId = 313373;
const apiKeyIndex = 4;
// The first of the well-known development keys.
const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

const looked = await fetch(`${venueUrl}/api/v1/account?by=l1_address&value=${wallet.address}`);
const { accounts } = (await looked.json()) as { accounts: { index: number }[] };
const user = String(accounts[0]?.index);
const fromAccountIndex = BigInt(user);
const wanted = JSON.stringify({ ...JSON.parse(body), user, refundTo: user });
const quote = await quoted<{ action: { parameters: Parameters } }>(baseUrl, wanted);
const item = quote.steps[0]?.items[0];
if (!item) throw new Error(JSON.stringify(quote));
const { toAccountIndex, amount, usdcFee, ...parameters } = item.data.action.parameters;
const query = `account_index=${fromAccountIndex}&api_key_index=${apiKeyIndex}`;
const { nonce } = (await (await fetch(`${venueUrl}/api/v1/nextNonce?${query}`)).json()) as { nonce: number };
const transfer: Transfer.Transfer = {
  ...parameters,
  fromAccountIndex,
  apiKeyIndex,
  toAccountIndex: BigInt(toAccountIndex),
  amount: BigInt(amount),
  usdcFee: BigInt(usdcFee),
  expiredAtMs: Date.now() + 540_000,
  nonce: BigInt(nonce),
};
const signature = Schnorr.sign({
  privateKey: hexToBytes(DevelopmentAccount.venueKey(0)),
  message: Transfer.hash(transfer, signingChainId),
  random: (count) => new Uint8Array(randomBytes(count)),
});
const l1Signature = await wallet.signMessage({ message: Transfer.l1Message(transfer, signingChainId) });
const form = { tx_type: '12', tx_info: Transfer.toTxInfo({ transfer, signature, l1Signature }) };
const sent = await fetch(`${venueUrl}/api/v1/sendTx`, { method: 'POST', body: new URLSearchParams(form) });
if (!sent.ok) throw new Error(await sent.text());
await delivered(baseUrl, quote.requestId);
