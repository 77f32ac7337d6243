/** A call trace from a node or from the service in one form, with the failing path marked, and its JSON document. */

import * as z from 'zod/mini';
import * as SimulationFailure from '../api/schema/SimulationFailure.js';
import * as DecodedFrame from './DecodedFrame.js';
import * as Frame from './Frame.js';
import * as Revert from './Revert.js';
import * as RevertText from './RevertText.js';

/** A trace as obtained, not yet decoded. */
export type Source =
  | { by: 'node'; frames: readonly Frame.Frame[] }
  /** The service reports only the failing path, and its own reading of the revert. */
  | { by: 'service'; frames: readonly Frame.Frame[]; claim: SimulationFailure.Revert };

export type Trace = {
  by: 'node' | 'service';
  failed: boolean;
  /** One sentence that says what happened, safe to print. */
  summary: string;
  failure?: Failure | undefined;
  /** In call order. */
  frames: readonly Call[];
  /** The service's reading of the revert, if the trace is from the service. */
  claim?: SimulationFailure.Revert | undefined;
};

export type Failure = {
  /** The index of the frame that caused the failure. */
  innermost: number;
  /** The indices of the frames from the top call down to it. */
  path: readonly number[];
  revert: Revert.Revert;
  /** The revert of the top call, if it differs. */
  reported?: Revert.Revert | undefined;
};

export type Call = DecodedFrame.Decoded & {
  /** The number of omitted calls below it. */
  hidden?: number | undefined;
};

export function from(source: Source, key: DecodedFrame.Key): Trace {
  const frames = source.frames.map((frame) => DecodedFrame.from(frame, key));
  if (source.by === 'service') return claimed(frames, source.claim, key);
  const path = failingPath(frames);
  const innermost = path.at(-1);
  const calls = marked(frames, path);
  if (innermost === undefined) return { by: 'node', failed: false, summary: success(frames), frames: calls };
  const revert = frames[innermost]?.revert ?? Revert.from('0x');
  const outer = frames[0]?.revert;
  const differs = outer && frames[0]?.output !== frames[innermost]?.output;
  const failure = { innermost, path, revert, ...(differs ? { reported: outer } : {}) };
  return { by: 'node', failed: true, summary: blame(calls, failure), failure, frames: calls };
}

/** Omits calls deeper than `levels` below the top call, but keeps the whole failing path. */
export function prune(trace: Trace, levels: number): Trace {
  const frames: Call[] = [];
  const places = new Map<number, number>();
  // By depth, the nearest frame that is kept.
  const line: (Call | undefined)[] = [];
  for (const [index, frame] of trace.frames.entries()) {
    const { depth } = frame;
    line.length = Math.min(line.length, depth);
    const above = line[depth - 1];
    const shown = depth <= levels || frame.onPath ? { ...frame } : undefined;
    line[depth] = shown ?? above;
    if (shown) {
      places.set(index, frames.length);
      frames.push(shown);
    } else if (above) above.hidden = (above.hidden ?? 0) + 1;
  }
  if (!trace.failure) return { ...trace, frames };
  const place = (index: number): number => places.get(index) ?? 0;
  const { innermost, path } = trace.failure;
  return { ...trace, frames, failure: { ...trace.failure, innermost: place(innermost), path: path.map(place) } };
}

/** The source of a trace document, to be decoded again; undefined if the value is not a trace document. */
export function fromDocument(document: unknown): Source | undefined {
  const read = z.safeParse(schema, document);
  if (!read.success) return undefined;
  const { by, claim } = read.data;
  const frames = read.data.frames.map(Frame.fromDocument);
  if (!Frame.isTree(frames)) return undefined;
  if (by === 'node') return { by, frames };
  return claim && { by, frames, claim };
}

