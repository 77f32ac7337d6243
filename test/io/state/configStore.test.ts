import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Config from '../../../src/core/config/Config.js';
import * as configStore from '../../../src/io/state/configStore.js';
import * as paths from '../../../src/io/state/paths.js';
import { failure, type Workbench, workbench } from '../../support/workbench.js';

test.each([
  [{}, 'HOME/.config/ferry', 'HOME/.config/ferry/keys'],
  [{ XDG_CONFIG_HOME: '/xdg' }, '/xdg/ferry', '/xdg/ferry/keys'],
  [{ XDG_CONFIG_HOME: 'relative' }, 'HOME/.config/ferry', 'HOME/.config/ferry/keys'],
  [{ FERRY_CONFIG_DIR: 'mine', XDG_CONFIG_HOME: '/xdg' }, 'CWD/mine', 'CWD/mine/keys'],
  [{ FERRY_CONFIG_DIR: '/c', FERRY_KEYSTORE_DIR: 'k' }, '/c', 'CWD/k'],
])('folder: with %j it is %s, and that of the keys %s', (env, folder, keys) => {
  const { host } = workbench();
  const whole = (path: string): string => path.replace('HOME', host.home).replace('CWD', host.cwd);
  expect(configStore.folder({ ...host, env })).toBe(whole(folder));
  expect(paths.keys({ ...host, env })).toBe(whole(keys));
});

