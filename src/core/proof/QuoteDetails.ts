/** Checks the `details` that the answer states about itself against the expectation. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as ChainAddress from '../order/ChainAddress.js';
import type * as Currency from '../quote/Currency.js';
import * as FeeTotals from '../quote/FeeTotals.js';
import { type Allowable, collect, type Finding, type Findings } from '../quote/Finding.js';
import * as PriceOnly from '../quote/PriceOnly.js';
import type { Answer } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { Expectation } from './Expectation.js';
import type { ProofFacts } from './ProofFacts.js';

type WireAmount = Answer['response']['details']['currencyIn'];
type WireCurrency = WireAmount['currency'];

/** The slippage in basis points that the service may choose if the user sets none. */
export const slippageCapBps = 500;

/**
 * How far an expected output may be from what was asked, in basis points. The service finds the input by asking for the
 * output, and rounds it: up to four significant digits at the coarsest, which is a tenth of a percent.
 */
const roundingBps = 10n;

/** Checks sender, recipient, currencies, amounts, the minimum received and the sum of the fees. */
export function check(facts: ProofFacts): Finding[] {
  const { answer, expected } = facts;
  const findings = collect();
  const { details } = answer.response;
  findings.equal('sender', expected.user, details.sender);
  account(findings, 'recipient', facts.destination, [expected.recipient, details.recipient]);
  if (namesNobody(answer, expected)) findings.include([PriceOnly.finding]);
  currency(findings, 'input-currency', [expected.origin, facts.inputCurrency], facts.origin);
  currency(findings, 'output-currency', [expected.destination, facts.outputCurrency], facts.destination);
  amounts(findings, facts);
  feesSum(findings, answer);
  figures(findings, answer);
  return [...findings.list];
}

function currency(
  findings: Findings,
  name: Allowable,
  [wanted, found]: readonly [Currency.Currency | undefined, WireCurrency],
  chain: Network.Chain | undefined,
): void {
  const text = `${found.chainId}:${found.address} with ${found.decimals} decimals`;
  if (wanted) {
    const { token } = wanted;
    const holds =
      wanted.chain.id === found.chainId &&
      Address.isEqual(token.address, found.address) &&
      token.decimals === found.decimals;
    findings.say(name, holds, `${wanted.chain.id}:${token.address} with ${token.decimals} decimals`, text);
    return;
  }
  const known = chain && Network.token(chain, found.address);
  // The user has named no token here, so there is none to compare it with.
  const stated = `${known?.symbol} with ${known?.decimals} decimals`;
  if (!known) findings.skip(name, `${text}, a token that ferry does not know`);
  else if (typeof found.decimals !== 'number') findings.cannot(name, stated, 'the decimals are not stated');
  else findings.say(name, known.decimals === found.decimals, stated, text);
}

function amounts(findings: Findings, { answer, expected, inputCurrency, outputCurrency }: ProofFacts): void {
  const { tradeType, amount, slippageBps = slippageCapBps } = expected;
  const received = (base: bigint): string => StatedAmount.format(base, outputCurrency);
  if (tradeType === undefined || amount === undefined) {
    findings.skip('amount', 'no amount was given');
    findings.skip('minimum-received', `the quote guarantees at least ${received(answer.minimum)}`);
    return;
  }
  const fixed = tradeType === 'EXACT_INPUT' ? answer.input : answer.output;
  const fixedIn = tradeType === 'EXACT_INPUT' ? inputCurrency : outputCurrency;
  const stated = (base: bigint): string => StatedAmount.format(base, fixedIn);
  if (tradeType === 'EXPECTED_OUTPUT') {
    const { least, most } = around(amount, answer);
    const range = `${stated(amount)}, or from ${stated(least)} to ${stated(most)}`;
    findings.say('amount', fixed >= least && fixed <= most, range, stated(fixed));
  } else findings.say('amount', fixed === amount, stated(amount), stated(fixed));
  const owed = tradeType === 'EXPECTED_OUTPUT' && amount > answer.output ? amount : answer.output;
  const floor = tradeType === 'EXACT_OUTPUT' ? amount : Amount.divideUp(owed * BigInt(10_000 - slippageBps), 10_000n);
  findings.say('minimum-received', answer.minimum >= floor, `at least ${received(floor)}`, received(answer.minimum));
}

