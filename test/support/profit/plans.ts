/**
 * The grammar of an attack: what the user asks for, how each quote differs from an honest one, and what the service does
 * once it is paid. Every difference is a move with a name, so that an attack is told in words, and shrunk by leaving moves
 * out.
 */
import { native } from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import type { Chance } from '../chance.js';
import * as market from '../market.js';
import { type ModelToken, token, tokens } from './modelTokens.js';
import { type Asked, type CallScheme, honest, type Party, type Scheme, type Share } from './scheme.js';

/** What reaches somebody, and where, once the user has paid. */
export type Payout = { token: ModelToken; share: Share | 'what is owed'; to: 'user' | 'recipient' };

/** What the service does after it has been paid. */
export type Conduct = {
  /** Its answers about the request, in order; the last one stays. */
  says: string[];
  payouts: Payout[];
  /** Whether it names what it paid out, what it paid out for the quote before, or what the user paid. */
  names: 'its payouts' | 'the payouts before' | 'the deposit' | 'nothing';
  /** Whether it pays before it is asked for the first time, or later. */
  payoutAt: number;
  /** When a permit is used: as soon as it is had, when the run has ended, or as soon as its answer was lost. */
  uses: 'at once' | 'later';
  answersPermit: 'success' | 'lost' | 'refused';
};

/** One transfer of the user's: the quote for it, and the conduct that follows. */
export type Dealing = { scheme: Scheme; conduct: Conduct };

/** A difference from what an honest service does, in one of the user's transfers. */
export type Move = { words: string; transfer: 0 | 1; apply(dealing: Dealing): void };

/** The user wants as many transfers of the same kind, one after the other, or the second before the first has ended. */
export type Attack = { asked: Asked; transfers: 1 | 2 | 'two at once'; moves: readonly Move[] };

const exact = { tradeType: 'EXACT_INPUT', recipient: market.user, slippageBps: undefined, maxImpactBps: 500 } as const;
const dollars = 10n ** 6n;

const alphaUsdc = token('alpha', 'USDC');
const betaUsdc = token('beta', 'USDC');

/** What a user may ask for, the plainest first. */
export const asks: readonly Asked[] = [
  { ...exact, words: '100 USDC across chains', from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  {
    ...{ ...exact, words: '100 USDC across chains, by a permit' },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars, gasless: 'permit' as const },
  },
  {
    ...{ ...exact, words: '400 GULL for DAI across chains' },
    ...{ from: token('alpha', 'GULL'), to: token('beta', 'DAI'), amount: 400n * 10n ** 18n },
  },
  {
    ...{ ...exact, words: '0.04 ETH across chains' },
    ...{ from: token('alpha', 'ETH'), to: token('beta', 'ETH'), amount: 4n * 10n ** 16n },
  },
  {
    ...{ ...exact, words: '0.04 ETH for USDC across chains' },
    ...{ from: token('alpha', 'ETH'), to: betaUsdc, amount: 4n * 10n ** 16n },
  },
  {
    ...{ ...exact, words: '100 USDC for DAI on one chain' },
    ...{ from: alphaUsdc, to: token('alpha', 'DAI'), amount: 100n * dollars },
  },
  {
    ...{ ...exact, words: '0.04 ETH for USDC on one chain' },
    ...{ from: token('alpha', 'ETH'), to: alphaUsdc, amount: 4n * 10n ** 16n },
  },
  {
    ...{ ...exact, words: 'exactly 100 USDC to arrive', tradeType: 'EXACT_OUTPUT' as const },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  },
  {
    ...{ ...exact, words: '100 USDC to somebody else', recipient: accounts.dev6.address },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  },
  {
    ...{ ...exact, words: '100 USDC across chains, --slippage 0.5', slippageBps: 50 },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  },
  {
    ...{ ...exact, words: '100 USDC across chains, --slippage 50', slippageBps: 5_000 },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  },
  {
    ...{ ...exact, words: '100 USDC across chains, --max-impact 10', maxImpactBps: 1_000 },
    ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars },
  },
];