test.each([
  { FERRY_CONFIG_DIR: '/c', FERRY_STATE_DIR: '/s' },
  { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' },
])('without a home folder: nothing asks for it where the folders are named, as by %j', (env) => {
  const place: paths.Environment = {
    env,
    cwd: workbench().host.cwd,
    get home(): string {
      throw new Error('there is none');
    },
  };
  expect(configStore.find(place)).toEqual({ user: undefined, project: undefined });
  for (const path of [configStore.folder(place), paths.keys(place)]) expect(path).toMatch(/^\/c/);
  expect(paths.stateDir(place)).toMatch(/^\/s/);
});

/** Lines of YAML of which each stands for twice what the one before stands for. */
function aliased(lines: number): string {
  return Array.from({ length: lines }, (_, n) => `  a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('');
}

describe('read', () => {
  test.each([
    ['json', '{ "network": "testnet", "maxImpact": 3 }'],
    ['yaml', '# mine\nnetwork: testnet\nmaxImpact: 3\n'],
    ['yml', 'network: "testnet"\nmaxImpact: 3'],
  ])('behavior: both files as %s', async (extension, text) => {
    const bench = workbench();
    const user = bench.write(`home/.config/ferry/config.${extension}`, text);
    const project = bench.write(`home/code/project/.ferryrc.${extension}`, text);
    const content = { network: 'testnet', maxImpact: 3 };
    expect(await configStore.read(bench.host)).toEqual({
      user: { path: user, content },
      project: { path: project, content },
    });
  });

  test('behavior: an empty file, or one with only comments, sets nothing', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/config.json', ' \n');
    bench.write('home/code/project/.ferryrc.yaml', '# nothing yet\n');
    const { user, project } = await configStore.read(bench.host);
    expect(Config.merge({ user, project }).network.value).toBe('sandbox');
  });

  test('behavior: finds the project file from a subfolder', async () => {
    const bench = workbench();
    const path = bench.write('home/code/project/.ferryrc.json', '{}');
    mkdirSync(join(bench.project, 'a', 'b'), { recursive: true });
    const { project } = await configStore.read({ ...bench.host, cwd: join(bench.project, 'a', 'b') });
    expect(project?.path).toBe(path);
  });

  test('behavior: does not search beyond the repository root', async () => {
    const bench = workbench();
    bench.write('home/code/.ferryrc.json', '{}');
    expect((await configStore.read(bench.host)).project).toBeDefined();
    mkdirSync(join(bench.project, '.git'));
    expect((await configStore.read(bench.host)).project).toBeUndefined();
  });

  test('behavior: does not search the home directory or above', async () => {
    const bench = workbench();
    bench.write('home/.ferryrc.json', '{}');
    bench.write('.ferryrc.json', '{}');
    expect((await configStore.read(bench.host)).project).toBeUndefined();
    expect((await configStore.read({ ...bench.host, cwd: bench.home })).project).toBeUndefined();
  });

  test('error: two files in one folder', async () => {
    const bench = workbench();
    bench.write('home/.config/ferry/config.json', '{}');
    bench.write('home/.config/ferry/config.yaml', '');
    const error = await failure('config.invalid', () => configStore.read(bench.host));
    expect(error.facts).toHaveLength(2);
  });

  test.each([
    ['json', '{\n  "networks": { "mainnet": { "apiKey": "hush", } }\n}', '2'],
    ['yaml', 'network: testnet\nnetworks: { mainnet: { apiKey: "hush }\n', undefined],
  ])('error: reports the line of broken %s without its text', async (extension, text, line) => {
    const bench = workbench();
    const path = bench.write(`home/.config/ferry/config.${extension}`, text);
    const error = await failure('config.unreadable', () => configStore.read(bench.host));
    expect(error.facts).toContainEqual(['file', path]);
    expect(error.facts).toContainEqual(['line', line ?? expect.stringMatching(/^\d+$/)]);
    expect(error.next).toBe('ferry config edit');
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('hush');
  });

  test.each([
    ['an alias within its own anchor', 'color: &a { b: *a }\n'],
    ['an alias within its own anchor, under an empty key', 'color: &a { "": *a }\n'],
    ['aliases of aliases', `color:\n  a0: &a0 [x, x]\n${aliased(40)}`],
  ])('error: %s', async (_, text) => {
    const bench = workbench();
    const path = bench.write('home/code/project/.ferryrc.yaml', text);
    const error = await failure('config.unreadable', () => configStore.read(bench.host));
    expect(error.facts).toEqual([['file', path]]);
    // No command opens the file of a project.
    expect([error.hint, error.next]).toEqual(['Correct it in an editor.', undefined]);
  });

  test('behavior: an alias of YAML stands for its anchor', async () => {
    const bench = workbench();
    bench.write('home/code/project/.ferryrc.yaml', 'slippage: &least 0.5\nmaxImpact: *least\n');
    const { project } = await configStore.read(bench.host);
    expect(project?.content).toEqual({ slippage: 0.5, maxImpact: 0.5 });
  });

  test.each<[what: string, make: (path: string) => unknown, reason: string]>([
    ['a folder', (path) => mkdirSync(path), 'it is not a file'],
    ['a pipe, which does not block', (path) => execFileSync('mkfifo', [path]), 'it is not a file'],
    ['too large', (path) => writeFileSync(path, 'x'.repeat(1_000_001)), 'it is larger than 1000000 bytes'],
  ])('error: %s', async (_, make, reason) => {
    const bench = workbench();
    make(join(bench.project, '.ferryrc.json'));
    const error = await failure('config.unreadable', () => configStore.read(bench.host));
    expect(error.facts).toContainEqual(['reason', reason]);
  });

  test.each(['.config/ferry/config.json', '.config/ferry'])(
    'error: %s that others can write to; a project file only tightens, and may be theirs',
    async (place) => {
      const bench = workbench();
      bench.write('home/.config/ferry/config.json', '{}');
      bench.write('home/code/project/.ferryrc.json', '{}');
      chmodSync(join(bench.project, '.ferryrc.json'), 0o666);
      expect(await configStore.read(bench.host)).toMatchObject({ user: { content: {} }, project: { content: {} } });
      const path = join(bench.host.home, place);
      chmodSync(path, statSync(path).mode | 0o020);
      const error = await failure('state.untrusted', () => configStore.read(bench.host));
      expect(error).toMatchObject({ next: `chmod go-w ${path}`, hint: expect.not.stringContaining('FERRY_STATE_DIR') });
    },
  );
});

/** Files that other tools would execute, each of which leaves a mark when executed. */
function plant(bench: Workbench, places: readonly string[]): string {
  const mark = join(bench.folder, 'executed');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, __filename); module.exports = {};`;
  const module = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, import.meta.url); export default {};`;
  for (const place of places) bench.write(`home/code/project/${place}`, /\.(mjs|ts)$/.test(place) ? module : script);
  return mark;
}

const scripts = ['js', 'cjs', 'mjs', 'ts'].flatMap((end) => [`.config/config.${end}`, `.ferryrc.${end}`]);
scripts.push('ferry.config.js', 'x.cjs');

describe('files that somebody planted', () => {
  test('behavior: runs no script and reads none as a configuration', async () => {
    const bench = workbench();
    const mark = plant(bench, scripts);
    bench.write('home/code/project/.config/config.json', '{ "cosmiconfig": { "searchPlaces": ["evil.json"] } }');
    bench.write(
      'home/code/project/package.json',
      '{ "cosmiconfig": { "searchPlaces": ["evil.json"] }, "ferry": { "network": "mainnet" } }',
    );
    bench.write('home/code/project/evil.json', '{ "account": "main" }');
    bench.write('home/code/project/.ferryrc', '{ "account": "main" }');
    // A user file makes the parsers load, which is when a search would start.
    bench.write('home/.config/ferry/config.json', '{ "maxImpact": 3 }');
    const before = process.cwd();
    process.chdir(bench.project);
    try {
      const found = await configStore.read(bench.host);
      expect(found.project).toBeUndefined();
      expect(Config.merge(found).maxImpactBps.value).toBe(300);
    } finally {
      process.chdir(before);
    }
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    ['code/project/.ferryrc.json', '{ "$import": "./x.cjs" }', 'config.untrusted'],
    ['code/project/.ferryrc.yaml', '$import: ./x.cjs\n', 'config.untrusted'],
    ['code/project/.ferryrc.json', '{ "network": "testnet", "$import": ["./x.cjs"] }', 'config.untrusted'],
    ['.config/ferry/config.json', '{ "$import": "../../code/project/x.cjs" }', 'config.invalid'],
  ])('behavior: $import runs nothing and is refused (%s: %s)', async (place, text, code) => {
    const bench = workbench();
    const mark = plant(bench, scripts);
    const path = bench.write(`home/${place}`, text);
    const found = await configStore.read(bench.host);
    const error = await failure(code, () => Config.merge(found));
    expect(error.facts).toContainEqual(['file', path]);
    expect(existsSync(mark)).toBe(false);
  });

  test('behavior: the marks exist if a script runs', () => {
    const bench = workbench();
    const mark = plant(bench, scripts);
    execFileSync(process.execPath, [join(bench.project, 'x.cjs')]);
    expect(existsSync(mark)).toBe(true);
  });

  test('behavior: YAML creates no custom objects', async () => {
    const bench = workbench();
    bench.write('home/code/project/.ferryrc.yaml', 'network: !!js/function "function(){}"\n');
    await failure('config.unreadable', () => configStore.read(bench.host));
  });
});

describe('createConfigFiles', () => {
  test('default', async () => {
    const bench = workbench();
    const files = configStore.createConfigFiles(bench.host);
    expect(files.userPath).toBe(join(bench.home, '.config/ferry/config.json'));
    await files.write([['network', 'testnet']]);
    await files.write([['networks.mainnet.chains.base.rpcUrl', 'https://rpc.example.org']]);
    expect(JSON.parse(readFileSync(files.userPath, 'utf8'))).toEqual({
      network: 'testnet',
      networks: { mainnet: { chains: { base: { rpcUrl: 'https://rpc.example.org' } } } },
    });
    expect(statSync(files.userPath).mode & 0o777).toBe(0o600);
  });

  test('error: a YAML file keeps its comments', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/config.yaml', '# mine\nslippage: 1\n');
    await failure('config.unwritable', () => configStore.createConfigFiles(bench.host).write([['slippage', '2']]));
    expect(readFileSync(path, 'utf8')).toBe('# mine\nslippage: 1\n');
  });

  test('error: a folder that cannot be created', async () => {
    const bench = workbench();
    bench.write('home/.config', 'a file');
    const error = await failure('config.unwritable', () =>
      configStore.createConfigFiles(bench.host).write([['quiet', 'true']]),
    );
    expect(error.facts).toContainEqual(['reason', 'part of the path is a file']);
  });

  test('behavior: reads the signatures file beside the configuration', async () => {
    const bench = workbench();
    expect(await configStore.createConfigFiles(bench.host).signatures()).toBeUndefined();
    const path = bench.write('home/.config/ferry/signatures.txt', 'error A()\n');
    expect(await configStore.createConfigFiles(bench.host).signatures()).toEqual({ path, text: 'error A()\n' });
  });
});
