import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { table } from '../../src/cli/commandTable.js';
import type { Command } from '../../src/core/command/Command.js';
import * as CommandCatalog from '../../src/core/docs/CommandCatalog.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import * as PriceOnly from '../../src/core/quote/PriceOnly.js';
import { at, ferry, type Surroundings, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const ada = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const eve = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const bridge = ['10', 'alpha/usdc', 'beta/usdc'];

/** A home with this address book. */
function desk(aliases: Readonly<Record<string, string>> = { ada }) {
  const home = temporaryFolder();
  const path = join(home, '.config/ferry/config.json');
  const put = (book: Readonly<Record<string, string>>): void => {
    mkdirSync(join(home, '.config/ferry'), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify({ aliases: book }), { mode: 0o600 });
  };
  if (Object.keys(aliases).length > 0) put(aliases);
  const run = (argv: readonly string[], more: Surroundings = {}) =>
    ferry(argv, { home, ...more, env: { ...at(sandbox), ...more.env } });
  const line = (text: string, more: Surroundings = {}) => run(text.split(' '), more);
  return { home, path, put, run, line, saved: () => JSON.parse(readFileSync(path, 'utf8')).aliases };
}

/** The message of what a command line fails with. */
const refused = async (ending: ReturnType<typeof ferry>): Promise<[code: string, message: string]> => {
  const { code, message } = (await ending).json().error;
  return [code, message];
};

describe('address add', () => {
  test('default: a name for an address, with its checksum, in the user’s own file', async () => {
    const { line, path, saved } = desk({});
    const ended = await line(`address add ada ${ada.toLowerCase()}`);
    expect([ended.code, ended.stdout]).toEqual([0, `ada is ${ada}\n${path}\n`]);
    expect(saved()).toEqual({ ada });
    const again = (await line(`address add ada ${ada} --json`)).json().data;
    expect(again).toEqual({ name: 'ada', address: ada, isNew: false, path });
  });

  test.each([
    ['a wrong checksum', `ada2 ${ada.replace('C8', 'c8')}`, 'invalid checksum'],
    ['a chain of another network', `Base ${eve}`, 'chain or network'],
    ['a name like another', `Ada ${eve}`, 'could be taken for ada'],
    ['a name of ENS', `ada.eth ${eve}`, 'no name for the address book'],
    ['an address that nobody owns', `void ${PriceOnly.nobody}`, 'Nobody owns'],
    ['no address', 'bob bob.eth', 'is a name, not an address'],
    ['what a terminal obeys', `a\u001b[2J ${eve}`, '\\x1b[2J'],
  ])('error: %s', async (_, typed, expected) => {
    const { line, saved } = desk();
    const [, message] = await refused(line(`address add ${typed} --json`));
    expect(message).toContain(expected);
    expect(saved()).toEqual({ ada });
  });

  test('error: a name is not pointed at another address', async () => {
    const { line, saved } = desk();
    const { error } = (await line(`address add ada ${eve} --json`)).json();
    expect(error).toMatchObject({ code: 'usage.invalid', next: 'ferry address remove ada' });
    expect(saved()).toEqual({ ada });
  });

  test('error: a name that a key has', async () => {
    const { line, home } = desk();
    const password = join(home, 'password');
    writeFileSync(password, 'long enough for a test', { mode: 0o600 });
    await line(`key new savings --password-file ${password}`);
    expect(await refused(line(`address add sav1ngs ${eve} --json`))).toEqual([
      'usage.invalid',
      'sav1ngs could be taken for your key savings.',
    ]);
  });

  test('behavior: an address that begins and ends like another is pointed out', async () => {
    const { line } = desk();
    const forged = `0x7099${'1'.repeat(32)}79c8`;
    const { json } = await line(`address add forged ${forged} --json`);
    expect(json().warnings).toEqual([expect.stringContaining('which you call ada, and is another address')]);
  });

  test('error: config set leaves the address book to it', async () => {
    const { error } = (await desk().line(`config set aliases.bob ${eve} --json`)).json();
    expect(error.next).toBe(`ferry address add bob ${eve}`);
  });
});

describe('address list and remove', () => {
  test('default: every name, until it is removed', async () => {
    const { line, path } = desk({ eve, ada });
    expect((await line('address list')).stdout).toBe(`ada  ${ada}\neve  ${eve}\n`);
    expect((await line('address remove eve --json')).json().data).toEqual({ name: 'eve', address: eve, path });
    expect((await line('address list --json')).json().data).toEqual({ addresses: [{ name: 'ada', address: ada }] });
  });

  test('error: a name that the book does not have', async () => {
    const { error } = (await desk().line('address remove adda --json')).json();
    expect(error).toMatchObject({ code: 'usage.invalid', hint: 'Did you mean ada?' });
  });
});

describe('names', () => {
  test('default: recipient, refund address and app fee of a quote; the address beside each, and alone in JSON', async () => {
    const { run } = desk({ ada, eve, me: payer });
    const options = ['--recipient', 'ada', '--refund-to', 'eve', '--app-fee', 'eve:25', '--account', 'me'];
    const { intent } = (await run(['quote', ...bridge, ...options, '--json'])).json().data;
    expect(intent).toMatchObject({ user: payer, recipient: ada, refundTo: eve });
    expect(intent.appFees).toEqual([{ recipient: eve, bps: 25 }]);
    const { stdout, stderr } = await run(['quote', ...bridge, ...options], { columns: 100 });
    expect(stdout).toMatch(new RegExp(`From +${payer} +me\\n`));
    expect(stdout).toMatch(new RegExp(`To +${ada} +ada\\n`));
    expect(stdout).toMatch(new RegExp(`Refund to +${eve} +eve\\n`));
    expect(stderr).toContain(`ada is ${ada}\n`);
    expect(stderr).toContain(`eve is ${eve}\n`);
  });

  test('behavior: the plan, the question and the outcome of a payment say both', async () => {
    const { run } = desk();
    const to = ['--recipient', 'ada'];
    const planned = await run(['execute', ...bridge, ...to, '--dry-run']);
    expect(planned.stdout).toContain(`  Paid to ${ada} (ada).\n`);
    let asked = '';
    const answer = (question: string) => {
      asked += question;
      return 'yes' as const;
    };
    const terminals = { stdin: true, stderr: true };
    const paid = await run(['execute', ...bridge, ...to], { terminals, answer });
    expect(asked).toContain(`on beta to ${ada} (ada)?`);
    expect(paid.stdout).toContain(`s to ${ada} (ada)\n`);
  });

  test('behavior: a run keeps the address of the account, whoever has the name by then', async () => {
    const { run, put, home } = desk({});
    const [key, password] = ['key', 'password'].map((name) => join(home, name)) as [string, string];
    writeFileSync(key, DevelopmentAccount.key(1), { mode: 0o600 });
    writeFileSync(password, 'long enough for a test', { mode: 0o600 });
    await run(['key', 'import', 'second', '--key-file', key, '--password-file', password]);
    put({ me: ada });
    const options = ['--account', 'me', '--password-file', password, '--yes', '--json'];
    const { data } = (await run(['execute', ...bridge, ...options])).json();
    expect([data.user, data.funds]).toEqual([ada, 'delivered']);
    const shown = (await run(['runs', 'show', data.run, '--json'])).json().data;
    expect(shown.command).toContain(`--account ${ada}`);
    expect(JSON.stringify(shown)).not.toContain('"me"');
  });

  test('behavior: a saved quote pays the address, whoever has the name by then', async () => {
    const { run, put, home } = desk();
    const file = join(home, 'quote.json');
    await run(['quote', ...bridge, '--recipient', 'ada', '-o', file]);
    expect(readFileSync(file, 'utf8')).not.toContain('"ada"');
    put({ ada: eve });
    const { data } = (await run(['execute', file, '--yes', '--json'])).lines().at(-1) ?? {};
    expect([data.funds, data.recipient]).toEqual(['delivered', ada]);
  });

  test('behavior: balances, allowances, app fees, venue accounts, the explorer and a filter', async () => {
    const { line } = desk({ ada, router: '0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a' });
    expect((await line('balance ada --chain alpha --json')).json().data.account).toBe(ada);
    expect((await line('balance ada --chain alpha')).stdout).toContain(`${ada} (ada)\n`);
    const shown = (await line('allowance show alpha/usdc router --account ada --json')).json().data;
    expect([shown.account, shown.allowances[0].spender]).toEqual([ada, '0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a']);
    expect((await line('fees balance ada --json')).json().data.wallet).toBe(ada);
    expect((await line('venue account ada --json')).json().data.accounts[0]).toMatchObject({ index: 101, wallet: ada });
    const [page] = (await line('open ada --chain base --network mainnet --json')).json().data.pages;
    expect(page.url).toMatch(new RegExp(`/address/${ada}$`));
    const funded = (await line('sandbox fund ada 1 alpha/eth --json')).json().data;
    expect(funded.address).toBe(ada);
    expect((await line('requests list --user ada --json')).code).toBe(0);
  });

  test('behavior: everything that takes an address takes a name', async () => {
    const untold: string[] = [];
    for (const { name, load } of table) {
      const { args, options }: Command = await load();
      const all = [
        ...args.map((arg) => [arg.description, CommandCatalog.kindOfArgument(arg)] as const),
        ...Object.entries(options).map(
          ([key, flag]) => [flag.description, CommandCatalog.kindOfFlag(key, flag)] as const,
        ),
      ];
      for (const [description, kind] of all)
        if (
          /\b(address|recipient|spender|wallet)\b/i.test(description) &&
          !['address', 'page', 'account'].includes(kind ?? '')
        )
          untold.push(`${name}: ${description}`);
    }
    expect(untold).toMatchInlineSnapshot(`
      [
        "execute: show an address that anybody can pay, instead of signing; needs --recipient and --refund-to, no key",
        "execute: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "venue deposit: the account to credit (default: your wallet’s)",
        "venue deposit: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "venue withdraw: the venue account to pay from (default: your wallet’s)",
        "venue withdraw: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "venue account: trust that this is the wallet’s account, after asking",
        "status: a request id, an order id, the hash of a deposit, fill or refund, a deposit address, or a run id or its last characters (default: the latest run on the network)",
        "resume: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "runs speed-up: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "runs cancel: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "open: the chain of a transaction or an address",
        "contracts accept: depository, router, approvalProxy, wrapped or batchExecutor; add =address to choose the address yourself",
        "delegation revoke: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "allowance revoke: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
        "key new: which address of the words: N of m/44’/60’/0’/0/N (default: 0)",
        "key import: which address of the words: N of m/44’/60’/0’/0/N (default: 0)",
        "smoke: a command that signs for the address in --account: the act as JSON on stdin, the signed bytes last on stdout",
      ]
    `);
  });

  test('error: a name that is not there, one of ENS, and one in a batch', async () => {
    const { run, line, home } = desk();
    const unknown = (await run(['quote', ...bridge, '--recipient', 'bob', '--json'])).json().error;
    expect(unknown).toMatchObject({ code: 'request.invalid-address', next: 'ferry address list' });
    for (const typed of [`quote ${bridge.join(' ')} --recipient ada.eth`, 'open ada.eth', 'balance ada.eth'])
      expect(JSON.stringify((await line(`${typed} --json`)).json().error)).toContain('ENS names are not resolved');
    const file = join(home, 'batch.ndjson');
    writeFileSync(file, JSON.stringify({ id: 'a', amount: '1', from: bridge[1], to: bridge[2], recipient: 'ada' }));
    const batch = (await line(`quote --batch ${file} --json`)).json().error;
    expect(JSON.stringify(batch)).toContain('is not an address');
  });

  test('error: a name of the book that a key has too is nobody’s', async () => {
    const { line, put, home } = desk({});
    const password = join(home, 'password');
    writeFileSync(password, 'long enough for a test', { mode: 0o600 });
    await line(`key new ada --password-file ${password}`);
    put({ ada });
    const message = 'ada is both an address of your address book and a key of yours.';
    for (const typed of [
      `quote ${bridge.join(' ')} --recipient ada`,
      'balance ada',
      'execute 1 alpha/eth beta/eth --account ada',
    ])
      expect(await refused(line(`${typed} --json`))).toEqual(['usage.invalid', message]);
    const { address } = (await line('key show ada --json')).json().data;
    put({ ada: address });
    expect((await line('balance ada --chain alpha --json')).json().data.account).toBe(address);
  });

  test('error: a project’s file names nobody, and a file of the user no two that look alike', async () => {
    const { line, put } = desk();
    const project = temporaryFolder();
    writeFileSync(join(project, '.ferryrc.json'), JSON.stringify({ aliases: { ada: eve } }));
    expect((await refused(line('address list --json', { cwd: project })))[0]).toBe('config.untrusted');
    put({ ada, Ada: eve });
    expect(await refused(line('address list --json'))).toEqual([
      'config.invalid',
      'The name aliases.ada must be another: it looks like Ada.',
    ]);
    put({ ada: ada.replace('C8', 'c8') });
    expect(await refused(line('balance ada --json'))).toEqual([
      'request.invalid-address',
      `The address that you call ada ${ada.replace('C8', 'c8')} has an invalid checksum.`,
    ]);
  });
});
