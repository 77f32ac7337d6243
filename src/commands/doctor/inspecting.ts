/** What can be said of this machine without asking anybody: configuration, keys, the state directory, Node. */
import type { Context } from '../../context.js';
import * as CommandLine from '../../core/CommandLine.js';
import * as Config from '../../core/Config.js';
import * as ConfiguredNetwork from '../../core/ConfiguredNetwork.js';
import * as Diagnosis from '../../core/Diagnosis.js';
import type { Fact } from '../../core/Errors.js';
import type { RunRecord } from '../../core/Run.js';
import * as Setting from '../../core/Setting.js';
import * as Url from '../../core/Url.js';

/** Each of them, in the order of the table. */
export async function inspect(context: Context): Promise<Diagnosis.Check[]> {
  return Promise.all([
    configuration(context),
    account(context).catch(accountError),
    keys(context).catch((error: unknown) => Diagnosis.fromError('keys', error)),
    state(context).catch((error: unknown) => Diagnosis.fromError('state', error)),
    node(context),
  ]);
}

async function configuration({ config, network, configFiles, machine }: Context): Promise<Diagnosis.Check> {
  const set = Config.list(config).filter(({ value, source }) => value !== undefined && source.kind !== 'default');
  const facts = set.map(({ key, value = '', source }): Fact => [key, `${value} (${Setting.formatSource(source)})`]);
  const [warning, ...others] = [...config.warnings, ...ConfiguredNetwork.warnings(config, network)];
  if (warning !== undefined)
    return Diagnosis.warn('configuration', warning, {
      facts: [...others.map((text, at): Fact => [`warning ${at + 2}`, text]), ...facts],
      fix: 'ferry config list',
    });
  const file = await (await machine()).look(configFiles.userPath);
  if (file.isOpen && holdsKeys(config))
    return Diagnosis.warn('configuration', 'Other users can read your configuration file, and it holds keys.', {
      facts: [['file', file.path]],
      fix: `chmod 600 ${CommandLine.word(file.path)}`,
    });
  const places = [...new Set(set.map(({ source }) => Setting.formatSource(source)))];
  return Diagnosis.ok(
    'configuration',
    set.length === 0
      ? 'Nothing is set: ferry works on the sandbox.'
      : `${count(set.length, 'setting')} from ${listed(places)}.`,
    { facts },
  );
}

/** An API key, or an RPC URL that says more than where the node is. */
function holdsKeys({ networks }: Config.Config): boolean {
  const carriesKey = ({ rpcUrl }: { rpcUrl?: Setting.Setting<string> }): boolean =>
    rpcUrl !== undefined && Url.redact(rpcUrl.value) !== new URL(rpcUrl.value).origin;
  return [...networks.values()].some(({ apiKey, chains }) => apiKey ?? [...chains.values()].some(carriesKey));
}

async function account({ config, signer, machine, network }: Context): Promise<Diagnosis.Check> {
  const { kind, name, address } = await signer();
  const { look } = await machine();
  if (kind === 'development') return Diagnosis.ok('account', `${name} signs on the sandbox: ${address}.`);
  if (kind === 'key') return Diagnosis.ok('account', `The key in ${name} signs on ${network.name}.`);
  if (kind === 'file') {
    const file = await look(name);
    const facts: Fact[] = [['file', file.path]];
    if (name !== '-' && !file.isThere) return Diagnosis.fail('account', 'The key file is not there.', { facts });
    if (!file.isOpen) return Diagnosis.ok('account', `The key in ${name} signs on ${network.name}.`);
    const fix = `chmod 600 ${CommandLine.word(file.path)}`;
    return Diagnosis.fail('account', 'Other users can read the key file, so ferry does not use it.', { facts, fix });
  }
  const { value: passwordFile } = config.passwordFile;
  if (passwordFile !== undefined && passwordFile !== '-') {
    const file = await look(passwordFile);
    const facts: Fact[] = [['file', file.path]];
    if (!file.isThere)
      return Diagnosis.fail('account', `The file with the password of ${name} is not there.`, { facts });
    if (file.isOpen)
      return Diagnosis.warn('account', `Other users can read the password of ${name}.`, {
        facts,
        fix: `chmod 600 ${CommandLine.word(file.path)}`,
      });
  }
  return Diagnosis.ok(
    'account',
    `${name} signs on ${network.name}: ${address ?? 'its file does not tell its address'}.`,
  );
}

/** Without an account quotes can be had and requests followed; what names one that is not there is a mistake. */
function accountError(error: unknown): Diagnosis.Check {
  const check = Diagnosis.fromError('account', error);
  return check.code === 'auth.no-account' ? { ...check, verdict: 'warn' } : check;
}

