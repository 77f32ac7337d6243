/** Errors of the venue: usually HTTP 400, with a code and a message. */
import { HttpError } from '../http/HttpError.js';

/** The venue's message for each code. The trailing space of 20001 is the venue's. */
export const messages = {
  20001: 'invalid param ',
  20013: 'invalid auth: token is missing, expired or not signed by a registered key',
  21100: 'account not found',
  21102: 'invalid account index',
  21104: 'invalid nonce',
  21106: 'invalid ToAccount',
  21108: 'invalid PublicKey, please run changePubKey',
  21109: 'api key not found',
  21110: 'invalid api key index',
  21118: 'transfer amount is too small',
  21119: 'transfer amount is too high',
  21120: 'invalid signature',
  21124: 'invalid route type',
  21134: 'invalid fee',
  21301: 'not enough collateral',
  21304: 'not enough asset balance',
  21305: 'not enough asset balance for fee',
  21500: 'transaction not found',
  21501: 'invalid tx info',
  21504: 'fail to l1 signature',
  21505: 'unsupported tx type',
  21506: 'too many pending txs',
  21801: 'invalid asset index',
  21805: 'only usdc transfer supported',
  23000: 'Too Many Requests!',
  29404: 'not found',
  29500: 'internal server error',
} as const;

export type Code = keyof typeof messages;

function statusOf(code: Code): number {
  if (code === 20013) return 401;
  if (code === 23000) return 429;
  return code === 29500 ? 500 : 400;
}

export function documentedBody(_path: string, status: number): { code: Code; message: string } {
  const code = status === 401 ? 20013 : status === 429 ? 23000 : status >= 500 ? 29500 : 20001;
  return { code, message: messages[code] };
}

/** Thrown to reject a request; the venue's routes turn it into the response. */
export class VenueRefusalError extends HttpError {
  override name = 'VenueRefusalError';
  readonly code: Code;

  constructor(code: Code) {
    super(statusOf(code), { code, message: messages[code] });
    this.code = code;
  }
}
