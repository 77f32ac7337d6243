/**
 * Quotes mutated in every field, naively and consistently: none of them is signed. The suite runs every twelfth mutation of
 * each quote, and one in each place of any. All:
 * MUTATIONS=all npx vitest run --config test/vitest.config.ts test/scenarios/mutations.test.ts
 */
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../src/core/api/schema/OrderData.js';
import * as Address from '../../src/core/base/Address.js';
import { BaseError } from '../../src/core/base/Errors.js';
import { MismatchError, UnverifiedError } from '../../src/core/proof/Verification.js';
import * as Quote from '../../src/core/quote/Quote.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import * as Tampering from '../../src/sandbox/quote/Tampering.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { lies, orderId } from '../support/liar.js';
import { altered, type Mutant, rearranged, respelt } from '../support/mutations.js';
import { get, put } from '../support/places.js';
import { made, quoteOf, recorded, type Specimen, verify } from '../support/specimens.js';

const all = process.env.MUTATIONS === 'all';

const specimens = [...recorded(), ...(await onRealMoney()), ...(await made())];

/** The recorded withdrawal, where the memo is held to the order id and the solver must have signed. */
async function onRealMoney(): Promise<Specimen[]> {
  const found = recorded().filter(({ name }) => name === 'quote-venue-withdrawal');
  return Promise.all(
    found.map(async (each) => {
      const raw = get(each.answer, 'protocol.v2.orderId') as Hex;
      const signature = await privateKeyToAccount(accounts.solver.privateKey).signMessage({ message: { raw } });
      return {
        ...each,
        name: `${each.name} on real money`,
        answer: put(each.answer, 'protocol.v2.orderSignature', signature),
        network: { ...each.network, realMoney: true },
      };
    }),
  );
}

/** The places that were mutated in some quote. */
const met = new Set<string>();

/** How many mutants had an outcome, as they are and as the worst lie. */
const tally: Record<'naive' | 'liar', Partial<Record<Outcome, number>>> = { naive: {}, liar: {} };

describe('from', () => {
  test.each(specimens.map((specimen, index) => [specimen.name, specimen, index] as const))(
    'default: %s passes, unchanged and in upper case',
    async (_, specimen, index) => {
      expect(await judge(specimen, specimen.answer)).toMatchObject({ kind: 'passed' });
      const honest = contentOf(quoteOf(specimen, specimen.answer));
      for (const { at, answer } of respelt(specimen).filter((__, place) => all || (place + index) % 3 === 0)) {
        expect([at, await judge(specimen, answer)]).toMatchObject([at, { kind: 'passed' }]);
        expect(contentOf(quoteOf(specimen, answer))).toBe(honest);
      }
    },
  );

  test('behavior: the mutator can recompute the id of every order', () => {
    for (const { answer } of specimens)
      expect(orderId(get(answer, 'protocol.v2.orderData'))).toBe(get(answer, 'protocol.v2.orderId'));
  });

  test('error: a withdrawal whose memo names the request is refused on real money alone', async () => {
    const [real] = await onRealMoney();
    const elsewhere = recorded().find(({ name }) => name === 'quote-venue-withdrawal');
    if (!real || !elsewhere) throw new Error('no withdrawal');
    const named = Tampering.from(real.answer, 'request-id-memo', { consistent: true });
    expect(named).not.toEqual(real.answer);
    expect(await judge(real, named)).toEqual({ kind: 'refused', checks: ['deposit-id'] });
    expect(await judge(elsewhere, named)).toMatchObject({ kind: 'passed' });
  });

  test('behavior: a consistent mutation contradicts only the request', async () => {
    const specimen = specimens.find(({ name }) => name === 'bridge of a token');
    if (!specimen) throw new Error('no bridge');
    const found = altered(specimen).filter(({ at, after }) => /payments\.0\.recipient$/.test(at) && after);
    expect(found).toHaveLength(2);
    for (const mutant of found) {
      const naive = await judge(specimen, mutant.answer);
      expect(naive).toMatchObject({ checks: ['order-id', 'solver-signature', 'order-recipient'] });
      const [bare, alike] = await Promise.all((await lies(specimen, mutant)).map((lie) => judge(specimen, lie)));
      expect(bare).toMatchObject({ checks: ['order-recipient'] });
      expect(alike).toMatchObject({ checks: ['recipient', 'order-recipient', 'refund-recipient'] });
    }
  });

  test.each(specimens.map((specimen, index) => [specimen.name, specimen, index] as const))(
    'error: %s is refused when mutated, naively or consistently',
    async (_, specimen, index) => {
      const missed: string[] = [];
      for (const [turn, mutant] of [...altered(specimen), ...rearranged(specimen)].entries()) {
        if (!all && met.has(mutant.at) && (turn + index) % 20 !== 0) continue;
        met.add(mutant.at);
        const { naive, liar } = await outcomes(specimen, mutant);
        tally.naive[naive] = (tally.naive[naive] ?? 0) + 1;
        tally.liar[liar] = (tally.liar[liar] ?? 0) + 1;
        if (naive === 'missed' || liar === 'missed') missed.push(`${mutant.at}: ${mutant.change}`);
      }
      expect(missed).toEqual([]);
    },
  );

  test('behavior: all but the excused mutations are refused, and every excuse applies', async () => {
    expect(specimens.length).toBeGreaterThanOrEqual(12);
    for (const { refused, missed = 0 } of [tally.naive, tally.liar]) {
      expect(refused).toBeGreaterThanOrEqual(all ? 3_000 : 500);
      expect(missed).toBe(0);
    }
    if (all) expect(rules.filter((rule) => !applied.has(rule)).map(({ reason }) => reason)).toEqual([]);
  });
});

