/** A raw call for `POST /execute`, from options or from a body, checked here in the service's own words. */

import * as Execute from '../api/Execute.js';
import * as Decode from '../api/schema/Decode.js';
import { BaseError } from '../base/Errors.js';

/** The options as typed; what is missing is for the service's rules to say. */
export type Typed = {
  chainId: number | undefined;
  to?: string | undefined;
  data?: string | undefined;
  /** wei */
  value?: string | undefined;
  authorizations?: readonly string[] | undefined;
  destinationCalls?: readonly string[] | undefined;
  destinationAuthorizations?: readonly string[] | undefined;
  referrer?: string | undefined;
  subsidizeFees: boolean;
  requestId?: string | undefined;
};

/**
 * The request that the options make.
 *
 * @throws usage.invalid in the service's own words: `to is required`, `authorizationList cannot be empty`
 */
export function from(typed: Typed): Execute.Request {
  const destination = {
    ...(typed.destinationCalls ? { calls: typed.destinationCalls.map(call) } : {}),
    ...(typed.destinationAuthorizations
      ? { authorizationList: typed.destinationAuthorizations.map(authorization) }
      : {}),
  };
  return check({
    executionKind: 'rawCalls',
    data: {
      ...defined({ chainId: typed.chainId, to: typed.to, data: typed.data, value: typed.value }),
      ...(typed.authorizations ? { authorizationList: typed.authorizations.map(authorization) } : {}),
    },
    executionOptions: {
      ...defined({ referrer: typed.referrer }),
      subsidizeFees: typed.subsidizeFees,
      ...(Object.keys(destination).length > 0 ? { destinationChainExecutionData: destination } : {}),
    },
    ...defined({ requestId: typed.requestId }),
  });
}

/** A body as it would be sent. @throws usage.invalid */
export function check(body: unknown): Execute.Request {
  const decoding = Decode.from(Execute.request, body);
  if (!decoding.ok) throw new InvalidCallError(decoding.problems);
  return decoding.value;
}

/** `to:value:data`, of which value and data may be left out. */
function call(text: string): Record<string, string> {
  const [to = '', value = '', data = ''] = text.split(':');
  return { to, ...(value ? { value } : {}), ...(data ? { data } : {}) };
}

/** An authorization as JSON with its six fields. */
function authorization(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BaseError('usage.invalid', 'An authorization is written as JSON.', {
      hint: '\'{"chainId":1,"address":"0x…","nonce":0,"yParity":0,"r":"0x…","s":"0x…"}\'',
    });
  }
}

function defined<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export class InvalidCallError extends BaseError {
  override name = 'InvalidCallError';
  constructor(problems: readonly Decode.Problem[]) {
    super('usage.invalid', `The service would refuse this: ${Execute.complaint(problems)}.`, {
      facts: problems.slice(0, 6).map((problem): readonly [string, string] => ['problem', Decode.format(problem)]),
      next: 'ferry execute call --help',
    });
  }
}
