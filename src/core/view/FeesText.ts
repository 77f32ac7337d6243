/** Terminal text of a fee statement: the bill of a transfer, explained. */
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import type { Statement } from '../fees/FeeStatement.js';
import type { RecordedAppFee } from '../fees/RecordedAppFees.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

type Component = Statement['components'][number];

/** From this width on, the meaning of each part is printed next to its figures, otherwise below the table. */
const notesFrom = 130;

/** From this width on, there is room for units of the input next to quoted and charged. */
const tokensFrom = 78;

/** The mark of each part in the bar and in the table. */
const marks = {
  execution: { name: 'Execution', mark: '#', paint: 'cyan' },
  swap: { name: 'Swap', mark: '=', paint: 'yellow' },
  platform: { name: 'Platform', mark: '+', paint: 'green' },
  app: { name: 'App', mark: '@', paint: 'bold' },
  rent: { name: 'Rent', mark: '%', paint: 'bold' },
  sponsored: { name: 'Sponsored', mark: ' ', paint: 'green' },
  'origin-gas': { name: 'Origin gas', mark: '~', paint: 'red' },
  'venue-fee': { name: 'Venue fee', mark: '!', paint: 'red' },
} as const satisfies Record<string, Omit<Segment, 'size'> & { name: string }>;

export function format(statement: Statement, style: Style): string {
  const blocks = [
    [headline(statement, style), ...bar(statement, style)],
    [table(statement, style)],
    style.width < notesFrom ? meanings(statement, style) : [],
    recommended(statement, style),
    sponsorship(statement, style),
    appFees(statement, style),
    deprecated(statement, style),
    statement.notes.flatMap((note) => bullet('·', note, style)),
    verdict(statement, style),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headline({ input, output, source, status, requestId }: Statement, style: Style): string {
  const side = ({ formatted, symbol, chain, chainId }: Statement['input']): string =>
    `${formatted === null ? '?' : style.number(Amount.shorten(formatted))} ${symbolOf(symbol ?? '?')} on ${chain ?? chainId ?? '?'}`;
  const what = source === 'quote' ? 'quoted' : TerminalText.escape(status ?? '');
  const id = style.width >= notesFrom ? ` ${TerminalText.escape(requestId)}` : '';
  return [
    ...TerminalLine.fold(`${side(input)} → ${side(output)}`, style.width).map(style.bold),
    style.dim(`${what}${id}, input ${dollars(input.usd, style) || 'of unknown value'}`),
  ].join('\n');
}

/** A symbol of the service's, too short to make a line that looks like one of ferry's. */
function symbolOf(text: string): string {
  return TerminalLine.cut(TerminalText.escape(text), 12);
}

/** The parts that cost something, each as wide as its share. */
function bar({ components, outside, total }: Statement, style: Style): string[] {
  const segment = (key: keyof typeof marks, usd: string | null): Segment => ({
    ...marks[key],
    size: -(Usd.from(usd ?? '0') ?? 0n),
  });
  const text = stackedBar(
    [
      ...components.map(({ component, quoted, actual }) =>
        segment(component, (total.actual && actual ? actual : quoted).usd),
      ),
      ...outside.map(({ cost, usd }) => segment(cost, usd)),
    ],
    Math.min(style.width - 2, 76),
    style,
  );
  return text === '' ? [] : ['', `[${text}]`];
}

function table(statement: Statement, style: Style): string {
  const { components, outside, total, input } = statement;
  const isCharged = total.actual !== null || outside.some(({ when }) => when === 'actual');
  const isWide = style.width >= notesFrom;
  const hasTokens = input.symbol !== null && (!isCharged || style.width >= tokensFrom);
  const row = (cells: Cells): string[] => [
    cells.label,
    cells.usd,
    ...(isCharged ? [cells.actual] : []),
    ...(total.difference === null ? [] : [cells.difference]),
    ...(hasTokens ? [cells.tokens] : []),
    cells.bps,
    ...(isWide ? [cells.note] : []),
  ];
  const symbol = symbolOf(input.symbol ?? '');
  const head = { label: 'Part', usd: isCharged ? 'Quoted' : 'USD', actual: 'Charged', difference: 'Change' };
  const rows = [
    row({ ...head, tokens: symbol, bps: 'bps', note: '' }).map(style.dim),
    ...components.flatMap((each) => componentRows(each, style).map(row)),
    row({ ...figures(total.quoted, total.actual, total.difference, style), label: '  Total', note: '' }).map(
      style.bold,
    ),
    ...outside.map((each) => row(outsideCells(each, input, style))),
  ];
  return TerminalText.columns(
    rows,
    row(none)
      .map((_, i) => i)
      .slice(1, isWide ? -1 : undefined),
  );
}

type Cells = Record<'label' | 'usd' | 'actual' | 'difference' | 'tokens' | 'bps' | 'note', string>;

function componentRows(
  { component, what, paidTo, quoted, actual, difference, parts }: Component,
  style: Style,
): Cells[] {
  const { name, mark, paint } = marks[component];
  const label = `${mark === ' ' ? mark : style[paint](mark)} ${name}`;
  const inner = parts.map(({ part, what: of, usd }) => ({
    ...none,
    label: style.dim(`    ${partNames[part] ?? part}`),
    usd: style.dim(dollars(usd, style)),
    note: style.dim(of),
  }));
  return [
    {
      ...figures(quoted, actual, difference, style),
      label,
      note: style.dim(`${what}${paidTo === 'nobody' ? '' : `, to ${TerminalText.escape(paidTo)}`}`),
    },
    ...inner,
  ];
}

const none: Cells = { label: '', usd: '', actual: '', difference: '', tokens: '', bps: '', note: '' };

const partNames: Readonly<Record<string, string>> = {
  flat: 'flat fee',
  gas: 'gas',
  activation: 'activation',
  rebalancing: 'rebalancing',
  exchange: 'exchange',
};

function outsideCells(
  { cost, paidTo, when, usd, formatted, symbol, bps }: Statement['outside'][number],
  input: Statement['input'],
  style: Style,
): Cells {
  const { name, mark, paint } = marks[cost];
  const shown =
    usd === null ? `${style.number(Amount.shorten(formatted))} ${TerminalText.escape(symbol)}` : dollars(usd, style);
  return {
    ...none,
    label: `${style[paint](mark)} ${name}`,
    ...(when === 'quoted' ? { usd: shown } : { actual: shown }),
    tokens: symbol === input.symbol ? `-${style.number(Amount.shorten(formatted))}` : '',
    bps: bps ?? '',
    note: style.dim(`to the ${paidTo}, not in the total`),
  };
}

function figures(
  quoted: Component['quoted'],
  actual: Component['actual'],
  difference: string | null,
  style: Style,
): Omit<Cells, 'label' | 'note'> {
  return {
    usd: dollars(quoted.usd, style),
    actual: dollars(actual?.usd ?? null, style),
    difference: difference === null || Usd.from(difference) === 0n ? '' : dollars(difference, style),
    tokens: quoted.formatted === null ? '' : style.number(Amount.shorten(quoted.formatted)),
    bps: quoted.bps ?? '',
  };
}

/** The meaning of each part, if the table has no room for it. */
function meanings({ components, outside }: Statement, style: Style): string[] {
  const lines = [
    ...components.map(({ component, what, paidTo }) => [
      marks[component].name,
      `${what}${paidTo === 'nobody' ? '' : `; to ${TerminalText.escape(paidTo)}`}`,
    ]),
    ...outside.map(({ cost, paidTo }) => [marks[cost].name, `to the ${paidTo}, not in any component or the total`]),
  ];
  return lines.flatMap(([name = '', text = '']) => hanging(name, text, style));
}

function recommended({ recommended: shown }: Statement, style: Style): string[] {
  const { providerFee, swapImpact, appFee } = shown;
  const app = Usd.isZero(appFee) ? '' : `, app fee ${dollars(appFee, style)}`;
  return hanging(
    'In short',
    `provider fee ${dollars(providerFee, style)}, execution and swap ${dollars(swapImpact, style)}${app}`,
    style,
  );
}

function sponsorship({ sponsorship: shown }: Statement, style: Style): string[] {
  if (!shown) return [];
  const parts = shown.parts
    .filter(({ sponsored }) => !Usd.isZero(sponsored))
    .map(({ component, sponsored, total }) => {
      const whole = sponsored === total ? '' : ` of ${dollars(total, style)}`;
      return `${component} ${dollars(sponsored, style)}${whole}`;
    });
  const capped = shown.capped ? ', up to its limit' : '';
  return hanging(
    'Sponsor',
    `pays ${dollars(shown.sponsored, style)}${capped}: ${parts.join(', ') || 'nothing'}`,
    style,
  );
}

function appFees({ appFees: fees }: Statement, style: Style): string[] {
  return fees.flatMap((fee) => {
    const { when, recipient, usd } = fee;
    const parts = [...appFeeParts(fee, style), ...(usd === null ? [] : [dollars(usd, style)])];
    const text = `to ${recipient ?? '?'}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
    return hanging(when === 'quoted' ? 'App fee' : 'App paid', TerminalText.escape(text), style);
  });
}

/** What an app fee comes to, as far as the record states it: `5 bps`, `0.05 USDC`. */
export function appFeeParts({ bps, amount, formatted, symbol }: RecordedAppFee, style: Style): string[] {
  const much =
    (formatted === null ? null : style.number(formatted)) ?? (amount === null ? null : `${amount} base units of`);
  return [...(bps === null ? [] : [`${bps} bps`]), ...(much === null ? [] : [`${much} ${symbol ?? 'the currency'}`])];
}

function deprecated({ deprecated: shown }: Statement, style: Style): string[] {
  if (!shown) return [];
  const fields = shown.fields.filter(({ usd }) => !Usd.isZero(usd));
  if (fields.length === 0 && shown.swapLeftOut === null) return [];
  return [
    ...TerminalLine.fold('Deprecated fields, do not rely on them:', style.width).map(style.dim),
    ...fields.flatMap(({ field, usd, is }) => hanging(`fees.${field}`, `${dollars(usd, style)}: ${is}`, style, 21)),
    ...(shown.swapLeftOut === null
      ? []
      : hanging('left out', `${dollars(shown.swapLeftOut, style)} of the swap`, style, 21)),
  ];
}

/** Whether the figures add up, and the unmet requirements of --check. */
function verdict({ checks, schedule, expectation }: Statement, style: Style): string[] {
  const broken = checks.filter((each) => each.verdict === 'broken');
  const undecided = checks.filter((each) => each.verdict === 'cannot tell');
  const fits = schedule?.onSchedule ? ', and the platform fee matches the schedule' : '';
  const sums =
    broken.length > 0
      ? broken.flatMap(({ check, expected, found }) =>
          bullet(style.red('✗'), `${check}: expected ${expected}, found ${found}`, style),
        )
      : undecided.length > 0
        ? bullet(
            style.yellow('?'),
            `No contradictions, but ${undecided.map(({ check }) => check).join(', ')} cannot be checked.`,
            style,
          )
        : bullet(style.green('✓'), `Everything adds up${fits}.`, style);

  if (!expectation) return sums;
  const further = expectation.unmet.filter((each) => !broken.some(({ check }) => each.startsWith(`${check}:`)));
  return [...sums, ...further.flatMap((each) => bullet(style.red('✗'), each, style))];
}

function hanging(label: string, text: string, style: Style, indent = 12): string[] {
  return TerminalLine.hang(style.dim(label), text, { columns: style.width, indent });
}

function bullet(mark: string, text: string, style: Style): string[] {
  const [first = '', ...more] = TerminalLine.fold(TerminalText.escape(text), style.width - 2);
  return [`${mark} ${first}`, ...more.map((line) => `  ${line}`)];
}

function dollars(usd: string | null, style: Style): string {
  return usd === null ? '' : style.number(Usd.shown(usd));
}

export type Segment = {
  mark: string;
  size: bigint;
  paint: keyof Pick<Style, 'cyan' | 'yellow' | 'green' | 'red' | 'bold'>;
};

/** Segments as long as their share of the whole, at least one column each; empty if all are zero. */
export function stackedBar(segments: readonly Segment[], columns: number, style: Style): string {
  const shown = segments.filter(({ size }) => size > 0n);
  return shown.map(({ mark, paint }, i) => style[paint](mark.repeat(lengths(shown, columns)[i] ?? 0))).join('');
}

/** The width of each segment in columns. They add up to `columns`; the largest segment takes the remainder. */
function lengths(segments: readonly Segment[], columns: number): number[] {
  const whole = segments.reduce((sum, { size }) => sum + size, 0n);
  const all = segments.map(({ size }) => Math.max(1, Number((size * BigInt(columns)) / whole)));
  const largest = segments.reduce((best, { size }, i) => (size > (segments[best]?.size ?? 0n) ? i : best), 0);
  const left = columns - all.reduce((sum, each) => sum + each, 0);
  return all.map((each, i) => (i === largest ? each + left : each));
}
