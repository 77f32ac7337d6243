/**
 * How ferry can fail: one table of codes. A code decides the exit code, whether the same command may simply be
 * repeated, and, unless the error itself knows better, where the money is.
 */
import type * as SimulationFailure from '../api/schema/SimulationFailure.js';

/** Where the money is. */
export type Funds = 'untouched' | 'in-flight' | 'returned' | 'held' | 'delivered' | 'unknown';

/** Why something failed, as scripts tell it apart: the keys of the table. */
export type Code = keyof typeof table;

/** What a code stands for. */
export type Entry = {
  /** The process exit code. */
  exit: number;
  /** Whether the same command may be typed again and could then succeed. */
  retryable: boolean;
  /** Where the money is, unless the error says otherwise. */
  funds: Funds;
  /** One sentence for `ferry help exit-codes` and the reference. */
  docs: string;
};

const untouched = { retryable: false, funds: 'untouched' } as const;

const table = {
  'internal.bug': { ...untouched, exit: 1, docs: 'A fault in ferry itself.' },

  'usage.unknown-command': { ...untouched, exit: 2, docs: 'No such command.' },
  'usage.unknown-option': { ...untouched, exit: 2, docs: 'No such option.' },
  'usage.missing': { ...untouched, exit: 2, docs: 'An argument or option that is needed is missing.' },
  'usage.invalid': { ...untouched, exit: 2, docs: 'An argument or option has a value it cannot have.' },
  'usage.confirmation': {
    ...untouched,
    exit: 2,
    docs: 'A confirmation is needed and nobody can be asked: say --yes.',
  },

  'config.invalid': { ...untouched, exit: 2, docs: 'A configuration file or variable has a value it cannot have.' },
  'config.unreadable': { ...untouched, exit: 2, docs: 'A configuration file cannot be read or parsed.' },
  'config.untrusted': { ...untouched, exit: 2, docs: 'A project file sets something that only the user may set.' },
  'config.unknown-network': { ...untouched, exit: 2, docs: 'No network of that name is configured.' },
  'config.unwritable': { ...untouched, exit: 2, docs: 'A configuration or state file cannot be written.' },

  'request.unknown-chain': { ...untouched, exit: 2, docs: 'The network has no chain of that name or id.' },
  'request.unknown-token': { ...untouched, exit: 2, docs: 'The chain has no well-known token of that symbol.' },
  'request.invalid-currency': { ...untouched, exit: 2, docs: 'A currency is not written chain/token.' },
  'request.invalid-amount': { ...untouched, exit: 2, docs: 'An amount is not a positive decimal number.' },
  'request.too-many-decimals': { ...untouched, exit: 2, docs: 'An amount is finer than the token can be divided.' },
  'request.invalid-address': { ...untouched, exit: 2, docs: 'An address is malformed or its checksum is wrong.' },
  'request.unsupported': {
    ...untouched,
    exit: 2,
    docs: 'Options that cannot be combined, or a route ferry cannot run.',
  },

  'service.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The service does not answer.' },
  'service.timeout': { ...untouched, exit: 3, retryable: true, docs: 'The service took too long to answer.' },
  'service.refused': { ...untouched, exit: 3, docs: 'The service refused the request; its own code and words follow.' },
  'service.rate-limited': { ...untouched, exit: 3, retryable: true, docs: 'Too many requests; wait and try again.' },
  'service.unavailable': { ...untouched, exit: 3, retryable: true, docs: 'The service has a fault of its own.' },
  'service.redirected': {
    ...untouched,
    exit: 3,
    docs: 'The service answered with a redirect, which ferry never follows.',
  },
  'service.malformed': { ...untouched, exit: 3, docs: 'The answer is not what the service promises.' },
  'service.unknown-request': { ...untouched, exit: 3, docs: 'The service knows no request of that id.' },

  'venue.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The venue does not answer.' },
  'venue.timeout': { ...untouched, exit: 3, retryable: true, docs: 'The venue took too long to answer.' },
  'venue.refused': { ...untouched, exit: 3, docs: 'The venue refused the request; its own code and words follow.' },
  'venue.rate-limited': {
    ...untouched,
    exit: 3,
    retryable: true,
    docs: 'Too many requests to the venue; wait and try again.',
  },
  'venue.unavailable': { ...untouched, exit: 3, retryable: true, docs: 'The venue has a fault of its own.' },
  'venue.malformed': { ...untouched, exit: 3, docs: 'The answer of the venue is not what it promises.' },
  'venue.unknown-account': { ...untouched, exit: 2, docs: 'The venue has no such account, or none of that wallet.' },
  'venue.unconfigured': { ...untouched, exit: 2, docs: 'The network has no venue, or it is not known where it is.' },

  'auth.refused': { ...untouched, exit: 4, docs: 'The API key or referrer is missing or not accepted.' },
  'auth.no-account': { ...untouched, exit: 4, docs: 'No account to sign with is configured.' },
  'auth.unknown-account': { ...untouched, exit: 4, docs: 'No account of that name.' },
  'auth.password': { ...untouched, exit: 4, docs: 'The password does not open the keystore.' },
  'auth.keystore': { ...untouched, exit: 4, docs: 'A keystore or key file cannot be read or is not one.' },
  'auth.key-exists': { ...untouched, exit: 4, docs: 'An account of that name exists already.' },
  'auth.development-key': {
    ...untouched,
    exit: 4,
    docs: 'A well-known development key signs on the sandbox only.',
  },

  'auth.venue-key': {
    ...untouched,
    exit: 4,
    docs: 'There is no API key of the venue account to sign with, or it is not the one that is registered.',
  },
  'auth.venue-owner': { ...untouched, exit: 4, docs: 'The wallet does not own the venue account.' },
  'auth.signer': { ...untouched, exit: 4, docs: 'The signing command failed, or signed something else.' },

  'quote.unsupported-step': { ...untouched, exit: 5, docs: 'The quote holds a step that ferry cannot run.' },
  'quote.unreadable': { ...untouched, exit: 2, docs: 'A quote file cannot be read or is not a quote.' },
  'verify.mismatch': { ...untouched, exit: 5, docs: 'The quote does not do what was asked: ferry does not sign it.' },
  'verify.unverified': { ...untouched, exit: 5, docs: 'The quote cannot be proved: ferry does not sign it.' },
  'verify.cap': { ...untouched, exit: 5, docs: 'The quote costs more than the caps allow: ferry does not sign it.' },
  'verify.expired': { ...untouched, exit: 5, retryable: true, docs: 'The quote is too old to be executed.' },

  'chain.unreachable': { ...untouched, exit: 3, retryable: true, docs: 'The RPC node does not answer.' },
  'chain.no-rpc': { ...untouched, exit: 2, docs: 'No RPC URL is configured for the chain.' },
  'chain.wrong-chain': { ...untouched, exit: 2, docs: 'The RPC node serves another chain.' },
  'chain.refused': { ...untouched, exit: 3, docs: 'The RPC node refused a request.' },
  'chain.not-a-contract': { ...untouched, exit: 2, docs: 'There is no contract at that address.' },
  'chain.not-a-token': { ...untouched, exit: 2, docs: 'There is no ERC-20 token at that address.' },
  'chain.unknown-transaction': {
    ...untouched,
    exit: 3,
    docs: 'No chain that was asked has a transaction of that hash.',
  },
  'trace.unreadable': { ...untouched, exit: 2, docs: 'A trace, an error body or an ABI cannot be read or is not one.' },
  'smoke.unreadable': { ...untouched, exit: 2, docs: 'A smoke file cannot be read, or is not a list of cases.' },
  'batch.unreadable': { ...untouched, exit: 2, docs: 'A batch cannot be read, or one of its lines is no transfer.' },
  'batch.ledger': { ...untouched, exit: 2, docs: 'The ledger is damaged, in use, or of another batch.' },
  'sign.failed': { ...untouched, exit: 4, docs: 'The account could not sign.' },
  'submit.insufficient-balance': { ...untouched, exit: 6, docs: 'The balance is smaller than the amount.' },
  'submit.insufficient-gas': { ...untouched, exit: 6, docs: 'The account cannot pay for gas.' },
  'submit.simulation': { ...untouched, exit: 6, docs: 'A transaction would fail, so it was not sent.' },
  'submit.busy': {
    ...untouched,
    exit: 3,
    retryable: true,
    docs: 'Another ferry on this machine sends from the same account and did not end in time: nothing was signed.',
  },
  'submit.expired': {
    ...untouched,
    exit: 6,
    retryable: true,
    docs: 'What was signed ran out unused, as the chain shows: nothing moved.',
  },
  'submit.reverted': { ...untouched, exit: 6, docs: 'The origin transaction reverted: nothing moved but gas.' },
  'submit.venue-refused': { ...untouched, exit: 6, docs: 'The venue refused the signed transfer: nothing moved.' },
  'submit.venue-failed': {
    ...untouched,
    exit: 6,
    docs: 'The venue accepted the signed transfer and then failed it: nothing moved.',
  },
  'submit.unknown': {
    exit: 10,
    retryable: false,
    funds: 'unknown',
    docs: 'A transaction may or may not have been sent: do not repeat it.',
  },

  'track.refunded': { exit: 7, retryable: false, funds: 'returned', docs: 'The transfer was refunded on the origin.' },
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

  'submit.replaced': {
    ...untouched,
    exit: 6,
    docs: 'Another transaction took the nonce, so what was signed can never be mined: nothing of it moved.',
  },

  'submit.cancelled': {
    ...untouched,
    exit: 6,
    docs: 'The transaction was cancelled: another one that does nothing was mined in its place.',
  },

  'run.unknown': { ...untouched, exit: 2, docs: 'There is no run of that name, or none to resume.' },
  'run.ambiguous': { ...untouched, exit: 2, docs: 'Several runs are meant: name one.' },
  'run.busy': { ...untouched, exit: 2, retryable: true, docs: 'Another process is carrying the run out.' },
  'run.unfinished': { ...untouched, exit: 2, docs: 'The same transfer was begun and is not finished: resume it.' },
  'run.unsigned': { ...untouched, exit: 6, docs: 'The run ended before anything was signed: nothing to resume.' },
  'run.settled': {
    ...untouched,
    exit: 2,
    docs: 'Nothing of the run waits to be mined: nothing to replace or to cancel.',
  },
  'run.elsewhere': { ...untouched, exit: 2, docs: 'The run belongs to another network, sandbox or account.' },
  'run.unreadable': { ...untouched, exit: 2, docs: 'The journal of a run is damaged.' },
  'run.version': { ...untouched, exit: 2, docs: 'The journal of a run was written by another version of ferry.' },

  'prompt.declined': { ...untouched, exit: 11, docs: 'Declined at the prompt.' },
  'prompt.unavailable': { ...untouched, exit: 2, docs: 'A question would be needed, and nobody can be asked.' },
  'sandbox.no-anvil': { ...untouched, exit: 2, docs: 'The sandbox needs anvil, which is not installed.' },
  'sandbox.start': { ...untouched, exit: 3, retryable: true, docs: 'The sandbox did not start.' },
  'sandbox.not-running': { ...untouched, exit: 3, docs: 'No sandbox is running.' },
  'expect.unmet': { ...untouched, exit: 12, docs: 'An expectation was not met.' },
} as const satisfies Record<string, Entry>;

