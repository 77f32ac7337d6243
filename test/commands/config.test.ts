/** Settings that are read, written and removed one by one. `config edit` and `config init` have tests of their own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/config.js';
import type * as Config from '../../src/core/config/Config.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { context, failure, run, type Workbench, workbench } from '../support/workbench.js';

/** A home, where command lines run one after the other; the last one's end is the result. */
function desk() {
  const home = temporaryFolder();
  const path = join(home, '.config/ferry/config.json');
  const inTurn = async (...lines: readonly string[]): Promise<Ended> => {
    const ended = [];
    for (const line of lines) ended.push(await ferry(line.split(' '), { home }));
    return ended.at(-1) as Ended;
  };
  return { home, path, inTurn, written: () => JSON.parse(readFileSync(path, 'utf8')) };
}

describe('config get', () => {
  test('default: the value and where it comes from; a secret is shown as ***', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/config.json', '{ "networks": { "mainnet": { "apiKey": "hush" } } }');
    const read = async (key: string) => run(commands.get, { args: [key] }, await context(bench));
    expect(await read('maxImpact')).toEqual({ key: 'maxImpact', value: '5%', source: { kind: 'default' } });
    const key = 'networks.mainnet.apiKey';
    expect(await read(key)).toEqual({ key, value: '***', source: { kind: 'user', path } });
    expect((await failure('usage.invalid', () => read('slipage'))).hint).toBe('Did you mean slippage?');
  });
});

describe('config list', () => {
  test('default: each with its source, and no secret', async () => {
    const bench = workbench({ env: { FERRY_NETWORK: 'mainnet', FERRY_API_KEY: 'hush' } });
    const user = bench.write(
      'home/.config/ferry/config.json',
      '{ "maxImpact": 3, "networks": { "mainnet": { "apiKey": "hush-2" } } }',
    );
    const project = bench.write('home/code/project/.ferryrc.yaml', 'maxFeeUsd: 2\n');
    const found = await run(commands.list, { args: [] }, await context(bench, { flags: { slippage: '0.5' } }));
    expect(found.userFile).toBe(user);
    expect(Object.fromEntries(found.settings.map(({ key, value, source }) => [key, [value, source]]))).toMatchObject({
      network: ['mainnet', { kind: 'env', name: 'FERRY_NETWORK' }],
      apiKey: ['***', { kind: 'env', name: 'FERRY_API_KEY' }],
      slippage: ['0.5%', { kind: 'flag', name: '--slippage' }],
      maxImpact: ['3%', { kind: 'user', path: user }],
      maxFeeUsd: ['$2', { kind: 'project', path: project }],
      maxAge: ['30s', { kind: 'default' }],
      account: [null, { kind: 'default' }],
      'networks.mainnet.apiKey': ['***', { kind: 'user', path: user }],
    });
    expect(JSON.stringify(found) + commands.list.view(found, plain)).not.toContain('hush');
  });

  test('view: a line each, and what controls a terminal is shown', () => {
    const settings: Config.Row[] = [
      { key: 'network', value: 'testnet', source: { kind: 'env', name: 'FERRY_NETWORK' } },
      { key: 'account', value: null, source: { kind: 'default' } },
      { key: 'maxImpact', value: '3%', source: { kind: 'project', path: '/p/\u001b[2J.json' } },
    ];
    expect(commands.list.view({ userFile: '', settings }, plain)).toMatchInlineSnapshot(`
      "network    testnet  FERRY_NETWORK
      account    -        default
      maxImpact  3%       /p/\\x1b[2J.json"
    `);
  });
});

describe('config path', () => {
  test('default: the path alone, whether or not there is a file; the file that there is, and the one of the project', async () => {
    const { home, path } = desk();
    expect(await ferry(['config', 'path'], { home })).toMatchObject({ code: 0, stdout: `${path}\n`, stderr: '' });
    const paths = async (cwd = home) => (await ferry(['config', 'path', '--json'], { home, cwd })).json().data;
    expect(await paths()).toEqual({ userFile: path, exists: false, projectFile: null });
    const [folder, project] = [join(home, '.config/ferry'), join(home, 'code')];
    for (const each of [folder, project]) mkdirSync(each, { recursive: true, mode: 0o700 });
    const [userFile, projectFile] = [join(folder, 'config.yaml'), join(project, '.ferryrc.json')];
    writeFileSync(userFile, 'maxImpact: 3\n', { mode: 0o600 });
    writeFileSync(projectFile, '{}');
    expect(await paths(project)).toEqual({ userFile, exists: true, projectFile });
  });
});

