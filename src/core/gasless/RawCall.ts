/** A raw call for `POST /execute`, from options or a body, validated with the service's own messages. */

import * as Execute from '../api/Execute.js';
import * as Decode from '../api/schema/Decode.js';
import { BaseError } from '../base/Errors.js';

/** The options as typed. Missing ones are reported by the service's rules. */
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
 * The request of the options.
 *
 * @throws usage.invalid with the service's messages: `to is required`, `authorizationList cannot be empty`
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

/** Validates a request body. @throws usage.invalid */
export function check(body: unknown): Execute.Request {
  const decoding = Decode.from(Execute.request, body);
  if (!decoding.ok)
    throw new BaseError('usage.invalid', `The service would refuse this: ${Execute.complaint(decoding.problems)}.`, {
      facts: decoding.problems
        .slice(0, 6)
        .map((problem): readonly [string, string] => ['problem', Decode.format(problem)]),
      next: 'ferry execute call --help',
    });
  return decoding.value;
}

/** Parses `to:value:data`; value and data are optional. */
function call(text: string): Record<string, string> {
  const [to = '', value = '', data = ''] = text.split(':');
  return { to, ...(value ? { value } : {}), ...(data ? { data } : {}) };
}

/** Parses an authorization, a JSON object with six fields. */
function authorization(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BaseError('usage.invalid', 'An authorization must be JSON.', {
      hint: 'For example: \'{"chainId":1,"address":"0x…","nonce":0,"yParity":0,"r":"0x…","s":"0x…"}\'',
    });
  }
}

function defined<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
