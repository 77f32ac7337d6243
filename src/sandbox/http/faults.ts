/**
 * The control plane for faults: what shall go wrong, where and how often. Tests, `ferry sandbox` and `ferry smoke` add
 * faults over HTTP; the routes and the solver ask for them here.
 */
import * as z from 'zod/mini';
import * as Tampering from '../quote/Tampering.js';

const count = z.int().check(z.nonnegative());

const matchSchema = z.strictObject({
  method: z.optional(z.string()),
  /** A JSON-RPC method: `eth_sendRawTransaction`. A batch matches where one of its calls does. */
  rpc: z.optional(z.string()),
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
  /** The connection is reset, before anything is done. */
  z.strictObject({ kind: z.literal('reset'), ...common }),
  /** The answer comes a byte at a time, with that pause before each. */
  z.strictObject({ kind: z.literal('trickle'), delayMs: z._default(count, 20), ...common }),
  /** The answer begins and never ends: blanks follow for as long as somebody reads. */
  z.strictObject({ kind: z.literal('endless'), ...common }),
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
  /** What the service or the venue calls now is that much later while the fault stands, or earlier below 0. */
  z.strictObject({ kind: z.literal('skew'), skewMs: z.int() }),
  z
    .strictObject({
      kind: z.literal('chain'),
      /**
       * On transactions that are handed to a node as signed bytes: `halt` mines nothing until the fault is cleared, or for
       * `delayMs`. `evict` drops the transaction out of the pool again, `replace` mines another of the same nonce and
       * content in its place, `cancel` an empty one to the sender itself, each after `delayMs` in the pool. `swallow`
       * answers with the hash and hands nothing on. `skew` sets the chain's clock ahead by `skewMs`, for good.
       * `halt` and `skew` that match anything, after nothing, act as soon as they are added.
       *
       * On receipts: `reorg` makes the chain anew without the transaction, `delayMs` after its receipt was answered, and
       * lets it come back in another block after `backAfterMs`. `forge` answers with an invented success where the chain
       * has no receipt.
       *
       * What is to happen after a while does not where the fault is cleared before, but what is to come back then does.
       */
      does: z.enum(['halt', 'evict', 'swallow', 'replace', 'cancel', 'skew', 'reorg', 'forge']),
      delayMs: z.optional(count),
      backAfterMs: z.optional(count),
      skewMs: z.optional(z.int().check(z.positive())),
      ...common,
    })
    .check(z.refine(({ does, skewMs }) => (does === 'skew') === (skewMs !== undefined), 'skewMs with skew alone')),
]);

export type Input = z.input<typeof schema>;

/** A fault as it stands: its id, and how often it has been met and has struck. */
export type Fault = z.output<typeof schema> & { id: string; met: number; struck: number };

type OfKind<kind extends Fault['kind']> = Extract<Fault, { kind: kind }>;

/** What a fault is matched against. */
export type Subject = {
  method?: string | undefined;
  rpc?: string | undefined;
  path?: string | undefined;
  requestId?: string | undefined;
  user?: string | undefined;
  referrer?: string | undefined;
};

/** A kind of fault that changes an answer over HTTP as a whole. */
type AnswerKind =
  | 'drop'
  | 'drop-after'
  | 'reset'
  | 'status'
  | 'status-after'
  | 'html'
  | 'empty'
  | 'truncate'
  | 'trickle'
  | 'endless';

/** What strikes one request over HTTP: delays and tamperings add up, of the others the first strikes. */
export type Struck = {
  delayMs: number;
  /** Each with the place of the subject that it strikes, among those of the request. */
  tampers: readonly { fault: OfKind<'tamper'>; at: number }[];
  answer: OfKind<AnswerKind> | undefined;
};

/** What a fault does to a chain. */
export type ChainFault = OfKind<'chain'>;

