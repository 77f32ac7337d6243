/** Routes that public clients still call and that have successors. The records have theirs in `recordRoutes`. */

import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import * as ForeignApi from '../../core/api/ForeignApi.js';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import { type Address, from as addressFrom } from '../../core/base/Address.js';
import { describeChain, readWallet } from '../chain/readMarket.js';
import { keyNameOf } from '../http/apiKey.js';
import { documentedBody } from '../http/faultGate.js';
import { codedError, HttpError } from '../http/HttpError.js';
import { readJson, readQuery } from '../http/validation.js';
import * as StatusAnswer from '../ledger/StatusAnswer.js';
import { RefusalError } from '../pricing/QuoteRefusal.js';
import type * as QuoteAnswer from '../quote/QuoteAnswer.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { venueDescription } from '../settlement/readVenue.js';
import { svmDescription } from '../svm/svmDescription.js';
import { accounts } from '../values/devAccounts.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import { price, quote } from './quoting.js';

export function addDeprecatedRoutes(app: Hono, instance: Instance): void {
  app.post(ForeignApi.quoteV1.path, async (c) => {
    const request = await readJson(c.req.raw, QuoteV2.request);
    // The id is at the top in v2 alone; the steps have it in both.
    const { requestId: _, ...answer } = await quote(instance, request, { keyName: keyNameOf(c.req.raw) });
    return c.json(answer);
  });

  app.post(ForeignApi.price.path, async (c) => {
    const request = await readJson(c.req.raw, ForeignApi.price.request);
    return c.json(priceOf(await price(instance, request, { keyName: keyNameOf(c.req.raw) })));
  });

  app.get(ForeignApi.configV2.path, async (c) => {
    const query = readQuery(c.req.raw, ForeignApi.configV2.query);
    try {
      return c.json(await bridgeConfig(instance, query));
    } catch (error) {
      if (error instanceof HttpError || error instanceof RefusalError) throw error;
      throw new HttpError(500, documentedBody(ForeignApi.configV2.path, 500));
    }
  });

  app.get(ForeignApi.statusV2.path, (c) => {
    const { requestId } = readQuery(c.req.raw, ForeignApi.statusV2.query);
    const entry = instance.ledger.byRequestId(requestId);
    return c.json(entry ? StatusAnswer.v2(entry) : StatusAnswer.unknownV2);
  });
}

function priceOf({ fees, details }: QuoteAnswer.Response) {
  const { operation, sender, recipient, currencyIn, currencyOut, totalImpact, swapImpact } = details;
  const { rate, slippageTolerance, timeEstimate, userBalance } = details;
  return {
    fees,
    details: {
      ...{ operation, sender, recipient, currencyIn, currencyOut, totalImpact, swapImpact },
      ...{ rate, slippageTolerance, timeEstimate, userBalance },
    },
  };
}

type Chain = Pick<Market.Chain, 'vm' | 'id' | 'slug' | 'tokens'>;

/**
 * What a bridge of one currency between two chains costs, and how much it can carry. It is not enabled without a
 * currency that both have, nor with the venue, of which this endpoint does not know.
 *
 * @throws HttpError or RefusalError with status 400 if a chain or the user is unknown
 */
async function bridgeConfig(
  instance: Instance,
  query: z.output<typeof ForeignApi.configV2.query>,
): Promise<ForeignApi.ConfigV2> {
  const origin = chainOf(instance, query.originChainId);
  const destination = chainOf(instance, query.destinationChainId);
  const output = outputOf(destination, query.currency);
  const input = output && Market.counterpart(origin, output);
  if (!output || !input || origin.id === destination.id || [origin, destination].some(({ vm }) => vm !== 'evm'))
    return { enabled: false, supportsExternalLiquidity: false };
  const solver = accounts.solver.address;
  const held = await balanceOf(instance, destination.id, solver, output);
  const route = {
    user: query.user ?? solver,
    recipient: solver,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: input.address,
    destinationCurrency: output.address,
  };
  const { fees } = await priced(instance, {
    ...route,
    tradeType: 'EXACT_OUTPUT',
    amount: `${10n ** BigInt(output.decimals)}`,
  });
  const gas = Market.isNative(input) ? BigInt(fees?.gas?.amount ?? 0) : 0n;
  const user = query.user === undefined ? undefined : await userOf(instance, { route, input, held, gas });
  return {
    enabled: true,
    ...(user && { user }),
    fee: fees?.relayer?.amount ?? '0',
    solver: { address: solver, balance: `${held}`, capacityPerRequest: `${held}` },
    supportsExternalLiquidity: false,
  };
}

type Route = Omit<QuoteV2.Request, 'tradeType' | 'amount'>;

/** The user's balance, and what arrives if all of it but the gas is bridged. */
async function userOf(
  instance: Instance,
  { route, input, held, gas }: { route: Route; input: Market.Token; held: bigint; gas: bigint },
): Promise<NonNullable<ForeignApi.ConfigV2['user']>> {
  const balance = await balanceOf(instance, route.originChainId, route.user, input);
  const spendable = balance > gas ? balance - gas : 0n;
  const amount = `${spendable < held ? spendable : held}`;
  try {
    const { details } = await priced(instance, { ...route, tradeType: 'EXACT_INPUT', amount });
    return { balance: `${balance}`, maxBridgeAmount: details.currencyOut.amount };
  } catch (error) {
    // The fees exceed the balance.
    if (!(error instanceof RefusalError) || error.body.errorCode !== 'AMOUNT_TOO_LOW') throw error;
    return { balance: `${balance}`, maxBridgeAmount: '0' };
  }
}

async function priced(instance: Instance, request: QuoteV2.Request): Promise<QuoteAnswer.Response> {
  return await price(instance, request, { keyName: undefined });
}

function chainOf(instance: Instance, id: string): Chain {
  const node = nodeOf(instance, Number(id));
  if (node) return describeChain(node);
  if (Number(id) === venueDescription.id) return venueDescription;
  if (Number(id) === svmDescription.id && instance.svm) return svmDescription;
  throw codedError(400, 'UNSUPPORTED_CHAIN', `Chain ${id} is not supported`);
}

function outputOf(chain: Chain, id: string | undefined): Market.Token | undefined {
  if (id === undefined) return Market.nativeOf(chain);
  const tokens: readonly Market.Token[] = chain.tokens;
  return tokens.find((token) => Market.assetOf(token).toLowerCase() === id.toLowerCase());
}

async function balanceOf(instance: Instance, chainId: number, holder: string, token: Market.Token): Promise<bigint> {
  const node = nodeOf(instance, chainId);
  const address = PartyAccount.toAddress(holder);
  return node && address ? (await readWallet(node, addressFrom(address), token.address as Address)).balance : 0n;
}
