/** The file of what the user trusts besides what ferry ships, beside the user's configuration. */
import { readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PinStore } from '../context.js';
import { BaseError } from '../core/Errors.js';
import type { Chain, Network } from '../core/Network.js';
import * as Pins from '../core/Pins.js';
import * as configFile from './configFile.js';
import type { Host } from './host.js';
import * as lock from './lock.js';
import * as places from './places.js';
import * as wholeFile from './wholeFile.js';

export type Parts = {
  host: places.Place & Pick<Host, 'now' | 'signal'>;
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
export function read(place: places.Place): Pins.Pins {
  const file = places.pins(place);
  let text: string;
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return [];
    if (!stat.isFile() || stat.size > maxBytes) throw new Pins.DamagedFileError(file, undefined);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof BaseError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A configuration folder that is a file holds nothing.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new configFile.UnreadableError(file, code ?? 'unknown');
  }
  return Pins.from(text, file);
}

/** The network with its pins, and the file to change them. @throws config.unreadable · config.invalid */
export async function open({ host, network, instance }: Parts): Promise<Pinned> {
  const file = places.pins(host);
  let pins = read(host);
  // The instance is asked for only where pins could hold for it.
  const has = pins.some((each) => each.network === network.name);
  let deployment = has ? Pins.deployment(network, await instance({ start: false })) : undefined;

  const of = (chain: Pick<Chain, 'id'>): Pins.ChainPins | undefined =>
    deployment === undefined ? undefined : Pins.at(pins, { network: network.name, deployment, chainId: chain.id });
  const laid = (): Network =>
    network.chains.some(of)
      ? { ...network, chains: network.chains.map((chain) => Pins.layOver(chain, of(chain))) }
      : network;
  /** The chain without pins. */
  const bare = (chain: Chain): Chain => network.chains.find(({ id }) => id === chain.id) ?? chain;

  const store: PinStore = {
    path: file,
    contracts: (chain) => Pins.contracts(bare(chain), of(chain)),
    tokens: (chain) => Pins.tokens(bare(chain), of(chain)),
    network: laid,
    async write(chain, changes) {
      deployment = Pins.deployment(network, network.name === 'sandbox' ? await instance({ start: true }) : undefined);
      if (deployment === undefined) throw new NoDeploymentError(network);
      const place = { network: network.name, deployment, chainId: chain.id };
      pins = await exclusively(file, host.signal, async () => {
        // Another command may have written since.
        const after = Pins.change(read(host), place, bare(chain), changes, host.now());
        await wholeFile.replace(file, Pins.format(after));
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
    await lock.acquire(held, signal);
    try {
      return await act();
    } finally {
      lock.release(held);
    }
  } catch (error) {
    if (error instanceof BaseError || signal.aborted) throw error;
    throw new configFile.UnwritableError(file, error as NodeJS.ErrnoException);
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
