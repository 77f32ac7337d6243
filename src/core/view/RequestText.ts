/** Terminal text of requests: one per table row, or one in full. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import type { RecordedAppFee } from '../fees/RecordedAppFees.js';
import type { Phase, RequestDocument, Transaction } from '../history/RequestDocument.js';
import type { RequestSide } from '../history/RequestSide.js';
import type { UnreadableRecord } from '../history/UnreadableRecord.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

/** Column widths of the table; the request id comes last and has no fixed width. */
const widths = [16, 10, 9, 20, 20] as const;

/** The widest cell, whatever the service returns. */
const widest = 70;

/** The header of the table. */
export function heading(style: Style): string {
  return row(['Created (UTC)', 'Status', 'Funds', 'From', 'To', 'Request'].map(style.dim));
}

/** One request as a row of the table. Widths are fixed, because each row is printed as soon as it is known. */
export function line(
  { createdAt, status, funds, origin, destination, requestId }: RequestDocument,
  style: Style,
): string {
  return row([
    style.dim(createdAt === null ? '-' : createdAt.slice(0, 16).replace('T', ' ')),
    TerminalLine.cut(TerminalText.escape(status), widest),
    color(funds, style)(funds),
    side(origin),
    side(destination),
    TerminalLine.cut(TerminalText.escape(requestId), widest),
  ]);
}

/** A record that cannot be read, as a row of the table: the path takes the place of the currencies. */
export function unreadable({ path, problem, requestId }: UnreadableRecord, style: Style): string {
  const [, , , from, to] = widths;
  return [
    row([style.dim('-'), style.yellow('unreadable'), style.dim('-')]),
    TerminalText.padEnd(TerminalLine.cut(TerminalText.escape(`${path}: ${problem}`), 2 * widest), from + to + 2),
    requestId === null ? style.dim('-') : TerminalLine.cut(TerminalText.escape(requestId), widest),
  ].join('  ');
}

/** One request in full. */
export function format(request: RequestDocument, style: Style): string {
  const { funds, status, words, origin, destination, refunded, fees } = request;
  const rows: (readonly [label: string, value: string, note?: string])[] = [
    ['Status', style.bold(TerminalText.escape(status)), words],
    ['Funds', color(funds, style)(funds)],
    ...optional(
      'What',
      [request.kind, ...request.features.map((each) => each.replaceAll('_', ' '))].filter(Boolean).join(', '),
    ),
    [funds === 'untouched' ? 'To send' : 'Sent', side(origin), dollars(origin)],
    [arrival(request), side(destination), dollars(destination)],
    ...(refunded ? [['Returned', side(refunded), dollars(refunded)] as const] : []),
    ...optional('Sender', request.user),
    ...optional('Recipient', request.recipient),
    ...optional('Refunds to', request.refundTo),
    ...optional('Reason', request.failReason),
    ...optional('No refund', request.refundFailReason),
    ...optional('Failed', request.failedTxHash),
    ...optional('Replaced by', request.supersededBy),
    ...request.transactions.map((each) => transaction(each, style)),
    ...phase('Fees quoted', fees.quoted),
    ...phase('Fees charged', fees.actual),
    ...request.oldFees.map(({ field, usd, is }) => ['Old fees', `${field} ${inDollars(usd)}`, is] as const),
    ...request.appFees.map(appFee),
    ...optional('Referrer', request.referrer),
    ...order(request, style),
    ['Request', TerminalText.escape(request.requestId)],
    ...optional('Created', request.createdAt),
    ...optional('Updated', request.updatedAt),
  ];
  return TerminalText.columns(
    rows.map(([label, value, note]) => [style.dim(label), note ? `${value}  ${style.dim(note)}` : value]),
  );
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
function side({ formatted, amount, chain, chainId, address, currency }: RequestSide): string {
  if (chainId === null) return '-';
  const known = currency !== null && address !== null && !currency.endsWith(address);
  const token = known ? currency : `${chain ?? chainId}/${address === null ? '?' : Address.shorten(address)}`;
  const much = formatted === null ? (amount === null ? '' : `${amount} base units of`) : Amount.shorten(formatted);
  return TerminalLine.cut(TerminalText.escape(`${much} ${token}`.trim()), widest);
}

function dollars({ usd }: RequestSide): string {
  const value = Usd.from(usd ?? '');
  return value === undefined ? '' : Usd.format(value);
}

function transaction({ role, hash, url, chain, chainId, block, at, status }: Transaction, style: Style) {
  const shown = TerminalText.escape(hash);
  const where = [
    TerminalText.escape(chain ?? String(chainId ?? '')),
    block === null ? '' : `block ${block}`,
    at?.replace('.000Z', 'Z') ?? '',
    status === null || status === 'success' ? '' : TerminalText.escape(status),
  ];
  const label = { deposit: 'Deposit', fill: 'Fill', refund: 'Refund' }[role];
  return [label, url === null ? shown : style.link(shown, url), where.filter(Boolean).join(', ')] as const;
}

/** The total, and the components that are not zero. */
function phase(label: string, fees: Phase | null): (readonly [string, string, string])[] {
  if (!fees) return [];
  const parts = Object.entries(fees).flatMap(([name, text]) => {
    const usd = Usd.from(text ?? '');
    return usd === undefined ? [] : [{ name, usd }];
  });
  const total = parts.reduce((sum, { usd }) => sum + usd, 0n);
  const nonZero = parts.filter(({ usd }) => usd !== 0n).map(({ name, usd }) => `${name} ${Usd.format(usd)}`);
  return [[label, Usd.format(total), nonZero.join(', ')]];
}

/** `0xab…  5 bps, 5 USDC`, with what it was worth. */
function appFee({ when, recipient, bps, amount, formatted, symbol, usd }: RecordedAppFee) {
  const much = formatted ?? (amount === null ? null : `${amount} base units of`);
  const parts = [bps === null ? '' : `${bps} bps`, much === null ? '' : `${much} ${symbol ?? 'the currency'}`];
  return [
    when === 'quoted' ? 'App fee' : 'App fee paid',
    TerminalText.escape([recipient ?? '?', parts.filter(Boolean).join(', ')].filter(Boolean).join('  ')),
    usd === null ? '' : inDollars(usd),
  ] as const;
}

/** The order id, and what its terms say of it. */
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

function inDollars(text: string): string {
  const usd = Usd.from(text);
  return usd === undefined ? TerminalText.escape(text) : Usd.format(usd);
}

function optional(label: string, text: string | null): (readonly [string, string])[] {
  return text ? [[label, TerminalText.escape(text)]] : [];
}
