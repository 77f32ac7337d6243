/** Every way the venue can fail to give what it promises, as the error that a person reads. */
import * as Decode from '../../core/api/schema/Decode.js';
import * as Envelope from '../../core/api/venue/Envelope.js';
import { BaseError, type Code, type Extra, type Fact } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import type { Network } from '../../core/network/Network.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { NetworkError, Reason } from './networkError.js';

/** One request to the venue, and where it is put. */
export type At = {
  network: Network;
  baseUrl: string;
  method: 'GET' | 'POST';
  path: string;
  /** What it is for, as it stands in "The venue refused …". */
  purpose: string;
};

/** An answer that is not a success: by its status, or by the code in its body. */
export type Refusal = { status: number; body: string; json: unknown; waitMs: number | undefined };

/** The venue's own words for what a caller can do something about; its list is open. */
const advices: Readonly<Record<number, string>> = {
  20013: 'The auth token has run out or is signed by another key.',
  20558: 'The venue does not serve the place that the request comes from.',
  21100: 'Is this the right network? An account exists only after its first deposit.',
  21104: 'Another program uses the same API key at the same time. Give each its own.',
  21106: 'The receiving account cannot take the transfer.',
  21108: 'No key is registered in that slot.',
  21109: 'No key is registered in that slot.',
  21118: 'The amount is smaller than the venue transfers.',
  21119: 'The amount is larger than the venue transfers.',
  21120: 'The registered key may have been replaced, or the venue may have changed its format.',
  21134: 'The fee of the venue has changed since the quote. Ask for a new one.',
  21136: 'The venue may have changed its format: look for a newer ferry.',
  21301: 'The account has less than the amount and the fee.',
  21304: 'The account has less than the amount.',
  21305: 'The account has less than the amount and the fee.',
  21504: 'The signing wallet is not the one that owns the account.',
  21506: 'Wait until the transactions before it are executed.',
};

/** The error of a refusal. */
export function refused({ status, body, json, waitMs }: Refusal, at: At): VenueError {
  const decoding = Decode.from(Envelope.failure, json);
  const said = decoding.ok ? decoding.value : undefined;
  const facts: Fact[] = [
    ...(said ? ([['code', String(said.code)]] as const) : []),
    ...fact('message', said?.message, at),
    ...(said ? [] : fact('came', body === '' ? 'nothing' : body, at)),
    ['status', `${status} to ${at.method} ${at.path}`],
  ];
  const venueCode = said?.code;
  const extra = { facts, httpStatus: status };
  const hint = venueCode === undefined ? undefined : advices[venueCode];
  if (status === 429 || venueCode === 23_000) return rateLimited(waitMs, extra, at);
  if (status >= 500 || venueCode === 29_500 || venueCode === 29_501)
    return new VenueError(
      'venue.unavailable',
      `The venue of ${at.network.name} has a fault of its own and did not answer.`,
      { ...extra, hint: 'Wait a moment, then type the same command again.' },
      { again: true, venueCode, waitMs, verdict: 'open' },
    );
  if (!said)
    return new VenueError(
      'venue.malformed',
      `What answers for the venue of ${at.network.name} refused ${at.purpose}, in no form that the venue promises.`,
      { ...extra, hint: 'Something in between may keep the request out. Is the address of the venue right?' },
      { verdict: 'open' },
    );
  return new VenueError(
    'venue.refused',
    `The venue refused ${at.purpose}.`,
    { ...extra, hint },
    { venueCode, verdict: 'refused' },
  );
}

/** The error of a 2xx answer that is not of the promised shape. */
export function malformed(body: string, problems: readonly Decode.Problem[], at: At): VenueError {
  const [first] = problems;
  return new VenueError(
    'venue.malformed',
    `The answer of the venue to ${at.method} ${at.path} is not what it promises.`,
    {
      facts: [
        ['expected', first ? brief(Decode.format(first)) : 'JSON'],
        ...fact('came', body === '' ? 'nothing' : body, at),
      ],
      hint: 'The venue, or something in between, is at fault.',
    },
    { verdict: 'open' },
  );
}

/** The error of a request that got no answer. */
export function unanswered(error: NetworkError, at: At): VenueError {
  const { network, baseUrl } = at;
  const { origin } = new URL(baseUrl);
  const isLate = error.reason === 'timeout';
  return new VenueError(
    isLate ? 'venue.timeout' : 'venue.unreachable',
    isLate
      ? `The venue of ${network.name} took too long to answer.`
      : `The venue of ${network.name} at ${origin} does not answer.`,
    {
      facts: [['why', TerminalText.escape(error.message)]],
      hint: error.hint ?? (network.name === 'sandbox' ? undefined : 'Is its base URL right? Is this machine online?'),
      next: network.name === 'sandbox' ? 'ferry sandbox status' : 'ferry config list',
    },
    { again: passing.includes(error.reason), verdict: error.arrived === 'no' ? 'unsent' : 'open' },
  );
}

/** What may pass by itself. */
const passing: readonly Reason[] = ['refused', 'broken', 'cut-off', 'timeout'];

function rateLimited(waitMs: number | undefined, extra: Extra, { network }: At): VenueError {
  const seconds = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
  return new VenueError(
    'venue.rate-limited',
    `The venue of ${network.name} has had too many requests.`,
    {
      ...extra,
      hint: `Wait ${seconds === undefined ? 'a minute' : TerminalText.span(seconds)}, then type the same command again.`,
    },
    { again: true, waitMs, verdict: 'refused' },
  );
}

/** Without what is secret of the venue's own address, which it may repeat. */
function fact(label: string, value: string | undefined, { baseUrl }: At): Fact[] {
  return value === undefined || value.trim() === '' ? [] : [[label, brief(Url.conceal(value, baseUrl))]];
}

/** Foreign text made safe and short. */
export function brief(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return TerminalText.escape(flat.length > 200 ? `${flat.slice(0, 200)}…` : flat);
}

/**
 * What a failure says of what was asked: `refused` that the venue did nothing, `unsent` that it never heard of it,
 * `open` that it may have acted.
 */
export type Verdict = 'refused' | 'unsent' | 'open';

/** A failure of the venue, with whether the same may be asked again at once. */
export class VenueError extends BaseError {
  override name = 'VenueError';
  readonly again: boolean;
  readonly waitMs: number | undefined;
  /** The venue's own number for it. */
  readonly venueCode: number | undefined;
  readonly verdict: Verdict;

  constructor(
    code: Code,
    message: string,
    extra: Extra,
    {
      again = false,
      waitMs,
      venueCode,
      verdict,
    }: { again?: boolean; waitMs?: number | undefined; venueCode?: number | undefined; verdict: Verdict },
  ) {
    super(code, message, extra);
    this.again = again;
    this.waitMs = waitMs;
    this.venueCode = venueCode;
    this.verdict = verdict;
  }
}
