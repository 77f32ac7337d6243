/**
 * A look at a run's journal for whoever only wants to name it: neither its checksums nor the order of its lines are held
 * against anything, so nothing may be done by it.
 */

export type Glance = {
  network: string;
  /** One line for a person. */
  summary: string;
  requestId: string | undefined;
  /** Whether something was signed or handed over, and its end is not known. */
  isUnfinished: boolean;
};

/** Undefined where the text is no journal. */
export function from(text: string): Glance | undefined {
  const entries = text.split('\n').flatMap((line) => entryOf(line) ?? []);
  const [first] = entries;
  if (first?.type !== 'intent' || typeof first.summary !== 'string') return undefined;
  const named = entries.findLast(({ type }) => type === 'request') ?? entries.findLast(({ type }) => type === 'quote');
  const has = (pattern: RegExp): boolean => entries.some(({ type }) => typeof type === 'string' && pattern.test(type));
  return {
    network: String(first.network),
    summary: first.summary,
    requestId: isId(named?.requestId) ? named.requestId : undefined,
    isUnfinished: has(/^(signed|signed-.*|call|request)$/) && !has(/^outcome$/),
  };
}

type Entry = { type?: unknown; summary?: unknown; network?: unknown; requestId?: unknown };

/** A line that was torn off, or is none, is left out. */
function entryOf(line: string): Entry | undefined {
  try {
    const { entry } = JSON.parse(line) as { entry?: unknown };
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && /^0x[0-9a-fA-F]{8,64}$/.test(text);
}
