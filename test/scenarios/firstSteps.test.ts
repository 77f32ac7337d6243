/** The first steps on a real network: each command that is typed is the one that the last one named. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { network as mainnet } from '../../src/core/network/mainnet.js';
import { network as testnet } from '../../src/core/network/testnet.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { answering } from '../support/liveQuotes.js';
import { loopback } from '../support/loopback.js';

/** A person with nothing, who types whole lines. */
function newcomer(env: Readonly<Record<string, string>>): (line: string) => Promise<Ended> {
  const home = temporaryFolder();
  writeFileSync(join(home, 'password'), 'correct horse');
  chmodSync(join(home, 'password'), 0o600);
  return (line) => ferry(line.split(' ').slice(1), { env, home });
}

/** The command that ends what was printed. */
function nextOf({ stdout, stderr }: Ended): string {
  const [, command = ''] = /next: ((?:ferry|export) [^\n]+)(?![\s\S]*next: )/.exec(`${stdout}\n${stderr}`) ?? [];
  return command;
}

test('default: mainnet without a key: a price', async () => {
  const service = await loopback(answering(mainnet, ['base', 'arbitrum']));
  const type = newcomer({ FERRY_BASE_URL: service.url });
  const typed = nextOf(await type('ferry quote 100 base/usdc arbitrum/usdc'));
  expect(typed).toBe('ferry quote 100 base/usdc arbitrum/usdc --network mainnet');
  const priced = await type(typed);
  expect(priced.code).toBe(0);
  const text = `${priced.stdout} ${priced.stderr}`.replace(/\s+/g, ' ');
  expect(text).toContain('You receive');
  expect(text).toContain('Only a price: it cannot be executed');
  expect(text).toContain('add --account with your address');
  const owned = await type(`${typed} --account 0x40aD8cF176672Efe12a0D7AC50fa5da2b0b64e74`);
  expect(`${owned.stdout}${owned.stderr}`).not.toContain('Only a price');
});

test('default: testnet with a key, up to its first funds', async () => {
  const service = await loopback(answering(testnet, ['sepolia', 'base-sepolia']));
  const nobody = { FERRY_RPC_URL_SEPOLIA: 'http://127.0.0.1:9', FERRY_RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9' };
  const type = newcomer({ FERRY_BASE_URL: service.url, ...nobody });
  const typed = nextOf(await type('ferry quote 1 sepolia/usdc base-sepolia/usdc'));
  expect(typed).toBe('ferry quote 1 sepolia/usdc base-sepolia/usdc --network testnet');
  expect((await type(typed)).code).toBe(0);
  const key = nextOf(await type(typed.replace('quote', 'execute')));
  expect(key).toBe('ferry key new main');
  expect((await type(`${key} --password-file password`)).code).toBe(0);
  const quoted = await type(`${typed} --account main`);
  expect(quoted.code).toBe(0);
  expect(quoted.stdout).toMatch(/Network +testnet\n +From +0x[0-9a-fA-F]{40}/);
  expect(nextOf(await type(`${typed.replace('quote', 'execute')} --account main`))).toBe(
    'export FERRY_RPC_URL_SEPOLIA=<url>',
  );
});
