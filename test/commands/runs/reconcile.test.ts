import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, defineChain, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type Ended, ferry, temporaryFolder } from '../../support/ferry.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** A payment by another program. */
async function walletPays(key: Hex, rpcUrl: string): Promise<Hex> {
  const id = 313371;
  const chain = defineChain({
    id,
    name: 'alpha',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const account = privateKeyToAccount(key);
  const client = createWalletClient({ account, chain, transport: http(rpcUrl) });
  return client.sendTransaction({ to: account.address, value: 1n });
}

async function fund(address: string, rpcUrl: string): Promise<void> {
  const params = [address, `0x${parseEther('10').toString(16)}`];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params });
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(answer.ok).toBe(true);
}

/** A new account on a network of its own that moves real money, with the sandbox as its service. */
async function richNetwork() {
  const { baseUrl, rpcUrls } = sandbox;
  const folder = temporaryFolder();
  const chains = { alpha: { id: 313371, rpcUrl: rpcUrls.alpha }, beta: { id: 313372, rpcUrl: rpcUrls.beta } };
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ networks: { mine: { baseUrl, realMoney: true, apiKey: 'sandbox-key', chains } } }),
  );
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await fund(address, rpcUrls.alpha ?? '');
  const stateDir = join(temporaryFolder(), 'state');
  const env = { FERRY_CONFIG_DIR: folder, FERRY_NETWORK: 'mine', FERRY_PRIVATE_KEY: key, FERRY_STATE_DIR: stateDir };
  const run = (...argv: string[]): Promise<Ended> => ferry([...argv, '--json'], { env });
  for (const chain of ['alpha', 'beta']) expect((await run('contracts', 'accept', chain, '--yes')).code).toBe(0);
  const pay = (...flags: string[]) => run('execute', '0.01', 'alpha/eth', 'beta/eth', '--yes', ...flags);
  return { run, pay, key, address, stateDir, rpcUrl: rpcUrls.alpha ?? '' };
}

describe('runs reconcile', () => {
  test('default: a wallet that uses the account is noticed, named and adopted', async () => {
    const { run, pay, key, address, rpcUrl } = await richNetwork();
    expect((await pay()).json().data.status).toBe('success');
    const txHash = await walletPays(key, rpcUrl);
    const refused = await pay();
    expect(refused.code).toBe(2);
    expect(refused.json().error).toMatchObject({
      code: 'run.foreign-nonce',
      funds: 'untouched',
      next: 'ferry runs reconcile alpha --network mine',
    });
    const unknown = [
      expect.objectContaining({
        chain: 'alpha',
        owner: address,
        known: '1',
        next: '2',
        transactions: [{ nonce: 1, txHash, to: address.toLowerCase(), value: '1' }],
      }),
    ];
    const seen = await run('runs', 'reconcile', 'alpha', '--check');
    expect(seen.json().data).toEqual({ account: address, adopted: false, unknown });
    expect((await pay()).code).toBe(2);
    expect((await run('runs', 'reconcile', 'alpha')).json().error.code).toBe('usage.confirmation');
    expect((await run('runs', 'reconcile', 'alpha', '--yes')).json().data).toMatchObject({ adopted: true, unknown });
    expect((await pay()).json().data.status).toBe('success');
    expect((await run('runs', 'reconcile', 'alpha', '--yes')).json().data).toMatchObject({ unknown: [] });
  });

  test('behavior: a deleted state directory is noticed before anything is signed', async () => {
    const { pay, stateDir } = await richNetwork();
    expect((await pay()).code).toBe(0);
    rmSync(stateDir, { recursive: true });
    expect((await pay()).json().error.code).toBe('run.foreign-nonce');
    expect((await pay('--allow', 'foreign-nonces')).json().data.status).toBe('success');
    expect((await pay()).json().data.status).toBe('success');
  });

  test('behavior: a restored state directory is noticed before anything is signed', async () => {
    const { pay, stateDir } = await richNetwork();
    expect((await pay()).code).toBe(0);
    cpSync(stateDir, `${stateDir}.backup`, { recursive: true });
    expect((await pay()).code).toBe(0);
    rmSync(stateDir, { recursive: true });
    cpSync(`${stateDir}.backup`, stateDir, { recursive: true });
    expect((await pay()).json().error).toMatchObject({ code: 'run.foreign-nonce', funds: 'untouched' });
  });

  test('behavior: on a network without real money it only warns', async () => {
    const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
    const pay = () =>
      ferry(['execute', '0.01', 'alpha/eth', 'beta/eth', '--account', 'dev5', '--yes', '--json'], { env });
    expect((await pay()).json().warnings).toEqual([]);
    await walletPays('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba', sandbox.rpcUrls.alpha ?? '');
    expect((await pay()).json()).toMatchObject({ ok: true, warnings: [expect.stringContaining('nonce 1')] });
  });
});