export type Faults = {
  list(): readonly Fault[];
  add(fault: z.output<typeof schema>): Fault;
  /** Removes one fault, or all; returns those removed. */
  clear(id?: string): readonly Fault[];
  /**
   * The faults that strike a request over HTTP; each is used up by one. A request that holds several calls has as many
   * subjects: a fault meets it once, and a tampering each of its calls.
   */
  strike(...subjects: readonly Subject[]): Struck;
  /** The fault that strikes a request at the solver, if any; it is used up by one. */
  strikeSolver(subject: Subject): OfKind<'solver'> | undefined;
  /** The fault that strikes a transfer at the venue's sequencer, if any; it is used up by one. */
  strikeSequencer(subject: Subject): OfKind<'sequencer'> | undefined;
  /** The fault that strikes a call at a chain, of those that are meant, if any; it is used up by one. */
  strikeChain(subject: Subject, isMeant: (fault: ChainFault) => boolean): ChainFault | undefined;
  /** How far the clock is set ahead by the faults that stand. */
  skewMs(): number;
  /** Whether a fault of that id still stands. */
  stands(id: string): boolean;
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let added = 0;

  /** The first of a kind that is met and whose turn it is. */
  function first<kind extends 'solver' | 'sequencer' | 'chain'>(kind: kind, meets: (fault: OfKind<kind>) => boolean) {
    const isMet = (fault: Fault): fault is OfKind<kind> => fault.kind === kind && meets(fault as OfKind<kind>);
    return faults.filter(isMet).find(strikes);
  }

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
    strike(...subjects) {
      let delayMs = 0;
      const tampers: { fault: OfKind<'tamper'>; at: number }[] = [];
      let answer: Struck['answer'];
      for (const fault of faults) {
        if (fault.kind === 'tamper') {
          for (const [at, subject] of subjects.entries())
            if (matches(fault, subject) && strikes(fault)) tampers.push({ fault, at });
        } else if (isOfRoutes(fault) && subjects.some((subject) => matches(fault, subject))) {
          if (fault.kind === 'delay') delayMs += strikes(fault) ? fault.delayMs : 0;
          else if (!answer && strikes(fault)) answer = fault;
        }
      }
      return { delayMs, tampers, answer };
    },
    strikeSolver: (subject) => first('solver', (fault) => matches(fault, subject)),
    strikeSequencer: (subject) => first('sequencer', (fault) => matches(fault, subject)),
    strikeChain: (subject, isMeant) => first('chain', (fault) => isMeant(fault) && matches(fault, subject)),
    skewMs: () => faults.reduce((sum, fault) => (fault.kind === 'skew' ? sum + fault.skewMs : sum), 0),
    stands: (id) => faults.some((fault) => fault.id === id),
  };
}

export type Change = {
  path?: string | undefined;
  value?: unknown;
  recipe?: Tampering.Recipe | undefined;
  consistent?: boolean | undefined;
};

/**
 * A copy of an answer, changed by a recipe or in one value. A pointer to nowhere makes the objects on its way. `place` is
 * where the pointer begins, if not at the top.
 */
export function tamper(answer: unknown, fault: Change, place = ''): unknown {
  const { path, recipe, consistent = false } = fault;
  if (recipe !== undefined) return Tampering.from(answer, recipe, { consistent });
  const copy = structuredClone(answer);
  if (path === undefined) return copy;
  const keys = `${place}${path}`
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

/** Whether it strikes requests over HTTP. */
function isOfRoutes(fault: Fault): fault is OfKind<AnswerKind | 'delay'> {
  return !['solver', 'sequencer', 'chain', 'skew', 'tamper'].includes(fault.kind);
}

function matches(fault: Exclude<Fault, OfKind<'skew'>>, subject: Subject): boolean {
  const { method, rpc, path, requestId, user, referrer } = fault.match;
  if (method !== undefined && method.toUpperCase() !== subject.method?.toUpperCase()) return false;
  if (rpc !== undefined && rpc !== subject.rpc) return false;
  if (path !== undefined && !subject.path?.startsWith(path)) return false;
  if (requestId !== undefined && requestId.toLowerCase() !== subject.requestId?.toLowerCase()) return false;
  if (user !== undefined && user.toLowerCase() !== subject.user?.toLowerCase()) return false;
  return referrer === undefined || referrer === subject.referrer;
}

/** Counts a fault that matches, and tells whether it is its turn. */
function strikes(fault: Exclude<Fault, OfKind<'skew'>>): boolean {
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