/** Every call on the service's path failed, and the last one is the cause. */
function claimed(
  frames: readonly DecodedFrame.Decoded[],
  claim: SimulationFailure.Revert,
  key: DecodedFrame.Key,
): Trace {
  const innermost = frames.length - 1;
  const outer = Revert.fromService(claim, frames[innermost]?.revertReason, key.signatures);
  // An error that wraps another one was raised further out.
  const revert = rootOf(outer);
  const failing = frames.map((frame, index) => ({
    ...frame,
    failed: true,
    revert: index === innermost ? revert : index === 0 && outer !== revert ? outer : undefined,
  }));
  const path = failing.map((_, index) => index);
  const calls = marked(failing, path);
  const failure = { innermost, path, revert, ...(revert === outer ? {} : { reported: outer }) };
  return { by: 'service', failed: true, summary: blame(calls, failure), failure, frames: calls, claim };
}

function rootOf(revert: Revert.Revert): Revert.Revert {
  return revert.cause ? rootOf(revert.cause) : revert;
}

function marked(frames: readonly DecodedFrame.Decoded[], path: readonly number[]): readonly Call[] {
  const onPath = new Set(path);
  return frames.map((frame, index) => (onPath.has(index) ? { ...frame, onPath: true } : frame));
}

function blame(frames: readonly Call[], { innermost, revert }: Failure): string {
  return RevertText.sentence(frames[innermost] ?? { type: 'CALL' }, revert);
}

function success(frames: readonly DecodedFrame.Decoded[]): string {
  const caught = frames.filter(({ failed }) => failed).length;
  if (caught === 0) return 'It succeeded';
  return `It succeeded; ${caught} inner ${caught === 1 ? 'call' : 'calls'} failed and ${caught === 1 ? 'was' : 'were'} caught`;
}

/** The JSON document of a trace. Amounts are in decimal digits; unknown values are omitted. */
export const schema = z.object({
  /** Where the trace comes from. */
  by: z.enum(['node', 'service']),
  failed: z.boolean(),
  summary: z.string(),
  failure: z.optional(
    z.object({
      innermost: z.int(),
      path: z.array(z.int()),
      revert: Revert.schema,
      reported: z.optional(Revert.schema),
    }),
  ),
  frames: z.array(
    z.extend(Frame.schema, {
      args: z.optional(z.array(Revert.argument())),
      /** The returned values, if it succeeded. */
      returned: z.optional(z.array(Revert.argument())),
      /** All matching signatures, if more than one known function decodes the bytes. */
      signatures: z.optional(z.array(z.string())),
      failed: z.boolean(),
      revert: z.optional(Revert.schema),
      onPath: z.boolean(),
      /** The number of calls below it that --depth omits. */
      hidden: z.optional(z.int()),
    }),
  ),
  claim: z.optional(SimulationFailure.details.shape.revert),
});

/**
 * The indices of the frames from the top call down to the innermost one that caused the failure; empty if the top call
 * succeeded. Caught failures are not on the path.
 */
export function failingPath(
  frames: readonly Pick<DecodedFrame.Decoded, 'depth' | 'failed' | 'output'>[],
): readonly number[] {
  const inner: number[][] = frames.map(() => []);
  const above: number[] = [];
  for (const [index, { depth }] of frames.entries()) {
    above.length = depth;
    inner[above[depth - 1] ?? -1]?.push(index);
    above.push(index);
  }
  const path: number[] = [];
  for (let at = frames[0]?.failed ? 0 : undefined; at !== undefined; at = blamed(at)) path.push(at);
  return path;

  /** The inner call that made a call fail: the last one if it failed, else the last whose revert data it returned. */
  function blamed(at: number): number | undefined {
    const calls = inner[at] ?? [];
    const last = calls.at(-1);
    if (last !== undefined && frames[last]?.failed) return last;
    const { output = '0x' } = frames[at] ?? {};
    return output === '0x'
      ? undefined
      : calls.findLast((each) => frames[each]?.failed && frames[each]?.output === output);
  }
}
