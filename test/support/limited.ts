/** A rate limiting service in front of a sandbox. */
import { type Behaviour, type Loopback, loopback, type ReceivedRequest } from './loopback.js';

export type Limited = Loopback & {
  /** Every request to the service, with its arrival in Unix milliseconds and its response status. */
  log: { path: string; at: number; status: number }[];
};

export type Rule = {
  /** The number of requests allowed at once. */
  burst: number;
  /** The interval after which one more is allowed. */
  everyMs: number;
};

/** Forwards requests within the limit and responds 429 to the rest. What `instead` answers is not forwarded. */
export async function limited(baseUrl: string, rule: Rule, instead?: (seen: ReceivedRequest) => Behaviour | undefined) {
  const log: Limited['log'] = [];
  let left = rule.burst;
  let last = Date.now();
  const server = await loopback((response, request) => {
    const at = Date.now();
    const note = (status: number) => void log.push({ path: request.path, at, status });
    if (request.path.startsWith('/sandbox')) return passOn(baseUrl)(response, request);
    left = Math.min(rule.burst, left + (at - last) / rule.everyMs);
    last = at;
    const other = instead?.(request);
    if (other) {
      other(response, request);
      return note(response.statusCode);
    }
    if (left < 1) {
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"message":"Too many requests"}');
      return note(429);
    }
    left -= 1;
    note(200);
    passOn(baseUrl)(response, request);
  });
  return { ...server, log };
}

/** Forwards requests. */
export function passOn(baseUrl: string): Behaviour {
  return (response, { method, path, headers, body }) => {
    const kept = ['content-type', 'x-api-key', 'accept'].flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
    );
    fetch(`${baseUrl}${path}`, { method, headers: kept, ...(body === '' ? {} : { body }) })
      .then(async (answer) => {
        const type = answer.headers.get('content-type') ?? 'application/json';
        response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
      })
      .catch(() => response.destroy());
  };
}
