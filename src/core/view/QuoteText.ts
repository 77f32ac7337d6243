/** Terminal text of a quote, made to be read in ten seconds. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as FeeParts from '../fees/FeeParts.js';
import * as PriceOnly from '../quote/PriceOnly.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';
import * as Place from '../text/Place.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import * as CallText from './CallText.js';
import * as ProofText from './ProofText.js';

/** Narrower terminals get shortened addresses and no notes. */
const notesFrom = 78;

export function format(quote: QuoteDocument, style: Style, place?: Place.Place): string {
  const { intent, send, receive, minimum } = quote;
  const { origin, destination } = intent;
  const [sent, received, least] = [send, receive, minimum].map(({ formatted }) =>
    style.number(Amount.shorten(formatted)),
  );
  const symbolIn = TerminalText.escape(origin.symbol);
  const symbolOut = TerminalText.escape(destination.symbol);
  const headline = `${sent} ${symbolIn} on ${origin.chain} → ${received} ${symbolOut} on ${destination.chain}`;
  return [
    style.bold(headline),
    '',
    TerminalText.indent(
      TerminalText.columns(
        [
          ['You send', `${sent} ${symbolIn}`, style.dim(style.number(dollars(send.usd)))],
          ['You receive', `${received} ${symbolOut}`, style.dim(style.number(dollars(receive.usd)))],
          [
            'At least',
            `${least} ${symbolOut}`,
            style.dim(
              quote.slippageBps && style.width >= notesFrom
                ? `${quote.slippageBps / 100}% slippage, ${belowMinimum(quote, 'else')}`
                : belowMinimum(quote, 'or'),
            ),
          ],
          ...(quote.gasTopup
            ? [
                [
                  'Gas top-up',
                  `${style.number(Amount.shorten(quote.gasTopup.formatted))} ${TerminalText.escape(quote.gasTopup.symbol)}`,
                  style.dim(style.number(dollars(quote.gasTopup.usd))),
                ],
              ]
            : []),
          ...(quote.rate
            ? [
                [
                  'Rate',
                  `1 ${symbolIn} = ${TerminalText.escape(style.number(Amount.shorten(quote.rate)))} ${symbolOut}`,
                  '',
                ],
              ]
            : []),
          ...(quote.timeEstimateSeconds === null ? [] : [['Arrives', `in about ${quote.timeEstimateSeconds} s`, '']]),
        ].map(([label, ...rest]) => [style.dim(label ?? ''), ...rest]),
      ),
    ),
    '',
    TerminalText.indent(fees(quote, style)),
    '',
    TerminalTable.rows(parties(quote, style, place), style, 2),
    '',
    ProofText.summary(quote.proof, style, { isPrice: true }),
    ...[ProofText.objections(quote.proof, style)].filter((text) => text !== ''),
    ...(quote.priceOnly ? [style.yellow('! Only a price: it cannot be executed, since nobody owns its account')] : []),
  ].join('\n');
}

/** Who sends, who receives, what is called on arrival, and which tokens ferry does not know. */
function parties(
  { intent, requestId, send, receive }: QuoteDocument,
  style: Style,
  place?: Place.Place,
): TerminalTable.Row[] {
  const sides: Side[] = [
    [intent.origin, send],
    [intent.destination, receive],
  ];
  const called = (text: string): string => Place.nameOf(text, place) ?? '';
  const notes = (text: string): string => (Address.isEqual(text, intent.user) ? 'the sender' : called(text));
  return [
    ['Network', place && Place.shown(place, style)],
    ['From', address(intent.user, style), PriceOnly.isNobody(intent.user) ? 'nobody owns it' : called(intent.user)],
    ['To', address(intent.recipient, style), notes(intent.recipient)],
    ...calls(intent.calls, style, place),
    ['Refund to', address(intent.refundTo, style), notes(intent.refundTo)],
    ...sides.filter(isOwnWord).map(([{ chain, symbol, address: token }]): TerminalTable.Row => {
      const name = TerminalText.escape(symbol);
      return ['Token', address(token, style), `calls itself ${name} on ${chain}`];
    }),
    ['Request', TerminalText.escape(requestId)],
  ];
}

/** The calls on arrival: whom, and what their calldata says. */
export function calls(
  made: QuoteDocument['intent']['calls'],
  style: Style,
  place: Place.Place | undefined,
): TerminalTable.Row[] {
  return made.map((call, index) => [
    `Call ${index + 1}`,
    address(call.to, style),
    [CallText.format(call, style), Place.nameOf(call.to, place)].filter(Boolean).join(', '),
  ]);
}

/** Whether a token's symbol is its contract's own word, which may be any other's: it is not one that ferry knows. */
export function isOwnWord([{ chain, address: token }, { currency }]: Side): boolean {
  return currency === `${chain}/${token}`;
}

