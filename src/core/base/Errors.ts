/**
 * Error codes and the base error class. One table assigns each code its exit code and whether the command can be
 * retried. The exit code says where the money is, unless an error overrides it.
 */
import type * as SimulationFailure from '../api/schema/SimulationFailure.js';

/** Where the money is. */
export const fundsWords = ['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown'] as const;

/** Where the money is. */
export type Funds = (typeof fundsWords)[number];

/** A stable error code for scripts, such as `verify.mismatch`: a key of the table. */
export type Code = keyof typeof table;

export type Entry = {
  exit: number;
  /** Whether the same command is safe to repeat and may then succeed. */
  retryable: boolean;
  /** Where the money is, unless the error says otherwise. */
  funds: Funds;
  /** One sentence for `ferry help exit-codes` and the manual. */
  docs: string;
};

/** Marks a code after which the same command is safe to repeat and may then succeed. */
const retryable = 'retryable';

type Row = readonly [exit: number, docs: string, mark?: typeof retryable];

/** Each code with its exit code, and one sentence for `ferry help exit-codes` and the manual. */
const table = {
  'internal.bug': [1, 'An internal error: a bug in ferry.'],

  'system.unsupported': [
    2,
    'The machine lacks what ferry needs: Linux or macOS, Node 20.18.1 or newer, and a ferry that is built.',
  ],

  'system.clock': [2, 'The clock of this machine is off: what it dates would be void, or valid too long.', retryable],

  'usage.unknown-command': [2, 'No such command.'],
  'usage.unknown-option': [2, 'No such option.'],
  'usage.missing': [2, 'A required argument or option is missing.'],
  'usage.invalid': [2, 'An argument or option has an invalid value.'],
  'usage.confirmation': [2, 'Confirmation is required, but ferry cannot prompt: pass --yes.'],

  'config.invalid': [2, 'A configuration file or environment variable has an invalid value.'],
  'config.unreadable': [2, 'A configuration file cannot be read or parsed.'],
  'config.untrusted': [2, 'A project file changes a setting that only the user may change.'],
  'config.unknown-network': [2, 'No network with that name is configured.'],
  'config.unwritable': [2, 'A configuration or state file cannot be written.'],

  'state.untrusted': [
    2,
    'A folder or file of the state or the configuration, or a ledger, belongs to another user, or others can write to it.',
  ],

  'request.unknown-chain': [2, 'The network has no chain with that name or id.'],
  'request.unknown-token': [2, 'The chain has no well-known token with that symbol.'],
  'request.invalid-currency': [2, 'A currency is not in the form chain/token.'],
  'request.invalid-amount': [2, 'An amount is not a positive decimal number.'],
  'request.too-many-decimals': [2, 'An amount has more decimals than the token.'],
  'request.invalid-address': [2, 'An address is malformed or fails its checksum.'],
  'request.unsupported': [2, 'Options that cannot be combined, or a route that ferry does not support.'],

  'service.unreachable': [3, 'The service is unreachable.', retryable],
  'service.timeout': [3, 'The service did not respond in time.', retryable],
  'service.refused': [3, 'The service rejected the request; its error code and message follow.'],
  'service.rate-limited': [3, 'Too many requests; wait and retry.', retryable],
  'service.unavailable': [3, 'The service had an internal error.', retryable],
  'service.redirected': [3, 'The service responded with a redirect, which ferry never follows.'],
  'service.malformed': [3, 'The response of the service is not valid.'],
  'service.unknown-request': [3, 'The service has no request with that id.'],

  'venue.unreachable': [3, 'The venue is unreachable.', retryable],
  'venue.timeout': [3, 'The venue did not respond in time.', retryable],
  'venue.refused': [3, 'The venue rejected the request; its error code and message follow.'],
  'venue.rate-limited': [3, 'Too many requests to the venue; wait and retry.', retryable],
  'venue.unavailable': [3, 'The venue had an internal error.', retryable],
  'venue.malformed': [3, 'The response of the venue is not valid.'],
  'venue.unknown-account': [2, 'The venue has no such account, or no account for that wallet.'],
  'venue.unconfigured': [2, 'The network has no venue, or its URL is not configured.'],

  'auth.refused': [4, 'The API key or referrer is missing or was rejected.'],
  'auth.no-account': [4, 'No signing account is configured, or no key for the selected address.'],
  'auth.unknown-account': [4, 'No account has that name.'],
  'auth.password': [4, 'The password does not decrypt the keystore.'],
  'auth.weak-password': [4, 'A new password is empty, or shorter than 8 characters without --weak-password.'],
  'auth.keystore': [4, 'A keystore or key file cannot be read or is not valid.'],
  'auth.key-exists': [4, 'An account with that name already exists.'],
  'auth.development-key': [4, 'Well-known development keys sign on the sandbox only.'],

  'auth.venue-key': [4, 'No API key of the venue account is available for signing, or it is not the registered one.'],
  'auth.venue-owner': [4, 'The wallet does not own the venue account.'],
  'auth.signer': [4, 'The signing command failed, or signed something other than what was requested.'],

  'quote.unsupported-step': [5, 'The quote contains a step that ferry does not support.'],
  'quote.unreadable': [2, 'A quote file cannot be read or is not a valid quote.'],
  'verify.mismatch': [5, 'The quote does not do what was requested: ferry refuses to sign it.'],
  'verify.changed': [
    5,
    'Right before sending, the calls no longer do what the proof has shown: ferry does not send them.',
  ],
  'verify.unverified': [5, 'The quote cannot be proved: ferry refuses to sign it.'],
  'verify.cap': [5, 'The quote costs more than the caps allow: ferry refuses to sign it.'],
  'verify.expired': [5, 'The quote is too old to execute.', retryable],

  'chain.unreachable': [3, 'The RPC node is unreachable.', retryable],
  'chain.no-rpc': [2, 'No RPC URL is configured for the chain.'],
  'chain.disagreement': [3, 'Two nodes of a chain contradict each other.'],
  'chain.wrong-chain': [2, 'The RPC node serves a different chain.'],
  'chain.refused': [3, 'The RPC node rejected a request.'],
  'chain.not-a-contract': [2, 'There is no contract at that address.'],
  'chain.not-a-token': [2, 'There is no ERC-20 token at that address.'],
  'chain.unknown-transaction': [3, 'None of the chains queried has a transaction with that hash.'],
  'trace.unreadable': [2, 'A trace, an error body or an ABI cannot be read or is not valid.'],
  'smoke.unreadable': [2, 'A smoke file cannot be read or is not a list of cases.'],
  'batch.unreadable': [2, 'A batch cannot be read, or one of its lines is not a valid transfer.'],
  'batch.ledger': [2, 'The ledger is corrupt, in use, or belongs to another batch.'],
  'batch.unknown': [2, 'The store has no batch of that name, or no such line to decide on.'],
  'batch.taken': [2, 'The store has another batch of that name, with other lines.'],
  'batch.cancelled': [11, 'The line was canceled with its batch before anybody began it.'],
  'batch.untrusted': [5, 'A worker does not take a batch: of its submitter, or because it is not what was signed.'],
  'batch.begun': [
    10,
    'A line was begun before and may be paid: it is not begun again unless somebody who knows decides so.',
  ],
  'batch.capped': [5, 'A line pays more, or somebody else, than the worker’s setting allows.'],
  'batch.unmatched': [
    10,
    'The store has lost runs of the account: the line may be paid, and waits until a person says that it is not.',
  ],
  'sign.failed': [4, 'The account could not sign.'],
  'submit.insufficient-balance': [6, 'The balance is less than the amount.'],
  'submit.insufficient-gas': [6, 'The account cannot pay for gas.'],
  'submit.simulation': [6, 'A transaction would fail, so it was not sent.'],
  'submit.busy': [
    3,
    'Another ferry process is sending from the account, its transactions were not mined in time, or the node is behind: nothing was signed.',
    retryable,
  ],
  'submit.expired': [6, 'The signature expired unused, as the chain or the venue shows: nothing moved.', retryable],
  'submit.reverted': [6, 'The origin transaction reverted: nothing moved but gas.'],
  'submit.venue-refused': [6, 'The venue rejected the signed transfer: nothing moved.'],
  'submit.venue-failed': [6, 'The venue accepted the signed transfer and then failed it: nothing moved.'],
  'submit.unknown': [
    10,
    'A transaction may have been sent, or a signature that has left may still be used: do not repeat it.',
  ],

  'track.refunded': [7, 'The transfer was refunded on the origin chain.'],
  'track.failed': [8, 'The transfer failed; the service holds the funds.'],
  'track.unfinished': [9, 'The transfer is not finished yet: follow it with ferry status.'],

  'track.unwitnessed': [
    10,
    'The service reports a delivery or refund that the chain does not show: look there before you do anything.',
  ],

  'submit.nonce-gap': [
    9,
    'A transaction waits for an earlier nonce that the chain does not have: cancel its run, or use the nonce.',
  ],

  'submit.replaced': [6, 'Another transaction used the nonce, so the signed one can never be mined: nothing moved.'],

  'submit.cancelled': [
    6,
    'The payment was canceled: a transaction that does nothing was mined in its place, or made its signature void.',
  ],

  'run.unknown': [2, 'No run has that name, or there is no run to resume.'],
  'run.ambiguous': [2, 'Several runs match: name one.'],
  'run.busy': [2, 'Another process is executing the run.', retryable],
  'run.foreign-nonce': [
    2,
    'The account has used nonces or permits that ferry does not know: a payment may have been made elsewhere.',
  ],
  'run.unfinished': [2, 'The run, or one of the same transfer, is unfinished: resume it.'],
  'run.unsigned': [6, 'The run ended before anything was signed: there is nothing to resume.'],
  'run.settled': [2, 'The run has no pending transaction to replace or cancel, or has already ended.'],
  'run.unproved': [
    5,
    'The journal of a run is not sealed by this user: ferry asks before it acts on it, or wants --allow journal.',
  ],
  'run.elsewhere': [2, 'The run belongs to another network, sandbox or account.'],
  'run.stopped': [11, 'Stopped by a signal, such as Ctrl-C or SIGTERM: the process dies by it.', retryable],
  'run.unreadable': [2, 'The journal of a run is corrupt.'],
  'run.version': [2, 'The journal of a run was written by another version of ferry.'],

  'store.unconfigured': [2, 'No database is set as the store: set FERRY_STORE.'],
  'store.files': [
    2,
    'A store is set, and files of this machine have runs that are not finished: import them, or finish them first.',
  ],
  'store.unreachable': [3, 'The database in FERRY_STORE cannot be reached, or lets nobody in.', retryable],
  'store.refused': [2, 'The database in FERRY_STORE could lose what it has committed, or cannot be told from another.'],
  'store.version': [2, 'The database has no tables of ferry, or those of another version.'],
  'store.unwritable': [
    2,
    'The database refused to write, for a full disk or a missing right, for example: nothing was sent.',
  ],
  'store.behind': [
    2,
    'The store was restored or has failed over: what it may have forgotten could still be used, so the account waits.',
    retryable,
  ],
  'store.lost': [10, 'The session with the database has ended: nothing more is signed. Resume the run.'],
  'store.uncertain': [
    10,
    'The database warned that it may not keep what it was given; that was not sent. Resume the run.',
  ],
  'store.fenced': [10, 'Another process has taken over the account or the run: this one signs and sends nothing more.'],

  'output.unwritable': [2, 'The result cannot be written to stdout: its disk is full, for example. Nothing was paid.'],
  'output.lost': [
    10,
    'A transfer was made, and its result cannot be written to stdout: do not repeat it, look at its run.',
  ],
  'prompt.declined': [11, 'Declined at the prompt.'],
  'prompt.unavailable': [2, 'Input is required, but ferry cannot prompt.'],
  'sandbox.no-anvil': [2, 'The sandbox needs anvil, which is not installed.'],
  'sandbox.start': [3, 'The sandbox did not start.', retryable],
  'expect.unmet': [12, 'An expectation was not met.'],
} as const satisfies Record<string, Row>;

