/** Checks the `details` that the answer states about itself against the expectation. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as ChainAddress from '../order/ChainAddress.js';
import type * as Currency from '../quote/Currency.js';
import * as FeeTotals from '../quote/FeeTotals.js';
import { collect, type Finding, type Findings } from '../quote/Finding.js';
import * as PriceOnly from '../quote/PriceOnly.js';
import type { Answer } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { Expectation } from './Expectation.js';

type WireCurrency = Answer['response']['details']['currencyIn']['currency'];

/** The slippage in basis points that the service may choose if the user sets none. */
export const slippageCapBps = 500;

/**
 * How far an expected output may be from what was asked, in basis points. The service finds the input by asking for the
 * output, and rounds it: up to four significant digits at the coarsest, which is a tenth of a percent.
 */
const roundingBps = 10n;

/** Checks sender, recipient, currencies, amounts, the minimum received and the sum of the fees. */
export function check(answer: Answer, expected: Expectation, network: Network.Network): Finding[] {
  const findings = collect();
  const { details } = answer.response;
  const received = (base: bigint): string => StatedAmount.format(base, details.currencyOut.currency);
  findings.equal('sender', expected.user, details.sender);
  const destination = Network.chainById(network, details.currencyOut.currency.chainId);
  account(findings, 'recipient', destination, [expected.recipient, details.recipient]);
  if (namesNobody(answer, expected)) findings.include([PriceOnly.finding]);
  currency('input-currency', expected.origin, details.currencyIn.currency);
  currency('output-currency', expected.destination, details.currencyOut.currency);
  amounts();
  const { fees, totalImpactUsd } = answer;
  if (fees && totalImpactUsd !== undefined) {
    const [sum, stated] = [FeeTotals.total(fees), totalImpactUsd].map(Usd.formatWire) as [string, string];
    const isSum = FeeTotals.sponsoring(fees, totalImpactUsd) !== undefined;
    if (isSum || !isRounding(FeeTotals.total(fees) - totalImpactUsd)) findings.say('fees-sum', isSum, stated, sum);
    // Nothing that is signed depends on it.
    else findings.skip('fees-sum', `${sum} for ${stated}, which rounding explains`);
  }
  figures();
  return [...findings.list];

  function currency(name: string, wanted: Currency.Currency | undefined, found: WireCurrency): void {
    const text = `${found.chainId}:${found.address} with ${found.decimals} decimals`;
    if (wanted) {
      const { chain, token } = wanted;
      const holds =
        chain.id === found.chainId &&
        Address.isEqual(token.address, found.address) &&
        token.decimals === found.decimals;
      findings.say(name, holds, `${chain.id}:${token.address} with ${token.decimals} decimals`, text);
      return;
    }
    const chain = Network.chainById(network, found.chainId);
    const known = chain && Network.token(chain, found.address);
    // The user has named no token here, so there is none to compare it with.
    const stated = `${known?.symbol} with ${known?.decimals} decimals`;
    if (!known) findings.skip(name, `${text}, a token that ferry does not know`);
    else if (typeof found.decimals !== 'number') findings.cannot(name, stated, 'the decimals are not stated');
    else findings.say(name, known.decimals === found.decimals, stated, text);
  }

  /** What the answer states twice, it states alike. A field that is left out is not compared. */
  function figures(): void {
    const { currencyIn, currencyOut, rate } = details;
    const rounded: string[] = [];
    const wrong = [
      ...[currencyIn, currencyOut].flatMap((each) => {
        const { amount, amountFormatted: text } = each;
        const { decimals } = each.currency;
        if (typeof text !== 'string' || typeof decimals !== 'number') return [];
        return isNear(text, Number(amount) / 10 ** decimals)
          ? []
          : [`${text} for ${StatedAmount.format(amount, each.currency)}`];
      }),
      ...rateOf(),
      ...impactOf(),
    ];
    if (wrong.length === 0 && rounded.length > 0)
      findings.skip('figures', `${rounded.join('; ')}, which rounding explains`);
    else
      findings.say(
        'figures',
        wrong.length === 0,
        'figures that agree with each other',
        wrong.join('; ') || 'they agree',
      );

    function rateOf(): string[] {
      const [from, to] = [currencyIn, currencyOut].map(({ currency, amount }) =>
        typeof currency.decimals === 'number' ? Number(amount) / 10 ** currency.decimals : undefined,
      );
      if (typeof rate !== 'string' || !from || to === undefined) return [];
      if (isNear(rate, to / from)) return [];
      const said = `a rate of ${rate} for ${to / from}`;
      if (!isNear(rate, to / from, 1e-4)) return [said];
      rounded.push(said);
      return [];
    }

    function impactOf(): string[] {
      const { inputUsd, outputUsd } = answer;
      const stated = Usd.from(details.totalImpact?.usd ?? '');
      if (stated === undefined || inputUsd === undefined || outputUsd === undefined) return [];
      return isRounding(stated - (outputUsd - inputUsd))
        ? []
        : [
            `an impact of ${Usd.formatWire(stated)} between ${Usd.formatWire(inputUsd)} and ${Usd.formatWire(outputUsd)}`,
          ];
    }
  }

  /** Whether dollars that are rounded at different places may differ by so many millionths. */
  function isRounding(off: bigint): boolean {
    const tolerance = 10n + (answer.inputUsd ?? 0n) / 10_000n;
    return off <= tolerance && -off <= tolerance;
  }

  function amounts(): void {
    const { tradeType, amount, slippageBps = slippageCapBps } = expected;
    if (tradeType === undefined || amount === undefined) {
      findings.skip('amount', 'no amount was given');
      findings.skip('minimum-received', `the quote guarantees at least ${received(answer.minimum)}`);
      return;
    }
    const fixed = tradeType === 'EXACT_INPUT' ? answer.input : answer.output;
    const fixedIn = tradeType === 'EXACT_INPUT' ? details.currencyIn : details.currencyOut;
    const stated = (base: bigint): string => StatedAmount.format(base, fixedIn.currency);
    if (tradeType === 'EXPECTED_OUTPUT') {
      const { least, most } = around(amount, answer);
      const range = `${stated(amount)}, or from ${stated(least)} to ${stated(most)}`;
      findings.say('amount', fixed >= least && fixed <= most, range, stated(fixed));
    } else findings.say('amount', fixed === amount, stated(amount), stated(fixed));
    const owed = tradeType === 'EXPECTED_OUTPUT' && amount > answer.output ? amount : answer.output;
    const floor = tradeType === 'EXACT_OUTPUT' ? amount : Amount.divideUp(owed * BigInt(10_000 - slippageBps), 10_000n);
    findings.say('minimum-received', answer.minimum >= floor, `at least ${received(floor)}`, received(answer.minimum));
  }
}

