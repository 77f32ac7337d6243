/**
 * Fault injection: what goes wrong, where and how often. Tests, `ferry sandbox` and `ferry smoke` add faults over HTTP;
 * the routes, the solver, the venue and the chains query them here.
 */
import * as z from 'zod/mini';
import * as Tampering from '../quote/Tampering.js';

const nonNegativeInt = z.int().check(z.nonnegative());

const matchSchema = z.strictObject({
  method: z.optional(z.string()),
  /** A JSON-RPC method such as `eth_sendRawTransaction`. A batch matches if one of its calls does. */
  rpc: z.optional(z.string()),
  /** Path prefix: `/quote` matches `/quote/v2`. */
  path: z.optional(z.string()),
  requestId: z.optional(z.string()),
  user: z.optional(z.string()),
  referrer: z.optional(z.string()),
});

const scope = {
  match: z._default(matchSchema, {}),
  /** How many times the fault strikes; 0 means until it is cleared. */
  times: z._default(nonNegativeInt, 1),
  /** How many matching requests to let through first. */
  after: z._default(nonNegativeInt, 0),
};

/** A response in place of the routes' own. */
const response = {
  status: z.int().check(z.gte(200), z.lte(599)),
  /** The response body; defaults to the documented one of the status. */
  body: z.optional(z.unknown()),
  headers: z.optional(z.record(z.string(), z.string())),
  ...scope,
};

/** A fault as submitted to the control plane. */
export const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), delayMs: nonNegativeInt, ...scope }),
  z.strictObject({ kind: z.literal('drop'), ...scope }),
  z.strictObject({ kind: z.literal('drop-after'), ...scope }),
  z.strictObject({ kind: z.literal('status'), ...response }),
  /** The same response, but the request takes effect. */
  z.strictObject({ kind: z.literal('status-after'), ...response }),
  z.strictObject({
    kind: z.literal('html'),
    status: z._default(z.int().check(z.gte(200), z.lte(599)), 502),
    ...scope,
  }),
  /** The response is that to the first request which the fault struck, though the request takes effect. */
  z.strictObject({ kind: z.literal('repeat'), ...scope }),
  z.strictObject({ kind: z.literal('truncate'), ...scope }),
  z.strictObject({ kind: z.literal('empty'), ...scope }),
  /** The connection is reset before the request takes effect. */
  z.strictObject({ kind: z.literal('reset'), ...scope }),
  /** The response arrives one byte at a time, with that pause before each. */
  z.strictObject({ kind: z.literal('trickle'), delayMs: z._default(nonNegativeInt, 20), ...scope }),
  /** The response never ends: blanks follow for as long as the client reads. */
  z.strictObject({ kind: z.literal('endless'), ...scope }),
  z
    .strictObject({
      kind: z.literal('tamper'),
      /** JSON pointer into the response: `/details/currencyOut/amount`. */
      path: z.optional(z.string().check(z.regex(/^(\/[^/]*)+$/))),
      /** The replacement; if absent, the property is removed. */
      value: z.optional(z.unknown()),
      /** Instead of a path: a change that a dishonest service might make to a quote. */
      recipe: z.optional(z.enum(Tampering.recipes)),
      /**
       * Whether a recipe also adjusts the rest of the quote to match: the order id and every field derived from the
       * change.
       */
      consistent: z._default(z.boolean(), false),
      ...scope,
    })
    .check(z.refine(({ path, recipe }) => (path === undefined) !== (recipe === undefined), 'path or recipe')),
  z.strictObject({
    kind: z.literal('solver'),
    /**
     * `stuck` keeps the request pending and `fail` keeps it failed until the fault is cleared; `revert` sends a fill
     * that reverts.
     */
    does: z.enum(['refund', 'revert', 'stuck', 'fail', 'delay']),
    delayMs: z.optional(nonNegativeInt),
    failReason: z.optional(z.string()),
    ...scope,
  }),
  z.strictObject({
    kind: z.literal('sequencer'),
    /** Applies to a transfer that the venue has accepted. `stuck` keeps it pending until the fault is cleared. */
    does: z.enum(['fail', 'stuck', 'delay']),
    delayMs: z.optional(nonNegativeInt),
    failReason: z.optional(z.string()),
    ...scope,
  }),
  /** A limit of requests, as the service has one for quotes: those beyond it are refused with status 429. */
  z.strictObject({
    kind: z.literal('limit'),
    match: z._default(matchSchema, { path: '/quote' }),
    /** How many requests to let through in a window; the service publishes 50 quotes a minute. */
    requests: z._default(z.int().check(z.gte(1)), 50),
    windowMs: z._default(z.int().check(z.gte(1)), 60_000),
    /** Sends the header `Retry-After`, which the service does not document. */
    retryAfter: z._default(z.boolean(), false),
  }),
  /** Shifts the clock of the service or the venue while the fault is active: forward if positive, back if negative. */
  z.strictObject({ kind: z.literal('skew'), skewMs: z.int() }),
  z
    .strictObject({
      kind: z.literal('chain'),
      /**
       * On submitted raw transactions: `halt` stops mining until the fault is cleared, or for `delayMs`. `evict` drops
       * the transaction from the pool, `replace` mines another one with the same nonce and content in its place, and
       * `cancel` mines an empty self-transfer, each after `delayMs` in the pool. `swallow` returns the hash without
       * forwarding the transaction; `hold` does the same, and shows it as mined and reverted. `skew` moves the chain's
       * clock ahead by `skewMs`, irreversibly. `halt` and `skew` act as soon as they are added if they have no `match`
       * and no `after`.
       *
       * On receipts: `reorg` rebuilds the chain without the transaction `delayMs` after its receipt was returned, and
       * includes it in a later block after `backAfterMs`. `forge` returns a fabricated success receipt if the chain has
       * none.
       *
       * Clearing a fault cancels its scheduled effects, but performs scheduled restorations at once.
       */
      does: z.enum(['halt', 'evict', 'swallow', 'hold', 'replace', 'cancel', 'skew', 'reorg', 'forge']),
      delayMs: z.optional(nonNegativeInt),
      backAfterMs: z.optional(nonNegativeInt),
      skewMs: z.optional(z.int().check(z.gte(1))),
      ...scope,
    })
    .check(z.refine(({ does, skewMs }) => (does === 'skew') === (skewMs !== undefined), 'skewMs with skew alone')),
]);

