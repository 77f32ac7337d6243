/** Turns every failure of the venue into the error a user reads. */
import * as Decode from '../../core/api/schema/Decode.js';
import * as VenueApi from '../../core/api/VenueApi.js';
import { BaseError, type Code, type Extra, type Fact } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import { type Network, settingUrl } from '../../core/network/Network.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { NetworkError, Reason } from './networkError.js';

export type At = {
  network: Network;
  baseUrl: string;
  method: 'GET' | 'POST';
  path: string;
  /** Its purpose, to complete "The venue refused …". */
  purpose: string;
};

/** A response that is not a success, by its status or by the code in its body. */
export type Refusal = { status: number; body: string; json: unknown; waitMs: number | undefined };

/** Advice for venue error codes that a user can act on. The venue's list of codes is open. */
const advices: Readonly<Record<number, string>> = {
  20013: 'The auth token has expired or was signed by another key.',
  20558: 'The venue is not available in your region.',
  21100: 'Check the network. An account exists only after its first deposit.',
  21104: 'Another program is using the same API key. Give each its own key.',
  21106: 'The receiving account cannot accept the transfer.',
  21108: 'No key is registered at this index.',
  21109: 'No key is registered at this index.',
  21118: 'The amount is below the venue’s minimum for transfers.',
  21119: 'The amount is above the venue’s maximum for transfers.',
  21120: 'The registered key may have been replaced, or the venue may have changed its format.',
  21134: 'The venue’s fee has changed since the quote. Request a new quote.',
  21136: 'The venue may have changed its format. Check for a newer version of ferry.',
  21301: 'The balance does not cover the amount and the fee.',
  21304: 'The balance does not cover the amount.',
  21305: 'The balance does not cover the amount and the fee.',
  21501:
    'The venue takes a transfer before it expires, and only if that is at most ten minutes ahead. Check your clock, or set --valid-for.',
  21504: 'The signing wallet does not own the account.',
  21506: 'Wait until the earlier transactions are executed.',
};

export function refused({ status, body, json, waitMs }: Refusal, at: At): VenueError {
  const decoding = Decode.from(VenueApi.failure, json);
  const said = decoding.ok ? decoding.value : undefined;
  const facts: Fact[] = [
    ...(said ? ([['code', String(said.code)]] as const) : []),
    ...fact('message', said?.message, at),
    ...(said ? [] : fact('received', body === '' ? 'nothing' : body, at)),
    ['status', `${status} to ${at.method} ${at.path}`],
  ];
  const venueCode = said?.code;
  const extra = { facts, httpStatus: status };
  const hint = venueCode === undefined ? undefined : advices[venueCode];
  if (status === 429 || venueCode === 23_000) return rateLimited(waitMs, extra, at);
  if (status >= 500 || venueCode === 29_500 || venueCode === 29_501)
    return new VenueError(
      'venue.unavailable',
      `The venue of ${at.network.name} failed with a server error.`,
      { ...extra, hint: 'Wait a moment, then run the same command again.' },
      { again: true, venueCode, waitMs, verdict: 'open' },
    );
  if (!said)
    return new VenueError(
      'venue.malformed',
      `The venue of ${at.network.name} refused ${at.purpose} in an undocumented format.`,
      { ...extra, hint: 'A proxy in between may be blocking the request. Check the venue’s URL.' },
      { verdict: 'open' },
    );
  return new VenueError(
    'venue.refused',
    `The venue refused ${at.purpose}.`,
    { ...extra, hint },
    { venueCode, verdict: 'refused' },
  );
}

/** The error for a 2xx response that does not match the schema. */
export function malformed(body: string, problems: readonly Decode.Problem[], at: At): VenueError {
  const [first] = problems;
  return new VenueError(
    'venue.malformed',
    `The venue sent an unexpected response to ${at.method} ${at.path}.`,
    {
      facts: [
        ['expected', first ? TerminalText.brief(Decode.format(first)) : 'JSON'],
        ...fact('received', body === '' ? 'nothing' : body, at),
      ],
      hint: 'The venue or a proxy in between is at fault.',
    },
    { verdict: 'open' },
  );
}

export function unanswered(error: NetworkError, at: At): VenueError {
  const { network, baseUrl } = at;
  const { origin } = new URL(baseUrl);
  const isLate = error.reason === 'timeout';
  const { urlVariable } = network.venue ?? {};
  const look = network.name === 'sandbox' ? 'ferry sandbox status' : 'ferry config list';
  return new VenueError(
    isLate ? 'venue.timeout' : 'venue.unreachable',
    isLate
      ? `The venue of ${network.name} took too long to answer.`
      : `The venue of ${network.name} at ${origin} does not answer.`,
    {
      facts: [['reason', TerminalText.escape(error.message)]],
      hint: error.hint ?? (network.name === 'sandbox' ? undefined : 'Check its base URL and your connection.'),
      next: urlVariable ? settingUrl(`networks.${network.name}.venue.baseUrl`, urlVariable) : look,
    },
    { again: transient.includes(error.reason), verdict: error.arrived === 'no' ? 'unsent' : 'open' },
  );
}

const transient: readonly Reason[] = ['refused', 'broken', 'cut-off', 'timeout'];

function rateLimited(waitMs: number | undefined, extra: Extra, { network }: At): VenueError {
  const seconds = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
  return new VenueError(
    'venue.rate-limited',
    `The venue of ${network.name} received too many requests.`,
    {
      ...extra,
      hint: `Wait ${seconds === undefined ? 'a minute' : TerminalText.span(seconds)}, then run the same command again.`,
    },
    { again: true, waitMs, verdict: 'refused' },
  );
}

/** Hides the secret parts of the venue's URL, which the venue may repeat. */
function fact(label: string, value: string | undefined, { baseUrl }: At): Fact[] {
  return value === undefined || value.trim() === '' ? [] : [[label, TerminalText.brief(Url.conceal(value, baseUrl))]];
}

/**
 * What a failure implies for the request: `refused` means the venue did nothing, `unsent` that it never received the
 * request, `open` that it may have acted.
 */
export type Verdict = 'refused' | 'unsent' | 'open';

/** A failure of the venue, and whether the request may be retried. */
export class VenueError extends BaseError {
  override name = 'VenueError';
  readonly again: boolean;
  readonly waitMs: number | undefined;
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
    }: Pick<VenueError, 'verdict'> & Partial<Pick<VenueError, 'again' | 'waitMs' | 'venueCode'>>,
  ) {
    super(code, message, extra);
    this.again = again;
    this.waitMs = waitMs;
    this.venueCode = venueCode;
    this.verdict = verdict;
  }
}
