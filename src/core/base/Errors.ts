/**
 * Error codes and the base error class. One table assigns each code its exit code, whether the command can be
 * retried, and, unless an error overrides it, where the money is.
 */
import type * as SimulationFailure from '../api/schema/SimulationFailure.js';

/** The words for where the money is. */
export const fundsWords = ['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown'] as const;

/** Where the money is. */
export type Funds = (typeof fundsWords)[number];

/** A stable error code for scripts, such as `verify.mismatch`: a key of the table. */
export type Code = keyof typeof table;

/** The properties of an error code. */
export type Entry = {
  /** The process exit code. */
  exit: number;
  /** Whether the same command is safe to repeat and may then succeed. */
  retryable: boolean;
  /** Where the money is, unless the error says otherwise. */
  funds: Funds;
  /** One sentence for `ferry help exit-codes` and the manual. */
  docs: string;
};

const untouched = { retryable: false, funds: 'untouched' } as const;

const table = {
  'internal.bug': { ...untouched, exit: 1, docs: 'An internal error: a bug in ferry.' },

  'system.unsupported': {
    ...untouched,
    exit: 2,
    docs: 'The machine lacks what ferry needs: Linux or macOS, Node 20.18.1 or newer, and a ferry that is built.',
  },

  'system.clock': {
    ...untouched,
    exit: 2,
    retryable: true,
    docs: 'The clock of this machine is off: what it signs with a deadline would be refused.',
  },

  'usage.unknown-command': { ...untouched, exit: 2, docs: 'No such command.' },
  'usage.unknown-option': { ...untouched, exit: 2, docs: 'No such option.' },
  'usage.missing': { ...untouched, exit: 2, docs: 'A required argument or option is missing.' },
  'usage.invalid': { ...untouched, exit: 2, docs: 'An argument or option has an invalid value.' },
  'usage.confirmation': {
    ...untouched,
    exit: 2,
    docs: 'Confirmation is required, but ferry cannot prompt: pass --yes.',
  },

  'config.invalid': {
    ...untouched,
    exit: 2,
    docs: 'A configuration file or environment variable has an invalid value.',
  },
  'config.unreadable': { ...untouched, exit: 2, docs: 'A configuration file cannot be read or parsed.' },
  'config.untrusted': {
    ...untouched,
    exit: 2,
    docs: 'A project file changes a setting that only the user may change.',
  },
  'config.unknown-network': { ...untouched, exit: 2, docs: 'No network with that name is configured.' },
  'config.unwritable': { ...untouched, exit: 2, docs: 'A configuration or state file cannot be written.' },

  'state.untrusted': {
    ...untouched,
    exit: 2,
    docs: 'A folder or file of the state or the configuration, or a ledger, belongs to another user, or others can write to it.',
  },

  'request.unknown-chain': { ...untouched, exit: 2, docs: 'The network has no chain with that name or id.' },
  'request.unknown-token': { ...untouched, exit: 2, docs: 'The chain has no well-known token with that symbol.' },
  'request.invalid-currency': { ...untouched, exit: 2, docs: 'A currency is not in the form chain/token.' },
  'request.invalid-amount': { ...untouched, exit: 2, docs: 'An amount is not a positive decimal number.' },
  'request.too-many-decimals': { ...untouched, exit: 2, docs: 'An amount has more decimals than the token.' },
  'request.invalid-address': { ...untouched, exit: 2, docs: 'An address is malformed or fails its checksum.' },
  'request.unsupported': {
    ...untouched,
    exit: 2,
    docs: 'Options that cannot be combined, or a route that ferry does not support.',
  },

  'service.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The service is unreachable.' },
  'service.timeout': { ...untouched, exit: 3, retryable: true, docs: 'The service did not respond in time.' },
  'service.refused': {
    ...untouched,
    exit: 3,
    docs: 'The service rejected the request; its error code and message follow.',
  },
  'service.rate-limited': { ...untouched, exit: 3, retryable: true, docs: 'Too many requests; wait and retry.' },
  'service.unavailable': { ...untouched, exit: 3, retryable: true, docs: 'The service had an internal error.' },
  'service.redirected': {
    ...untouched,
    exit: 3,
    docs: 'The service responded with a redirect, which ferry never follows.',
  },
  'service.malformed': { ...untouched, exit: 3, docs: 'The response of the service is not valid.' },
  'service.unknown-request': { ...untouched, exit: 3, docs: 'The service has no request with that id.' },

  'venue.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The venue is unreachable.' },
  'venue.timeout': { ...untouched, exit: 3, retryable: true, docs: 'The venue did not respond in time.' },
  'venue.refused': {
    ...untouched,
    exit: 3,
    docs: 'The venue rejected the request; its error code and message follow.',
  },
  'venue.rate-limited': {
    ...untouched,
    exit: 3,
    retryable: true,
    docs: 'Too many requests to the venue; wait and retry.',
  },
  'venue.unavailable': { ...untouched, exit: 3, retryable: true, docs: 'The venue had an internal error.' },
  'venue.malformed': { ...untouched, exit: 3, docs: 'The response of the venue is not valid.' },
  'venue.unknown-account': {
    ...untouched,
    exit: 2,
    docs: 'The venue has no such account, or no account for that wallet.',
  },
  'venue.unconfigured': { ...untouched, exit: 2, docs: 'The network has no venue, or its URL is not configured.' },

  'auth.refused': { ...untouched, exit: 4, docs: 'The API key or referrer is missing or was rejected.' },
  'auth.no-account': {
    ...untouched,
    exit: 4,
    docs: 'No signing account is configured, or no key for the selected address.',
  },
  'auth.unknown-account': { ...untouched, exit: 4, docs: 'No account has that name.' },
  'auth.password': { ...untouched, exit: 4, docs: 'The password does not decrypt the keystore.' },
  'auth.weak-password': {
    ...untouched,
    exit: 4,
    docs: 'A new password is empty, or shorter than 8 characters without --weak-password.',
  },
  'auth.keystore': { ...untouched, exit: 4, docs: 'A keystore or key file cannot be read or is not valid.' },
  'auth.key-exists': { ...untouched, exit: 4, docs: 'An account with that name already exists.' },
  'auth.development-key': {
    ...untouched,
    exit: 4,
    docs: 'Well-known development keys sign on the sandbox only.',
  },

  'auth.venue-key': {
    ...untouched,
    exit: 4,
    docs: 'No API key of the venue account is available for signing, or it is not the registered one.',
  },
  'auth.venue-owner': { ...untouched, exit: 4, docs: 'The wallet does not own the venue account.' },
  'auth.signer': {
    ...untouched,
    exit: 4,
    docs: 'The signing command failed, or signed something other than what was requested.',
  },

  'quote.unsupported-step': { ...untouched, exit: 5, docs: 'The quote contains a step that ferry does not support.' },
  'quote.unreadable': { ...untouched, exit: 2, docs: 'A quote file cannot be read or is not a valid quote.' },
  'verify.mismatch': {
    ...untouched,
    exit: 5,
    docs: 'The quote does not do what was requested: ferry refuses to sign it.',
  },
  'verify.changed': {
    ...untouched,
    exit: 5,
    docs: 'Right before sending, the calls no longer do what the proof has shown: ferry does not send them.',
  },
  'verify.unverified': { ...untouched, exit: 5, docs: 'The quote cannot be proved: ferry refuses to sign it.' },
  'verify.cap': { ...untouched, exit: 5, docs: 'The quote costs more than the caps allow: ferry refuses to sign it.' },
  'verify.expired': { ...untouched, exit: 5, retryable: true, docs: 'The quote is too old to execute.' },

  'chain.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The RPC node is unreachable.' },
  'chain.no-rpc': { ...untouched, exit: 2, docs: 'No RPC URL is configured for the chain.' },
  'chain.disagreement': { ...untouched, exit: 3, docs: 'Two nodes of a chain contradict each other.' },
  'chain.wrong-chain': { ...untouched, exit: 2, docs: 'The RPC node serves a different chain.' },
  'chain.refused': { ...untouched, exit: 3, docs: 'The RPC node rejected a request.' },
  'chain.not-a-contract': { ...untouched, exit: 2, docs: 'There is no contract at that address.' },
  'chain.not-a-token': { ...untouched, exit: 2, docs: 'There is no ERC-20 token at that address.' },
  'chain.unknown-transaction': {
    ...untouched,
    exit: 3,
    docs: 'None of the chains queried has a transaction with that hash.',
  },
  'trace.unreadable': {
    ...untouched,
    exit: 2,
    docs: 'A trace, an error body or an ABI cannot be read or is not valid.',
  },
  'smoke.unreadable': { ...untouched, exit: 2, docs: 'A smoke file cannot be read or is not a list of cases.' },
  'batch.unreadable': {
    ...untouched,
    exit: 2,
    docs: 'A batch cannot be read, or one of its lines is not a valid transfer.',
  },
  'batch.ledger': { ...untouched, exit: 2, docs: 'The ledger is corrupt, in use, or belongs to another batch.' },
  'batch.unknown': {
    ...untouched,
    exit: 2,
    docs: 'The store has no batch of that name, or no such line to decide on.',
  },
  'batch.taken': { ...untouched, exit: 2, docs: 'The store has another batch of that name, with other lines.' },
  'batch.cancelled': { ...untouched, exit: 11, docs: 'The line was canceled with its batch before anybody began it.' },
  'batch.untrusted': {
    ...untouched,
    exit: 5,
    docs: 'A worker does not take a batch: of its submitter, or because it is not what was signed.',
  },
  'batch.begun': {
    retryable: false,
    funds: 'unknown',
    exit: 10,
    docs: 'A line was begun before and may be paid: it is not begun again unless somebody who knows decides so.',
  },
  'batch.capped': {
    ...untouched,
    exit: 5,
    docs: 'A line pays more, or somebody else, than the worker’s setting allows.',
  },
  'batch.unmatched': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'The store has lost runs of the account: the line may be paid, and waits until a person says that it is not.',
  },
  'sign.failed': { ...untouched, exit: 4, docs: 'The account could not sign.' },
  'submit.insufficient-balance': { ...untouched, exit: 6, docs: 'The balance is less than the amount.' },
  'submit.insufficient-gas': { ...untouched, exit: 6, docs: 'The account cannot pay for gas.' },
  'submit.simulation': { ...untouched, exit: 6, docs: 'A transaction would fail, so it was not sent.' },
  'submit.busy': {
    ...untouched,
    exit: 3,
    retryable: true,
    docs: 'Another ferry process is sending from the account, or its transactions were not mined in time: nothing was signed.',
  },
  'submit.expired': {
    ...untouched,
    exit: 6,
    retryable: true,
    docs: 'The signature expired unused, as the chain or the venue shows: nothing moved.',
  },
  'submit.reverted': { ...untouched, exit: 6, docs: 'The origin transaction reverted: nothing moved but gas.' },
  'submit.venue-refused': { ...untouched, exit: 6, docs: 'The venue rejected the signed transfer: nothing moved.' },
  'submit.venue-failed': {
    ...untouched,
    exit: 6,
    docs: 'The venue accepted the signed transfer and then failed it: nothing moved.',
  },
  'submit.unknown': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'A transaction may have been sent, or a signature that has left may still be used: do not repeat it.',
  },

  'track.refunded': {
    exit: 7,
    retryable: false,
    funds: 'returned',
    docs: 'The transfer was refunded on the origin chain.',
  },
  'track.failed': {
    exit: 8,
    retryable: false,
    funds: 'held',
    docs: 'The transfer failed; the service holds the funds.',
  },
  'track.unfinished': {
    exit: 9,
    retryable: false,
    funds: 'in-flight',
    docs: 'The transfer is not finished yet: follow it with ferry status.',
  },

  'track.unwitnessed': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'The service reports a delivery or refund that the chain does not show: look there before you do anything.',
  },

  'submit.nonce-gap': {
    exit: 9,
    retryable: false,
    funds: 'in-flight',
    docs: 'A transaction waits for an earlier nonce that the chain does not have: cancel its run, or use the nonce.',
  },

  'submit.replaced': {
    ...untouched,
    exit: 6,
    docs: 'Another transaction used the nonce, so the signed one can never be mined: nothing moved.',
  },

  'submit.cancelled': {
    ...untouched,
    exit: 6,
    docs: 'The payment was canceled: a transaction that does nothing was mined in its place, or made its signature void.',
  },

  'run.unknown': { ...untouched, exit: 2, docs: 'No run has that name, or there is no run to resume.' },
  'run.ambiguous': { ...untouched, exit: 2, docs: 'Several runs match: name one.' },
  'run.busy': { ...untouched, exit: 2, retryable: true, docs: 'Another process is executing the run.' },
  'run.foreign-nonce': {
    ...untouched,
    exit: 2,
    docs: 'The account has used nonces or permits that ferry does not know: a payment may have been made elsewhere.',
  },
  'run.unfinished': {
    ...untouched,
    exit: 2,
    docs: 'The run, or one of the same transfer, is unfinished: resume it.',
  },
  'run.unsigned': {
    ...untouched,
    exit: 6,
    docs: 'The run ended before anything was signed: there is nothing to resume.',
  },
  'run.settled': {
    ...untouched,
    exit: 2,
    docs: 'The run has no pending transaction to replace or cancel, or has already ended.',
  },
  'run.unproved': {
    ...untouched,
    exit: 5,
    docs: 'The journal of a run is not sealed by this user: ferry asks before it acts on it, or wants --allow journal.',
  },
  'run.elsewhere': { ...untouched, exit: 2, docs: 'The run belongs to another network, sandbox or account.' },
  'run.stopped': {
    ...untouched,
    exit: 11,
    retryable: true,
    docs: 'Stopped by a signal, such as Ctrl-C or SIGTERM: the process dies by it.',
  },
  'run.unreadable': { ...untouched, exit: 2, docs: 'The journal of a run is corrupt.' },
  'run.version': { ...untouched, exit: 2, docs: 'The journal of a run was written by another version of ferry.' },

  'store.unconfigured': { ...untouched, exit: 2, docs: 'No database is set as the store: set FERRY_STORE.' },
  'store.files': {
    ...untouched,
    exit: 2,
    docs: 'A store is set, and files of this machine have runs that are not finished: import them, or finish them first.',
  },
  'store.unreachable': {
    ...untouched,
    exit: 3,
    retryable: true,
    docs: 'The database in FERRY_STORE cannot be reached, or lets nobody in.',
  },
  'store.refused': {
    ...untouched,
    exit: 2,
    docs: 'The database in FERRY_STORE could lose what it has committed, or cannot be told from another.',
  },
  'store.version': { ...untouched, exit: 2, docs: 'The database has no tables of ferry, or those of another version.' },
  'store.unwritable': {
    ...untouched,
    exit: 2,
    docs: 'The database refused to write, for a full disk or a missing right, for example: nothing was sent.',
  },
  'store.behind': {
    ...untouched,
    exit: 2,
    retryable: true,
    docs: 'The store was restored or has failed over: what it may have forgotten could still be used, so the account waits.',
  },
  'store.lost': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'The session with the database has ended: nothing more is signed. Resume the run.',
  },
  'store.uncertain': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'The database warned that it may not keep what it was given; that was not sent. Resume the run.',
  },
  'store.fenced': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'Another process has taken over the account or the run: this one signs and sends nothing more.',
  },

  'output.unwritable': {
    ...untouched,
    exit: 2,
    docs: 'The result cannot be written to stdout: its disk is full, for example. Nothing was paid.',
  },
  'output.lost': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'A transfer was made, and its result cannot be written to stdout: do not repeat it, look at its run.',
  },
  'prompt.declined': { ...untouched, exit: 11, docs: 'Declined at the prompt.' },
  'prompt.unavailable': { ...untouched, exit: 2, docs: 'Input is required, but ferry cannot prompt.' },
  'sandbox.no-anvil': { ...untouched, exit: 2, docs: 'The sandbox needs anvil, which is not installed.' },
  'sandbox.start': { ...untouched, exit: 3, retryable: true, docs: 'The sandbox did not start.' },
  'expect.unmet': { ...untouched, exit: 12, docs: 'An expectation was not met.' },
} as const satisfies Record<string, Entry>;

