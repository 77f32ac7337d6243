/** The file of what the user trusts besides what ferry ships, beside the user's configuration. */

import { readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Chain, Network } from '../../core/network/Network.js';
import type { PinStore } from '../../core/network/TrustedContracts.js';
import * as TrustedContracts from '../../core/network/TrustedContracts.js';
import * as atomicWrite from '../files/atomicWrite.js';
import type { Host } from '../terminal/host.js';
import * as configStore from './configStore.js';
import * as fileLock from './fileLock.js';
import * as paths from './paths.js';

export type Parts = {
  host: paths.Place & Pick<Host, 'now' | 'signal'>;
  /** The network as it is shipped and configured. */
  network: Network;
  /** The id of the sandbox's instance: of the one that is there, or of one that is started for it. */
  instance(options: { start: boolean }): Promise<string | undefined>;
};

export type Pinned = {
  /** The network with the pins laid over. */
  network: Network;
  store: PinStore;
};

/** A file of this size is a mistake. */
const maxBytes = 1_000_000;

/** Every pin; none where there is no file. @throws config.unreadable · config.invalid */
export function read(place: paths.Place): TrustedContracts.Pins {
  const file = paths.pins(place);
  let text: string;
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return [];
    if (!stat.isFile() || stat.size > maxBytes) throw new TrustedContracts.DamagedFileError(file, undefined);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof BaseError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A configuration folder that is a file holds nothing.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new configStore.UnreadableError(file, code ?? 'unknown');
  }
  return TrustedContracts.from(text, file);
}

/** The network with its pins, and the file to change them. @throws config.unreadable · config.invalid */
export async function open({ host, network, instance }: Parts): Promise<Pinned> {
  const file = paths.pins(host);
  let pins = read(host);
  // The instance is asked for only where pins could hold for it.
  const has = pins.some((each) => each.network === network.name);
  let deployment = has ? TrustedContracts.deployment(network, await instance({ start: false })) : undefined;

  const of = (chain: Pick<Chain, 'id'>): TrustedContracts.ChainPins | undefined =>
    deployment === undefined
      ? undefined
      : TrustedContracts.at(pins, { network: network.name, deployment, chainId: chain.id });
  const laid = (): Network =>
    network.chains.some(of)
      ? { ...network, chains: network.chains.map((chain) => TrustedContracts.layOver(chain, of(chain))) }
      : network;
  /** The chain without pins. */
  const bare = (chain: Chain): Chain => network.chains.find(({ id }) => id === chain.id) ?? chain;

  const store: PinStore = {
    path: file,
    contracts: (chain) => TrustedContracts.contracts(bare(chain), of(chain)),
    tokens: (chain) => TrustedContracts.tokens(bare(chain), of(chain)),
    network: laid,
    async write(chain, changes) {
      deployment = TrustedContracts.deployment(
        network,
        network.name === 'sandbox' ? await instance({ start: true }) : undefined,
      );
      if (deployment === undefined) throw new NoDeploymentError(network);
      const place = { network: network.name, deployment, chainId: chain.id };
      pins = await exclusively(file, host.signal, async () => {
        // Another command may have written since.
        const after = TrustedContracts.change(read(host), place, bare(chain), changes, host.now());
        atomicWrite.replace(file, TrustedContracts.format(after));
        return after;
      });
      return laid();
    },
  };
  return { network: laid(), store };
}

/** One command after another, so that none undoes what the other wrote. @throws config.unwritable */
async function exclusively<T>(file: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const held = `${file}.lock`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await fileLock.acquire(held, signal);
    try {
      return await act();
    } finally {
      fileLock.release(held);
    }
  } catch (error) {
    if (error instanceof BaseError || signal.aborted) throw error;
    throw new configStore.UnwritableConfigError(file, error as NodeJS.ErrnoException);
  }
}

export class NoDeploymentError extends BaseError {
  override name = 'NoDeploymentError';
  constructor({ name }: Network) {
    super('config.invalid', `It cannot be told which ${name} this is, so nothing can be accepted for it.`, {
      hint:
        name === 'sandbox'
          ? 'The base URL leads to no sandbox: give a service of your own a name, as networks.<name>.baseUrl.'
          : `The network ${name} has no base URL.`,
    });
  }
}
