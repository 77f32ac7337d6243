/** Asks a sandbox over HTTP for what only a sandbox does: its control plane. */
import { BaseError } from '../../core/base/Errors.js';
import * as Url from '../../core/base/Url.js';
import type { Network } from '../../core/network/Network.js';
import type { ControlPlane, Fault } from '../../core/ports/SandboxProcess.js';
import { objectIn } from '../files/jsonObject.js';
import type { Fetch } from '../http/httpClient.js';
import { NetworkError } from '../http/networkError.js';
import { type At, refused, unanswered } from '../http/serviceError.js';

export type Clients = {
  /** Asks for as long as the command runs. */
  during: () => Promise<Fetch>;
  /** Still asks after Ctrl-C, for a short time. */
  afterwards: () => Promise<Fetch>;
  network: () => Promise<Network>;
};

type Answer = {
  fault?: Fault & { id: string };
  faults?: readonly Fault[];
  cleared?: number;
  txHash?: string;
  message?: string;
};

export function createControlPlane({ during, afterwards, network }: Clients): ControlPlane {
  const added: string[] = [];

  /** Where a place takes what it is told. */
  const urlOf = async (place: string, path: string): Promise<string> => {
    const { baseUrl, venue, chains } = await network();
    const chain = chains.find(({ name }) => name === place);
    const url = place === 'service' ? baseUrl : place === 'venue' ? venue?.baseUrl : chain?.rpcUrl;
    return Url.join(url ?? '', `/sandbox/${path}`).href;
  };

  /** @throws service.* of another server than a sandbox, or of none */
  const ask = async (url: string, method: At['asked']['method'], body?: unknown): Promise<Answer> => {
    const { pathname: path } = new URL(url);
    const asked = { method, path, purpose: 'what only a sandbox does', repeatable: false };
    const at: At = { network: await network(), baseUrl: url, asked };
    const ends = (error: unknown): never => {
      throw error instanceof NetworkError ? unanswered(error, at) : error;
    };
    const fetch = await during();
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(url, sent).catch(ends);
    const text = await answer.text().catch(ends);
    const { status } = answer;
    // Whatever else answers has no such route; 400 is the sandbox's refusal.
    if (status === 404) return {};
    const said = objectIn<Answer>(text) ?? {};
    if (status > 299 && !(status === 400 && said.message))
      throw refused({ status, body: text, json: said, waitMs: undefined }, at);
    return said;
  };

  return {
    async add(place, fault) {
      const at = await urlOf(place, 'faults');
      const { fault: made, message } = await ask(at, 'POST', fault);
      if (!made) throw message === undefined ? noSandboxError(place) : refusedFault(message);
      added.push(`${at}/${made.id}`);
      return made;
    },
    async clear() {
      const urls = added.splice(0);
      if (urls.length === 0) return;
      const fetch = await afterwards();
      await Promise.all(urls.map((url) => fetch(url, { method: 'DELETE' })));
    },
    async list(place) {
      const { faults } = await ask(await urlOf(place, 'faults'), 'GET');
      if (!Array.isArray(faults)) throw noSandboxError(place);
      return faults;
    },
    async remove(place, id) {
      const { cleared } = await ask(await urlOf(place, id === undefined ? 'faults' : `faults/${id}`), 'DELETE');
      if (typeof cleared !== 'number') throw noSandboxError(place);
      return cleared;
    },
    async fund(credit) {
      const { txHash, message } = await ask(await urlOf('service', 'fund'), 'POST', {
        ...credit,
        amount: credit.amount.toString(),
      });
      if (typeof txHash === 'string') return txHash;
      throw message === undefined ? noSandboxError('service') : refusedFund(message);
    },
  };
}

function noSandboxError(place: string): BaseError {
  return new BaseError(
    'sandbox.start',
    `What answers as ${place} has no control plane, so it is not a sandbox of ferry.`,
    { hint: 'Unset FERRY_BASE_URL and FERRY_RPC_URL_*, so that ferry uses its own sandbox.' },
  );
}

function refusedFault(reason: string): BaseError {
  return new BaseError('usage.invalid', 'The sandbox does not take this fault.', {
    facts: [['reason', reason]],
    next: 'ferry sandbox fault --help',
  });
}

function refusedFund(reason: string): BaseError {
  return new BaseError('usage.invalid', 'The sandbox could not fund the address.', {
    facts: [['reason', reason]],
    next: 'ferry sandbox fund --help',
  });
}
