/**
 * How far ferry has used each nonce counter: a small file in the state directory, written before anything signed with a
 * nonce is sent. A chain that is further than that has seen transactions which these journals do not know.
 */
import { dirname, join } from 'node:path';
import type { NonceCounter } from '../../core/ports/Ports.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { assertOursIfThere } from '../files/fileOwner.js';
import { objectIn } from '../files/jsonObject.js';
import { makeFolder } from '../files/makeFolder.js';
import * as regularFile from '../files/regularFile.js';
import { stateDir } from './paths.js';

/** The next nonce of the counter by the name of its sequence; the empty name is the account's own. */
export type NonceRecord = Readonly<Record<string, bigint>>;

/** The name of what locks a counter. By chain id rather than network name: two names for one network share a lock. */
export function lockOf(counter: NonceCounter): string {
  return 'address' in counter
    ? `${counter.chainId}-${counter.address.toLowerCase()}`
    : `venue-${counter.signingChainId}-${counter.accountIndex}-${counter.apiKeyIndex}`;
}

/** The name of its record. Each instance of the sandbox has its own chains, under the same ids. */
export function nameOf(counter: NonceCounter): string {
  const instance = 'address' in counter && counter.instance !== undefined ? `-${counter.instance}` : '';
  return `${lockOf(counter)}${instance}`;
}

/** Whose nonces it counts. */
export function inWords(counter: NonceCounter): string {
  return 'address' in counter
    ? `${counter.address} on ${counter.chain}`
    : `API key ${counter.apiKeyIndex} of the venue account ${counter.accountIndex}`;
}

export function fileOf(host: Parameters<typeof stateDir>[0], counter: NonceCounter): string {
  return join(stateDir(host), 'nonces', `${nameOf(counter)}.json`);
}

/** Reads a record; empty if there is none, or if it is damaged. @throws state.untrusted */
export function read(path: string): NonceRecord {
  assertOursIfThere(path);
  const found = Object.entries(attempt(() => objectIn<Record<string, unknown>>(regularFile.read(path))) ?? {});
  const counted = found.filter(([, next]) => typeof next === 'string' && /^\d{1,39}$/.test(next));
  return Object.fromEntries(counted.map(([name, next]) => [name, BigInt(next as string)]));
}

/** Writes a record durably. @throws the file system's error */
export function write(path: string, record: NonceRecord): void {
  makeFolder(dirname(path));
  const text = Object.fromEntries(Object.entries(record).map(([name, next]) => [name, String(next)]));
  atomicWrite.replace(path, JSON.stringify(text));
}
