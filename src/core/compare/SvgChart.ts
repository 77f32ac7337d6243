/** A comparison as a self-contained SVG file: no scripts, no external resources, readable on light and dark. */

import { element, type Node } from '../checks/Xml.js';
import * as TerminalText from '../text/TerminalText.js';
import * as Chart from './Chart.js';
import type { Comparison } from './Comparison.js';
import * as Scale from './Scale.js';

const width = 960;
const plot = { left: 84, right: width - 72, height: 380 };
const legendLine = 24;
const radius = 5.5;

/** The chart as SVG; a text instead if there are no quotes. */
export function format(comparison: Comparison, network: string): string {
  const chart = Chart.from(comparison);
  const { origin, quotedAt } = comparison;
  const symbol = TerminalText.escape(Chart.shorten(origin.symbol));
  const title = `What it costs to send ${symbol} from ${origin.chain}`;
  const when = new Date(quotedAt).toISOString().slice(0, 16).replace('T', ' ');
  const about = `Cost in basis points of the amount (100 bps = 1%), quoted on ${network} at ${when} UTC`;
  const head = [text({ x: 28, y: 40, class: 'ink title' }, title), text({ x: 28, y: 64, class: 'soft' }, about)];
  if (!chart)
    return document(180, title, about, [
      ...head,
      text({ x: 28, y: 120, class: 'ink' }, 'No quotes were received, so there is nothing to draw.'),
    ]);

  const { nodes: legend, bottom } = legendOf(chart, 96);
  const top = bottom + 44;
  const frame: Frame = { chart, y: scaleOf(chart), top, bottom: top + plot.height };
  const lane = chart.series.some(({ gaps }) => gaps.length > 0) ? 28 : 0;
  const inside = { x: plot.left, y: top, width: plot.right - plot.left, height: plot.height };
  return document(frame.bottom + 68 + lane, title, about, [
    element('clipPath', { id: 'plot' }, [element('rect', inside)]),
    ...head,
    ...legend,
    ...axes(frame, lane),
    ...chart.parts.flatMap((part, index) => curve(part, frame, `part p${index % partsCount}`)),
    ...chart.series.flatMap((series, index) => curve(series, frame, `curve s${index % seriesCount}`)),
    ...pointsOf(frame),
    ...(lane > 0 ? missing(frame) : []),
  ]);
}

type Frame = { chart: Chart.Chart; y: Scale.Scale; top: number; bottom: number };

/** The scale of the costs, including the parts that are at least a tenth of the lowest cost. */
function scaleOf({ series, parts }: Chart.Chart): Scale.Scale {
  const costs = series.flatMap(({ points: all }) => all.map(({ y }) => y));
  const floor = Math.min(...costs) / 10;
  return Scale.from([...costs, ...parts.flatMap(({ points: all }) => all.map(({ y }) => y).filter((y) => y >= floor))]);
}

function across({ chart }: Frame, x: number): number {
  // A margin inside the frame keeps marks at its ends whole.
  return plot.left + 16 + Scale.place(chart.x, x) * (plot.right - plot.left - 32);
}

function down({ y: scale, top, bottom }: Frame, y: number): number {
  return bottom - Scale.place(scale, y) * (bottom - top);
}

function axes(frame: Frame, lane: number): Node[] {
  const { chart, top, bottom } = frame;
  const rows = Scale.ticks(frame.y, 9).flatMap(({ value, label }) => {
    const y = down(frame, value);
    return [
      element('line', { x1: plot.left, x2: plot.right, y1: y, y2: y, class: 'grid' }),
      text({ x: plot.left - 10, y: y + 4.5, class: 'soft end' }, label),
      text({ x: plot.right + 10, y: y + 4.5, class: 'soft' }, `${Scale.label(value / 100)}%`),
    ];
  });
  const columns = Scale.ticksAt(chart.x, chart.amounts, 12).flatMap(({ value, label }) => {
    const x = across(frame, value);
    return [
      element('line', { x1: x, x2: x, y1: top, y2: bottom, class: 'grid' }),
      element('line', { x1: x, x2: x, y1: bottom, y2: bottom + 6, class: 'axis' }),
      text({ x, y: bottom + 24, class: 'soft middle' }, label),
    ];
  });
  const logarithmic = chart.x.kind === frame.y.kind ? 'both axes logarithmic' : 'logarithmic axis';
  return [
    ...rows,
    ...columns,
    element('line', { x1: plot.left, x2: plot.right, y1: bottom, y2: bottom, class: 'axis' }),
    text({ x: plot.left - 10, y: top - 12, class: 'soft end strong' }, 'bps'),
    text({ x: plot.right + 10, y: top - 12, class: 'soft strong' }, '%'),
    text(
      { x: (plot.left + plot.right) / 2, y: bottom + 50 + lane, class: 'soft middle' },
      `Amount in ${chart.unit} (${logarithmic})`,
    ),
  ];
}