/** The table's entry for a code. */
export function entry(code: Code): Entry {
  return table[code];
}

/** Every code with its entry, in the table's order. */
export function entries(): readonly (readonly [Code, Entry])[] {
  return Object.entries(table) as [Code, Entry][];
}

/** One aligned line under an error's message: a label and its value. */
export type Fact = readonly [label: string, value: string];

/** What a run has let somebody take and that was not taken. */
export type AllowanceLeft = {
  chain: string;
  chainId: number;
  /** As it is typed: `alpha/usdc`. */
  currency: string;
  symbol: string;
  owner: string;
  spender: string;
  /** Base units. */
  amount: string;
  formatted: string;
  /** The command that clears it. */
  next: string;
};

/** What an error says beside its code and its message. */
export type Extra = {
  /** Aligned facts, most telling first. */
  facts?: readonly Fact[] | undefined;
  /** What would mend it, in a sentence. */
  hint?: string | undefined;
  /** The command to type next. */
  next?: string | undefined;
  /** Where the money is, when it differs from the table. */
  funds?: Funds | undefined;
  /** Whether to try again, when it differs from the table. */
  retryable?: boolean | undefined;
  /** The run that ended so. */
  run?: string | undefined;
  requestId?: string | undefined;
  txHash?: string | undefined;
  httpStatus?: number | undefined;
  /** The service's account of a failed simulation, as it came. */
  trace?: SimulationFailure.Details | undefined;
  cause?: unknown;
};

/** Every error that ferry means to show. Subclasses stand beside the code that throws them. */
export class BaseError extends Error {
  override name = 'BaseError';
  readonly code: Code;
  readonly facts: readonly Fact[];
  readonly hint: string | undefined;
  /** Told by whoever keeps the run's journal. */
  next: string | undefined;
  run: string | undefined;
  /** Likewise: what the run has allowed and not used. */
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