function feesSum(findings: Findings, answer: Answer): void {
  const { fees, totalImpactUsd } = answer;
  if (!fees || totalImpactUsd === undefined) return;
  const [sum, stated] = [FeeTotals.total(fees), totalImpactUsd].map(Usd.formatWire) as [string, string];
  const isSum = FeeTotals.sponsoring(fees, totalImpactUsd) !== undefined;
  if (isSum || !isRounding(FeeTotals.total(fees) - totalImpactUsd, answer))
    findings.say('fees-sum', isSum, stated, sum);
  // Nothing that is signed depends on it.
  else findings.skip('fees-sum', `${sum} for ${stated}, which rounding explains`);
}

/**
 * Checks that the app takes no more than the requested app fees. No finding if no app fee is requested and none is
 * taken. Taking less than requested is not a loss to the user.
 */
export function appFees({ fees, inputUsd }: Answer, { appFees: asked }: Expectation): Finding[] {
  // Without prices the proof does not pass anyway.
  if (!fees || inputUsd === undefined) return [];
  if (asked === undefined || (asked.length === 0 && fees.app === 0n)) return [];
  const findings = collect();
  const bps = asked.reduce((sum, fee) => sum + BigInt(fee.bps), 0n);
  // Rounding: one unit of the last printed digit for each fee, and one for the input.
  const most = (inputUsd * bps) / 10_000n + BigInt(asked.length) + 1n;
  findings.say(
    'app-fees',
    -fees.app <= (bps === 0n ? 0n : most),
    bps === 0n ? 'none' : `at most ${bps} basis points of ${Usd.format(inputUsd)}`,
    Usd.format(-fees.app),
  );
  return [...findings.list];
}

/** What the answer states twice, it states alike. A field that is left out is not compared. */
function figures(findings: Findings, answer: Answer): void {
  const { currencyIn, currencyOut } = answer.response.details;
  const rate = wrongRate(answer);
  const wrong = [wrongText(currencyIn), wrongText(currencyOut), rate?.isRounded ? undefined : rate?.words];
  const told = [...wrong, wrongImpact(answer)].filter((each) => each !== undefined);
  const isRight = told.length === 0;
  if (isRight && rate) findings.skip('figures', `${rate.words}, which rounding explains`);
  else findings.say('figures', isRight, 'figures that agree with each other', told.join('; ') || 'they agree');
}

/** What an amount is written as, if that is another one. */
function wrongText({ amount, amountFormatted: text, currency }: WireAmount): string | undefined {
  const { decimals } = currency;
  if (typeof text !== 'string' || typeof decimals !== 'number') return undefined;
  if (isNear(text, Number(amount) / 10 ** decimals)) return undefined;
  return `${text} for ${StatedAmount.format(amount, currency)}`;
}

/** The stated rate, if the amounts have another one, and whether rounding explains that. */
function wrongRate({ response }: Answer): { words: string; isRounded: boolean } | undefined {
  const { currencyIn, currencyOut, rate } = response.details;
  const [from, to] = [currencyIn, currencyOut].map(({ currency, amount }) =>
    typeof currency.decimals === 'number' ? Number(amount) / 10 ** currency.decimals : undefined,
  );
  if (typeof rate !== 'string' || !from || to === undefined || isNear(rate, to / from)) return undefined;
  return { words: `a rate of ${rate} for ${to / from}`, isRounded: isNear(rate, to / from, 1e-4) };
}

/** The stated impact, if the stated values have another one. */
function wrongImpact(answer: Answer): string | undefined {
  const { inputUsd, outputUsd } = answer;
  const stated = Usd.from(answer.response.details.totalImpact?.usd ?? '');
  if (stated === undefined || inputUsd === undefined || outputUsd === undefined) return undefined;
  if (isRounding(stated - (outputUsd - inputUsd), answer)) return undefined;
  return `an impact of ${Usd.formatWire(stated)} between ${Usd.formatWire(inputUsd)} and ${Usd.formatWire(outputUsd)}`;
}

/** Whether dollars that are rounded at different places may differ by so many millionths. */
function isRounding(off: bigint, { inputUsd = 0n }: Answer): boolean {
  const tolerance = 10n + inputUsd / 10_000n;
  return off <= tolerance && -off <= tolerance;
}

/** Compares two accounts of a chain, which may be written in different forms. Adds `not checked` if nothing is expected. */
export function account(
  findings: Findings,
  check: string,
  chain: Network.Chain | undefined,
  [expected, found]: readonly [string | undefined, string | undefined],
): void {
  if (expected === undefined) findings.equal(check, expected, found);
  else {
    const isSame = found !== undefined && ChainAddress.isEqual(expected, found, chain);
    findings.say(check, isSame, expected, found ?? 'nothing');
  }
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