/** What an honest service does for a request, before any move. */
function honestDealing(asked: Asked): Dealing {
  const scheme = honest(asked);
  if (asked.slippageBps === 50) scheme.minimum = 9_930;
  const isOnOneChain = asked.from.chain === asked.to.chain;
  return {
    scheme,
    conduct: {
      says: ['waiting', 'pending', 'success'],
      payouts: isOnOneChain ? [] : [{ token: asked.to, share: 'what is owed', to: 'recipient' }],
      names: isOnOneChain ? 'the deposit' : 'its payouts',
      payoutAt: 0,
      uses: 'at once',
      answersPermit: 'success',
    },
  };
}

/** The dealings of an attack, one for each transfer. */
export function dealings({ asked, transfers, moves }: Attack): Dealing[] {
  return Array.from({ length: transfers === 1 ? 1 : 2 }, (_, nth) => {
    const dealing = honestDealing(asked);
    for (const move of moves) if (move.transfer === nth) move.apply(dealing);
    return dealing;
  });
}

/** An attack in words. */
export function inWords({ asked, transfers, moves }: Attack): string {
  const of = (nth: number): string[] => moves.filter(({ transfer }) => transfer === nth).map(({ words }) => words);
  const twice = { 1: '', 2: ', twice', 'two at once': ', twice at once' }[transfers];
  const lines = [`The user asks for ${asked.words}${twice}.`];
  for (const words of of(0)) lines.push(`- ${words}`);
  for (const words of of(1)) lines.push(`- the second time: ${words}`);
  return lines.join('\n');
}

/** An attack by chance: a request, and a few moves. */
export function draw(by: Chance): Attack {
  const asked = by.of(asks);
  const transfers = by.below(4) === 0 ? by.of([2, 'two at once'] as const) : 1;
  const moves = Array.from({ length: 1 + by.below(4) }, () => {
    const transfer = transfers !== 1 && by.below(3) > 0 ? 1 : 0;
    return { ...by.of(grammar)(by, asked), transfer } as const;
  });
  return { asked, transfers, moves };
}

type Rule = (by: Chance, asked: Asked) => Omit<Move, 'transfer'>;

const parties: readonly Party[] = [
  ...(['user', 'recipient', 'thief', 'router', 'depository', 'proxy', 'aggregator', 'trap', 'solver'] as const),
];

/** Shares at and around every limit, and far from them. */
const shares: readonly Share[] = [
  'all',
  'crumb',
  0,
  1,
  5_000,
  9_000,
  9_499,
  9_500,
  9_600,
  9_771,
  9_970,
  10_000,
  10_100,
  20_000,
];
const outputs: readonly number[] = [1, 5_000, 9_000, 9_400, 9_499, 9_500, 9_501, 9_600, 9_800, 10_000, 12_000];

const named = (of: ModelToken): string => `${of.symbol} on ${of.chain}`;
const partly = (share: Share): string =>
  typeof share === 'number' ? `${share / 100} %` : share === 'all' ? 'all' : 'one unit';

function on(chain: string, by: Chance): ModelToken {
  return by.of(tokens.filter((each) => each.chain === chain));
}

function call(by: Chance, asked: Asked): { words: string; call: CallScheme } {
  const { from, to } = asked;
  const likely = [from, to, token(from.chain, 'USDC'), token(from.chain, 'DAI')].filter(
    ({ chain }) => chain === from.chain,
  );
  const some = (): ModelToken => (by.below(4) === 0 ? on(from.chain, by) : by.of(likely));
  const share = by.of(shares);
  const mayFail = by.below(8) === 0;
  const [party, other] = [by.of(parties), by.of(parties)];
  const [one, two] = [some(), some()];
  const calls: readonly (() => { words: string; call: CallScheme })[] = [
    () => ({
      words: `approves ${partly(share)} of ${one.symbol} to the ${party}`,
      call: { does: 'approve', token: one, spender: party, share, mayFail },
    }),
    () => ({
      words: `transfers ${partly(share)} of ${one.symbol} to the ${party}`,
      call: { does: 'transfer', token: one, to: party, share, mayFail },
    }),
    () => ({
      words: `sends ${partly(share)} of ${one.symbol} to the ${party}`,
      call: { does: 'clean up', token: one, to: party, share, mayFail },
    }),
    () => ({
      words: `pays ${partly(share)} in ETH to the ${party}`,
      call: { does: 'pay', to: party, share, mayFail },
    }),
    () => ({ words: `wraps ${partly(share)}`, call: { does: 'wrap', share, mayFail } }),
    () => ({ words: `unwraps ${partly(share)}`, call: { does: 'unwrap', share, mayFail } }),
    () => swapCall(by, { one, two, share, party, mayFail }),
    () => swapCall(by, { one: from, two, share: 'all', party: 'router', mayFail }),
    () => ({
      words: `deposits ${partly(share)} of ${one.symbol} at the ${other} for the ${party}`,
      call: {
        does: 'deposit',
        token: one,
        depositor: party,
        share,
        at: other,
        order: by.of(['this', 'another']),
        mayFail,
      },
    }),
    () => ({
      words: `calls a contract that nobody knows with ${one.symbol} for ${partly(share)} of ${two.symbol}`,
      call: { does: 'call a trap', paid: one, had: two, share, mayFail },
    }),
  ];
  return by.of(calls)();
}

