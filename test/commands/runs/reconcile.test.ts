import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backup, richNetwork, walletPays } from '../../support/richNetwork.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, user } = useSandbox();

describe('runs reconcile', () => {
  test('default: a wallet that uses the account is noticed, named and adopted', async () => {
    const { run, pay, key, address, rpcUrl } = await richNetwork(sandbox);
    expect((await pay()).json().data.status).toBe('success');
    const txHash = await walletPays(key, rpcUrl);
    const refused = await pay();
    expect(refused.json().error).toMatchObject({
      code: 'run.foreign-nonce',
      funds: 'untouched',
      next: 'ferry runs reconcile alpha --network mine',
    });
    const transactions = [{ nonce: 1, txHash, to: address.toLowerCase(), value: '1' }];
    const unknown = [{ chain: 'alpha', owner: address, known: '1', next: '2', transactions }];
    const seen = await run('runs', 'reconcile', 'alpha', '--check');
    expect(seen.json().data).toMatchObject({ account: address, adopted: false, unknown, held: [] });
    expect((await pay()).code).toBe(2);
    expect((await run('runs', 'reconcile', 'alpha')).json().error.code).toBe('usage.confirmation');
    expect((await run('runs', 'reconcile', 'alpha', '--yes')).json().data).toMatchObject({ adopted: true, unknown });
    expect((await pay()).json().data.status).toBe('success');
    expect((await run('runs', 'reconcile', 'alpha', '--yes')).json().data).toMatchObject({ unknown: [] });
  });

  test('behavior: a deleted state directory is noticed before anything is signed', async () => {
    const { pay, stateDir } = await richNetwork(sandbox);
    expect((await pay()).code).toBe(0);
    rmSync(stateDir, { recursive: true });
    expect((await pay()).json().error.code).toBe('run.foreign-nonce');
    expect((await pay('--allow', 'foreign-nonces')).json().data.status).toBe('success');
    expect((await pay()).json().data.status).toBe('success');
  });

  test('behavior: a restored state directory is noticed before anything is signed', async () => {
    const { pay, stateDir } = await richNetwork(sandbox);
    expect((await pay()).code).toBe(0);
    const restore = backup(stateDir);
    expect((await pay()).code).toBe(0);
    restore();
    expect((await pay()).json().error).toMatchObject({ code: 'run.foreign-nonce', funds: 'untouched' });
  });

  test('behavior: on a network without real money it only warns', async () => {
    const { run } = user();
    const pay = () => run('execute', '0.01', 'alpha/eth', 'beta/eth', '--account', 'dev5');
    expect((await pay()).json().warnings).toEqual([]);
    await walletPays('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba', sandbox.rpcUrls.alpha ?? '');
    expect((await pay()).json()).toMatchObject({ ok: true, warnings: [expect.stringContaining('nonce 1')] });
  });
});
