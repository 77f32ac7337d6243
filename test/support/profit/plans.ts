/** The grammar of an attack: what the user asks for, and how the quote for it differs from an honest one. */
import { native } from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import type { Chance } from '../chance.js';
import * as market from '../market.js';
import { type ModelToken, token, tokens } from './modelTokens.js';
import { type Asked, type CallScheme, honest, type Party, type Scheme, type Share } from './scheme.js';

const dollars = 10n ** 6n;
const alphaUsdc = token('alpha', 'USDC');
const betaUsdc = token('beta', 'USDC');
const plain: Asked = {
  ...{ from: alphaUsdc, to: betaUsdc, amount: 100n * dollars, tradeType: 'EXACT_INPUT', recipient: market.user },
  ...{ slippageBps: undefined, maxImpactBps: 500 },
};
const ether = { from: token('alpha', 'ETH'), amount: 4n * 10n ** 16n };

/** What a user may ask for. */
export const asks: readonly Asked[] = [
  plain,
  { ...plain, gasless: 'permit' },
  { ...plain, from: token('alpha', 'GULL'), to: token('beta', 'DAI'), amount: 400n * 10n ** 18n },
  { ...plain, ...ether, to: token('beta', 'ETH') },
  { ...plain, ...ether },
  { ...plain, to: token('alpha', 'DAI') },
  { ...plain, ...ether, to: alphaUsdc },
  { ...plain, tradeType: 'EXACT_OUTPUT' },
  { ...plain, recipient: accounts.dev6.address },
  { ...plain, slippageBps: 50 },
  { ...plain, slippageBps: 5_000 },
  { ...plain, maxImpactBps: 1_000 },
];

/** What an honest service would quote. */
export function honestly(asked: Asked): Scheme {
  const scheme = honest(asked);
  if (asked.slippageBps === 50) scheme.minimum = 9_930;
  return scheme;
}

/** An attack by chance: a request, and a quote that differs in a few ways. */
export function draw(by: Chance): Scheme {
  const scheme = honestly(by.of(asks));
  for (let moves = 1 + by.below(4); moves > 0; moves--) by.of(grammar)(by, scheme);
  return scheme;
}

const parties: readonly Party[] = [
  ...(['user', 'recipient', 'thief', 'router', 'depository', 'proxy', 'aggregator', 'trap', 'solver'] as const),
];

/** Shares at and around every limit, and far from them. */
const shares: readonly Share[] = [
  ...(['all', 'crumb', 0, 1, 5_000, 9_000, 9_499, 9_500, 9_600, 9_771, 9_970, 10_000, 10_100, 20_000] as const),
];
const outputs: readonly number[] = [1, 5_000, 9_000, 9_400, 9_499, 9_500, 9_501, 9_600, 9_800, 10_000, 12_000];
const orders = ['this', 'another'] as const;

function on(chain: string, by: Chance): ModelToken {
  return by.of(tokens.filter((each) => each.chain === chain));
}

function call(by: Chance, { from, to }: Asked): CallScheme {
  const likely = [from, to, token(from.chain, 'USDC'), token(from.chain, 'DAI')].filter(
    ({ chain }) => chain === from.chain,
  );
  const some = (): ModelToken => (by.below(4) === 0 ? on(from.chain, by) : by.of(likely));
  const [share, mayFail] = [by.of(shares), by.below(8) === 0];
  const [party, other] = [by.of(parties), by.of(parties)];
  const [one, two] = [some(), some()];
  const swap = (swapped: Pick<CallScheme & { does: 'swap' }, 'from' | 'share' | 'receiver'>): CallScheme => ({
    ...{ does: 'swap', by: by.below(5) === 0 ? '0x' : 'KyberSwap', to: two, ...swapped, mayFail },
    ...{ least: by.of(shares), handed: by.below(2) === 0 ? 'all' : by.of(shares) },
    flags: by.below(4) === 0 ? 1n << BigInt(by.below(12)) : 0x200n,
    fee: by.below(6) === 0 ? by.of(shares) : undefined,
  });
  const calls: readonly (() => CallScheme)[] = [
    () => ({ does: 'approve', token: one, spender: party, share, mayFail }),
    () => ({ does: 'transfer', token: one, to: party, share, mayFail }),
    () => ({ does: 'clean up', token: one, to: party, share, mayFail }),
    () => ({ does: 'pay', to: party, share, mayFail }),
    () => ({ does: 'wrap', share, mayFail }),
    () => ({ does: 'unwrap', share, mayFail }),
    () => swap({ from: one, share, receiver: party }),
    () => swap({ from, share: 'all', receiver: 'router' }),
    () => ({ does: 'deposit', token: one, depositor: party, share, at: other, order: by.of(orders), mayFail }),
    () => ({ does: 'call a trap', paid: one, had: two, share, mayFail }),
  ];
  return by.of(calls)();
}

