/** Fault injection in a running sandbox. */
import type { Fault, Input } from '../../src/sandbox/http/faults.js';
import type { TestSandbox } from './sandbox.js';

export type Place = 'service' | 'venue' | 'alpha' | 'beta';

/** The URLs of a sandbox's parts. */
export type Urls = Pick<TestSandbox, 'baseUrl' | 'venueUrl' | 'rpcUrls'>;

/** Adds a fault at one of the parts; returns its id. */
export async function addFault(sandbox: Urls, place: Place, fault: Input): Promise<string> {
  return await addFaultAt(urlsOf(sandbox)[place], fault);
}

/** The active faults at one of the parts. */
export async function faultsOf(sandbox: Urls, place: Place): Promise<readonly Fault[]> {
  return await faultsAt(urlsOf(sandbox)[place]);
}

/** The active faults at a URL. */
export async function faultsAt(url: string): Promise<readonly Fault[]> {
  const answer = await fetch(`${url}/sandbox/faults`);
  return ((await answer.json()) as { faults: readonly Fault[] }).faults;
}

/** Clears every fault of every part. */
export async function clearFaults(sandbox: Urls): Promise<void> {
  await Promise.all(Object.values(urlsOf(sandbox)).map(clearFaultsAt));
}

/** Where faults were added since all were cleared. */
const added = new Set<string>();

/** Clears the faults that were added to a sandbox, if any were. */
export async function clearAddedFaults(sandbox: Urls): Promise<void> {
  const urls = Object.values(urlsOf(sandbox));
  await Promise.all(urls.filter((url) => added.has(url)).map(clearFaultsAt));
}

/** Adds a fault at a URL; returns its id. */
export async function addFaultAt(url: string, fault: Input): Promise<string> {
  added.add(url);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/sandbox/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
  if (!answer.ok) throw new Error(`The fault was refused: ${await answer.text()}`);
  return ((await answer.json()) as { fault: Fault }).fault.id;
}

export async function clearFaultsAt(url: string): Promise<void> {
  added.delete(url);
  await fetch(`${url}/sandbox/faults`, { method: 'DELETE' });
}

function urlsOf({ baseUrl, venueUrl, rpcUrls }: Urls): Readonly<Record<Place, string>> {
  return { service: baseUrl, venue: venueUrl, alpha: rpcUrls.alpha, beta: rpcUrls.beta };
}
