/** Routes of app fees: what a wallet has earned, its claims, and a new claim. */
import type { Hono } from 'hono';
import * as AppFeeClaims from '../../core/api/AppFeeClaims.js';
import { isEqual } from '../../core/base/Address.js';
import { describeChain } from '../chain/readMarket.js';
import { balanceOf, feeCurrency, prepareClaim, stateOf } from '../execute/claims.js';
import { messageError } from '../http/HttpError.js';
import { read, readJson, readQuery } from '../http/validation.js';
import * as RecordParts from '../ledger/RecordParts.js';
import type { Instance } from '../settlement/instance.js';
import * as PartyAccount from '../values/PartyAccount.js';
import { currenciesOf } from './CatalogAnswers.js';

const defaultLimit = 20;

export function addAppFeeRoutes(app: Hono, instance: Instance): void {
  app.get(AppFeeClaims.balancesEndpoint.path, (c) => {
    const balance = balanceOf(instance, walletOf(c.req.param()));
    const usd = Number(RecordParts.amountOf(balance, feeCurrency(instance).token).amountUsd);
    return c.json({
      balances: balance > 0n ? [amountOf(balance)] : [],
      totalBalanceUsd: usd,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: usd,
    });
  });

  app.post(AppFeeClaims.claimEndpoint.path, async (c) => {
    const wallet = walletOf(c.req.param());
    return c.json(prepareClaim(instance, wallet, await readJson(c.req.raw, AppFeeClaims.claimRequest)));
  });

  app.get(AppFeeClaims.claimsEndpoint.path, async (c) => {
    const wallet = walletOf(c.req.param());
    const query = readQuery(c.req.raw, AppFeeClaims.claimsQuery);
    const { limit = defaultLimit, continuation = '0' } = query;
    if (!/^\d{1,9}$/.test(continuation)) throw messageError(400, 'Invalid continuation');
    const all = instance.ledger.claims().filter((claim) => claim.hash && isEqual(claim.wallet, wallet));
    const start = Number(continuation);
    const page = all.reverse().slice(start, start + limit);
    const claims = await Promise.all(
      page.map(async (claim) => ({
        claimId: claim.id,
        wallet: claim.wallet,
        recipient: claim.recipient,
        currency: amountOf(claim.amount),
        txHash: claim.hash ?? null,
        status: await stateOf(instance, claim),
        createdAt: new Date(claim.createdAtMs).toISOString(),
      })),
    );
    const isLast = start + limit >= all.length;
    return c.json({ claims, ...(!isLast && { continuation: `${start + limit}` }) });
  });

  function amountOf(amount: bigint) {
    const { node, token } = feeCurrency(instance);
    const [currency] = currenciesOf([describeChain(node)], { address: token.address });
    if (!currency) throw new Error(`The sandbox does not list ${token.symbol}.`);
    const { vmType: _, ...listed } = currency;
    return { currency: listed, ...RecordParts.amountOf(amount, token), minimumAmount: amount.toString() };
  }
}

function walletOf(parameters: Record<string, string>): string {
  const { wallet } = read(AppFeeClaims.parameters, 'params', parameters);
  if (!PartyAccount.toAddress(wallet)) throw messageError(400, `Invalid address ${wallet}`);
  return wallet;
}
