/** The pins file: the contracts and tokens the user trusts in addition to those shipped with ferry. */

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import type { Chain, Network } from '../../core/network/Network.js';
import type { PinStore } from '../../core/network/TrustedContracts.js';
import * as TrustedContracts from '../../core/network/TrustedContracts.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { reasonOf } from '../files/fileError.js';
import { assertOursIfThere } from '../files/fileOwner.js';
import { makeFolder } from '../files/makeFolder.js';
import * as fileLock from '../locks/fileLock.js';
import type { Host } from '../terminal/host.js';
import * as configStore from './configStore.js';
import * as paths from './paths.js';

export type PinnedDeployment = {
  host: paths.Environment & Pick<Host, 'now' | 'signal'>;
  /** The shipped and configured network, without pins. */
  network: Network;
  /** The id of the sandbox's instance; with `start`, a sandbox is started if none is running. */
  instance(options: { start: boolean }): Promise<string | undefined>;
};

/** A larger file cannot be a valid pins file. */
const maxBytes = 1_000_000;

/**
 * Reads all pins; empty if there is no file. They say which contracts may hold funds, so nobody else may write them.
 *
 * @throws config.unreadable · config.invalid · state.untrusted
 */
export function read(place: paths.Environment): TrustedContracts.Pins {
  const file = paths.pins(place);
  let text: string;
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return [];
    for (const path of [dirname(file), file]) assertOursIfThere(path, { instead: configStore.instead });
    if (!stat.isFile() || stat.size > maxBytes) throw TrustedContracts.damagedFile(file, undefined);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof BaseError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A file in place of the configuration folder counts as no pins.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw configStore.unreadableError(file, reasonOf(error as NodeJS.ErrnoException), code);
  }
  return TrustedContracts.from(text, file);
}

/** @throws config.unreadable · config.invalid · state.untrusted */
export async function open({ host, network, instance }: PinnedDeployment) {
  const file = paths.pins(host);
  let pins = read(host);
  // Looks up the instance only if there are pins that might apply to it.
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
  const bare = (chain: Chain): Chain => network.chains.find(({ id }) => id === chain.id) ?? chain;

  const store: PinStore = {
    path: file,
    contracts: (chain) => TrustedContracts.contracts(bare(chain), of(chain)),
    tokens: (chain) => TrustedContracts.tokens(bare(chain), of(chain)),
    account(wallet) {
      const venue = network.chains.find(({ vm }) => vm === 'lvm');
      return TrustedContracts.account(wallet, venue && of(venue), network.venue?.accounts);
    },
    network: laid,
    async write(chain, changes) {
      deployment = TrustedContracts.deployment(
        network,
        network.name === 'sandbox' ? await instance({ start: true }) : undefined,
      );
      if (deployment === undefined)
        throw new BaseError(
          'config.invalid',
          `The deployment behind ${network.name} cannot be identified, so no pins can be saved for it.`,
          {
            hint:
              network.name === 'sandbox'
                ? 'The base URL is not that of a sandbox. Name a service of your own with networks.<name>.baseUrl.'
                : `The network ${network.name} has no base URL.`,
          },
        );
      const place = { network: network.name, deployment, chainId: chain.id };
      pins = await exclusively(file, host.signal, async () => {
        // Another command may have written since.
        const { accounts } = network.venue ?? {};
        const after = TrustedContracts.change(read(host), place, bare(chain), changes, host.now(), accounts);
        atomicWrite.replace(file, TrustedContracts.format(after));
        return after;
      });
      return laid();
    },
  };
  return { network: laid(), store };
}

/** Runs one command at a time, so that none undoes another's write. @throws config.unwritable */
async function exclusively<T>(file: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const held = `${file}.lock`;
  try {
    makeFolder(dirname(file));
    await fileLock.acquire(held, signal);
    try {
      return await act();
    } finally {
      fileLock.release(held);
    }
  } catch (error) {
    if (error instanceof BaseError || signal.aborted) throw error;
    throw configStore.unwritableConfigError(file, error as NodeJS.ErrnoException, configStore.folderHint);
  }
}
