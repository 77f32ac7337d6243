/** What a person may call a request: its id, its order's id, or the hash of one of its transactions. */
import { BaseError } from './Errors.js';
import * as RequestDocument from './RequestDocument.js';
import type { RequestQuery } from './RequestQuery.js';
import type { RequestSource } from './RequestSource.js';
import * as Text from './render/Text.js';

/**
 * Hexadecimal on most chains, 80 digits on the venue, base 58 elsewhere.
 *
 * @throws usage.invalid
 */
export function assert(name: string): void {
  if (/^0x[0-9a-fA-F]{40}$/.test(name)) throw new AddressError(name);
  if (!/^0x[0-9a-fA-F]{8,80}$|^[0-9A-Za-z]{32,128}$/.test(name)) throw new InvalidNameError(name);
}

/** Whether it can be a request id, and not only the hash of a transaction. */
export function isId(name: string): boolean {
  return /^0x[0-9a-fA-F]{8,64}$/.test(name);
}

/**
 * The request that the service's records have under a name; undefined where they have none.
 *
 * @throws service.* · auth.refused · usage.invalid where several have to do with it
 */
export async function find(name: string, source: RequestSource): Promise<RequestDocument.RequestDocument | undefined> {
  const found = await findAll(name, source);
  if (found.length > 1) throw new SeveralRequestsError(name, found);
  return found[0];
}

/** By its id first, which nothing else is; then by its transactions and as an order, all at once. */
async function findAll(name: string, source: RequestSource): Promise<readonly RequestDocument.RequestDocument[]> {
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
  /** `refusal` is why the records could not be searched, where they could not. */
  constructor(name: string, network: string, refusal?: BaseError) {
    super('service.unknown-request', `The service of ${network} knows no request by that id or transaction.`, {
      facts: [['asked for', name], ...(refusal ? ([['its records', refusal.message]] as const) : [])],
      funds: 'unknown',
      hint: 'Is it of another network? A transfer that was sent just now may not be indexed yet: look again in a moment.',
      cause: refusal,
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