function curve({ points: all }: Chart.Series, frame: Frame, name: string): Node[] {
  const drawn = all.filter(({ y }) => isDrawn(frame, y));
  const spots = drawn.map(({ x, y }) => ({ x: across(frame, x), y: down(frame, y) }));
  return [element('polyline', { points: points(spots), class: name, 'clip-path': 'url(#plot)' })];
}

/** A logarithmic axis cannot show zero: a line ends before it. */
function isDrawn({ y: scale }: Frame, y: number): boolean {
  return scale.kind === 'linear' || y > 0;
}

/** The marks, each with a tooltip, and as many labels as there is room for. */
function pointsOf(frame: Frame): Node[] {
  const { chart, top, bottom } = frame;
  const taken: Spot[] = [];
  const marks = chart.series.flatMap((series, index) =>
    series.points.map((point) => {
      const y = down(frame, point.y);
      const x = dodge({ x: across(frame, point.x), y }, taken);
      taken.push({ x, y });
      return { series, index, point, x, y };
    }),
  );
  const labels = place(
    marks.map(({ x, y, point }) => ({ x, y, text: point.label })),
    { left: plot.left, right: plot.right, top, bottom },
  );
  return [
    ...marks.map(({ series, index, point, x, y }) =>
      shape(index, x, y, `${point.amount} ${chart.unit} to ${series.name}: ${point.label} bps, ${point.usd}`),
    ),
    ...labels.map((label) => text({ x: label.x, y: label.y, class: 'ink value middle' }, label.text)),
  ];
}

/** The marks of missing quotes, below the axis at their amounts. */
function missing(frame: Frame): Node[] {
  const y = frame.bottom + 46;
  const taken: Spot[] = [];
  const marks = frame.chart.series.flatMap((series, index) =>
    series.gaps.map((amount) => {
      const x = dodge({ x: across(frame, amount), y }, taken);
      taken.push({ x, y });
      return shape(index, x, y, `${amount} ${frame.chart.unit} to ${series.name}: no quote`);
    }),
  );
  return [text({ x: plot.left - 10, y: y + 4.5, class: 'soft end' }, 'no quote'), ...marks];
}

function sample(x: number, at: number, style: string): Node {
  return element('line', { x1: x, x2: x + 26, y1: at - 4.5, y2: at - 4.5, class: style });
}

function legendOf({ series, parts }: Chart.Chart, y: number): { nodes: Node[]; bottom: number } {
  const entries = [
    ...series.map(({ name }, index) => ({
      words: parts.length > 0 ? `to ${name}, total` : `to ${name}`,
      draw: (x: number, at: number) => [sample(x, at, `curve s${index % seriesCount}`), shape(index, x + 13, at - 4.5)],
    })),
    ...parts.map(({ name }, index) => ({
      words: name,
      draw: (x: number, at: number) => [sample(x, at, `part p${index % partsCount}`)],
    })),
  ];
  let x = 28;
  let at = y;
  const nodes = entries.flatMap(({ words, draw }) => {
    const taken = 36 + textWidth(words, 13) + 22;
    if (x > 28 && x + taken > width - 20) {
      x = 28;
      at += legendLine;
    }
    const drawn = [...draw(x, at), text({ x: x + 36, y: at, class: 'ink' }, words)];
    x += taken;
    return drawn;
  });
  return { nodes, bottom: at };
}

/** The corners of a triangle, a square and a diamond, as pairs of radii. */
const corners = [
  [0, -1.25, 1.15, 0.85, -1.15, 0.85],
  [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
  [0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0],
];

/** The shape of a mark: filled shapes first, then hollow ones. */
function shape(index: number, x: number, y: number, tooltip?: string): Node {
  const r = radius;
  const name = `mark${index % seriesCount > 3 ? ' hollow' : ''} s${index % seriesCount}`;
  const tip = tooltip === undefined ? [] : [element('title', {}, tooltip)];
  const form = corners[(index % 4) - 1];
  if (!form) return element('circle', { cx: x, cy: y, r, class: name }, tip);
  const spots = form.flatMap((dx, i) => (i % 2 === 0 ? [{ x: x + dx * r, y: y + (form[i + 1] ?? 0) * r }] : []));
  return element('polygon', { points: points(spots), class: name }, tip);
}

function document(height: number, title: string, about: string, content: readonly Node[]): string {
  const size = { width, height: Math.ceil(height) };
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${size.width} ${size.height}`,
      ...size,
      role: 'img',
      'aria-labelledby': 'title about',
    },
    [
      element('title', { id: 'title' }, title),
      element('desc', { id: 'about' }, about),
      element('style', {}, sheet),
      element('rect', { ...size, class: 'paper' }),
      ...content,
    ],
  );
  return `${svg}\n`;
}

function text(attributes: { x: number; y: number; class: string }, words: string): Node {
  return element('text', attributes, words);
}

function points(spots: readonly Spot[]): string {
  return spots.map(({ x, y }) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`).join(' ');
}

