/**
 * Names from the user's files for shell completion. Best effort: reads without network, locks or libraries, and never
 * fails. The results are only suggestions and are validated when a command uses them.
 */
import { readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { once } from '../../core/base/Once.js';
import * as LocalNames from '../../core/completion/LocalNames.js';
import * as Config from '../../core/config/Config.js';
import * as EffectiveNetwork from '../../core/config/EffectiveNetwork.js';
import * as SettingDefinitions from '../../core/config/SettingDefinitions.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import type { Network } from '../../core/network/Network.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';
import { attempt } from '../files/attempt.js';
import { objectIn } from '../files/jsonObject.js';
import * as regularFile from '../files/regularFile.js';
import * as configStore from './configStore.js';
import * as paths from './paths.js';
import * as runNames from './runNames.js';

/** A larger file was not written by ferry, or takes too long to read during completion. */
const maxBytes = 1_000_000;
const maxRuns = 60;
const maxKeys = 200;

export function createKnown(place: paths.Environment): LocalNames.LocalNames {
  const read = once(() => readConfig(place).catch((): Configured => ({ network: place.env.FERRY_NETWORK })));
  return {
    network: async (name) => {
      try {
        const network = await networkOf(name, await read());
        return network && withPins(network, place);
      } catch {
        return undefined;
      }
    },
    configured: async () => {
      const { config } = await read();
      const networks = [...(config?.networks ?? [])];
      return {
        networks: networks.map(([name, { chains }]) => ({ name, chains: [...chains.keys()] })),
        aliases: [...(config?.aliases ?? [])].map(([name, { value }]) => ({ name, address: value })),
      };
    },
    keys: () =>
      keysIn(paths.keys(place), ({ address }) =>
        typeof address === 'string' ? `0x${address.replace(/^0x/, '')}` : '',
      ),
    venueKeys: () => keysIn(join(paths.keys(place), paths.venueFolder), () => 'venue API key'),
    runs: () => runsIn(join(paths.stateDir(place), 'runs')),
  };
}

/** The name of the network in use, if it is known, and the configuration if there is a file of it that can be read. */
type Configured = { network: string | undefined; config?: Config.Config };

/** The configuration as commands see it. Merging takes time: without a file, it would add only the network. @throws config.* */
async function readConfig(place: paths.Environment): Promise<Configured> {
  const { user, project } = configStore.find(place);
  const initial = SettingDefinitions.definitions.network.initial;
  if (user === undefined && project === undefined) return { network: place.env.FERRY_NETWORK?.trim() || initial };
  const layer = async (path: string | undefined) => (path === undefined ? undefined : await load(path, place));
  const config = Config.merge({ user: await layer(user), project: await layer(project), env: place.env });
  return { config, network: config.network.value };
}

/** Reads JSON, the common case, without loading the parser library. @throws config.unreadable */
async function load(path: string, place: paths.Environment): Promise<configStore.ConfigDocument> {
  if (extname(path) === '.json') return { path, content: JSON.parse(readText(path)?.replace(/^\uFEFF/, '') || '{}') };
  const { user, project } = await configStore.read(place);
  return user?.path === path ? user : { path, content: project?.content };
}

/** The network. Without a readable configuration, the flag or the environment can still name a shipped network. */
async function networkOf(typed: string | undefined, { config, network }: Configured): Promise<Network | undefined> {
  const name = typed ?? network;
  if (name === undefined) return undefined;
  if (config) return EffectiveNetwork.from(config, name);
  return NetworkRegistry.isShipped(name) ? NetworkRegistry.load(name) : undefined;
}

function withPins(network: Network, place: paths.Environment): Network {
  const text = readText(paths.pins(place));
  if (text === undefined) return network;
  const baseUrl = place.env.FERRY_BASE_URL || network.baseUrl;
  const deployment = network.name === 'sandbox' ? instanceOf(place) : baseUrl && new URL(baseUrl).origin;
  return LocalNames.withPins(network, text, deployment || undefined);
}

/** The instance of the running sandbox, else of the one that the next start continues. */
function instanceOf(place: paths.Environment): string | undefined {
  const { running, folder } = paths.sandboxPaths(place);
  const text = readText(running) ?? head(join(folder, 'state', 'instance.json'), 4096);
  return /"instance":\s*"([^"\\]+)"/.exec(text ?? '')?.[1];
}

/** Encrypted keys by name. Other files are skipped. */
function keysIn(folder: string, about: (content: { address?: unknown }) => string): LocalNames.Named[] {
  const names = (attempt(() => readdirSync(folder)) ?? []).filter(
    (name) => SettingFormat.name.read(name) && !/^dev\d$/i.test(name),
  );
  return names
    .sort()
    .slice(0, maxKeys)
    .flatMap((name) => {
      const content = objectIn<{ version: unknown; address: unknown }>(readText(join(folder, name), 65_536) ?? '');
      return content?.version === 3 ? [{ name, about: about(content) }] : [];
    });
}

function runsIn(folder: string): LocalNames.LocalRun[] {
  return newestRuns(folder).flatMap((id) => {
    const glance = LocalNames.previewOf(readText(join(folder, `${id}.jsonl`)) ?? '');
    return glance ? [{ id, ...glance }] : [];
  });
}

/** The newest ids, from the index. */
function newestRuns(folder: string): string[] {
  const ids: string[] = [];
  attempt(() => {
    for (const id of runNames.read(folder)) if (ids.push(id) === maxRuns) break;
  });
  return ids;
}

/** Reads a file; undefined if it is not a regular file, is too large or is not readable. */
function readText(path: string, limit = maxBytes): string | undefined {
  return attempt(() => {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= limit ? readFileSync(path, 'utf8') : undefined;
  });
}

function head(path: string, bytes: number): string | undefined {
  const buffer = Buffer.alloc(bytes);
  return attempt(() =>
    regularFile.use(path, 'r', (file) => buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, 0))),
  );
}
