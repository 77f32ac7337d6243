/**
 * A quick, unverified reading of a run's journal for completion. It checks neither checksums nor the order of lines, so
 * nothing may be executed based on it.
 */
import { isMapping } from '../api/schema/Mapping.js';
import * as JsonText from '../text/JsonText.js';

export type Glance = {
  /** A one-line description. */
  summary: string;
  requestId: string | undefined;
  /** Whether something was signed or submitted and the outcome is unknown. */
  isUnfinished: boolean;
};

/** Reads a journal; undefined if the text is not a journal. */
export function from(text: string): Glance | undefined {
  const entries = text.split('\n').flatMap((line) => entryOf(line) ?? []);
  const [first] = entries;
  if (first?.type !== 'intent' || typeof first.summary !== 'string') return undefined;
  const named = entries.findLast(({ type }) => type === 'request') ?? entries.findLast(({ type }) => type === 'quote');
  const has = (pattern: RegExp): boolean => entries.some(({ type }) => typeof type === 'string' && pattern.test(type));
  return {
    summary: first.summary,
    requestId: isId(named?.requestId) ? named.requestId : undefined,
    isUnfinished: has(/^(signed|signed-.*|call|address|request)$/) && !has(/^outcome$/),
  };
}

type Entry = { type?: unknown; summary?: unknown; requestId?: unknown };

/** Undefined for a torn or invalid line. */
function entryOf(line: string): Entry | undefined {
  const { entry } = (JsonText.read(line) ?? {}) as { entry?: unknown };
  return isMapping(entry) ? entry : undefined;
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && /^0x[0-9a-fA-F]{8,64}$/.test(text);
}
