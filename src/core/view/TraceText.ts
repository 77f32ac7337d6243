/** Terminal text of a trace: a tree of calls, one line each, at any depth. */

import type * as SimulationFailure from '../api/schema/SimulationFailure.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ArgumentText from '../trace/ArgumentText.js';
import type { Call, Trace } from '../trace/CallTrace.js';
import * as CallTrace from '../trace/CallTrace.js';
import * as Frame from '../trace/Frame.js';
import * as KnownSignatures from '../trace/KnownSignatures.js';
import * as RevertText from '../trace/RevertText.js';

export type Detail = {
  /** `full` prints arguments and bytes uncut, at any width. */
  calldata?: 'cut' | 'full' | undefined;
  /** The symbol of the native asset; if undefined, values are in wei. */
  native?: string | undefined;
};

/** A failed simulation as reported by the service: the failure, and the calls that led to it. */
export function ofDetails(details: SimulationFailure.Details, style: Style): string {
  const source = { by: 'service', frames: Frame.fromDetails(details), claim: details.revert } as const;
  const trace = CallTrace.from(source, { signatures: KnownSignatures.signatures(), names: new Map() });
  return `${headline(trace, style)}\n\n${tree(trace, style)}`;
}

/** The result in one or two sentences, and for a failure the call path to it. */
export function headline({ failed, summary, failure, frames }: Trace, style: Style): string {
  const lines = TerminalLine.fold(summary, style.width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
  if (!failed) return `${style.green('✓')} ${lines.join('\n')}`;
  const path = (failure?.path ?? []).flatMap((index) => {
    const call = frames[index];
    return call ? [[target(call), ...called(call, undefined).map(([text]) => text)].join('')] : [];
  });
  const reported = failure?.reported && `reported as ${RevertText.format(failure.reported, 'sentence')}`;
  const more = [...(path.length > 1 ? [`in ${shortened(path).join(' → ')}`] : []), ...(reported ? [reported] : [])];
  return [
    `${style.red('✗')} ${style.bold(lines.join('\n'))}`,
    ...more.flatMap((each) => TerminalLine.fold(each, style.width - 2)).map((line) => `  ${style.dim(line)}`),
  ].join('\n');
}

/** Every call with its gas, arguments and value, and its return value or revert reason. */
export function tree({ frames, failure }: Trace, style: Style, options: Detail = {}): string {
  const room = gasColumns(frames);
  const width = style.width - room;
  const guides = guidesOf(frames, width);
  const forwarded = new Set(forwardedReverts(frames));
  const lines: string[] = room === 0 ? [] : [style.dim(`${'gas'.padStart(room - 2)}  calls`)];
  for (const [index, frame] of frames.entries()) {
    const { before, below } = guides[index] ?? { before: '', below: '' };
    const gas = frame.gasUsed === undefined ? '' : TerminalText.grouped(frame.gasUsed);
    const margin = room === 0 ? '' : `${gas.padStart(room - 2)}  `;
    lines.push(line(frame, margin + before, style, options));
    const indent = ' '.repeat(room) + below;
    if (frame.revert && (index === failure?.innermost || !forwarded.has(index)))
      lines.push(under(indent, [reason(frame, options), tone(frame, style)], style, options));
    if (frame.hidden)
      lines.push(under(indent, [`… ${frame.hidden} inner ${frame.hidden === 1 ? 'call' : 'calls'}`, style.dim], style));
  }
  return lines.join('\n');
}

/** The width of the gas column and its margin; zero if no frame states its gas. */
function gasColumns(frames: readonly Call[]): number {
  let most = 0;
  for (const { gasUsed = '' } of frames) if (gasUsed.length > most) most = gasUsed.length;
  return most === 0 ? 0 : most + Math.floor((most - 1) / 3) + 2;
}

function line(frame: Call, before: string, style: Style, options: Detail): string {
  const { failed, onPath, type } = frame;
  const start: TerminalLine.Piece[] = [
    [before, style.dim],
    [failed ? `${onPath ? '✗' : '!'} ` : '', tone(frame, style)],
    [`${TerminalText.escape(type)} `, style.dim],
    [target(frame), failed ? tone(frame, style) : style.cyan],
    ...called(frame, style),
  ];
  const end = valued(frame, style, options);
  if (options.calldata === 'full') return joined(start, given(frame, 'full'), gained(frame, 'full'), end, style);
  const room = style.width - TerminalLine.columns([...start, ...end]);
  const [args, returned] = [given(frame, 'line'), gained(frame, 'line')];
  if (TerminalText.width(args + returned) <= room) return joined(start, args, returned, end, style);
  // Parameter names are dropped before any value is cut.
  const values = given(frame, 'values');
  const back = TerminalLine.cut(gained(frame, 'values'), Math.max(16, room - TerminalText.width(values)));
  const most = Math.max(room - TerminalText.width(back), 4);
  return TerminalLine.format(
    [...start, [closed(values, most), TerminalLine.same], [back, style.green], ...end],
    style.width,
  );
}

function joined(
  start: readonly TerminalLine.Piece[],
  args: string,
  returned: string,
  end: readonly TerminalLine.Piece[],
  style: Style,
): string {
  const pieces: readonly TerminalLine.Piece[] = [...start, [args, TerminalLine.same], [returned, style.green], ...end];
  return pieces.map(([text, dress]) => (text === '' ? '' : dress(text))).join('');
}

function closed(args: string, room: number): string {
  if (TerminalText.width(args) <= room) return args;
  return `${TerminalLine.cut(args.slice(0, -1), room - 1)})`;
}

/** Red for failures that made the top call fail, yellow for caught failures. */
function tone({ onPath }: Call, style: Style): (text: string) => string {
  return onPath ? style.red : style.yellow;
}

function reason({ revert, onPath }: Call, { calldata }: Detail): string {
  if (!revert) return '';
  return `↳ ${onPath ? '' : 'caught: '}${RevertText.format(revert, calldata === 'full' ? 'full' : 'line')}`;
}

function target({ type, contract, to, input }: Call): string {
  if (contract !== undefined) return TerminalText.escape(contract);
  if (to !== undefined) return Address.shorten(to);
  if (type.startsWith('CREATE') && input !== undefined) return `(${(input.length - 2) / 2} bytes of code)`;
  return 'a contract';
}

function called({ function: name, signatures, selector }: Call, style: Style | undefined): TerminalLine.Piece[] {
  const shown = signatures?.join(' or ') ?? (name === undefined ? selector : TerminalText.escape(name));
  if (shown === undefined) return [];
  return [
    ['.', TerminalLine.same],
    [shown, style?.bold ?? TerminalLine.same],
  ];
}

/** The arguments in parentheses; raw bytes if they cannot be decoded. */
function given({ type, args, input, selector }: Call, length: ArgumentText.Length): string {
  if (args) return `(${ArgumentText.format(args, length)})`;
  if (input === undefined || input === '0x') return '';
  const bytes = selector === undefined ? input : `0x${input.slice(10)}`;
  if (length === 'full') return `(${bytes})`;
  if (bytes === '0x') return '()';
  return type.startsWith('CREATE') ? '' : `(${bytes.slice(0, 66)}${bytes.length > 66 ? '…' : ''})`;
}

function gained({ type, failed, returned, output }: Call, length: ArgumentText.Length): string {
  if (failed || type.startsWith('CREATE')) return '';
  if (returned) return ` → ${ArgumentText.format(returned, length)}`;
  if (output === undefined || output === '0x') return '';
  return ` → ${length === 'full' || output.length <= 18 ? output : `${output.slice(0, 18)}…`}`;
}

function valued({ value }: Call, style: Style, { native }: Detail): TerminalLine.Piece[] {
  if (value === undefined || value === '0') return [];
  const amount = native === undefined ? `${value} wei` : `${Amount.format(BigInt(value), 18)} ${native}`;
  return [[`  ${amount}`, style.yellow]];
}

function under(indent: string, [text, dress]: TerminalLine.Piece, style: Style, { calldata }: Detail = {}): string {
  const shown = calldata === 'full' ? text : TerminalLine.cut(text, style.width - indent.length);
  return style.dim(indent) + dress(shown);
}

/** The frames that only forward the revert of an inner call, where it is already printed. */
function* forwardedReverts(frames: readonly Call[]): Generator<number> {
  const line: number[] = [];
  for (const [index, { depth, failed, output, revert }] of frames.entries()) {
    line.length = Math.min(line.length, depth);
    const above = line[depth - 1];
    line.push(index);
    if (above === undefined || !failed) continue;
    const parent = frames[above];
    if (parent?.failed && parent.output === output && parent.revert?.reason === revert?.reason) yield above;
  }
}

function shortened(path: readonly string[]): readonly string[] {
  if (path.length <= 8) return path;
  return [...path.slice(0, 3), `… ${path.length - 7} more …`, ...path.slice(-4)];
}

type Guides = {
  before: string;
  below: string;
};

type Nested = { depth: number };

/** The prefixes of each line. Beyond a depth that depends on the width, levels are printed as numbers. */
export function guidesOf(frames: readonly Nested[], width: number): readonly Guides[] {
  const drawn = Math.max(4, Math.floor((width - 54) / 2));
  const isLast = lastOnes(frames);
  // By depth: the prefix for children of the latest frame.
  const running: string[] = [];
  return frames.map(({ depth }, index) => {
    const next = frames[index + 1];
    const parent = depth === 0 ? '' : (running[Math.min(depth, drawn) - 1] ?? '');
    const last = isLast[index] === 1;
    if (depth < drawn) running[depth] = depth === 0 ? '' : parent + (last ? '  ' : '│ ');
    const count = depth > drawn ? `${depth} ` : '';
    const before = depth === 0 ? '' : `${parent}${count}${last ? '└ ' : '├ '}`;
    const own = depth === 0 ? '' : parent + ' '.repeat(count.length) + (last ? '  ' : '│ ');
    return { before, below: own + (next && next.depth > depth ? '│ ' : '  ') };
  });
}

/** 1 for each frame that is the last one within its parent. */
function lastOnes(frames: readonly Nested[]): Uint8Array {
  const last = new Uint8Array(frames.length);
  const followed: boolean[] = [];
  for (let index = frames.length - 1; index >= 0; index--) {
    const depth = frames[index]?.depth ?? 0;
    if (!followed[depth]) last[index] = 1;
    followed[depth] = true;
    followed.length = depth + 1;
  }
  return last;
}
