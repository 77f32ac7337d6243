/** Terminal text of a quote, made to be read in ten seconds. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as PriceOnly from '../quote/PriceOnly.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';
import * as Place from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ProofText from './ProofText.js';

/** Narrower terminals get shortened addresses and no notes. */
const notesFrom = 78;

/** The whole quote. */
export function format(quote: QuoteDocument, style: Style, place?: Place.Place): string {
  const { intent, send, receive, minimum } = quote;
  const { origin, destination } = intent;
  const [sent, received, least] = [send, receive, minimum].map(({ formatted }) => Amount.shorten(formatted));
  const symbolIn = TerminalText.escape(origin.symbol);
  const symbolOut = TerminalText.escape(destination.symbol);
  const headline = `${sent} ${symbolIn} on ${origin.chain} → ${received} ${symbolOut} on ${destination.chain}`;
  return [
    style.bold(headline),
    '',
    indent(
      TerminalText.columns(
        [
          ['You send', `${sent} ${symbolIn}`, style.dim(dollars(send.usd))],
          ['You receive', `${received} ${symbolOut}`, style.dim(dollars(receive.usd))],
          [
            'At least',
            `${least} ${symbolOut}`,
            style.dim(
              quote.slippageBps && style.width >= notesFrom
                ? `${quote.slippageBps / 100}% slippage, ${otherwise(quote, 'else')}`
                : otherwise(quote, 'or'),
            ),
          ],
          ...(quote.rate
            ? [['Rate', `1 ${symbolIn} = ${TerminalText.escape(Amount.shorten(quote.rate))} ${symbolOut}`, '']]
            : []),
          ...(quote.timeEstimateSeconds === null ? [] : [['Arrives', `in about ${quote.timeEstimateSeconds} s`, '']]),
        ].map(([label, ...rest]) => [style.dim(label ?? ''), ...rest]),
      ),
    ),
    '',
    indent(fees(quote, style)),
    ...(quote.fees && style.width >= notesFrom ? [indent(style.dim(short(quote.fees)))] : []),
    '',
    indent(
      TerminalText.columns(
        [
          ...(place ? [['Network', network(place, style), '']] : []),
          ['From', address(intent.user, style), PriceOnly.isNobody(intent.user) ? 'nobody owns it' : ''],
          ['To', address(intent.recipient, style), same(intent.recipient, intent.user, 'the sender')],
          ['Refund to', address(intent.refundTo, style), same(intent.refundTo, intent.user, 'the sender')],
          ['Request', TerminalText.escape(quote.requestId), ''],
        ].map(([label, value, note]) => [
          style.dim(label ?? ''),
          note ? `${value}  ${style.dim(note)}` : (value ?? ''),
        ]),
      ),
    ),
    '',
    ProofText.summary(quote.proof, style, { isPrice: true }),
    ...[ProofText.objections(quote.proof, style)].filter((text) => text !== ''),
    ...(quote.priceOnly ? [style.yellow('! Only a price: it cannot be executed, since nobody owns its account')] : []),
  ].join('\n');
}

/** The figures as the service recommends to display them. */
function short({ execution, swap, platform, app }: NonNullable<QuoteDocument['fees']>): string {
  const usd = (text: string): bigint => Usd.from(text) ?? 0n;
  const appFee = isZero(app) ? '' : `, app fee ${Usd.format(usd(app))}`;
  return `In short: swap impact ${Usd.format(usd(execution) + usd(swap))}, provider fee ${Usd.format(usd(platform))}${appFee}`;
}

/** The network, and whether its money is real. */
export function network(place: Place.Place, style: Style): string {
  const words = TerminalText.escape(Place.inWords(place));
  return place.realMoney ? style.bold(words) : words;
}

/** The fee table: dollars and basis points of the input. */
export function fees(
  quote: Pick<QuoteDocument, 'fees' | 'originGas'> & { send: Pick<QuoteDocument['send'], 'usd'> },
  style: Style,
): string {
  if (!quote.fees) return style.dim('The answer states no fees.');
  const whole = Usd.from(quote.send.usd ?? '') ?? 0n;
  const line = (label: string, usd: string, note: string): string[] => {
    const part = Usd.from(usd) ?? 0n;
    const room = style.width >= notesFrom ? style.dim(note) : '';
    return [label, Usd.format(part), Usd.formatBps(part, whole) ?? '', room];
  };
  const rows = [
    [style.dim('Fees'), style.dim('USD'), style.dim('bps'), ''],
    line('Execution', quote.fees.execution, 'flat fee, and gas that the service pays'),
    line('Swap', quote.fees.swap, 'exchange and rebalancing'),
    line('Platform', quote.fees.platform, 'the service’s fee'),
    ...(isZero(quote.fees.app) ? [] : [line('App', quote.fees.app, 'added by the app')]),
    ...(isZero(quote.fees.sponsored) ? [] : [line('Sponsored', quote.fees.sponsored, 'paid by the sponsor')]),
    line('Total', quote.fees.total, ''),
    ...(quote.originGas
      ? [
          line(
            quote.originGas.takenBy === 'venue' ? 'Venue fee' : 'Origin gas',
            Usd.formatWire(-(Usd.from(quote.originGas.usd) ?? 0n)),
            `paid to the ${quote.originGas.takenBy}, not in the total`,
          ),
        ]
      : []),
  ];
  return TerminalText.columns(
    rows.map((row) => (row[0] === 'Total' ? row.map((cell) => style.bold(cell)) : row)),
    [1, 2],
  );
}

/** What happens if less than the minimum would arrive: a payment on one chain reverts, and nothing is to be refunded. */
export function otherwise(
  { send, receive }: Record<'send' | 'receive', { currency: string }>,
  word: 'or' | 'else',
): string {
  const [from, to] = [send, receive].map(({ currency }) => currency.split('/', 1)[0]);
  return `${word} ${from === to ? 'it reverts' : 'refunded'}`;
}

function dollars(usd: string | null): string {
  return usd === null ? 'no price' : Usd.format(Usd.from(usd) ?? 0n);
}

function isZero(usd: string): boolean {
  return Usd.from(usd) === 0n;
}

export function address(text: string, style: Style): string {
  return style.width >= notesFrom ? TerminalText.escape(text) : Address.shorten(TerminalText.escape(text));
}

function same(a: string, b: string, note: string): string {
  return Address.isEqual(a, b) ? note : '';
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((each) => (each ? `  ${each}` : each))
    .join('\n');
}
