/** A network as `ferry config init` would write it: changes to the user file, none of which is written yet. */

import type { Network } from '../network/Network.js';
import * as Config from './Config.js';
import * as ConfigFile from './ConfigFile.js';
import * as EffectiveNetwork from './EffectiveNetwork.js';

export type Setup = {
  /** The network's. */
  name: string;
  file: ConfigFile.ConfigFile;
  changes: readonly ConfigFile.Change[];
};

/** With a setting of the network, such as `venue.baseUrl`. What the file says already is no change. */
export function set(setup: Setup, key: string, value: string | undefined): Setup {
  return setWhole(setup, `networks.${setup.name}.${key}`, value);
}

/** The like, by the whole key: `network`. */
export function setWhole(setup: Setup, key: string, value: string | undefined): Setup {
  const rest = setup.changes.filter(([each]) => each !== key);
  const isSaid = String(at(setup.file.content, key) ?? '') === (value ?? '');
  return { ...setup, changes: isSaid ? rest : [...rest, [key, value]] };
}

/** What the file would say of the network. @throws config.invalid */
export function said(setup: Setup): ConfigFile.NetworkSettings | undefined {
  return config(setup).networks.get(setup.name);
}

/** The network as it would be, without flags and variables. @throws config.invalid · config.unknown-network */
export async function network(setup: Setup): Promise<Network> {
  return EffectiveNetwork.from(config(setup), setup.name);
}

/** The changes as they may be shown: secrets hidden, URLs cut short; null for what is taken away. */
export function rows({ changes }: Setup): { key: string; value: string | null }[] {
  return changes.map(([key, value]) => {
    const format = ConfigFile.formatOf(key);
    const found = value === undefined ? undefined : format?.read(value);
    return { key, value: (found && format?.show(found.value)) ?? null };
  });
}

function config({ file, changes }: Setup): Config.Config {
  return Config.merge({ user: { path: file.path, content: ConfigFile.change(file, changes) } });
}

function at(content: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce(
      (above: unknown, step) =>
        typeof above === 'object' && above !== null && Object.hasOwn(above, step)
          ? (above as Record<string, unknown>)[step]
          : undefined,
      content,
    );
}
