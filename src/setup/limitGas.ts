/** The bounds on the gas of transactions that have no quote: revocations and replacements. */

import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as GasBound from '../core/execution/GasBound.js';
import type * as Network from '../core/network/Network.js';
import type { Chain, GasPrice } from '../core/ports/Ports.js';
import * as Place from '../core/text/Place.js';

/** Limits on the gas of a command's own transactions. */
export const gasFlags = {
  maxGasUsd: { value: 'dollars', description: 'maximum that the gas may cost, at the fees to be signed (default: 25)' },
} as const satisfies Flags;

/** The same, where no quote is proved. */
export const unquotedGasFlags = {
  ...gasFlags,
  allow: {
    value: 'check',
    repeats: true,
    description: 'accept a check that cannot be verified: gas, if nothing but the node says what it costs',
  },
} as const satisfies Flags;

/** What is known of the gas before: the fees that were signed, and prices of a quote. */
type KnownPrices = { stated?: GasPrice | undefined; prices?: readonly bigint[] | undefined };

/** The bounds on a chain, with the price that the service states. */
export async function gasTerms(
  chain: Network.Chain,
  { allow = [] }: Pick<Options<typeof unquotedGasFlags>, 'allow'>,
  context: Context,
  { stated, prices = [] }: KnownPrices = {},
): Promise<GasBound.Bounds> {
  const { config, network } = context;
  const found = await context.service().then(
    (service) => GasBound.servicePrice(chain, service),
    () => undefined,
  );
  return {
    chain,
    stated,
    prices: [...prices, ...(found === undefined ? [] : [found])],
    maxUsd: config.maxGasUsd.value,
    maxTipWei: config.maxTipWei.value,
    realMoney: network.realMoney,
    isAllowed: [...allow, ...(network.allow ?? [])].includes('gas'),
  };
}

/** The fees to sign with, within the bounds; a node that suggests much more is named. @throws verify.cap · chain.* */
export async function boundedPrice(
  node: Pick<Chain, 'gasPrice'>,
  terms: GasBound.Bounds,
  { warn }: Pick<Context, 'warn'>,
): Promise<GasPrice> {
  const offer = await node.gasPrice();
  const fees = GasBound.price(offer, terms);
  const note = GasBound.noteOf(offer, terms);
  if (note !== undefined) warn(note);
  return fees;
}

/**
 * Asks whether to go on, with the network, the account that pays and the most that the gas can cost. Returns the bounds
 * with that figure.
 *
 * @throws verify.cap · verify.unverified if nobody can be asked and no price is known · prompt.* · usage.confirmation
 */
export async function confirmGas(
  question: string,
  payer: string,
  bill: GasBound.Bill,
  terms: GasBound.Bounds,
  { confirm, interactive, yes, place }: Pick<Context, 'confirm' | 'interactive' | 'yes' | 'place'>,
): Promise<GasBound.Bounds> {
  GasBound.assertWithin(bill, terms);
  const isAsked = interactive && !yes;
  if (!isAsked && !terms.isAllowed && GasBound.isUnpriced(bill, terms)) throw GasBound.unpricedGas(bill, terms);
  await confirm(
    `On ${Place.inWords(place)}, ${Place.withName(payer, place)} pays. ${GasBound.sentence(bill, terms)} ${question}`,
  );
  return isAsked ? { ...terms, agreed: bill.amount } : terms;
}
