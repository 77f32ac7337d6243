/** Finds a saved trace in the text of a file or a pipe. */
import * as z from 'zod/mini';
import * as ErrorBody from '../api/ErrorBody.js';
import * as SimulationFailure from '../api/schema/SimulationFailure.js';
import { BaseError } from '../base/Errors.js';
import * as JsonText from '../text/JsonText.js';
import * as TerminalText from '../text/TerminalText.js';
import * as CallTrace from './CallTrace.js';
import * as Frame from './Frame.js';

export type Saved = { source: CallTrace.Source; requestId?: string | undefined };

/**
 * Accepts a simulation failure of the service or its details alone, a ferry envelope that contains either, the output
 * of `ferry trace --json`, and a node's `callTracer` result, bare or in its JSON-RPC response.
 *
 * @throws trace.unreadable
 */
export function from(text: string, path: string): Saved {
  const values = documents(text);
  if (values.length === 0) throw noTrace(path, 'it is not JSON');
  for (const value of values.toReversed()) {
    const saved = find(value);
    if (saved) return saved;
  }
  const { message, code } = ErrorBody.from(values.at(-1));
  const reported = code ?? message;
  throw noTrace(path, reported === undefined ? 'it contains no calls' : 'it is an error without details', reported);
}

/** One JSON document, or JSON lines as streaming commands print them. */
function documents(text: string): readonly unknown[] {
  const whole = JsonText.read(text);
  if (whole !== undefined) return [whole];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(JsonText.read);
  return values.every((value) => value !== undefined) ? values : [];
}

/** The keys under which an envelope, a body or a response may contain a trace. */
const places = ['trace', 'error', 'data', 'details', 'body', 'result'] as const;

/** The maximum nesting of such keys. */
const maxWraps = 4;

function find(value: unknown, wraps = 0, outerId?: string): Saved | undefined {
  if (typeof value !== 'object' || value === null || wraps > maxWraps) return undefined;
  const here = value as Readonly<Record<string, unknown>>;
  const requestId = typeof here.requestId === 'string' ? here.requestId : outerId;
  const source = sourceOf(here);
  if (source) return { source, requestId };
  for (const place of places) {
    const found = find(here[place], wraps + 1, requestId);
    if (found) return found;
  }
  return undefined;
}

function sourceOf(value: Readonly<Record<string, unknown>>): CallTrace.Source | undefined {
  if (Array.isArray(value.frames)) return CallTrace.fromDocument(value);
  if (typeof value.type === 'string') {
    const frames = Frame.fromCallTracer(value);
    return frames && { by: 'node', frames };
  }
  const details = z.safeParse(SimulationFailure.details, value);
  return details.success
    ? { by: 'service', frames: Frame.fromDetails(details.data), claim: details.data.revert }
    : undefined;
}

function noTrace(path: string, reason: string, reported?: string): BaseError {
  return new BaseError(
    'trace.unreadable',
    `${path === '-' ? 'Standard input' : path} does not contain a trace: ${reason}.`,
    {
      facts: reported === undefined ? [] : [['error', TerminalText.escape(reported.slice(0, 300))]],
      hint: 'A trace is the 400 body of POST /execute, a ferry error envelope, or a callTracer frame.',
    },
  );
}
