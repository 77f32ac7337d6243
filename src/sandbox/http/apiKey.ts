/** The sandbox's API keys. Clients know the first; the others are for those that use several. */
import { network } from '../../core/network/sandbox.js';

const header = 'x-api-key';

/** The name of each key in request records. */
const names: ReadonlyMap<string, string> = new Map([
  [network.apiKey ?? '', 'sandbox'],
  ['sandbox-key-2', 'sandbox-2'],
  ['sandbox-key-3', 'sandbox-3'],
]);

/** The name of the API key that a request carries; undefined if it carries none of the sandbox's. */
export function keyNameOf(request: Request): string | undefined {
  return nameOf(request.headers.get(header));
}

/** The name of a key; undefined if it is none of the sandbox's. */
export function nameOf(key: string | null | undefined): string | undefined {
  return key ? names.get(key) : undefined;
}