describe('config set', () => {
  const written = ({ home }: Workbench) => JSON.parse(readFileSync(join(home, '.config/ferry/config.json'), 'utf8'));
  const apiKey = 'networks.mainnet.apiKey';

  test.each([
    ['asked', [apiKey], {}, { answers: ['hush'] }],
    ['read from stdin', [apiKey, '-'], { stdin: 'hush\n' }, {}],
  ])('behavior: a secret is %s', async (_, args, given, wishes) => {
    const bench = workbench(given);
    expect((await run(commands.set, { args }, await context(bench, wishes))).value).toBe('***');
    expect(written(bench)).toEqual({ networks: { mainnet: { apiKey: 'hush' } } });
  });

  test('error: a value that is to be piped, on a terminal', async () => {
    const { error } = (await ferry(['config', 'set', 'account', '-', '--json'], { terminals: { stdin: true } })).json();
    expect(error).toMatchObject({ code: 'usage.missing', hint: 'printf %s <value> | ferry config set account -' });
  });

  test.each([
    ['a secret as an argument, which is not repeated either', [apiKey, 'hush'], 'usage.invalid'],
    ['a key that does not exist', ['slipage', '1'], 'usage.invalid'],
    ['a value it cannot have', ['slippage', 'lots'], 'usage.invalid'],
    ['no value', ['slippage'], 'usage.missing'],
    ['no value and nobody to ask', [apiKey], 'usage.missing'],
    ['a network that does not exist', ['network', 'mainnt'], 'config.unknown-network'],
    ['a private key', ['privateKey', '-'], 'usage.invalid'],
  ])('error: %s writes nothing', async (_, args, code) => {
    const bench = workbench();
    const parts = await context(bench);
    const error = await failure(code, () => run(commands.set, { args }, parts));
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.next}`).not.toContain('hush');
    expect(existsSync(join(bench.home, '.config'))).toBe(false);
  });

  test('behavior: an account for every network would pay on the sandbox too: the warning says what else there is', async () => {
    const { inTurn } = desk();
    const made = await inTurn('config set account main');
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('account main --network mainnet')]);
    expect((await inTurn('config set account dev3')).stderr).toBe('');
    expect((await inTurn('config set network testnet', 'config set account main')).stderr).toBe('');
  });
});

describe('config unset', () => {
  test('default: a setting and the empty groups around it are gone, the rest stays', async () => {
    const { path, inTurn, written } = desk();
    const key = 'networks.mainnet.chains.base.rpcUrl';
    const sets = ['config set maxImpact 3', `config set ${key} https://rpc.example.org`, 'config set maxFeeUsd 5'];
    const ended = await inTurn(...sets, `config unset ${key} --json`);
    expect([ended.code, ended.json().data]).toEqual([0, { key, wasSet: true, path }]);
    expect(written()).toEqual({ maxImpact: '3', maxFeeUsd: '5' });
    const left = (await inTurn('config unset maxImpact', 'config get maxImpact --json')).json().data;
    expect(left.source.kind).toBe('default');
  });

  test('behavior: with --network, that of one network is set, read and removed', async () => {
    const { inTurn, written } = desk();
    expect(await inTurn('config set account main --network mainnet')).toMatchObject({ code: 0, stderr: '' });
    expect(written()).toEqual({ networks: { mainnet: { account: 'main' } } });
    expect((await inTurn('config get account --network mainnet')).stdout).toBe('main\n');
    expect((await inTurn('config get account')).stdout).toBe('');
    await inTurn('config unset account --network mainnet');
    expect(written()).toEqual({});
    await inTurn('config set bell true --network mainnet');
    expect(written()).toEqual({ bell: true });
  });

  test('behavior: what is not set stays so, and no file is written', async () => {
    const { inTurn } = desk();
    const ended = await inTurn('config unset aliases.toString');
    expect([ended.code, ended.stdout.split('\n')[0]]).toEqual([0, 'aliases.toString was not set']);
    expect((await inTurn('config path --json')).json().data.exists).toBe(false);
  });
});

describe('a configuration that is not valid', () => {
  /** A desk whose file has this text. */
  function deskWith(text: string) {
    const at = desk();
    mkdirSync(join(at.home, '.config/ferry'), { recursive: true, mode: 0o700 });
    writeFileSync(at.path, text, { mode: 0o600 });
    return at;
  }

  test.each([['{ "maxImpact":'], ['{ "slipage": 1 }'], ['{ "network": "nowhere" }']])(
    'behavior: with %s, what names the file works, and what has no use for it',
    async (text) => {
      const { inTurn, path } = deskWith(text);
      expect((await inTurn('config list --json')).code).toBe(2);
      expect((await inTurn('config path')).stdout).toBe(`${path}\n`);
      expect((await inTurn('version')).code).toBe(0);
      expect((await inTurn('schema error')).code).toBe(0);
    },
  );

  test('behavior: keys that are no settings are removed one by one', async () => {
    const { inTurn, written } = deskWith(
      '{ "slipage": 1, "networks": { "mainnet": { "apiKy": "x" } }, "maxImpact": 3 }',
    );
    expect((await inTurn('config list --json')).json().error.next).toBe('ferry config edit');
    expect((await inTurn('config unset slipage --json')).json().data).toMatchObject({ wasSet: true });
    expect((await inTurn('config unset slippge --json')).json().error.code).toBe('usage.invalid');
    await inTurn('config unset networks.mainnet.apiKy');
    expect(written()).toEqual({ maxImpact: 3 });
    expect((await inTurn('config get maxImpact')).stdout).toBe('3%\n');
  });

  test('error: what cannot be parsed is not written over', async () => {
    const { inTurn, path } = deskWith('{ "maxImpact":');
    expect((await inTurn('config unset maxImpact --json')).json().error.code).toBe('config.unreadable');
    expect(readFileSync(path, 'utf8')).toBe('{ "maxImpact":');
  });
});