async function keys({ keystore, machine }: Context): Promise<Diagnosis.Check> {
  const files = await (await machine()).keyFiles();
  const fixOf = (command: string, paths: readonly string[]): string =>
    `${command} ${paths.map(CommandLine.word).join(' ')}`;
  const pathsOf = (chosen: typeof files): string[] => chosen.map(({ path }) => path);
  const [open, left, broken] = [
    pathsOf(files.filter(({ isOpen, isLeftOver }) => isOpen && !isLeftOver)),
    pathsOf(files.filter(({ isLeftOver }) => isLeftOver)),
    files.filter(({ problem }) => problem !== undefined),
  ];
  if (broken.length > 0)
    return Diagnosis.warn('keys', `${count(broken.length, 'file')} among the keys cannot be used.`, {
      facts: broken.map(({ path, problem = '' }): Fact => [path, problem]),
      hint: 'Put a copy in its place, or take it away.',
      fix: 'ferry key list',
    });
  if (open.length > 0)
    return Diagnosis.warn(
      'keys',
      `Other users can read ${count(open.length, 'key file')}, and try passwords on them.`,
      {
        fix: fixOf('chmod 600', open),
      },
    );
  if (left.length > 0)
    return Diagnosis.warn('keys', `A crash left ${count(left.length, 'draft')} of a key file behind.`, {
      hint: 'The keys themselves are whole: see that they are all there before you take it away.',
      fix: fixOf('rm', left),
    });
  return Diagnosis.ok(
    'keys',
    files.length === 0
      ? `No keys are kept in ${keystore.folder} yet.`
      : `${count(files.length, 'key')} in ${keystore.folder}, closed to others.`,
  );
}

/** Bytes that journals need at the very least, and what begins to be little. */
const [tooLittle, little] = [1_048_576n, 104_857_600n];

async function state({ machine, runs }: Context): Promise<Diagnosis.Check> {
  const directory = await (await machine()).state();
  const { path, problem, freeBytes, isOpen, abandonedLocks } = directory;
  const facts: Fact[] = [
    ['directory', path],
    ...(freeBytes === undefined ? [] : [['free', `${freeBytes / 1_048_576n} MiB`] as const]),
    ...abandonedLocks.map((each): Fact => ['abandoned lock', each]),
  ];
  const full = problem?.includes('disk') || (freeBytes !== undefined && freeBytes < tooLittle);
  if (problem !== undefined || full)
    return Diagnosis.fail('state', `Nothing can be written to the state directory: ${problem ?? 'the disk is full'}.`, {
      facts,
      hint: 'Without a journal no transfer is begun. FERRY_STATE_DIR names another directory.',
      fix: `${full ? 'df -h' : 'ls -ld'} ${CommandLine.word(path)}`,
    });
  const unfinished = (await (await runs()).unfinished()).filter(({ isHeld }) => !isHeld);
  if (unfinished.length > 0) return unfinishedRuns(unfinished, facts);
  if (isOpen)
    return Diagnosis.warn('state', 'Other users can look into the state directory.', {
      facts,
      fix: `chmod 700 ${CommandLine.word(path)}`,
    });
  if (freeBytes !== undefined && freeBytes < little)
    return Diagnosis.warn('state', 'The disk of the state directory is nearly full.', {
      facts,
      fix: `df -h ${CommandLine.word(path)}`,
    });
  const locks =
    abandonedLocks.length === 0
      ? ''
      : ` ${count(abandonedLocks.length, 'lock')} of processes that died will be taken over.`;
  return Diagnosis.ok('state', `${path} can be written, and no run is unfinished.${locks}`, { facts });
}

function unfinishedRuns(runs: readonly RunRecord[], facts: readonly Fact[]): Diagnosis.Check {
  const [first] = runs;
  return Diagnosis.warn('state', `${count(runs.length, 'run')} ${runs.length === 1 ? 'is' : 'are'} unfinished.`, {
    facts: [...runs.slice(0, 5).map(({ id, state }): Fact => [id, state?.summary ?? '']), ...facts],
    fix: runs.length === 1 ? `ferry resume ${first?.id}` : 'ferry runs list',
  });
}

/** The oldest that ferry is made for. */
const oldestNode = [20, 18, 1] as const;

async function node({ machine }: Context): Promise<Diagnosis.Check> {
  const { node: version } = await machine();
  const parts = version.split('.').map(Number);
  const at = oldestNode.findIndex((each, index) => parts[index] !== each);
  const isOld = at >= 0 && (parts[at] ?? 0) < (oldestNode[at] ?? 0);
  const oldest = oldestNode.join('.');
  if (isOld) return Diagnosis.fail('node', `Node ${version} is older than ${oldest}.`, { fix: 'nvm install --lts' });
  return Diagnosis.ok('node', `Node ${version}; ferry needs ${oldest} or newer.`);
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** At most three of them, and how many more there are. */
function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(', ')} and ${more} more` : names.join(', ');
}
