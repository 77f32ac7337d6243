/**
 * The control plane for faults: what shall go wrong, where and how often. Tests, `ferry sandbox` and `ferry smoke` add
 * faults over HTTP; the routes and the solver ask for them here.
 */
import * as z from 'zod/mini';
import * as Tampering from './Tampering.js';

const count = z.int().check(z.nonnegative());

const matchSchema = z.strictObject({
  method: z.optional(z.string()),
  /** The beginning of the path: `/quote` matches `/quote/v2`. */
  path: z.optional(z.string()),
  requestId: z.optional(z.string()),
  user: z.optional(z.string()),
  referrer: z.optional(z.string()),
});

const common = {
  match: z._default(matchSchema, {}),
  /** How often it strikes; 0 is until it is cleared. */
  times: z._default(count, 1),
  /** How many matching requests it lets pass first. */
  after: z._default(count, 0),
};

/** An answer that is not the routes'. */
const foreign = {
  status: z.int().check(z.gte(200), z.lte(599)),
  /** The answer's body; without it, the documented one of that status. */
  body: z.optional(z.unknown()),
  headers: z.optional(z.record(z.string(), z.string())),
  ...common,
};

/** A fault as it is added. */
export const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), delayMs: count, ...common }),
  z.strictObject({ kind: z.literal('drop'), ...common }),
  z.strictObject({ kind: z.literal('drop-after'), ...common }),
  z.strictObject({ kind: z.literal('status'), ...foreign }),
  /** The same answer, but what the request asked for is done. */
  z.strictObject({ kind: z.literal('status-after'), ...foreign }),
  z.strictObject({
    kind: z.literal('html'),
    status: z._default(z.int().check(z.gte(200), z.lte(599)), 502),
    ...common,
  }),
  z.strictObject({ kind: z.literal('truncate'), ...common }),
  z.strictObject({ kind: z.literal('empty'), ...common }),
  z
    .strictObject({
      kind: z.literal('tamper'),
      /** A JSON pointer into the answer: `/details/currencyOut/amount`. */
      path: z.optional(z.string().check(z.regex(/^(\/[^/]*)+$/))),
      /** What stands there instead; absent removes it. */
      value: z.optional(z.unknown()),
      /** In place of a path: how a dishonest service would change a quote. */
      recipe: z.optional(z.enum(Tampering.recipes)),
      /** Whether a recipe makes the rest fit: the order id, what carries it and what repeats the change. */
      consistent: z._default(z.boolean(), false),
      ...common,
    })
    .check(z.refine(({ path, recipe }) => (path === undefined) !== (recipe === undefined), 'path or recipe')),
  z.strictObject({
    kind: z.literal('solver'),
    /** `stuck` stays pending and `fail` stays failed until the fault is cleared; `revert` sends a fill that reverts. */
    does: z.enum(['refund', 'revert', 'stuck', 'fail', 'delay']),
    delayMs: z.optional(count),
    failReason: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('sequencer'),
    /** On a transfer that the venue has accepted. `stuck` stays pending until the fault is cleared. */
    does: z.enum(['fail', 'stuck', 'delay']),
    delayMs: z.optional(count),
    failReason: z.optional(z.string()),
    ...common,
  }),
]);

export type Input = z.input<typeof schema>;

/** A fault as it stands: its id, and how often it has been met and has struck. */
export type Fault = z.output<typeof schema> & { id: string; met: number; struck: number };

type OfKind<kind extends Fault['kind']> = Extract<Fault, { kind: kind }>;

/** What a fault is matched against. */
export type Subject = {
  method?: string | undefined;
  path?: string | undefined;
  requestId?: string | undefined;
  user?: string | undefined;
  referrer?: string | undefined;
};

/** What strikes one request over HTTP: delays and tamperings add up, of the others the first strikes. */
export type Struck = {
  delayMs: number;
  tampers: readonly OfKind<'tamper'>[];
  answer: OfKind<'drop' | 'drop-after' | 'status' | 'status-after' | 'html' | 'truncate' | 'empty'> | undefined;
};

