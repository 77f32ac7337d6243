/** Adds faults to a sandbox over HTTP, as its control plane takes them. */
import { BaseError } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import type { Network } from '../../core/network/Network.js';
import type { FaultControl } from '../../core/ports/SandboxProcess.js';
import type { Fetch } from '../http/httpClient.js';

export type Clients = {
  /** Asks for as long as the command runs. */
  during: () => Promise<Fetch>;
  /** Still asks after Ctrl-C, for a short time. */
  afterwards: () => Promise<Fetch>;
  /** The network with the URLs of the sandbox. */
  network: () => Promise<Network>;
};

export function createFaultControl({ during, afterwards, network }: Clients): FaultControl {
  const added: string[] = [];
  return {
    async add(place, fault) {
      const { baseUrl, chains } = await network();
      const url = place === 'service' ? baseUrl : chains.find(({ name }) => name === place)?.rpcUrl;
      const at = Url.join(url ?? '', '/sandbox/faults').href;
      const answer = await (await during())(at, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      const id = idIn(await answer.text());
      if (id === undefined) throw new NoFaultsError(place);
      added.push(`${at}/${id}`);
    },
    async clear() {
      const urls = added.splice(0);
      if (urls.length === 0) return;
      const fetch = await afterwards();
      await Promise.all(urls.map((url) => fetch(url, { method: 'DELETE' })));
    },
  };
}

/** The id of the fault in an answer; undefined if it is another answer. */
function idIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { fault?: { id?: string } } | null)?.fault?.id;
  } catch {
    return undefined;
  }
}

export class NoFaultsError extends BaseError {
  override name = 'NoFaultsError';
  constructor(place: string) {
    super('sandbox.start', `What answers as ${place} takes no faults, so it is not a sandbox of ferry.`, {
      hint: 'Unset FERRY_BASE_URL and FERRY_RPC_URL_*, so that ferry uses its own sandbox.',
    });
  }
}
