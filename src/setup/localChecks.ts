/** The doctor's checks that need no network: configuration, keys, the state directory, Node. */

import type { Fact } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import type { Context } from '../core/command/Context.js';
import * as Config from '../core/config/Config.js';
import type * as ConfigFile from '../core/config/ConfigFile.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import type { RunRecord } from '../core/tracking/RunStore.js';

/** Runs all local checks, in the order of the report. */
export async function inspect(context: Context): Promise<HealthCheck.Check[]> {
  return Promise.all([
    configuration(context),
    account(context).catch(accountError),
    keys(context).catch((error: unknown) => HealthCheck.fromError('keys', error)),
    state(context).catch((error: unknown) => HealthCheck.fromError('state', error)),
    node(context),
  ]);
}

async function configuration({ config, network, configFiles, machine }: Context): Promise<HealthCheck.Check> {
  const set = Config.list(config).filter(({ value, source }) => value !== null && source.kind !== 'default');
  const facts = set.map(({ key, value, source }): Fact => [key, `${value} (${SettingFormat.formatSource(source)})`]);
  const [warning, ...others] = [...config.warnings, ...(await EffectiveNetwork.warnings(config, network))];
  if (warning !== undefined)
    return HealthCheck.warn('configuration', warning, {
      facts: [...others.map((text, at): Fact => [`warning ${at + 2}`, text]), ...facts],
      fix: 'ferry config list',
    });
  const file = await (await machine()).look(configFiles.userPath);
  if (file.isOpen && holdsKeys(config))
    return HealthCheck.warn('configuration', 'Other users can read your configuration file, which contains keys.', {
      facts: [['file', file.path]],
      fix: ShellCommand.line`chmod 600 ${file.path}`,
    });
  const places = [...new Set(set.map(({ source }) => SettingFormat.formatSource(source)))];
  return HealthCheck.ok(
    'configuration',
    set.length === 0
      ? 'Nothing is configured: ferry uses the sandbox.'
      : `${TerminalText.count(set.length, 'setting')} from ${TerminalText.listed(places)}.`,
    { facts },
  );
}

/** Whether the configuration has an API key, or an RPC URL with more than an origin, which may be a key. */
function holdsKeys({ networks }: Config.Config): boolean {
  const carriesKey = ({ rpcUrl, rpcUrls }: ConfigFile.ChainSettings): boolean =>
    [...(rpcUrl ? [rpcUrl.value] : []), ...(rpcUrls?.value ?? [])].some(
      (url) => Url.redact(url) !== new URL(url).origin,
    );
  return [...networks.values()].some(
    ({ apiKey, apiKeys, chains }) => apiKey ?? apiKeys ?? [...chains.values()].some(carriesKey),
  );
}

async function account({ config, signer, machine, network }: Context): Promise<HealthCheck.Check> {
  const { kind, name, address } = await signer();
  const { look } = await machine();
  if (kind === 'development') return HealthCheck.ok('account', `${name} signs on the sandbox: ${address}.`);
  if (kind === 'address')
    return HealthCheck.warn(
      'account',
      `${name} is watch-only: ferry prices and reads for it, and has no key to sign.`,
      {
        hint: 'To sign, import its key or select another account.',
        fix: 'ferry key import main',
      },
    );
  if (kind === 'command')
    return HealthCheck.ok('account', `The command in ${name} signs on ${network.name}, for ${address}.`);
  if (kind === 'key') return HealthCheck.ok('account', `The key in ${name} signs on ${network.name}.`);
  if (kind === 'file') {
    const file = await look(name);
    const facts: Fact[] = [['file', file.path]];
    if (name !== '-' && !file.isThere) return HealthCheck.fail('account', 'The key file does not exist.', { facts });
    if (!file.isOpen) return HealthCheck.ok('account', `The key in ${name} signs on ${network.name}.`);
    const fix = ShellCommand.line`chmod 600 ${file.path}`;
    return HealthCheck.fail('account', 'Other users can read the key file, so ferry refuses to use it.', {
      facts,
      fix,
    });
  }
  const { value: passwordFile } = config.passwordFile;
  if (passwordFile !== undefined && passwordFile !== '-') {
    const file = await look(passwordFile);
    const facts: Fact[] = [['file', file.path]];
    if (!file.isThere) return HealthCheck.fail('account', `The password file of ${name} does not exist.`, { facts });
    if (file.isOpen)
      return HealthCheck.fail('account', `Other users can read the password file of ${name}, so ferry refuses it.`, {
        facts,
        fix: ShellCommand.line`chmod 600 ${file.path}`,
      });
  }
  return HealthCheck.ok(
    'account',
    `${name} signs on ${network.name}: ${address ?? 'its file does not contain its address'}.`,
  );
}

/** No account is only a warning, since quotes and status work without one. An unknown account is a failure. */
function accountError(error: unknown): HealthCheck.Check {
  const check = HealthCheck.fromError('account', error);
  return check.code === 'auth.no-account' ? { ...check, verdict: 'warn' } : check;
}

