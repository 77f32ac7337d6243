import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();
let made: Promise<Envelope> | undefined;

/** One transfer for all tests. */
function delivered(): Promise<Envelope> {
  const pay = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'];
  made ??= ferry(pay, { env: at(sandbox) }).then(({ json }) => json().data);
  return made;
}

/** A home whose chains have explorers. */
function explored(): string {
  const home = temporaryFolder();
  const folder = join(home, '.config/ferry');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const chains = Object.fromEntries(
    ['alpha', 'beta'].map((name) => [name, { explorerUrl: `https://${name}.example.org` }]),
  );
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ networks: { sandbox: { chains } } }), { mode: 0o600 });
  return home;
}

const open = (args: string, home = explored()) =>
  ferry(['open', ...args.split(' '), '--json'], { env: at(sandbox), home });

const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('open', () => {
  test('default: the pages of a request, by its id or a hash', async () => {
    const paid = await delivered();
    const { data } = (await open(paid.requestId)).json();
    const hash = data.pages[0].url.split('/').at(-1);
    expect(JSON.stringify(paid)).toContain(hash);
    expect(data).toMatchObject({
      pages: [
        { what: 'deposit', chain: 'alpha', url: `https://alpha.example.org/tx/${hash}` },
        { what: 'fill', chain: 'beta', url: expect.stringContaining('https://beta.example.org/tx/0x') },
      ],
      opened: null,
    });
    expect((await open(hash)).json().data).toEqual(data);
    expect((await open(`${hash} --chain alpha`)).json().data.pages).toEqual([
      { what: 'transaction', chain: 'alpha', url: `https://alpha.example.org/tx/${hash}` },
    ]);
    expect((await open(`${dev1} --chain beta`)).json().data.pages[0].url).toBe(
      `https://beta.example.org/address/${dev1}`,
    );
  });

  test('behavior: a run of this machine', async () => {
    const home = explored();
    const pay = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'];
    const { run } = (await ferry(pay, { env: at(sandbox), home })).json().data;
    expect((await open(run.slice(-6), home)).json().data.pages).toHaveLength(2);
  });

  test('behavior: on a terminal a browser is started with the URL as one argument, and with no setting of ferry', async () => {
    const paid = await delivered();
    const home = explored();
    const [browser, seen] = [join(home, 'browser'), join(home, 'seen')];
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf '%s|%s' "$*" "$FERRY_BASE_URL" > ${seen}.part && mv ${seen}.part ${seen}\n`,
    );
    chmodSync(browser, 0o700);
    const env = { ...at(sandbox), BROWSER: browser };
    const { stdout } = await ferry(['open', paid.requestId], { env, home, terminals: { stdout: true } });
    expect(stdout).toContain('opened: fill on beta');
    await expect.poll(() => existsSync(seen)).toBe(true);
    expect(readFileSync(seen, 'utf8')).toMatch(/^https:\/\/beta\.example\.org\/tx\/0x[0-9a-f]{64}\|$/);
    const printed = await ferry(['open', paid.requestId, '--print'], { env, home, terminals: { stdout: true } });
    expect(printed.stdout).not.toContain('opened');
    const without = await ferry(['open', paid.requestId], {
      ...{ env: { ...env, BROWSER: join(home, 'nothing') }, home, terminals: { stdout: true } },
    });
    expect([without.code, without.stdout.split('\n')[1]]).toEqual([0, expect.stringMatching(/^https:\S+$/)]);
  });

  test.each([
    ['an address without a chain', dev1, 'usage.missing'],
    ['a request that there is not', `0x${'ab'.repeat(32)}`, 'service.unknown-request'],
    ['what is nothing of that', 'hello', 'usage.invalid'],
    ['a chain that there is not', `${dev1} --chain gamma`, 'request.unknown-chain'],
  ])('error: %s', async (_, args, code) => {
    expect((await open(args)).json().error.code).toBe(code);
  });

  test('error: a request that nobody has paid', async () => {
    const { json } = await ferry(['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'], { env: at(sandbox) });
    const { requestId } = json().data;
    expect((await open(requestId)).json().error).toMatchObject({
      message: 'The request has no transaction yet, so there is no page of one.',
      next: `ferry status ${requestId}`,
    });
  });

  test('error: a network without explorers', async () => {
    const paid = await delivered();
    const { error } = (await open(paid.requestId, temporaryFolder())).json();
    expect(error).toMatchObject({ code: 'request.unsupported', next: `ferry requests show ${paid.requestId}` });
  });
});