/** The table entry of a code. */
export function entry(code: Code): Entry {
  return table[code];
}

/** Every code with its entry, in table order. */
export function entries(): readonly (readonly [Code, Entry])[] {
  return Object.entries(table) as [Code, Entry][];
}

/** One aligned line under an error's message: a label and its value. */
export type Fact = readonly [label: string, value: string];

/** An ERC-20 allowance that a run granted and that has not been spent. */
export type AllowanceLeft = {
  chain: string;
  chainId: number;
  /** As the user types it: `alpha/usdc`. */
  currency: string;
  symbol: string;
  owner: string;
  spender: string;
  /** Base units. */
  amount: string;
  formatted: string;
  /** The command that revokes it. */
  next: string;
};

/** Optional details of an error. */
export type Extra = {
  /** Aligned facts, most important first. */
  facts?: readonly Fact[] | undefined;
  /** How to fix it, in one sentence. */
  hint?: string | undefined;
  /** The command to type next. */
  next?: string | undefined;
  /** Where the money is, if it differs from the table. */
  funds?: Funds | undefined;
  /** Whether the command can be retried, if it differs from the table. */
  retryable?: boolean | undefined;
  /** The id of the run that failed. */
  run?: string | undefined;
  requestId?: string | undefined;
  txHash?: string | undefined;
  httpStatus?: number | undefined;
  /** The service's details of a failed simulation, verbatim. */
  trace?: SimulationFailure.Details | undefined;
  cause?: unknown;
};

