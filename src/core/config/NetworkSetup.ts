/** Pending changes to a network in the user file, as `ferry config init` collects them before writing. */

import type { Network } from '../network/Network.js';
import * as Config from './Config.js';
import * as ConfigFile from './ConfigFile.js';
import * as EffectiveNetwork from './EffectiveNetwork.js';

export type NetworkSetup = {
  name: string;
  file: ConfigFile.ConfigFile;
  changes: readonly ConfigFile.Change[];
};

/** Sets a setting of the network, such as `venue.baseUrl`. A value that the file already has is not a change. */
export function set(setup: NetworkSetup, key: string, value: string | undefined): NetworkSetup {
  return setWhole(setup, `networks.${setup.name}.${key}`, value);
}

/** Sets a setting by its full key, such as `network`. */
export function setWhole(setup: NetworkSetup, key: string, value: string | undefined): NetworkSetup {
  const rest = setup.changes.filter(([each]) => each !== key);
  const isSaid = String(ConfigFile.valueAt(setup.file.content, key) ?? '') === (value ?? '');
  return { ...setup, changes: isSaid ? rest : [...rest, [key, value]] };
}

/** The settings of the network with the changes applied. @throws config.invalid */
export function settings(setup: NetworkSetup): ConfigFile.NetworkSettings | undefined {
  return config(setup).networks.get(setup.name);
}

/** The resulting network, ignoring flags and variables. @throws config.invalid · config.unknown-network */
export async function network(setup: NetworkSetup): Promise<Network> {
  return EffectiveNetwork.from(config(setup), setup.name);
}

/** The changes for display: secrets masked, URLs redacted, null for removals. */
export function rows({ changes }: NetworkSetup): { key: string; value: string | null }[] {
  return changes.map(([key, value]) => {
    const format = ConfigFile.formatOf(key);
    const found = value === undefined ? undefined : format?.read(value);
    return { key, value: (found && format?.show(found.value)) ?? null };
  });
}

function config({ file, changes }: NetworkSetup): Config.Config {
  return Config.merge({ user: { path: file.path, content: ConfigFile.change(file, changes) } });
}
