/** A new account on a network of its own that moves real money, with a sandbox as its service. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, type Hex, http, numberToHex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type Ended, ferry, temporaryFolder } from './ferry.js';
import { ask } from './node.js';
import type { TestSandbox } from './sandbox.js';

export type Rich = {
  key: Hex;
  address: Hex;
  stateDir: string;
  rpcUrl: string;
  /** Runs a command of the account, with `--json`. */
  run(...argv: string[]): Promise<Ended>;
  /** Bridges 0.01 ETH. */
  pay(...flags: string[]): Promise<Ended>;
};

export async function richNetwork({ baseUrl, rpcUrls }: TestSandbox): Promise<Rich> {
  const folder = temporaryFolder();
  const chains = { alpha: { id: 313371, rpcUrl: rpcUrls.alpha }, beta: { id: 313372, rpcUrl: rpcUrls.beta } };
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ networks: { mine: { baseUrl, realMoney: true, apiKey: 'sandbox-key', chains } } }),
  );
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  const rpcUrl = rpcUrls.alpha ?? '';
  await ask(rpcUrl, 'anvil_setBalance', address, numberToHex(parseEther('10')));
  const stateDir = join(temporaryFolder(), 'state');
  const env = { FERRY_CONFIG_DIR: folder, FERRY_NETWORK: 'mine', FERRY_PRIVATE_KEY: key, FERRY_STATE_DIR: stateDir };
  const run = (...argv: string[]): Promise<Ended> => ferry([...argv, '--json'], { env });
  for (const chain of ['alpha', 'beta']) expect((await run('contracts', 'accept', chain, '--yes')).code).toBe(0);
  const pay = (...flags: string[]) => run('execute', '0.01', 'alpha/eth', 'beta/eth', '--yes', ...flags);
  return { run, pay, key, address, stateDir, rpcUrl };
}

/** Keeps a copy of a state directory; the result puts it back in place of what is there then. */
export function backup(stateDir: string): () => void {
  const copy = join(temporaryFolder(), 'state');
  cpSync(stateDir, copy, { recursive: true, preserveTimestamps: true });
  return () => {
    rmSync(stateDir, { recursive: true });
    cpSync(copy, stateDir, { recursive: true });
  };
}

/** A payment by another program. */
export async function walletPays(key: Hex, rpcUrl: string): Promise<Hex> {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  return client.sendTransaction({ chain: null, to: account.address, value: 1n });
}