/** The base of every error that ferry reports to the user. Subclasses are defined next to the code that throws them. */
export class BaseError extends Error {
  override name = 'BaseError';
  readonly code: Code;
  /** Aligned facts; the file that the error is about may be added later. */
  facts: readonly Fact[];
  /** How to fix it; may be set later by the code that knows the command line. */
  hint: string | undefined;
  /** The command to type next; may be set later by the code that keeps the run's journal or knows the command line. */
  next: string | undefined;
  /** The run's id; may be set later by the code that keeps the run's journal. */
  run: string | undefined;
  /** Allowances that the run granted and did not use; set by the code that keeps the run's journal. */
  allowances: readonly AllowanceLeft[] = [];
  readonly funds: Funds;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly txHash: string | undefined;
  readonly httpStatus: number | undefined;
  readonly trace: SimulationFailure.Details | undefined;

  constructor(code: Code, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    const { funds, retryable } = table[code];
    this.code = code;
    this.facts = extra.facts ?? [];
    this.hint = extra.hint;
    this.next = extra.next;
    this.funds = extra.funds ?? funds;
    this.retryable = extra.retryable ?? retryable;
    this.run = extra.run;
    this.requestId = extra.requestId;
    this.txHash = extra.txHash;
    this.httpStatus = extra.httpStatus;
    this.trace = extra.trace;
  }

  /** The process exit code. */
  get exit(): number {
    return table[this.code].exit;
  }
}

/**
 * Adds the file that an error is about, unless the error names it already or it is stdin. What is wrong with a saved answer
 * is no failure of the service, and does not pass.
 *
 * @returns the error, to be thrown
 */
export function inFile(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof BaseError)) return thrown;
  if (thrown.code === 'service.malformed') {
    const { message, facts } = thrown;
    return inFile(new BaseError('quote.unreadable', message, { facts, cause: thrown }), path);
  }
  if (path === '-') return thrown;
  const isNamed = [thrown.message, ...thrown.facts.map(([, value]) => value)].some((text) => text.includes(path));
  if (!isNamed) thrown.facts = [...thrown.facts, ['file', path]];
  return thrown;
}