type Verdict =
  /** A check that fails or cannot be verified, or an exceeded cap. */
  | { kind: 'refused'; checks: readonly string[] }
  /** The client cannot decode the answer, so there is nothing to sign. */
  | { kind: 'unreadable' }
  | { kind: 'passed'; quote: Quote.Quote };

/** The outcome for a mutant. `missed` must never occur. */
type Outcome = 'refused' | 'unreadable' | 'harmless' | 'by effect' | 'missed';

/** The verdict on one answer for a specimen's intent. */
async function judge(specimen: Specimen, answer: unknown): Promise<Verdict> {
  const quote = quoteOf(specimen, answer);
  if (!quote) return { kind: 'unreadable' };
  try {
    await verify(specimen, quote);
    return { kind: 'passed', quote };
  } catch (error) {
    if (error instanceof MismatchError || error instanceof UnverifiedError)
      return { kind: 'refused', checks: error.findings.map(({ check }) => check) };
    if (error instanceof BaseError && error.code === 'verify.cap') return { kind: 'refused', checks: ['cap'] };
    throw error;
  }
}

/** The outcome for a mutant as it is, and for the worst consistent lie made from it. */
async function outcomes(specimen: Specimen, mutant: Mutant): Promise<{ naive: Outcome; liar: Outcome }> {
  const naive = await judge(specimen, mutant.answer);
  let worst = outcome(specimen, mutant, naive);
  const found = { naive: worst };
  for (const lie of await lies(specimen, mutant)) {
    if (lie === mutant.answer) continue;
    const next = outcome(specimen, mutant, await judge(specimen, lie));
    if (badness.indexOf(next) > badness.indexOf(worst)) worst = next;
  }
  return { ...found, liar: worst };
}

/** The rules that have been applied to a mutant. */
const applied = new Set<Rule>();

/** From best to worst. */
const badness: readonly Outcome[] = ['unreadable', 'refused', 'harmless', 'by effect', 'missed'];

function outcome(specimen: Specimen, mutant: Mutant, verdict: Verdict): Outcome {
  if (verdict.kind !== 'passed')
    return verdict.kind === 'refused' && verdict.checks.length === 0 ? 'missed' : verdict.kind;
  const honest = honestOf(specimen);
  const isSame = contentOf(verdict.quote) === honest.content;
  const rule = rulesOf(specimen, mutant).find(({ signed }) => isSame || signed);
  if (rule) {
    applied.add(rule);
    return 'harmless';
  }
  return honest.quote && isByRouter(verdict.quote, honest.quote) ? 'by effect' : 'missed';
}

type Honest = { quote: Quote.Quote | undefined; content: string };

/** The honest quote of a specimen, read once for its thousands of mutants. */
function honestOf(specimen: Specimen): Honest {
  const known = honestQuotes.get(specimen);
  if (known) return known;
  const quote = quoteOf(specimen, specimen.answer);
  const read = { quote, content: contentOf(quote) };
  honestQuotes.set(specimen, read);
  return read;
}

const honestQuotes = new WeakMap<Specimen, Honest>();

/** Everything that would be signed. */
function contentOf(quote: Quote.Quote | undefined): string {
  const items = quote?.items.map((item) => {
    if (item.kind === 'transaction') return [item.chainId, item.from, item.to, item.data, String(item.value)];
    if (item.kind === 'venue') return item.parameters;
    return item.kind === 'signature' ? (item.data as { sign: unknown }).sign : item.why;
  });
  return JSON.stringify(items).toLowerCase();
}

/** Whether the payment calls the router differently from the honest one, which only the simulated effect reveals. */
function isByRouter(quote: Quote.Quote, honest: Quote.Quote): boolean {
  const [found, expected] = [quote, honest].map((each) => Quote.transactions(each).at(-1));
  if (!found || !expected || !/ulticall$/.test(found.call?.function ?? '')) return false;
  const { chainId, from, to, value } = expected;
  const isAlike =
    found.chainId === chainId &&
    found.value === value &&
    Address.isEqual(found.from, from) &&
    (Address.isEqual(found.to, to) || expected.call?.function === 'wrap' || expected.call?.function === 'unwrap');
  return isAlike && found.data !== expected.data;
}

