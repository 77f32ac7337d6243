/**
 * What a stranger writes is shown and never obeyed: terminal sequences, line breaks and shell syntax in every text of a
 * quote, a status, a receipt and a trace, in every output; every ninth text is tried. Numbers and lists without bounds are
 * malformed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as ShellQuoting from '../../src/core/completion/ShellQuoting.js';
import * as UnsafeCharacters from '../../src/core/text/UnsafeCharacters.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { forward, loopback } from '../support/loopback.js';
import { get, places, put } from '../support/places.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const attack = '\n✓ forged\u001b[2J\u001b]0;x\u0007\u009b8m\u202e;touch ran $(touch ran)';

/** The paths of every ninth text in an answer. */
function textsIn(answer: unknown): string[] {
  const texts = places(answer).flatMap(({ at, value }) => (typeof value === 'string' && !at.includes(':') ? [at] : []));
  return texts.filter((_, n) => n % 9 === 0);
}

let turn = 0;
/** Every other text is shown to a person, and every other one to a program. */
function reader(): readonly string[] {
  turn += 1;
  return turn % 2 === 0 ? [] : ['--json'];
}

const poisoned = (answer: unknown, path: string): unknown => put(answer, path, `${get(answer, path)}${attack}`);

function assertHarmless(path: string, { stdout, stderr }: Ended): void {
  const shown = `${stdout}${stderr}`;
  const raw = [...shown.replaceAll('\n', '').matchAll(UnsafeCharacters.pattern)].map(([each]) => each);
  const forged = shown.split('\n').filter((line) => line.startsWith('✓ forged'));
  const commands = [...shown.matchAll(/"next":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json ?? '""'));
  const typed = [...shown.matchAll(/^ *next: (.*)$/gm)].map(([, line]) => line ?? '');
  const obeyed = [...commands, ...typed].filter((line) =>
    ShellQuoting.read(line, 'bash').some(({ text, quoted }) => !quoted && /[;$`\n]/.test(text)),
  );
  expect.soft({ path, raw, forged, obeyed }).toEqual({ path, raw: [], forged: [], obeyed: [] });
}

/** The sandbox, with an attack in one text of the answers of one path, or another value there. */
async function lying(path: string, attacked: (answer: unknown, where: string) => unknown = poisoned) {
  let where: string | undefined;
  let honest: unknown;
  const { url } = await loopback((response, request) => {
    forward(`${sandbox.baseUrl}${request.path}`, request)
      .then(({ status, type, text }) => {
        const isIt = request.path.startsWith(path);
        if (isIt) honest = JSON.parse(text);
        response.writeHead(status, { 'content-type': type });
        response.end(isIt && where !== undefined ? JSON.stringify(attacked(honest, where)) : text);
      })
      .catch(() => response.destroy());
  });
  const lie = (at: string): void => {
    where = at;
  };
  return { env: { ...at(sandbox), FERRY_BASE_URL: url }, honest: () => honest, lie };
}

const bridge = ['1', 'alpha/usdc', 'beta/usdc'];

describe('a service', () => {
  test('behavior: every text of a quote', async () => {
    const { env, honest, lie } = await lying('/quote');
    expect((await ferry(['quote', ...bridge], { env })).code).toBe(0);
    for (const path of textsIn(honest())) {
      lie(path);
      for (const argv of [
        ['quote', ...bridge],
        ['execute', ...bridge, '--yes', '--timeout', '1s', ...reader()],
      ])
        assertHarmless(path, await ferry(argv, { env, pace: 20 }));
    }
  }, 600_000);

  test('behavior: every text of a status', async () => {
    const { env, honest, lie } = await lying('/intents/status');
    const paid = await ferry(['execute', ...bridge, '--yes', '--json'], { env });
    const { requestId } = paid.json().data;
    for (const path of textsIn(honest())) {
      lie(path);
      for (const argv of [
        ['status', requestId, ...reader()],
        ['execute', ...bridge, '--yes', '--again', '--timeout', '1s'],
      ])
        assertHarmless(path, await ferry(argv, { env, pace: 20 }));
    }
  }, 600_000);
});

describe('a file', () => {
  const changed = (answer: unknown, path: string): string => {
    const file = join(temporaryFolder(), 'it.json');
    writeFileSync(file, JSON.stringify(poisoned(answer, path)));
    return file;
  };

  test('behavior: every text of a receipt', async () => {
    const home = temporaryFolder();
    const env = { ...at(sandbox), FERRY_STATE_DIR: join(home, 'state') };
    const paid = await ferry(['execute', ...bridge, '--yes', '--json'], { env, home });
    const file = join(home, 'receipt.json');
    await ferry(['receipt', paid.json().data.run, '-o', file], { env, home });
    const receipt: unknown = JSON.parse(readFileSync(file, 'utf8'));
    for (const path of textsIn(receipt)) {
      const other = changed(receipt, path);
      const verify = ['verify', other, '--recipient', accounts.dev0.address, ...reader()];
      assertHarmless(path, await ferry(verify, { env }));
    }
  }, 600_000);

  test('behavior: every text of a trace', async () => {
    const trace: unknown = JSON.parse(
      readFileSync(new URL('../recorded/traces/customError.json', import.meta.url), 'utf8'),
    );
    for (const path of textsIn(trace)) {
      const other = changed(trace, path);
      assertHarmless(path, await ferry(['trace', other, ...reader()], { env: at(sandbox) }));
    }
  }, 600_000);
});

describe('the id of a request', () => {
  test.each([
    ['an option', '--base-url=https://127.0.0.1:1'],
    ['a text of a million characters', 'a'.repeat(1_000_000)],
  ])('attack: %s is none, whatever was submitted', async (_, id) => {
    const { env, lie } = await lying('/execute', (answer, path) => put(answer, path, id));
    lie('requestId');
    const gasless = ['execute', ...bridge, '--gasless', '--account', 'dev0', '--yes', '--json'];
    const paid = await ferry(gasless, { env });
    expect(paid.json().data).toMatchObject({ funds: 'delivered', requestId: expect.stringMatching(/^0x\w{64}$/) });
    const call = ['--chain', 'alpha', '--to', accounts.dev4.address, '--data', '0x', '--subsidize-fees'];
    const called = await ferry(['execute', 'call', ...call, '--yes', '--json', '--no-wait'], { env });
    const next = `ferry requests list --user ${accounts.dev4.address}`;
    expect(called.json().error).toMatchObject({ code: 'submit.unknown', funds: 'unknown', next });
    expect(paid.stdout.length + called.stdout.length).toBeLessThan(100_000);
  });
});

describe('numbers and lists without bounds', () => {
  test.each([
    ['decimals of a billion', 'details.currencyOut.currency.decimals', () => 1e9],
    ['a deadline that no date has', 'protocol.v2.orderData.output.deadline', () => 9e15],
    ['dollars of a million digits', 'details.currencyIn.amountUsd', () => '9'.repeat(1e6)],
    ['9,000 steps', 'steps', (steps: unknown) => Array(9_000).fill((steps as unknown[])[0])],
  ])('attack: %s in a quote: it is malformed, and nothing is signed', async (_, where, much) => {
    const { env, lie } = await lying('/quote/v2', (answer, path) => put(answer, path, much(get(answer, path))));
    lie(where);
    const { error } = (await ferry(['execute', ...bridge, '--account', 'dev0', '--yes', '--json'], { env })).json();
    expect(error).toMatchObject({ code: 'service.malformed', funds: 'untouched' });
  });

  test('attack: a text of a million characters in a quote does not make the ledger of a batch unreadable', async () => {
    const endless = '\u0001'.repeat(1_500_000);
    const { env, lie } = await lying('/quote/v2', (answer, path) => put(answer, path, endless));
    lie('protocol.v2.orderData.inputs.0.payment.currency');
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 'lines.ndjson'), join(folder, 'results.ndjson')];
    writeFileSync(file, '{"id":1,"amount":"1","from":"alpha/usdc","to":"beta/usdc"}\n');
    const batch = ['execute', '--batch', file, '--out', out, '--yes', '--json'];
    const refused = await ferry(batch, { env });
    expect(refused.code).toBe(5);
    expect(readFileSync(out, 'utf8')).toMatch(/"code":"verify.mismatch"/);
    const again = await ferry(batch, { env });
    expect(again.json().error).toBeUndefined();
    expect(again.json().data).toMatchObject({ before: { succeeded: 0, failed: 1 } });
  }, 60_000);
});