export type Input = z.input<typeof schema>;

/** A fault with its id and counters: how often it was matched and how often it struck. */
export type Fault = z.output<typeof schema> & { id: string; met: number; struck: number };

type OfKind<kind extends Fault['kind']> = Extract<Fault, { kind: kind }>;

/** The attributes of a request that a fault is matched against. */
export type Subject = {
  method?: string | undefined;
  rpc?: string | undefined;
  path?: string | undefined;
  requestId?: string | undefined;
  user?: string | undefined;
  referrer?: string | undefined;
};

/** Faults that strike something else than whole HTTP responses. */
const otherKinds = ['solver', 'sequencer', 'chain', 'skew', 'tamper', 'limit'] as const;

/** Faults that replace or distort a whole HTTP response. */
type ResponseKind = Exclude<Fault['kind'], (typeof otherKinds)[number] | 'delay'>;

/** The faults that strike one HTTP request: delays and tampers accumulate, of the others the first applies. */
export type Struck = {
  delayMs: number;
  /** Each with the index of the call it strikes. */
  tampers: readonly { fault: OfKind<'tamper'>; at: number }[];
  answer: OfKind<ResponseKind> | undefined;
};

export type ChainFault = OfKind<'chain'>;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(clock: () => number = Date.now) {
  let faults: Fault[] = [];
  /** When each limit let its latest requests through, in milliseconds. */
  const passed = new Map<string, readonly number[]>();
  let added = 0;

  /** The first fault of a kind that matches and is due. */
  function first<kind extends 'solver' | 'sequencer' | 'chain'>(kind: kind, meets: (fault: OfKind<kind>) => boolean) {
    const isMet = (fault: Fault): fault is OfKind<kind> => fault.kind === kind && meets(fault as OfKind<kind>);
    return faults.filter(isMet).find(strikes);
  }

  /** The refusal of a request beyond a limit; otherwise counts it. */
  function limited(fault: OfKind<'limit'>): OfKind<'status'> | undefined {
    const nowMs = clock();
    const within = (passed.get(fault.id) ?? []).filter((at) => at > nowMs - fault.windowMs && at <= nowMs);
    fault.met += 1;
    const [oldest] = within;
    if (within.length < fault.requests || oldest === undefined) {
      passed.set(fault.id, [...within, nowMs]);
      return undefined;
    }
    fault.struck += 1;
    const { id, match, met, struck } = fault;
    const seconds = Math.max(1, Math.ceil((oldest + fault.windowMs - nowMs) / 1000));
    const headers = fault.retryAfter ? { 'retry-after': String(seconds) } : undefined;
    return { kind: 'status', status: 429, headers, id, match, met, struck, times: 0, after: 0 };
  }

  return {
    list: (): readonly Fault[] => faults,
    add(fault: z.output<typeof schema>): Fault {
      added += 1;
      const active = { ...fault, id: `fault-${added}`, met: 0, struck: 0 };
      faults.push(active);
      return active;
    },
    /** Removes one fault, or all, and returns those removed. */
    clear(id?: string): readonly Fault[] {
      const removed = faults.filter((fault) => id === undefined || fault.id === id);
      faults = faults.filter((fault) => !removed.includes(fault));
      return removed;
    },
    /**
     * The faults that strike an HTTP request; counts as one use of each. A batch has one subject per call: a fault
     * matches the batch once, a tamper fault matches each call.
     */
    strike(...subjects: readonly Subject[]): Struck {
      let delayMs = 0;
      const tampers: { fault: OfKind<'tamper'>; at: number }[] = [];
      let answer: Struck['answer'];
      for (const fault of faults) {
        if (fault.kind === 'tamper') {
          for (const [at, subject] of subjects.entries())
            if (matches(fault, subject) && strikes(fault)) tampers.push({ fault, at });
        } else if (fault.kind === 'limit') {
          if (subjects.some((subject) => matches(fault, subject))) answer ??= limited(fault);
        } else if (isHttpFault(fault) && subjects.some((subject) => matches(fault, subject))) {
          if (fault.kind === 'delay') delayMs += strikes(fault) ? fault.delayMs : 0;
          else if (!answer && strikes(fault)) answer = fault;
        }
      }
      return { delayMs, tampers, answer };
    },
    /** The fault of the solver that strikes a request, or of the sequencer a transfer, if any; counts as one use. */
    strikeSolver: (subject: Subject) => first('solver', (fault) => matches(fault, subject)),
    strikeSequencer: (subject: Subject) => first('sequencer', (fault) => matches(fault, subject)),
    /** The chain fault that strikes a call, among those accepted; counts as one use. */
    strikeChain: (subject: Subject, accepts: (fault: ChainFault) => boolean) =>
      first('chain', (fault) => accepts(fault) && matches(fault, subject)),
    /** Total clock skew of the active faults. */
    skewMs: (): number => faults.reduce((sum, fault) => (fault.kind === 'skew' ? sum + fault.skewMs : sum), 0),
    isActive: (id: string): boolean => faults.some((fault) => fault.id === id),
  };
}

/**
 * Returns a copy of a response with a recipe applied or one value changed. Missing objects along the pointer are
 * created. `place` is a prefix to the pointer.
 */
export function tamper(
  answer: unknown,
  fault: Partial<Pick<OfKind<'tamper'>, 'path' | 'value' | 'recipe' | 'consistent'>>,
  place = '',
): unknown {
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

function isHttpFault(fault: Fault): fault is OfKind<ResponseKind | 'delay'> {
  return !otherKinds.some((kind) => kind === fault.kind);
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

/** Counts a match and reports whether the fault is due. */
function strikes(fault: Exclude<Fault, OfKind<'skew' | 'limit'>>): boolean {
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
  // Defined rather than assigned, so `__proto__` is an ordinary key.
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