type Rule = {
  reason: string;
  /** The paths the rule applies to. */
  of: RegExp;
  /** A further condition, if the value matters too. */
  when?: (mutant: Mutant, specimen: Specimen) => boolean;
  /** Whether what is signed may differ. */
  signed?: true;
};

const rules: readonly Rule[] = [
  {
    reason: 'estimates and words for a reader, of which nothing is signed',
    of: /^(fees|feeSponsorship)\b|^details\.(operation|route|refundCurrency|rate|slippageTolerance|swapImpact|timeEstimate|userBalance|currencyGasTopup|isFixedRate|fixedRateFee|fallbackType)\b|(amountFormatted|percent|hubType|status)$|currency\.(symbol|name|metadata)\b|^steps\.\d+\.(id|action|description)$/,
  },
  {
    reason: 'prices in USD are the service’s word, and the caps hold it to them',
    of: /amountUsd$|totalImpact|expandedPriceImpact/,
  },
  {
    reason: 'unknown fields beside what is signed are not read',
    of: /./,
    when: ({ at, change }) => change === 'with a note' && !/\.data(\.|$)|orderData/.test(at),
  },
  { reason: 'the input is exact: its minimum is not read', of: /currencyIn\.minimumAmount$/ },
  { reason: 'the salt tells two orders of the same terms apart', of: /salt$/, signed: true },
  {
    reason: 'gas is estimated and priced by the node, and the quote’s own is capped',
    of: /\.data\.(gas|maxFeePerGas|maxPriorityFeePerGas)$/,
    when: ({ at, after }) => !/gas$/.test(at) || after === undefined || BigInt(String(after)) <= 3_000_000n,
  },
  {
    reason: 'the service’s name for the request: the deposit carries the order’s id, not this one',
    of: /requestId$/,
    signed: true,
  },
  { reason: 'ferry knows the status endpoint by itself', of: /\.check$/, when: ({ after }) => after === undefined },
  { reason: 'an order need not be signed', of: /orderSignature$/, when: ({ after }) => after === undefined },
  {
    reason: 'a deadline from an hour to thirty days from now',
    of: /orderData.*deadline$/,
    when: ({ after }, { nowMs }) =>
      Number(after) > nowMs / 1000 + 3600 && Number(after) <= nowMs / 1000 + 30 * 24 * 3600,
    signed: true,
  },
  {
    reason: 'each refund is one that was asked for, and one is on the origin',
    of: /\.refunds\b/,
    when: ({ answer }, specimen) => areRefundsKept(refundsOf(answer), refundsOf(specimen.answer)),
    signed: true,
  },
  {
    reason: 'the order states the minimum too',
    of: /currencyOut\.minimumAmount$/,
    when: ({ after }) => after === undefined,
  },
  {
    reason: 'more is guaranteed than before',
    of: /(currencyOut|route\.destination\.\w+)\.minimumAmount$|payments\.0\.minimumAmount$/,
    when: isMore,
    signed: true,
  },
  {
    reason: 'a forecast of an exact input, whose minimum stands',
    of: /(currencyOut|route\.destination\.\w+)\.amount$|expectedAmount$/,
    when: (_, { intent }) => intent.tradeType === 'EXACT_INPUT',
    signed: true,
  },
  {
    reason: 'a forecast within a tenth of a percent of an expected output, whose minimum stands',
    of: /(currencyOut|route\.destination\.\w+)\.amount$|expectedAmount$/,
    when: ({ after }, { intent }) => intent.tradeType === 'EXPECTED_OUTPUT' && isNear(toNumber(after), intent.amount),
    signed: true,
  },
  {
    reason: 'an output amount for less than before',
    of: /(currencyIn|route\.origin\.\w+)\.(amount|minimumAmount)$|payment\.amount$|paymentDetails\.amount$|\.data\.value$|approve\.amount$|depositErc20\.amount$|sign\.value\.value$/,
    when: (mutant, { intent }) => intent.tradeType !== 'EXACT_INPUT' && !isMore(mutant),
    signed: true,
  },
  {
    reason: 'an allowance that is missing makes the payment fail, and nothing moves',
    of: /^steps(\.\d+)?(\.items(\.\d+)?)?$/,
    when: ({ answer }, { answer: honest }) => isWithoutApprovals(itemsOf(answer), itemsOf(honest)),
    signed: true,
  },
  {
    reason: 'the deposit of this very order, in another way',
    of: /^steps$/,
    when: ({ answer }, specimen) => isOwnDeposit(answer, specimen),
    signed: true,
  },
  { reason: 'no deposit address either way', of: /depositAddress$/, when: ({ after }) => after === undefined },
  {
    reason: 'who accepts a deposit address accepts any',
    of: /depositAddress$|\.data\.to$|^steps$/,
    when: ({ at, answer }, { allow, answer: honest }) =>
      allow.includes('deposit-address') && (at !== 'steps' || isPlainPayment(answer, honest)),
    signed: true,
  },
  {
    reason: 'who accepts a signature that nothing binds accepts any nonce of it',
    of: /sign\.value\.nonce$/,
    when: (_, { allow }) => allow.includes('order-binding'),
    signed: true,
  },
  {
    reason: 'a wrong name or version of a token makes the signature worthless',
    of: /sign\.domain\.(name|version)$/,
    signed: true,
  },
  {
    reason: 'a signature that is good now and for a day at most',
    of: /sign\.value\.(validAfter|validBefore|deadline)$/,
    when: ({ at, after }, { nowMs }) => isTimely(Number(after) - nowMs / 1000, /validAfter$/.test(at)),
    signed: true,
  },
  { reason: 'sent back to the service as it came', of: /\.post(\.body)?$|post\.body\.api$/ },
  {
    reason: 'the venue takes less than before',
    of: /usdcFee$/,
    when: ({ before, after }) => Number(after) < Number(before),
    signed: true,
  },
];