function swapCall(
  by: Chance,
  {
    one,
    two,
    share,
    party,
    mayFail,
  }: { one: ModelToken; two: ModelToken; share: Share; party: Party; mayFail: boolean },
): { words: string; call: CallScheme } {
  const [least, handed] = [by.of(shares), by.below(2) === 0 ? 'all' : by.of(shares)] as const;
  const flags = by.below(4) === 0 ? 1n << BigInt(by.below(12)) : 0x200n;
  const fee = by.below(6) === 0 ? by.of(shares) : undefined;
  const exchange = by.below(5) === 0 ? '0x' : 'KyberSwap';
  const rest = handed === 'all' ? '' : `, handing on ${partly(handed)} and the rest to a thief`;
  const charged = fee === undefined ? '' : `, with a fee of ${partly(fee)}`;
  const flagged = flags === 0x200n ? '' : `, with flags ${flags}`;
  return {
    words: `swaps ${partly(share)} of ${one.symbol} by ${exchange} for at least ${partly(least)} in ${two.symbol} to the ${party}${rest}${charged}${flagged}`,
    call: {
      ...{ does: 'swap', by: exchange, from: one, to: two, share, least, receiver: party, handed, flags, fee, mayFail },
    },
  };
}

/** The rules of the grammar, each of which makes a move. */
const grammar: readonly Rule[] = [
  (by) => {
    const output = by.of(outputs);
    return {
      words: `states that ${partly(output)} of the worth arrives`,
      apply({ scheme }) {
        const least = (scheme.minimum * output) / Math.max(1, scheme.output);
        Object.assign(scheme, { output, minimum: Math.max(1, Math.floor(least)) });
        if (scheme.asked.tradeType === 'EXACT_OUTPUT') scheme.minimum = output;
      },
    };
  },
  (by) => {
    const below = by.of([0, 100, 490, 500, 501, 1_000, 5_000, 9_999]);
    return {
      words: `binds the solver to ${partly(below)} less than that`,
      apply({ scheme }) {
        scheme.minimum = Math.max(1, Math.ceil((scheme.output * (10_000 - below)) / 10_000));
      },
    };
  },
  // A swap before the deposit that says, demands and deposits the same.
  (by, asked) => {
    const to =
      by.below(2) === 0
        ? by.of([token(asked.from.chain, 'DAI'), token(asked.from.chain, 'USDT')])
        : on(asked.from.chain, by);
    const [share, handed] = [by.of(shares), by.below(2) === 0 ? ('all' as const) : by.of(shares)];
    const minimum = by.below(3) === 0 ? by.of(shares) : share;
    const rest = handed === 'all' ? '' : ` of which a thief is handed all but ${partly(handed)}`;
    return {
      words: `swaps the input${rest} to ${partly(share)} of its worth in ${to.symbol}, at least ${partly(minimum)}, before it deposits that for the order`,
      apply({ scheme }) {
        swapFirst(scheme, to, { share, minimum, handed });
      },
    };
  },
  (by, asked) => {
    const { words, call: made } = call(by, asked);
    const at = by.below(5);
    return {
      words: `the router also ${words}, as call ${at + 1}`,
      apply: ({ scheme }) => void scheme.calls.splice(at, 0, made),
    };
  },
  (by, asked) => {
    const { words, call: made } = call(by, asked);
    const at = by.below(4);
    return {
      words: `in place of its call ${at + 1} the router ${words}`,
      apply: ({ scheme }) => void scheme.calls.splice(at, 1, made),
    };
  },
  (by) => {
    const at = by.below(4);
    return {
      words: `the router makes its call ${at + 1} last`,
      apply: ({ scheme }) => void scheme.calls.push(...scheme.calls.splice(at, 1)),
    };
  },
  (by) => {
    const at = by.below(4);
    return {
      words: `call ${at + 1} of the router is left out`,
      apply: ({ scheme }) => void scheme.calls.splice(at, 1),
    };
  },
  (by) => {
    const to = by.of(parties);
    return {
      words: `what is left on the router goes to the ${to}`,
      apply({ scheme }) {
        scheme.leftoversTo = to;
      },
    };
  },
  (by) => {
    const [spender, share] = [by.of(parties), by.of(shares)];
    return {
      words: `the user approves ${share === 'crumb' ? 'everything' : partly(share)} to the ${spender}`,
      apply({ scheme }) {
        scheme.approves = { spender, share };
      },
    };
  },
  (by) => {
    const [depositor, order, at, share] = [
      by.of(parties),
      by.of(['this', 'another'] as const),
      by.of(parties),
      by.of(shares),
    ];
    const which = by.below(4);
    const names = [`in the name of the ${depositor}`, `for ${order} order`, `at the ${at}`, `of ${partly(share)}`];
    return {
      words: `the deposit is ${names[which]}`,
      apply({ scheme: { deposit } }) {
        Object.assign(deposit, [{ depositor }, { order }, { at }, { share }][which]);
      },
    };
  },
  (by) => {
    const to = by.of(parties);
    return {
      words: `the order pays the ${to}`,
      apply({ scheme }) {
        scheme.paysTo = to;
      },
    };
  },
  (by, asked) => {
    const [of, to, minimum] = [on(asked.to.chain, by), by.of(parties), by.of(shares)];
    return {
      words: `the order also pays ${partly(minimum)} in ${named(of)} to the ${to}`,
      apply: ({ scheme }) => void scheme.payments.push({ token: of, to, minimum }),
    };
  },
  () => ({
    words: 'the order makes a call',
    apply({ scheme }) {
      scheme.orderCalls = 1;
    },
  }),
  (by, asked) => {
    const of = on(by.of([asked.from.chain, asked.to.chain]), by);
    const [to, minimum, days, at] = [by.of(parties), by.of(shares), by.of([0, 1, 7, 29, 400]), by.below(3)];
    return {
      words: `refund ${at + 1} is in ${named(of)}, to the ${to}, of at least ${partly(minimum)}, for ${days} days`,
      apply: ({ scheme }) => void scheme.refunds.splice(at, 1, { token: of, to, minimum, days }),
    };
  },
  // A refund that looks as it should, but for its currency, which the route explains.
  (by, asked) => {
    const of = on(asked.to.chain, by);
    const minimum = by.of(shares);
    return {
      words: `the solver starts from ${named(of)}, and refunds at least ${partly(minimum)} in it`,
      apply({ scheme }) {
        scheme.startsFrom = of;
        if (scheme.refunds.length > 1) scheme.refunds[1] = { token: of, to: 'recipient', minimum, days: 7 };
      },
    };
  },
  (by, asked) => {
    const of = on(asked.to.chain, by);
    return {
      words: `the route starts from ${named(of)}`,
      apply({ scheme }) {
        scheme.startsFrom = of;
      },
    };
  },
  (by) => {
    const at = by.below(2);
    return { words: `refund ${at + 1} is left out`, apply: ({ scheme }) => void scheme.refunds.splice(at, 1) };
  },
  (by) => {
    const days = by.of([0, 1, 29, 400]);
    return {
      words: `the order is open for ${days} days`,
      apply({ scheme }) {
        scheme.days = days;
      },
    };
  },
  (by) => {
    const [to, share, nonce, seconds] = [
      by.of(parties),
      by.of(shares),
      by.of(['bound', 'free'] as const),
      by.of([0, 60, 10 ** 6]),
    ];
    const which = by.below(4);
    const names = [`for the ${to}`, `of ${partly(share)}`, `with a ${nonce} nonce`, `for ${seconds} s`];
    return {
      words: `the permit is ${names[which]}`,
      apply({ scheme: { permit } }) {
        Object.assign(permit, [{ to }, { share }, { nonce }, { seconds }][which]);
      },
    };
  },
  (by, asked) => {
    const { words, call: made } = call(by, asked);
    return { words: `one more transaction: the user ${words}`, apply: ({ scheme }) => void scheme.steps.push(made) };
  },
  () => ({
    words: 'the request id is that of the quote before',
    apply({ scheme }) {
      scheme.request = 'the same';
    },
  }),
  () => ({
    words: 'the order and the request are those of the quote before',
    apply: ({ scheme }) => void Object.assign(scheme, { request: 'the same', salt: 'the same' }),
  }),
  // What is done once it is paid.
  (by) => {
    const says = by.of([
      ['failure'],
      ['waiting', 'failure'],
      ['pending', 'failure'],
      ['success'],
      ['refund'],
      ['pending', 'refund'],
      ['unknown'],
      ['delayed'],
      ['of tomorrow'],
      ['failure', 'refund'],
      ['success', 'failure'],
    ]);
    return {
      words: `the service says ${says.join(', then ')}`,
      apply({ conduct }) {
        conduct.says = says;
      },
    };
  },
  () => ({
    words: 'the service pays nothing out',
    apply({ conduct }) {
      conduct.payouts = [];
    },
  }),
  (by, asked) => {
    const of = on(by.of([asked.from.chain, asked.to.chain]), by);
    const [share, to] = [by.of(shares), by.of(['user', 'recipient'] as const)];
    const says = by.of([['success'], ['refund'], ['failure', 'refund'], ['pending', 'success']]);
    return {
      words: `the service pays ${partly(share)} in ${named(of)} to the ${to}, and calls that ${says.at(-1)}`,
      apply: ({ conduct }) =>
        void Object.assign(conduct, { says, payouts: [{ token: of, share, to }], names: 'its payouts' }),
    };
  },
  (by) => {
    const names = by.of(['the payouts before', 'the deposit', 'nothing'] as const);
    return {
      words: `the service pays nothing out, and names ${names}`,
      apply: ({ conduct }) => void Object.assign(conduct, { names, payouts: [] }),
    };
  },
  (by) => {
    const polls = by.of([1, 3, 8]);
    return {
      words: `the service pays out after ${polls} questions`,
      apply({ conduct }) {
        conduct.payoutAt = polls;
      },
    };
  },
  (by) => {
    const says = by.of([['failure'], ['refund'], ['success'], ['pending'], ['waiting']]);
    return {
      words: `the service keeps the permit until the run has ended, and says ${says.at(-1)}`,
      apply: ({ conduct }) => void Object.assign(conduct, { uses: 'later', says, payouts: [] }),
    };
  },
  (by) => {
    const salt = by.of(['new', 'the same'] as const);
    return {
      words: `it is the ${salt === 'new' ? 'request' : 'order'} of the quote before, whose payouts the service names again`,
      apply({ scheme, conduct }) {
        Object.assign(scheme, { request: 'the same', salt });
        Object.assign(conduct, { names: 'the payouts before', payouts: [] });
      },
    };
  },
  () => ({
    words: 'the permit is used when the run has ended',
    apply({ conduct }) {
      conduct.uses = 'later';
    },
  }),
  (by) => {
    const answer = by.of(['lost', 'refused'] as const);
    return {
      words: `the answer to the permit is ${answer}`,
      apply({ conduct }) {
        conduct.answersPermit = answer;
      },
    };
  },
];

function swapFirst(scheme: Scheme, to: ModelToken, of: { share: Share; minimum: Share; handed: Share }): void {
  const { asked } = scheme;
  const { from } = asked;
  if (asked.gasless || from.chain === asked.to.chain || from.address === to.address) return;
  const isNative = from.address === native;
  scheme.swap = { token: to, share: of.share, minimum: of.minimum };
  scheme.calls = [
    ...(isNative ? [] : [{ does: 'approve', token: from, spender: 'aggregator', share: 'all' } as const]),
    {
      ...{ does: 'swap', by: 'KyberSwap', from, to, share: 'all', least: of.minimum, receiver: 'router' },
      ...{ handed: of.handed, flags: 0x200n, fee: undefined },
    },
    { does: 'deposit', token: to, depositor: 'user', share: 'all', at: 'depository', order: 'this' },
  ];
  if (!isNative) scheme.approves = { spender: 'proxy', share: 'all' };
  if (scheme.refunds[0]) scheme.refunds[0] = { ...scheme.refunds[0], token: to };
}
