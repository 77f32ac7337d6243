/**
 * Checks the gas top-up that the answer states. No order binds it: that it will be paid is the service's word, while what
 * it costs is part of the input that is proved.
 */
import * as Address from '../../base/Address.js';
import * as Amount from '../../base/Amount.js';
import * as Usd from '../../base/Usd.js';
import * as Network from '../../network/Network.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Answer } from '../../quote/Quote.js';
import * as Quote from '../../quote/Quote.js';
import type { TradeType } from '../../quote/TransferIntent.js';

/** How much less than what was asked for may be stated, since its price moves: a twentieth. */
const toleranceBps = 500n;

/** No finding if nothing is stated and nothing was asked for. */
export function check(
  answer: Answer,
  { gasTopupUsd: wanted, tradeType }: { gasTopupUsd?: bigint | undefined; tradeType?: TradeType | undefined },
  network: Network.Network,
): Finding[] {
  const findings = collect();
  const name = 'gas-topup';
  const { currencyIn, currencyOut } = answer.response.details;
  const { chainId } = currencyOut.currency;
  const chain = Network.chainById(network, chainId);
  const stated = Quote.gasTopup(answer);
  const symbol = chain?.native.symbol ?? 'native units';
  const found = stated
    ? `${Amount.format(stated.amount, chain?.native.decimals ?? 0)} ${symbol} for ${stated.usd === undefined ? 'no price' : Usd.format(stated.usd)}`
    : 'nothing';
  if (wanted === undefined) {
    if (stated && tradeType === undefined) findings.skip(name, found);
    else if (stated) findings.say(name, false, 'no gas top-up', found);
    return [...findings.list];
  }
  const expected = `${Usd.format(wanted)} of ${symbol} on ${chain?.name ?? chainId}`;
  const least = (wanted * (10_000n - toleranceBps)) / 10_000n;
  if (!stated || stated.usd === undefined || stated.usd < least || !isPriced(stated.amount))
    findings.say(name, false, expected, found);
  else if (stated.chainId !== chainId || !Address.isEqual(stated.address, Address.native))
    findings.say(name, false, expected, `${stated.address} on chain ${stated.chainId}`);
  else findings.cannot(name, expected, `${found}, which no order binds`, 'the service');
  return [...findings.list];

  /** Whether the amount is worth it by the price that the answer itself has for the same asset on the origin chain. */
  function isPriced(amount: bigint): boolean {
    const origin = Network.chainById(network, currencyIn.currency.chainId);
    const { originGas: gas } = answer;
    const isSame = chain?.native.asset !== undefined && chain.native.asset === origin?.native.asset;
    // A price of a few millionths is mostly rounding.
    if (!isSame || !gas || gas.amount === 0n || gas.usd < 1_000n) return true;
    return amount * gas.usd * 10n >= least * gas.amount * 9n;
  }
}