type Spot = { x: number; y: number };
type Box = { left: number; right: number; top: number; bottom: number };

/** A label, centered at x, with its baseline at y. */
type Label = Spot & { text: string };

/** The size of the labels in pixels. */
const size = 12;

/** Upper bound on the width of a text in pixels, in any common sans-serif font. */
function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += character >= '\u1100' ? 1.05 : 0.64;
  return ems * fontSize;
}

function boxOf({ x, y, text }: Label): Box {
  const half = textWidth(text, size) / 2;
  return { left: x - half, right: x + half, top: y - size * 0.85, bottom: y + size * 0.25 };
}

/** The nearest x, starting with the mark's own, at which the mark hides no earlier one. */
function dodge({ x, y }: Spot, taken: readonly Spot[]): number {
  const tries = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((step) => x + step * (2 * radius + 1));
  // Marks that overlap by less than half are distinguishable, so they stay on their lines.
  return tries.find((at) => taken.every((each) => Math.hypot(each.x - at, each.y - y) >= radius)) ?? x;
}

/** Labels above, below or beside their marks, as far as there is room; earlier labels choose first. */
function place(wanted: readonly Label[], frame: Box): Label[] {
  const gap = radius + 5;
  const taken: Box[] = wanted.map(({ x, y }) => ({
    left: x - radius - 1,
    right: x + radius + 1,
    top: y - radius - 2,
    bottom: y + radius + 2,
  }));
  return wanted.flatMap(({ x, y, text }) => {
    const beside = textWidth(text, size) / 2 + gap;
    const choices = [
      [0, -gap - 2],
      [0, gap + size * 0.85],
      [beside, size * 0.3],
      [-beside, size * 0.3],
    ].map(([dx = 0, dy = 0]): Label => ({ text, x: x + dx, y: y + dy }));
    const free = choices.find(
      (each) => isWithin(boxOf(each), frame) && !taken.some((box) => overlaps(boxOf(each), box)),
    );
    if (!free) return [];
    taken.push(boxOf(free));
    return [free];
  });
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isWithin(box: Box, frame: Box): boolean {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}

const light = {
  paper: '#ffffff',
  ink: '#17202b',
  soft: '#55616f',
  grid: '#e6eaef',
  axis: '#8c98a6',
  /** Colors of the series, which also differ by mark. */
  series: ['#0b5fc0', '#b8500a', '#0d7a56', '#8438b0', '#bd2440', '#0a7480', '#75561c', '#4c5866'],
  /** Colors of the parts of a cost, which also differ by dash pattern. */
  parts: ['#b8500a', '#bd2440', '#8438b0', '#0d7a56', '#4c5866'],
};

const dark: typeof light = {
  paper: '#12171d',
  ink: '#eef2f6',
  soft: '#a3afbd',
  grid: '#28313b',
  axis: '#667380',
  series: ['#6db3ff', '#ffa562', '#51d3a3', '#cf9dff', '#ff8396', '#4fd5e1', '#dcb86f', '#b0bbc8'],
  parts: ['#ffa562', '#ff8396', '#cf9dff', '#51d3a3', '#b0bbc8'],
};

export const seriesCount = light.series.length;

export const partsCount = light.parts.length;

const dashes = ['7 5', '2 5', '10 4 2 4', '4 3', '1 3'];

const forms = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.title{font-size:21px;font-weight:650}',
  '.strong{font-weight:600}',
  '.end{text-anchor:end}',
  '.middle{text-anchor:middle}',
  '.value{font-size:12px;font-weight:600;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}',
  '.grid{stroke-width:1}',
  '.axis{stroke-width:1.5}',
  '.curve{fill:none;stroke:currentColor;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}',
  '.part{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}',
  '.mark{fill:currentColor;stroke-width:1.5}',
  '.hollow{stroke:currentColor;stroke-width:2}',
  ...dashes.map((dash, index) => `.p${index}{stroke-dasharray:${dash}}`),
];

/** The style sheet. It uses no custom properties, which many SVG renderers other than browsers do not support. */
export const sheet = [...forms, ...rules(light), `@media (prefers-color-scheme:dark){${rules(dark).join('')}}`].join(
  '',
);

function rules({ paper, ink, soft, grid, axis, series, parts }: typeof light): string[] {
  return [
    `.paper{fill:${paper}}`,
    `.ink{fill:${ink}}`,
    `.soft{fill:${soft}}`,
    `.grid{stroke:${grid}}`,
    `.axis{stroke:${axis}}`,
    `.value{stroke:${paper}}`,
    `.mark:not(.hollow){stroke:${paper}}`,
    `.hollow{fill:${paper}}`,
    ...series.map((color, index) => `.s${index}{color:${color}}`),
    ...parts.map((color, index) => `.p${index}{color:${color}}`),
  ];
}
