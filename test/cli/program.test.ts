import { describe, expect, test } from 'vitest';
import { parse } from '../../src/cli/program.js';
import { BaseError } from '../../src/core/base/Errors.js';

const terminal = { columns: 80, hasColors: false };

async function options(line: string): Promise<unknown> {
  const parsed = await parse(line.split(' '), '1.2.3', terminal);
  if (parsed.kind !== 'command') throw new Error(parsed.text);
  const given = Object.fromEntries(Object.entries(parsed.options).filter(([, value]) => value !== undefined));
  const globals = Object.fromEntries(Object.entries(parsed.globals).filter(([, value]) => value));
  return { name: parsed.entry.name, ...given, ...globals };
}

describe('parse', () => {
  test.each([
    ['quote 1 alpha/usdc beta/usdc', { name: 'quote', args: ['1', 'alpha/usdc', 'beta/usdc'] }],
    ['--json quote 1 a/b c/d', { name: 'quote', args: ['1', 'a/b', 'c/d'], json: true }],
    ['quote 1 a/b c/d --json -q', { name: 'quote', args: ['1', 'a/b', 'c/d'], json: true, quiet: true }],
    ['--network testnet chains', { name: 'chains', args: [], network: 'testnet' }],
    ['chains --network testnet', { name: 'chains', args: [], network: 'testnet' }],
    ['--network config config list', { name: 'config list', args: [], network: 'config' }],
    ['config get slippage', { name: 'config get', args: ['slippage'] }],
    [
      'quote 1 a/b c/d --refund-to 0x01 --app-fee x:1 --app-fee y:2 --exact-output -o f',
      {
        name: 'quote',
        args: ['1', 'a/b', 'c/d'],
        refundTo: '0x01',
        appFee: ['x:1', 'y:2'],
        exactOutput: true,
        output: 'f',
      },
    ],
    ['execute quote.json --no-wait -y', { name: 'execute', args: ['quote.json'], noWait: true, yes: true }],
    ['execute - --dry-run', { name: 'execute', args: ['-'], dryRun: true }],
    ['execute -1 a/b c/d', { name: 'execute', args: ['-1', 'a/b', 'c/d'] }],
    ['runs speed-up 1f2e3d --no-wait', { name: 'runs speed-up', args: ['1f2e3d'], noWait: true }],
    ['sandbox exec -- curl -s --json url', { name: 'sandbox exec', args: ['curl', '-s', '--json', 'url'] }],
    ['schema config list', { name: 'schema', args: ['config', 'list'] }],
    [
      'venue deposit 100 alpha/usdc --account-index 101 --max-in 5 --gasless',
      { name: 'venue deposit', args: ['100', 'alpha/usdc'], accountIndex: '101', maxIn: '5', gasless: true },
    ],
    [
      'venue withdraw max alpha/usdc --venue-key mine --api-key-index 4 --max-venue-fee 3 --sign-only',
      {
        name: 'venue withdraw',
        args: ['max', 'alpha/usdc'],
        venueKey: 'mine',
        apiKeyIndex: '4',
        maxVenueFee: '3',
        signOnly: true,
      },
    ],
    [
      'key import api --venue-account 100 --api-key-index 4',
      { name: 'key import', args: ['api'], venueAccount: '100', apiKeyIndex: '4' },
    ],
    ['chains --color', { name: 'chains', args: [], color: true }],
    ['completion zsh', { name: 'completion', args: ['zsh'] }],
  ])('default: %s', async (line, expected) => {
    expect(await options(line)).toEqual(expected);
  });

  test('behavior: --no-color differs from no flag at all', async () => {
    const [given, absent] = await Promise.all(
      ['chains --no-color', 'chains'].map(async (line) => {
        const parsed = await parse(line.split(' '), '1', terminal);
        return parsed.kind === 'command' ? parsed.globals.color : 'text';
      }),
    );
    expect([given, absent]).toEqual([false, undefined]);
  });

  test.each([
    [['--version'], '1.2.3'],
    [['--help'], 'Usage: ferry'],
    [[], 'Usage: ferry'],
    [['config', '--help'], 'Usage: ferry config'],
    [['help', 'help'], 'Usage: ferry [options]'],
    [['help', 'quote'], 'Usage: ferry quote'],
    [['help', 'execute', 'call'], 'Usage: ferry execute call'],
    [['help', 'config'], 'Usage: ferry config [options] [command]'],
    [['--network', 'testnet', 'help', 'config', 'set'], 'Usage: ferry config set'],
    [['help', 'exit-codes'], 'Exit codes:\n'],
    [['--help'], 'Help topics:\n  ferry help exit-codes'],
  ])('behavior: %j is text', async (argv, text) => {
    expect(await parse(argv, '1.2.3', terminal)).toEqual({ kind: 'text', text: expect.stringContaining(text) });
  });

  test.each([
    ['frob', 'usage.unknown-command', 'ferry --help'],
    ['help frob', 'usage.unknown-command', 'ferry --help'],
    ['help config frob', 'usage.unknown-command', 'ferry --help'],
    ['completion ksh', 'usage.invalid', 'ferry completion --help'],
    ['config', 'usage.missing', 'ferry config --help'],
    ['quote 1 a/b c/d e', 'usage.invalid', 'ferry quote --help'],
    ['quote 1 a/b c/d --frob', 'usage.unknown-option', 'ferry quote --help'],
    ['trace', 'usage.missing', 'ferry trace --help'],
    ['venue', 'usage.missing', 'ferry venue --help'],
    ['venue deposit 1 a/b --recipient 5', 'usage.unknown-option', 'ferry venue deposit --help'],
    ['venue deposit 1 a/b --max-venue-fee 5', 'usage.unknown-option', 'ferry venue deposit --help'],
    ['venue withdraw 1 a/b --private-key 0x01', 'usage.unknown-option', 'ferry venue withdraw --help'],
  ])('error: %s is %s', async (line, code, next) => {
    const error = await parse(line.split(' '), '1', terminal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BaseError);
    expect(error).toMatchObject({ code, next, funds: 'untouched' });
    expect((error as BaseError).message).toMatch(/^[A-Z].*[.?]$/);
  });

  const transfer = 'execute 1 a/b c/d';
  test.each([
    ['quote 1 a/b c/d --recipent x', '--recipient'],
    ['quote 1 a/b c/d --slipage 1', '--slippage'],
    [`${transfer} --permt`, '--permit'],
    [`${transfer} --perm`, undefined],
    [`${transfer} --watch`, undefined],
    [`${transfer} --trace`, undefined],
    [`${transfer} --all`, undefined],
    [`${transfer} --agree`, undefined],
    [`${transfer} --bath x`, '--batch'],
  ])('error: %s suggests %s', async (line, near) => {
    const error = await parse(line.split(' '), '1', terminal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage.unknown-option' });
    expect((error as BaseError).hint).toBe(near === undefined ? undefined : `Did you mean ${near}?`);
  });

  test('behavior: help fits the terminal', async () => {
    for (const columns of [40, 60, 80, 200]) {
      const parsed = await parse(['execute', '--help'], '1', { columns, hasColors: false });
      const lines =
        parsed.kind === 'text' ? parsed.text.split('\n').filter((line) => !/^ {2}(ferry|#)/.test(line)) : [];
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  const key = `0x${'4c'.repeat(32)}`;
  const phrase = 'ozone fire lemon grape ozone fire lemon grape ozone fire lemon grape';
  const digits = '3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHn'.repeat(3);
  const transferring = ['execute', '1', 'alpha/usdc', 'beta/usdc'];

  test.each<[secret: string, hidden: string, line: readonly string[]]>([
    ['private key', '4c4c', ['key', 'import', 'a1', key]],
    ['private key', '4c4c', ['key', 'import', 'a1', `${key}${'4c'.repeat(8)}`]],
    ['private key', '4c4c', ['key', 'import', key]],
    ['private key', '4c4c', ['key', 'import', 'a1', '--key-file', key.slice(2)]],
    ['private key', '4c4c', ['config', 'set', 'account', key]],
    ['private key', '4c4c', [...transferring, '--account', key]],
    ['private key', '4c4c', [...transferring, `--account=${key}`]],
    // An extended key, one of Solana and one of Bitcoin.
    ['private key', 'poapn', ['key', 'import', `xprv9s21ZrQH143K${digits}`.slice(0, 111)]],
    ['private key', 'poapn', ['key', 'import', digits.slice(0, 88)]],
    ['private key', 'poapn', ['key', 'import', `K${digits}`.slice(0, 52)]],
    ['recovery phrase', 'lemon', ['key', 'import', 'a1', ...phrase.split(' ')]],
    ['recovery phrase', 'lemon', ['key', 'import', phrase]],
    ['recovery phrase', 'lemon', ['key', 'show', phrase]],
    ['recovery phrase', 'lemon', ['config', 'set', 'account', phrase]],
    ['recovery phrase', 'lemon', ['balance', phrase]],
    ['recovery phrase', 'lemon', ['status', `${phrase} ${phrase}`]],
    ['recovery phrase', 'lemon', [...transferring, '--recipient', phrase]],
    ['recovery phrase', 'lemon', [...transferring, `--account=${phrase}`]],
  ])('error: a %s as an argument is exposed, and not repeated, %#', async (secret, hidden, line) => {
    const error = await parse(line, '1.2.3', terminal).catch((thrown: unknown) => thrown);
    const message = `A ${secret} was typed as an argument: it is not secret any more.`;
    expect(error).toMatchObject({ code: 'usage.invalid', message });
    expect(`${error}${JSON.stringify(error)}`).not.toContain(hidden);
  });

  test('behavior: a hash of as many digits is none', async () => {
    expect(await parse(['status', key], '1.2.3', terminal)).toMatchObject({ kind: 'command' });
  });

  test.each([[['--private-key', '0x01']], [['--private-key=0x01']], [['--password=0x01\n=0x01']]])(
    'error: a secret as an argument is refused with what takes one: %j',
    async (secret) => {
      const line = ['execute', '1', 'alpha/usdc', 'beta/usdc', ...secret];
      const error = await parse(line, '1.2.3', terminal).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'usage.unknown-option', hint: expect.stringContaining('--key-file') });
      expect(`${error}${JSON.stringify(error)}`).not.toContain('0x01');
    },
  );

  test('error: a file with a secret, where none is taken, is an unknown option and no secret', async () => {
    const line = ['doctor', '--password-file', 'password'];
    const error = await parse(line, '1.2.3', terminal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage.unknown-option', hint: undefined });
  });

  test.each([
    ['key renam', 'Did you mean rename?'],
    ['key removal', undefined],
    ['key remvoe', 'Did you mean remove?'],
    ['key lst', 'Did you mean list?'],
    ['run list', 'Did you mean runs?'],
    ['exec', undefined],
    ['sandbox restart', undefined],
    ['sandbox rese', 'Did you mean reset?'],
    ['contracts accep', 'Did you mean accept?'],
    ['frob --help', undefined],
    ['--json qoute -h', 'Did you mean quote?'],
    ['key frob --help', undefined],
    ['wallet list', 'Did you mean key?'],
    ['alias set pay execute', 'Did you mean address?'],
    ['constructor', undefined],
  ])('error: %s suggests nothing that cannot be undone but for a slip of a finger', async (line, hint) => {
    const error = await parse(line.split(' '), '1.2.3', terminal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage.unknown-command', hint });
  });
});