export type Faults = {
  list(): readonly Fault[];
  add(fault: z.output<typeof schema>): Fault;
  /** Removes one fault, or all; returns those removed. */
  clear(id?: string): readonly Fault[];
  /** The faults that strike a request over HTTP; each is used up by one. */
  strike(subject: Subject): Struck;
  /** The fault that strikes a request at the solver, if any; it is used up by one. */
  strikeSolver(subject: Subject): OfKind<'solver'> | undefined;
  /** The fault that strikes a transfer at the venue's sequencer, if any; it is used up by one. */
  strikeSequencer(subject: Subject): OfKind<'sequencer'> | undefined;
  /** Whether a fault of that id still stands. */
  stands(id: string): boolean;
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let added = 0;

  return {
    list: () => faults,
    add(fault) {
      added += 1;
      const standing = { ...fault, id: `fault-${added}`, met: 0, struck: 0 };
      faults.push(standing);
      return standing;
    },
    clear(id) {
      const removed = faults.filter((fault) => id === undefined || fault.id === id);
      faults = faults.filter((fault) => !removed.includes(fault));
      return removed;
    },
    strike(subject) {
      let delayMs = 0;
      const tampers: OfKind<'tamper'>[] = [];
      let answer: Struck['answer'];
      for (const fault of faults) {
        if (fault.kind === 'solver' || fault.kind === 'sequencer' || !matches(fault, subject)) continue;
        if (fault.kind === 'delay') {
          if (strikes(fault)) delayMs += fault.delayMs;
        } else if (fault.kind === 'tamper') {
          if (strikes(fault)) tampers.push(fault);
        } else if (!answer && strikes(fault)) {
          answer = fault;
        }
      }
      return { delayMs, tampers, answer };
    },
    strikeSolver(subject) {
      for (const fault of faults) {
        if (fault.kind === 'solver' && matches(fault, subject) && strikes(fault)) return fault;
      }
      return undefined;
    },
    strikeSequencer(subject) {
      for (const fault of faults) {
        if (fault.kind === 'sequencer' && matches(fault, subject) && strikes(fault)) return fault;
      }
      return undefined;
    },
    stands: (id) => faults.some((fault) => fault.id === id),
  };
}

export type Change = {
  path?: string | undefined;
  value?: unknown;
  recipe?: Tampering.Recipe | undefined;
  consistent?: boolean | undefined;
};

/** A copy of an answer, changed by a recipe or in one value. A pointer to nowhere makes the objects on its way. */
export function tamper(answer: unknown, fault: Change): unknown {
  const { path, recipe, consistent = false } = fault;
  if (recipe !== undefined) return Tampering.from(answer, recipe, { consistent });
  const copy = structuredClone(answer);
  if (path === undefined) return copy;
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  let parent = copy;
  for (const key of keys) {
    if (!isObject(parent)) return copy;
    if (!Object.hasOwn(parent, key)) write(parent, key, {});
    parent = parent[key];
  }
  if (last === undefined || !isObject(parent)) return copy;
  if ('value' in fault) write(parent, last, fault.value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

function matches(fault: Fault, subject: Subject): boolean {
  const { method, path, requestId, user, referrer } = fault.match;
  if (method !== undefined && method.toUpperCase() !== subject.method?.toUpperCase()) return false;
  if (path !== undefined && !subject.path?.startsWith(path)) return false;
  if (requestId !== undefined && requestId.toLowerCase() !== subject.requestId?.toLowerCase()) return false;
  if (user !== undefined && user.toLowerCase() !== subject.user?.toLowerCase()) return false;
  return referrer === undefined || referrer === subject.referrer;
}

/** Counts a fault that matches, and tells whether it is its turn. */
function strikes(fault: Fault): boolean {
  fault.met += 1;
  if (fault.met <= fault.after) return false;
  if (fault.times > 0 && fault.struck >= fault.times) return false;
  fault.struck += 1;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function write(target: Record<string, unknown>, key: string, value: unknown): void {
  // Defined, not assigned, so that a key such as __proto__ stays a mere key.
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
