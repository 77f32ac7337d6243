/** The sandbox's only API key. */
import { network } from '../../core/network/sandbox.js';

const header = 'x-api-key';

/** The key's name in request records. */
export const keyName = 'sandbox';

/** Whether a request carries the sandbox's API key. */
export function hasKey(request: Request): boolean {
  return isKey(request.headers.get(header));
}

export function isKey(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text === network.apiKey;
}