async function keys({ keystore, machine }: Context): Promise<HealthCheck.Check> {
  const files = await (await machine()).keyFiles();
  const fixOf = (command: string, paths: readonly string[]): string =>
    `${command} ${paths.map(ShellCommand.word).join(' ')}`;
  const pathsOf = (chosen: typeof files): string[] => chosen.map(({ path }) => path);
  const [open, left, broken] = [
    pathsOf(files.filter(({ isOpen, isLeftOver }) => isOpen && !isLeftOver)),
    pathsOf(files.filter(({ isLeftOver }) => isLeftOver)),
    files.filter(({ problem }) => problem !== undefined),
  ];
  if (broken.length > 0)
    return HealthCheck.warn('keys', `${TerminalText.count(broken.length, 'key file')} cannot be used.`, {
      facts: broken.map(({ path, problem = '' }): Fact => [path, problem]),
      hint: 'Restore it from a copy, import it under another name, or remove it.',
      fix: 'ferry key list',
    });
  if (open.length > 0)
    return HealthCheck.warn(
      'keys',
      `Other users can read ${TerminalText.count(open.length, 'key file')} and try to guess the password.`,
      {
        fix: fixOf('chmod 600', open),
      },
    );
  if (left.length > 0)
    return HealthCheck.warn('keys', `A crash left ${TerminalText.count(left.length, 'temporary key file')} behind.`, {
      hint: 'The keys themselves are intact. Check that none is missing before you delete it.',
      fix: fixOf('rm', left),
    });
  return HealthCheck.ok(
    'keys',
    files.length === 0
      ? `There are no keys in ${keystore.folder} yet.`
      : `${TerminalText.count(files.length, 'key')} in ${keystore.folder}, readable only by you.`,
  );
}

/** Free bytes: the minimum that journals need, and the threshold for a warning. */
const [tooLittle, little] = [1_048_576n, 104_857_600n];

/** Works as it is typed, for a disk that is read-only, for a file in the way and for a stranger’s folder. */
export const anotherState = 'export FERRY_STATE_DIR="$(mktemp -d)"';

async function state({ machine, runs }: Context): Promise<HealthCheck.Check> {
  const directory = await (await machine()).state();
  const { path, problem, freeBytes, isOpen, abandonedLocks } = directory;
  const facts: Fact[] = [
    ['directory', path],
    ...(freeBytes === undefined ? [] : [['free', `${freeBytes / 1_048_576n} MiB`] as const]),
    ...abandonedLocks.map((each): Fact => ['abandoned lock', each]),
  ];
  const full = problem?.includes('disk') ?? (freeBytes !== undefined && freeBytes < tooLittle);
  if (problem !== undefined || full)
    return HealthCheck.fail('state', `The state directory cannot be written: ${problem ?? 'the disk is full'}.`, {
      facts,
      hint: 'ferry starts no transfer without a journal. Set FERRY_STATE_DIR to another directory; for real money, to one that outlasts a reboot.',
      fix: full ? `df -h ${ShellCommand.word(path)}` : anotherState,
    });
  const unfinished = (await (await runs()).unfinished()).filter(({ isHeld }) => !isHeld);
  if (unfinished.length > 0) return unfinishedRuns(unfinished, facts);
  if (isOpen)
    return HealthCheck.warn('state', 'Other users can read the state directory.', {
      facts,
      fix: ShellCommand.line`chmod 700 ${path}`,
    });
  if (freeBytes !== undefined && freeBytes < little)
    return HealthCheck.warn('state', 'The disk with the state directory is nearly full.', {
      facts,
      fix: `df -h ${ShellCommand.word(path)}`,
    });
  const locks =
    abandonedLocks.length === 0
      ? ''
      : ` ${TerminalText.count(abandonedLocks.length, 'abandoned lock')} will be taken over.`;
  return HealthCheck.ok('state', `${path} is writable, and no run is unfinished.${locks}`, { facts });
}

function unfinishedRuns(runs: readonly RunRecord[], facts: readonly Fact[]): HealthCheck.Check {
  const [first] = runs;
  return HealthCheck.warn(
    'state',
    `${TerminalText.count(runs.length, 'run')} ${runs.length === 1 ? 'is' : 'are'} unfinished.`,
    {
      facts: [...runs.slice(0, 5).map(({ id, state }): Fact => [id, state?.summary ?? '']), ...facts],
      hint: runs.some(({ state }) => state && state.instance !== null)
        ? 'Those of a sandbox that has been reset since end with ferry runs close <run>.'
        : undefined,
      fix: runs.length === 1 ? ShellCommand.line`ferry resume ${first?.id ?? ''}` : 'ferry runs list',
    },
  );
}

/** The oldest supported version of Node. */
const oldestNode = [20, 18, 1] as const;

async function node({ machine }: Context): Promise<HealthCheck.Check> {
  const { node: version } = await machine();
  const parts = version.split('.').map(Number);
  const at = oldestNode.findIndex((each, index) => parts[index] !== each);
  const isOld = at >= 0 && (parts[at] ?? 0) < (oldestNode[at] ?? 0);
  const oldest = oldestNode.join('.');
  if (isOld) return HealthCheck.fail('node', `Node ${version} is older than ${oldest}.`, { fix: 'nvm install --lts' });
  return HealthCheck.ok('node', `Node ${version}; ferry needs ${oldest} or newer.`);
}
