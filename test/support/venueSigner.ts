/** A stand-in for the venue's own signing tool: reads an action from stdin and prints the signed tx_info. */
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { privateKeyOf } from '../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from './venueCrypto/Schnorr.js';
import * as TxInfo from './venueCrypto/TxInfo.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** A field to sign with another value, as `Field=value`; the memo in hexadecimal. */
    set: { type: 'string', default: '' },
    /** An expiry of its own, in milliseconds from now. */
    'expires-in': { type: 'string' },
    /** The account whose wallet signs for the owner; `none` leaves that to the caller. */
    owner: { type: 'string' },
    /** Prints text first, without a line break. */
    greeting: { type: 'string', default: '' },
    /** Writes integers as strings. */
    strings: { type: 'boolean', default: false },
    /** Signs twice, the second time with the expiry a millisecond later. */
    twice: { type: 'boolean', default: false },
  },
});
const [name = 'dev0'] = positionals;
const [changed = '', value = '0'] = values.set.split('=');
const { owner: ownerName = name, 'expires-in': expiresIn } = values;
const { action, accountIndex, apiKeyIndex, nonce, expiredAt, signingChainId } = JSON.parse(await text(process.stdin));
const { toAccountIndex, assetIndex, fromRouteType, toRouteType, amount, usdcFee, memo } = action.parameters;
const fields = {
  Nonce: BigInt(nonce),
  ExpiredAt: expiresIn === undefined ? BigInt(expiredAt) : BigInt(Date.now()) + BigInt(expiresIn),
  FromAccountIndex: BigInt(accountIndex),
  ApiKeyIndex: BigInt(apiKeyIndex),
  ToAccountIndex: BigInt(toAccountIndex),
  AssetIndex: BigInt(assetIndex),
  FromRouteType: BigInt(fromRouteType),
  ToRouteType: BigInt(toRouteType),
  Amount: BigInt(amount),
  USDCFee: BigInt(usdcFee),
  ...(changed && changed !== 'Memo' ? { [changed]: BigInt(value) } : {}),
};
if (BigInt(signingChainId) !== TxInfo.chainId) throw new Error(`signing for ${signingChainId}`);
const secret = Schnorr.secretFromBytes(privateKeyOf(accounts[name as Name]));
const wallet = ownerName === 'none' ? undefined : privateKeyToAccount(accounts[ownerName as Name].privateKey);
const bytes = Buffer.from(changed === 'Memo' ? value.padStart(64, '0') : memo.slice(2), 'hex');
const signMessage = async (message: { message: string }) => (await wallet?.signMessage(message)) ?? '0x';
process.stdout.write(values.greeting);
for (const later of values.twice ? [0n, 1n] : [0n]) {
  const tx = await TxInfo.sign({ ...fields, ExpiredAt: fields.ExpiredAt + later }, bytes, { secret, signMessage });
  const json = TxInfo.toJson(wallet ? tx : { ...tx, L1Sig: '' });
  process.stdout.write(`${values.strings ? json.replaceAll(/":(-?\d+)/g, '":"$1"') : json}\n`);
}
