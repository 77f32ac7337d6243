/** A stand-in for the venue's own signing tool: reads an action from stdin and prints the signed tx_info. */
import { text } from 'node:stream/consumers';
import { privateKeyToAccount } from 'viem/accounts';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import * as DevelopmentKey from '../../src/sandbox/venue/crypto/DevelopmentKey.js';
import * as TxInfo from '../../src/sandbox/venue/crypto/TxInfo.js';

const [name = 'dev0', changed, value = '0'] = process.argv.slice(2);
const { action, accountIndex, apiKeyIndex, nonce, expiredAt, signingChainId } = JSON.parse(await text(process.stdin));
const { toAccountIndex, assetIndex, fromRouteType, toRouteType, amount, usdcFee, memo } = action.parameters;
const fields = {
  Nonce: BigInt(nonce),
  ExpiredAt: BigInt(expiredAt),
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
const account = accounts[name as Name];
const wallet = privateKeyToAccount(account.privateKey);
const bytes = Buffer.from(changed === 'Memo' ? value.padStart(64, '0') : memo.slice(2), 'hex');
const signer = { secret: DevelopmentKey.secretOf(account), signMessage: wallet.signMessage };
process.stdout.write(TxInfo.toJson(await TxInfo.sign(fields, bytes, signer)));
