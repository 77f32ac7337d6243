/** The user's files as the installed program reads them: configuration in either language, and what was accepted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { temporaryFolder } from '../support/ferry.js';

let ferry: BuiltFerry;

beforeAll(async () => {
  ferry = await buildFerry();
});

afterAll(async () => {
  await ferry?.run(['sandbox', 'stop']);
  ferry?.remove();
});

/** The data that a command prints. */
async function data(env: Record<string, string>, ...args: string[]) {
  const { code, stdout } = await ferry.run([...args, '--json'], env);
  expect([code, stdout]).toEqual([0, expect.stringContaining('"ok":true')]);
  return JSON.parse(stdout).data;
}

describe('the user’s files', () => {
  test.each([
    ['config.json', '{ "network": "testnet" }'],
    ['config.yaml', 'network: testnet\n'],
  ])('behavior: %s is read', async (name, text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), text);
    const { settings } = await data({ FERRY_CONFIG_DIR: folder }, 'config', 'list');
    expect(settings[0]).toMatchObject({ key: 'network', value: 'testnet', source: { kind: 'user' } });
  });

  test('behavior: what was accepted on the sandbox outlives a stop, and goes with a reset', async () => {
    const env = { FERRY_CONFIG_DIR: temporaryFolder() };
    const symbols = async (): Promise<string[]> =>
      (await data(env, 'tokens', 'alpha')).tokens.map(({ symbol }: { symbol: string }) => symbol);
    const { tokens } = await data(env, 'tokens', 'alpha');
    const { address } = tokens.find(({ symbol }: { symbol: string }) => symbol === 'GULL');
    await data(env, 'contracts', 'accept', 'alpha', '--token', `SEAL=${address}`, '--yes');
    expect(await symbols()).toContain('SEAL');
    await data(env, 'sandbox', 'stop');
    expect(await symbols()).toContain('SEAL');
    expect(await data(env, 'sandbox', 'status')).toMatchObject({ running: false });
    await data(env, 'sandbox', 'reset', '--yes');
    expect(await symbols()).not.toContain('SEAL');
  });
});