/** Compares two accounts of a chain, which may be written in different forms. Adds `not checked` if nothing is expected. */
export function account(
  findings: Findings,
  check: string,
  chain: Network.Chain | undefined,
  [expected, found]: readonly [string | undefined, string | undefined],
): void {
  const isSame = expected !== undefined && found !== undefined && ChainAddress.isEqual(expected, found, chain);
  if (isSame) findings.say(check, true, expected, found);
  else if (expected === undefined) findings.equal(check, expected, found);
  else findings.say(check, false, expected, found ?? 'nothing');
}

/**
 * The outputs that a rounded input explains. Rounding up to the input's smallest unit adds what that unit is worth,
 * which is much if the input has few decimals: at most twice the average rate, unless fees take more than half.
 */
function around(amount: bigint, { input, output }: Answer): { least: bigint; most: bigint } {
  const tolerance = (amount * roundingBps) / 10_000n;
  const unit = input > 0n ? Amount.divideUp(2n * output, input) : 0n;
  return { least: amount - tolerance, most: amount + tolerance + unit };
}

/** Whether a decimal text is a number, but for rounding. */
function isNear(text: string, value: number, tolerance = 1e-6): boolean {
  return Math.abs(Number(text) - value) <= tolerance * Math.abs(value);
}

/** Whether the answer pays or refunds nobody, although what was asked for is to be paid. */
function namesNobody({ response: { details, protocol } }: Answer, { user, recipient, refundTo }: Expectation): boolean {
  if ([user, recipient, refundTo].some(PriceOnly.isNobody)) return false;
  const { inputs = [], output } = protocol?.v2?.orderData ?? {};
  const paid = [...inputs.flatMap(({ refunds }) => refunds), ...(output?.payments ?? [])];
  return [details.sender, details.recipient, ...paid.map((each) => each.recipient)].some(PriceOnly.isNobody);
}