type Side = readonly [QuoteDocument['intent']['origin'], Pick<QuoteDocument['send'], 'currency'>];

/** The figures that the service recommends displaying, in a line. */
export function inShort({ swapImpact, providerFee, appFee }: Recommended, style: Style): string {
  const shown = (usd: string): string => style.number(Usd.shown(usd));
  const app = Usd.isZero(appFee) ? '' : `, app fee ${shown(appFee)}`;
  return `In short: execution and swap ${shown(swapImpact)}, provider fee ${shown(providerFee)}${app}`;
}

type Recommended = { swapImpact: string; providerFee: string; appFee: string };

/** The fee table: dollars and basis points of the input. */
export function fees(
  quote: Pick<QuoteDocument, 'fees' | 'originGas'> & { send: Pick<QuoteDocument['send'], 'usd'> },
  style: Style,
): string {
  if (!quote.fees) return style.dim('The answer states no fees.');
  const whole = Usd.from(quote.send.usd ?? '') ?? 0n;
  const execution = Usd.from(quote.fees.execution) ?? 0n;
  // Without gas of the payer's own, the solver pays for the payment too.
  const isGasless = quote.originGas === null;
  const line = (label: string, usd: string, note: string): string[] => {
    const part = Usd.from(usd) ?? 0n;
    const room = style.width >= notesFrom ? style.dim(note) : '';
    return [label, style.number(Usd.format(part)), Usd.formatBps(part, whole) ?? '', room];
  };
  const gas = quote.originGas && {
    label: quote.originGas.takenBy === 'venue' ? 'Venue fee' : 'Origin gas',
    usd: Usd.formatWire(-(Usd.from(quote.originGas.usd) ?? 0n)),
    note: `paid to the ${quote.originGas.takenBy}, not in the total`,
  };
  const rows = [
    [style.dim('Fees'), style.dim('USD'), style.dim('bps'), ''],
    line('Execution', quote.fees.execution, FeeParts.executionInWords(execution, isGasless)),
    line('Swap', quote.fees.swap, 'exchange and rebalancing'),
    line('Platform', quote.fees.platform, 'the service’s fee'),
    ...(Usd.isZero(quote.fees.app) ? [] : [line('App', quote.fees.app, 'added by the app')]),
    ...(Usd.isZero(quote.fees.sponsored) ? [] : [line('Sponsored', quote.fees.sponsored, 'paid by the sponsor')]),
    line('Total', quote.fees.total, ''),
    ...(gas ? [line(gas.label, gas.usd, gas.note)] : []),
  ];
  const table = TerminalText.columns(
    rows.map((row) => (row[0] === 'Total' ? row.map((cell) => style.bold(cell)) : row)),
    [1, 2],
  );
  const below = [
    ...(gas && style.width < notesFrom ? [`${gas.label} is ${gas.note}.`] : []),
    inShort(recommended(quote.fees), style),
  ];
  return [
    table,
    ...below.flatMap((text) => TerminalLine.fold(text, style.width - 2).map((each) => style.dim(each))),
  ].join('\n');
}

/** The figures that the service recommends displaying: what the solver takes is part of the swap's impact. */
export function recommended({ execution, swap, platform, app }: NonNullable<QuoteDocument['fees']>): Recommended {
  const impact = (Usd.from(execution) ?? 0n) + (Usd.from(swap) ?? 0n);
  return { swapImpact: Usd.formatWire(impact), providerFee: platform, appFee: app };
}

/** What happens if less than the minimum would arrive: a payment on one chain reverts, and nothing is to be refunded. */
export function belowMinimum(
  { send, receive }: Record<'send' | 'receive', { currency: string }>,
  word: 'or' | 'else',
): string {
  const [from, to] = [send, receive].map(({ currency }) => currency.split('/', 1)[0]);
  return `${word} ${from === to ? 'it reverts' : 'refunded'}`;
}

function dollars(usd: string | null): string {
  return usd === null ? 'no price' : Usd.shown(usd);
}

/** An amount, as short as it can be compared. */
export function short({ formatted }: { formatted: string }, style: Style): string {
  return style.number(Amount.shorten(formatted));
}

/** The most that the gas can cost, which the service's estimate in the quote is not. */
export function gasLimit(most: { formatted: string; symbol: string; usd: string | null }, style: Style): string {
  const usd = most.usd === null ? 'no price is known' : style.number(Usd.shown(most.usd));
  return `gas costs at most ${short(most, style)} ${TerminalText.escape(most.symbol)} (${usd})`;
}

export function address(text: string, style: Style): string {
  return style.width >= notesFrom ? TerminalText.escape(text) : Address.shorten(TerminalText.escape(text));
}