/** Where the money is, by the exit codes that say it; by all others it is untouched. */
const fundsByExit: Readonly<Record<number, Funds>> = { 7: 'returned', 8: 'held', 9: 'in-flight', 10: 'unknown' };

export function entry(code: Code): Entry {
  const [exit, docs, mark]: Row = table[code];
  return { exit, retryable: mark !== undefined, funds: fundsByExit[exit] ?? 'untouched', docs };
}

export function entries(): readonly (readonly [Code, Entry])[] {
  return (Object.keys(table) as Code[]).map((code) => [code, entry(code)]);
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

/** What an error says beside its message. `funds` and `retryable` are given if they differ from the table. */
export type Extra = {
  [K in keyof Omit<BaseError, keyof Error | 'code' | 'exit' | 'with'>]?: BaseError[K] | undefined;
} & { cause?: unknown };

/** The base of every error that ferry reports to the user. Subclasses are defined next to the code that throws them. */
export class BaseError extends Error {
  override name = 'BaseError';
  readonly code: Code;
  /** Aligned facts, most important first. */
  readonly facts: readonly Fact[];
  /** How to fix it, in one sentence. */
  readonly hint: string | undefined;
  /** The command to type next. */
  readonly next: string | undefined;
  /** The id of the run that failed. */
  readonly run: string | undefined;
  /** Allowances that the run granted and did not use. */
  readonly allowances: readonly AllowanceLeft[];
  readonly funds: Funds;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly txHash: string | undefined;
  readonly httpStatus: number | undefined;
  /** The service's details of a failed simulation, verbatim. */
  readonly trace: SimulationFailure.Details | undefined;

  constructor(code: Code, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    const { funds, retryable } = entry(code);
    this.code = code;
    this.facts = extra.facts ?? [];
    this.hint = extra.hint;
    this.next = extra.next;
    this.funds = extra.funds ?? funds;
    this.retryable = extra.retryable ?? retryable;
    this.run = extra.run;
    this.allowances = extra.allowances ?? [];
    this.requestId = extra.requestId;
    this.txHash = extra.txHash;
    this.httpStatus = extra.httpStatus;
    this.trace = extra.trace;
  }

  /**
   * The same error with more said of it. One that was thrown does not change: all that a signal stops end with the same one.
   */
  with(said: Partial<Omit<BaseError, 'name' | 'code' | 'exit' | 'with'>>): this {
    const same = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this));
    return Object.assign(same, said);
  }

  get exit(): number {
    return table[this.code][0];
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
  return isNamed ? thrown : thrown.with({ facts: [...thrown.facts, ['file', path]] });
}