/** The rules by which a mutant is harmless. */
function rulesOf(specimen: Specimen, mutant: Mutant): Rule[] {
  return rules.filter(({ of, when }) => of.test(mutant.at) && (when?.(mutant, specimen) ?? true));
}

function isMore({ before, after }: Mutant): boolean {
  const [old, now] = [before, after].map((value) => toNumber(value));
  return old !== undefined && now !== undefined && now > old;
}

function isNear(amount: bigint | undefined, wanted: bigint): boolean {
  return amount !== undefined && 1_000n * (amount > wanted ? amount - wanted : wanted - amount) <= wanted;
}

/** Digits, or a word of calldata. */
function toNumber(value: unknown): bigint | undefined {
  const text = String(value);
  if (/^[0-9a-f]{64}$/i.test(text)) return BigInt(`0x${text}`);
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined;
}

function isTimely(seconds: number, isBeginning: boolean): boolean {
  return isBeginning ? seconds <= 0 : seconds > 0 && seconds <= 24 * 3600;
}

/** The data to send or sign, item by item. */
function itemsOf(answer: unknown): string[] {
  return (answer as QuoteAnswer.Response).steps.flatMap(({ items }) => items.map(({ data }) => JSON.stringify(data)));
}

function isWithoutApprovals(found: readonly string[], honest: readonly string[]): boolean {
  const left = honest.filter((item) => !found.includes(item));
  return found.every((item) => honest.includes(item)) && left.every((item) => item.includes('"data":"0x095ea7b3'));
}

/** One payment, to the depository, of the id and the amount of the honest order. */
function isOwnDeposit(answer: unknown, { answer: honest }: Specimen): boolean {
  const { orderId = '', paymentDetails } = (honest as QuoteAnswer.Response).protocol?.v2 ?? {};
  const [deposit, ...more] = (answer as QuoteAnswer.Response).steps.flatMap(({ items }) =>
    items.map(({ data }) => data),
  );
  if (more.length > 0 || String(deposit?.to).toLowerCase() !== paymentDetails?.depository) return false;
  const words = String(deposit?.data).slice(10);
  const amount = BigInt(paymentDetails.amount);
  return words.endsWith(orderId.slice(2)) && (deposit?.value === String(amount) || words.includes(amount.toString(16)));
}

/** A single payment of the input to a deposit address, without a call. */
function isPlainPayment(answer: unknown, honest: unknown): boolean {
  const [step, ...more] = (answer as QuoteAnswer.Response).steps;
  const { to, data, value } = step?.items[0]?.data ?? {};
  const { amount } = (honest as QuoteAnswer.Response).details.currencyIn;
  return more.length === 0 && to === step?.depositAddress && data === '0x' && value === amount;
}

function refundsOf(answer: unknown): readonly OrderData.Refund[] {
  return (answer as QuoteAnswer.Response).protocol?.v2?.orderData.inputs?.[0]?.refunds ?? [];
}

function areRefundsKept(found: readonly OrderData.Refund[], honest: readonly OrderData.Refund[]): boolean {
  const said = ({ chainId, recipient, currency, extraData }: OrderData.Refund): string =>
    JSON.stringify([chainId, recipient, currency, extraData]).toLowerCase();
  const known = honest.map(said);
  return found.map(said).every((each) => known.includes(each)) && found.some((each) => said(each) === known[0]);
}
