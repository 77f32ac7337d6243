/** The user's configuration as the installed program reads it, in the language that the program has a chunk of its own for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { temporaryFolder } from '../support/ferry.js';

let ferry: BuiltFerry;

beforeAll(async () => {
  ferry = await buildFerry();
});

afterAll(() => ferry?.remove());

test('default: config.yaml is read', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.yaml'), 'network: testnet\n');
  const { code, stdout } = await ferry.run(['config', 'list', '--json'], { FERRY_CONFIG_DIR: folder });
  const { settings } = JSON.parse(stdout).data;
  expect([code, settings[0]]).toMatchObject([0, { key: 'network', value: 'testnet', source: { kind: 'user' } }]);
});
