/** Terminal text of requests: one per table row, or one in full. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import type { RecordedAppFee } from '../fees/RecordedAppFees.js';
import type { Phase, RequestDocument, Transaction } from '../history/RequestDocument.js';
import type { RequestSide } from '../history/RequestSide.js';
import type { UnreadableRecord } from '../history/UnreadableRecord.js';
import * as ReportedContracts from '../network/ReportedContracts.js';
import * as Place from '../text/Place.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import { appFeeParts } from './FeesText.js';

/** Column widths of the table; the request id comes last and has no fixed width. */
const widths = [16, 10, 9, 20, 20] as const;

/** The widest cell, whatever the service returns. */
const widest = 70;

/** The width of the table: its columns, the gaps between them, and a request id. */
const whole = widths.reduce<number>((sum, each) => sum + each + 2, 66);

/** The header of the table; nothing on a terminal that is narrower, where each request takes several lines. */
export function heading(style: Style): string | undefined {
  if (style.lineWidth < whole) return undefined;
  return row([`Created (${style.zone})`, 'Status', 'Funds', 'From', 'To', 'Request'].map(style.dim));
}

/** One request as a row of the table. Widths are fixed, because each row is printed as soon as it is known. */
export function line(
  { createdAt, status, funds, origin, destination, requestId }: RequestDocument,
  style: Style,
): string {
  // Most requests of a service are quotes that nobody has paid, and will not be.
  const isQuote = status === 'waiting' && funds === 'untouched';
  const cells = [
    style.dim(createdAt === null ? '-' : style.minute(Date.parse(createdAt))),
    isQuote ? 'quoted' : TerminalLine.cut(TerminalText.escape(status), widest),
    isQuote ? 'not paid' : color(funds, style)(funds),
    side(origin, style),
    side(destination, style),
    TerminalLine.cut(TerminalText.escape(requestId), widest),
  ] as const;
  if (style.lineWidth >= whole) return row(cells);
  const [created, word, where, from, to, id] = cells;
  return [
    `${created}  ${word}  ${where}`,
    ...TerminalLine.fold(`${from} → ${to}`, style.lineWidth - 2).map((each) => `  ${each}`),
    `  ${id}`,
  ].join('\n');
}

/** A record that cannot be read, as a row of the table: the path takes the place of the currencies. */
export function unreadable({ path, problem, requestId }: UnreadableRecord, style: Style): string {
  const [, , , from, to] = widths;
  const what = TerminalText.escape(`${path}: ${problem}`);
  const id = requestId === null ? undefined : TerminalLine.cut(TerminalText.escape(requestId), widest);
  if (style.lineWidth < whole) {
    const below = [...TerminalLine.fold(what, style.lineWidth - 2), ...(id === undefined ? [] : [id])];
    return [style.yellow('unreadable'), ...below.map((each) => `  ${each}`)].join('\n');
  }
  return [
    row([style.dim('-'), style.yellow('unreadable'), style.dim('-')]),
    TerminalText.padEnd(TerminalLine.cut(what, 2 * widest), from + to + 2),
    id ?? style.dim('-'),
  ].join('  ');
}

export function format(request: RequestDocument, style: Style, place?: Place.Place): string {
  const { funds, status, words, origin, destination, refunded, fees } = request;
  const rows: TerminalTable.Row[] = [
    ['Status', style.bold(TerminalText.escape(status)), words],
    ['Funds', color(funds, style)(funds)],
    ['Network', place && Place.shown(place, style)],
    [
      'What',
      given([request.kind, ...request.features.map((each) => each.replaceAll('_', ' '))].filter(Boolean).join(', ')),
    ],
    [funds === 'untouched' ? 'To send' : 'Sent', side(origin, style), dollars(origin, style)],
    [arrival(request), side(destination, style), dollars(destination, style)],
    ['Returned', refunded && side(refunded, style), refunded ? dollars(refunded, style) : ''],
    ['Sender', party(request.user)],
    ['Recipient', party(request.recipient)],
    ['Refunds to', party(request.refundTo)],
    ['Reason', given(request.failReason)],
    ['No refund', given(request.refundFailReason)],
    ['Failed', given(request.failedTxHash)],
    ['Replaced by', given(request.supersededBy)],
    ...request.transactions.map((each) => transaction(each, style)),
    ...phase('Fees quoted', fees.quoted, style),
    ...phase('Fees charged', fees.actual, style),
    ...request.oldFees.map(({ field, usd, is }) => ['Old fees', `${field} ${inDollars(usd, style)}`, is] as const),
    ...request.appFees.map((each) => appFee(each, style)),
    ['Referrer', given(request.referrer)],
    ...order(request, style),
    ['Request', TerminalText.escape(request.requestId)],
    ['Created', given(moment(request.createdAt, style))],
    ['Updated', given(moment(request.updatedAt, style))],
  ];
  return TerminalTable.rows(rows, style);
}