/** The rules of the grammar, each of which makes a quote differ in one way. */
const grammar: readonly ((by: Chance, scheme: Scheme) => void)[] = [
  // So much is said to arrive.
  (by, scheme) => {
    const output = by.of(outputs);
    const least = Math.max(1, Math.floor((scheme.minimum * output) / Math.max(1, scheme.output)));
    Object.assign(scheme, { output, minimum: scheme.asked.tradeType === 'EXACT_OUTPUT' ? output : least });
  },
  // And the solver is bound to so much less.
  (by, scheme) => {
    const below = by.of([0, 100, 490, 500, 501, 1_000, 5_000, 9_999]);
    scheme.minimum = Math.max(1, Math.ceil((scheme.output * (10_000 - below)) / 10_000));
  },
  // A swap before the deposit that says, demands and deposits the same.
  (by, scheme) => {
    const { chain } = scheme.asked.from;
    const to = by.below(2) === 0 ? by.of([token(chain, 'DAI'), token(chain, 'USDT')]) : on(chain, by);
    const share = by.of(shares);
    const handed = by.below(2) === 0 ? 'all' : by.of(shares);
    swapFirst(scheme, to, { share, minimum: by.below(3) === 0 ? by.of(shares) : share, handed });
  },
  // One call of the router's more, another, in another place, or less.
  (by, scheme) => void scheme.calls.splice(by.below(5), 0, call(by, scheme.asked)),
  (by, scheme) => void scheme.calls.splice(by.below(4), 1, call(by, scheme.asked)),
  (by, scheme) => void scheme.calls.push(...scheme.calls.splice(by.below(4), 1)),
  (by, scheme) => void scheme.calls.splice(by.below(4), 1),
  (by, scheme) => {
    scheme.leftoversTo = by.of(parties);
  },
  (by, scheme) => {
    scheme.approves = { spender: by.of(parties), share: by.of(shares) };
  },
  (by, { deposit }) => {
    const changes = [
      ...[{ depositor: by.of(parties) }, { order: by.of(orders) }, { at: by.of(parties) }, { share: by.of(shares) }],
    ];
    Object.assign(deposit, by.of(changes));
  },
  (by, scheme) => {
    scheme.paysTo = by.of(parties);
  },
  (by, { asked, payments }) =>
    void payments.push({ token: on(asked.to.chain, by), to: by.of(parties), minimum: by.of(shares) }),
  (_, scheme) => {
    scheme.orderCalls = 1;
  },
  (by, { asked, refunds }) => {
    const of = on(by.of([asked.from.chain, asked.to.chain]), by);
    const refund = { token: of, to: by.of(parties), minimum: by.of(shares), days: by.of([0, 1, 7, 29, 400]) };
    refunds.splice(by.below(3), 1, refund);
  },
  // A refund that looks as it should, but for its currency, which the route explains.
  (by, scheme) => {
    const of = on(scheme.asked.to.chain, by);
    scheme.startsFrom = of;
    if (scheme.refunds.length > 1) scheme.refunds[1] = { token: of, to: 'recipient', minimum: by.of(shares), days: 7 };
  },
  (by, scheme) => {
    scheme.startsFrom = on(scheme.asked.to.chain, by);
  },
  (by, { refunds }) => void refunds.splice(by.below(2), 1),
  (by, scheme) => {
    scheme.days = by.of([0, 1, 29, 400]);
  },
  (by, { permit }) => {
    const changes = [
      ...[{ to: by.of(parties) }, { share: by.of(shares) }],
      ...[{ nonce: by.of(['bound', 'free'] as const) }, { seconds: by.of([0, 60, 10 ** 6]) }],
    ];
    Object.assign(permit, by.of(changes));
  },
  // One more transaction of the user's.
  (by, { asked, steps }) => void steps.push(call(by, asked)),
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
