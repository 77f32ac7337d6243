import * as z from 'zod/mini';
import { BaseError } from '../../core/Errors.js';
import * as RequestDocument from '../../core/RequestDocument.js';
import type { RequestQuery } from '../../core/RequestQuery.js';
import * as RequestSource from '../../core/RequestSource.js';
import * as RequestText from '../../core/render/Request.js';
import * as Text from '../../core/render/Text.js';
import { define } from '../Command.js';

export const command = define({
  description:
    'Shows one request with everything that the service’s records say of it: where it is and where its money is, currencies, transactions, fees and reasons. Unlike ferry status it exits 0 whatever became of the request.',
  args: [{ name: 'request', description: 'a request id, an order id, or the hash of a deposit, a fill or a refund' }],
  options: {},
  examples: [
    ['ferry requests show 0x17…', 'by request id'],
    ['ferry requests show 0x5a…', 'by a transaction, whichever chain it is on'],
    ['ferry requests show 0x17… --json | jq -r ".data.transactions[] | [.role, .hash] | @tsv"', 'for a script'],
  ],
  output: z.extend(RequestDocument.schema, {
    /** Which of the service’s records answered: v2 is deprecated and says less. */
    version: z.enum(['v3', 'v2']),
    /** The command to type next. */
    next: z.nullable(z.string()),
  }),
  async run({ args: [name = ''] }, context) {
    const { network, warn } = context;
    assertNames(name);
    const source = RequestSource.from({ service: await context.service(), network, warn });
    const found = await find(name, source);
    const [request, ...others] = found;
    if (!request) throw new UnknownRequestError(name, network.name);
    if (others.length > 0) throw new SeveralRequestsError(name, found);
    return { ...request, version: source.version() ?? ('v3' as const), next: nextOf(request) };
  },
  view(data, style) {
    const next = data.next === null ? [] : ['', `${style.dim('next:')} ${style.cyan(data.next)}`];
    return [RequestText.format(data, style), ...next].join('\n');
  },
});

/** By its id first, which nothing else is; then by its transactions and as an order, all at once. */
async function find(
  name: string,
  source: RequestSource.RequestSource,
): Promise<readonly RequestDocument.RequestDocument[]> {
  const ask = async (query: RequestQuery) => {
    const { requests } = await source.page({ ...query, limit: 50 });
    // The service might look at more than it was asked for.
    return requests.filter((each) => RequestDocument.isKnownAs(each, name));
  };
  const isOfVenue = /^(0x)?[0-9a-fA-F]{80}$/.test(name);
  const hash = isOfVenue ? name.replace(/^0x/, '') : name;
  const found = await ask(isOfVenue ? { depositTxHash: hash } : { id: name });
  if (found.length > 0) return found;
  const others: RequestQuery[] = [
    ...(isOfVenue ? [] : [{ orderId: name }, { depositTxHash: hash }]),
    // The deprecated records have one parameter for a transaction on either side.
    ...(source.version() === 'v2' ? [] : [{ fillTxHash: hash }, { refundTxHash: hash }]),
  ];
  const more = (await Promise.all(others.map(ask))).flat();
  return [...new Map(more.map((each) => [each.requestId, each])).values()];
}

/** An id that the service chose is put into a command only where it is one. */
function nextOf({ requestId, finished }: RequestDocument.RequestDocument): string | null {
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(requestId)) return null;
  return finished ? `ferry fees explain ${requestId}` : `ferry status ${requestId} --watch`;
}

/** Hexadecimal on most chains, 80 digits on the venue, base 58 elsewhere. */
function assertNames(name: string): void {
  if (/^0x[0-9a-fA-F]{40}$/.test(name)) throw new AddressError(name);
  if (!/^0x[0-9a-fA-F]{8,80}$|^[0-9A-Za-z]{32,128}$/.test(name)) throw new InvalidNameError(name);
}

export class InvalidNameError extends BaseError {
  override name = 'InvalidNameError';
  constructor(text: string) {
    const shown = Text.escape(text.length > 140 ? `${text.slice(0, 140)}…` : text);
    super('usage.invalid', `"${shown}" is no request id, order id or transaction hash.`, {
      hint: 'Each is 0x and 64 hexadecimal digits; a hash of the venue has 80.',
      next: 'ferry requests list',
    });
  }
}

export class AddressError extends BaseError {
  override name = 'AddressError';
  constructor(address: string) {
    super('usage.invalid', `${address} is an address, not a request.`, {
      hint: 'Its requests can be listed.',
      next: `ferry requests list --user ${address}`,
    });
  }
}

export class UnknownRequestError extends BaseError {
  override name = 'UnknownRequestError';
  constructor(name: string, network: string) {
    super('service.unknown-request', `The service of ${network} knows no request by that id or transaction.`, {
      facts: [['asked for', name]],
      funds: 'unknown',
      hint: 'Is it of another network? A transfer that was sent just now may not be indexed yet: look again in a moment.',
    });
  }
}

export class SeveralRequestsError extends BaseError {
  override name = 'SeveralRequestsError';
  constructor(name: string, found: readonly RequestDocument.RequestDocument[]) {
    super('usage.invalid', `${found.length} requests have to do with ${name}.`, {
      facts: found.slice(0, 8).map(({ requestId, status }) => [Text.escape(status), Text.escape(requestId)]),
      hint: 'Name one of them.',
    });
  }
}