function party(account: string | null): string | null {
  return account === null ? null : ReportedContracts.show(account);
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => TerminalText.padEnd(cell, widths[i] ?? 0)).join('  ');
}

function color(funds: RequestDocument['funds'], style: Style): (text: string) => string {
  if (funds === 'delivered') return style.green;
  if (funds === 'returned') return style.yellow;
  return funds === 'held' ? style.red : style.cyan;
}

/** The label of the amount at the destination, which is the quoted amount until delivery. */
function arrival({ funds, finished }: RequestDocument): string {
  if (funds === 'delivered') return 'Received';
  return finished ? 'Quoted' : 'Expected';
}

/** `100 alpha/usdc`, with the address of an unknown token. */
function side({ formatted, amount, chain, chainId, address, currency }: RequestSide, style: Style): string {
  if (chainId === null) return '-';
  const known = currency !== null && address !== null && !currency.endsWith(address);
  const token = known ? currency : `${chain ?? chainId}/${address === null ? '?' : Address.shorten(address)}`;
  const much =
    formatted === null ? (amount === null ? '' : `${amount} base units of`) : style.number(Amount.shorten(formatted));
  return TerminalLine.cut(TerminalText.escape(`${much} ${token}`.trim()), widest);
}

function dollars({ usd }: RequestSide, style: Style): string {
  const value = Usd.from(usd ?? '');
  return value === undefined ? '' : style.number(Usd.format(value));
}

function transaction({ role, hash, url, chain, chainId, block, at, status }: Transaction, style: Style) {
  const shown = TerminalText.escape(hash);
  const where = [
    TerminalText.escape(chain ?? String(chainId ?? '')),
    block === null ? '' : `block ${block}`,
    at === null ? '' : style.zone === 'UTC' ? at.replace('.000Z', 'Z') : style.minute(Date.parse(at)),
    status === null || status === 'success' ? '' : TerminalText.escape(status),
  ];
  const label = { deposit: 'Deposit', fill: 'Fill', refund: 'Refund' }[role];
  return [label, url === null ? shown : style.link(shown, url), where.filter(Boolean).join(', ')] as const;
}

function moment(at: string | null, style: Style): string | null {
  return at && style.time(Date.parse(at));
}

/** The total, and the components that are not zero. */
function phase(label: string, fees: Phase | null, style: Style): (readonly [string, string, string])[] {
  if (!fees) return [];
  const dollar = (usd: bigint): string => style.number(Usd.format(usd));
  const parts = Object.entries(fees).flatMap(([name, text]) => {
    const usd = Usd.from(text ?? '');
    return usd === undefined ? [] : [{ name, usd }];
  });
  const total = parts.reduce((sum, { usd }) => sum + usd, 0n);
  const nonZero = parts.filter(({ usd }) => usd !== 0n).map(({ name, usd }) => `${name} ${dollar(usd)}`);
  return [[label, dollar(total), nonZero.join(', ')]];
}

/** `0xab…  5 bps, 5 USDC`, with what it was worth. */
function appFee(fee: RecordedAppFee, style: Style) {
  const { when, recipient, usd } = fee;
  return [
    when === 'quoted' ? 'App fee' : 'App fee paid',
    TerminalText.escape([recipient ?? '?', appFeeParts(fee, style).join(', ')].filter(Boolean).join('  ')),
    usd === null ? '' : inDollars(usd, style),
  ] as const;
}

function order({ orderId, order: proof }: RequestDocument, style: Style): (readonly [string, string, string])[] {
  if (!proof) return orderId === null ? [] : [['Order', TerminalText.escape(orderId), '']];
  const id = TerminalText.escape(orderId ?? proof.recomputed ?? '-');
  const said = {
    verified: 'its terms hash to this id',
    mismatch: `its terms hash to another id, ${proof.recomputed}`,
    'cannot verify': `not checked: ${TerminalLine.cut(TerminalText.escape(proof.why ?? ''), widest)}`,
  }[proof.verdict];
  return [['Order', proof.verdict === 'mismatch' ? style.red(id) : id, said]];
}

function inDollars(text: string, style: Style): string {
  const usd = Usd.from(text);
  return usd === undefined ? TerminalText.escape(text) : style.number(Usd.format(usd));
}

function given(text: string | null): string | null {
  return text ? TerminalText.escape(text) : null;
}
