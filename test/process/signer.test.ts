/** Signing commands of the user's own: the adapter of the manual, run as it is printed there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltSigner, buildSigner } from '../support/builtSigner.js';
import { at, ferry } from '../support/ferry.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { describeWith } from '../support/terminal.js';
import { nonceOf, usdcOf } from '../support/venueBooks.js';

/**
 * Stands in for the package `lighter-sdk`, which brings a binary of its own: the class and the methods that the adapter
 * calls, with their real signatures. It signs for real, sets the expiry itself and prints a greeting.
 */
const standIn = `
import json, os, subprocess, sys

print("Lighter signer started {ok}")


class SignerClient:
    def __init__(self, url, account_index, api_private_keys, nonce_management_type=None, chain_id=None):
        self.url, self.account_index, self.keys, self.chain_id = url, account_index, api_private_keys, chain_id

    def _sign(self, owner, to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo, nonce, api_key_index):
        if self.keys.get(api_key_index) != os.environ["EXPECTED_KEY"]:
            return None, None, None, "client is not created"
        names = ("toAccountIndex", "assetIndex", "fromRouteType", "toRouteType", "amount", "usdcFee", "memo")
        values = (to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo)
        asked = {
            "action": {"type": "transfer", "parameters": dict(zip(names, values))},
            "accountIndex": self.account_index,
            "apiKeyIndex": api_key_index,
            "nonce": nonce,
            "expiredAt": 0,
            "signingChainId": self.chain_id,
        }
        line = ["node", os.environ["SIGNER"], "dev1", "--owner", owner, "--expires-in", "599000"]
        done = subprocess.run(line, input=json.dumps(asked), capture_output=True, text=True)
        if done.returncode:
            return None, None, None, done.stderr
        return 12, json.dumps(json.loads(done.stdout)), "hash", None

    def sign_transfer(self, eth_private_key, to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo, skip_nonce=0, nonce=-1, api_key_index=255):
        owner = "dev1" if eth_private_key == os.environ["EXPECTED_OWNER"] else "dev2"
        return self._sign(owner, to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo, nonce, api_key_index)

    def sign_transfer_same_master_account(self, to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo, skip_nonce=0, nonce=-1, api_key_index=255):
        return self._sign("none", to_account_index, asset_id, route_from, route_to, usdc_amount, fee, memo, nonce, api_key_index)

    async def close(self):
        pass
`;

/** The program of the manual, under the name that its first line says. */
function adapter(): { name: string; text: string } {
  const page = readFileSync(fileURLToPath(new URL('../../.github/docs/guide/venue.md', import.meta.url)), 'utf8');
  const [, text = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
  const [, name = ''] = /^# (\w+\.py)\n/.exec(text) ?? [];
  return { name, text };
}

describeWith(['python3'], 'the adapter of the manual', () => {
  let sandbox: TestSandbox;
  let signing: BuiltSigner;
  let folder: string;
  let script: string;

  beforeAll(async () => {
    [sandbox, signing] = await Promise.all([startSandbox(), buildSigner()]);
    folder = mkdtempSync(join(tmpdir(), 'ferry-adapter-'));
    const { name, text } = adapter();
    expect(name).toBe('lighter_signer.py');
    script = join(folder, name);
    writeFileSync(script, text);
    mkdirSync(join(folder, 'lighter'));
    writeFileSync(join(folder, 'lighter', '__init__.py'), standIn);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    signing.remove();
    await sandbox.stop();
  });

  const owner = accounts.dev1.privateKey;

  async function withdraw(env: Record<string, string>, ...args: string[]) {
    const python = { LIGHTER_API_KEY: 'the key', EXPECTED_KEY: 'the key', EXPECTED_OWNER: owner, SIGNER: signing.path };
    const line = ['venue', 'withdraw', '10', 'alpha/usdc', ...args, '--signer', `python3 ${script}`, '--yes', '--json'];
    const ended = await ferry(line, { env: { ...at(sandbox), PYTHONPATH: folder, ...python, ...env } });
    const { error, data } = ended.json();
    return { code: ended.code, stderr: ended.stderr, error, data };
  }

  test('default: the package signs with the API key, and the wallet here for the owner', async () => {
    const before = await usdcOf(sandbox, 101);
    const { code, error, data } = await withdraw({}, '--account', 'dev1');
    expect([code, error]).toEqual([0, undefined]);
    expect(data.signed.expiresAt - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(before - (await usdcOf(sandbox, 101))).toBe(13_000_000n);
  }, 30_000);

  test('behavior: the package signs for the owner too', async () => {
    const before = await usdcOf(sandbox, 101);
    const { code, error, data } = await withdraw({ LIGHTER_ETH_KEY: owner }, '--account-index', '101');
    expect([code, error]).toEqual([0, undefined]);
    expect(data).toMatchObject({ funds: 'delivered', recipient: accounts.dev1.address });
    expect(before - (await usdcOf(sandbox, 101))).toBe(13_000_000n);
  }, 30_000);

  test('error: what the package refuses is shown, and nothing is sent', async () => {
    const before = await nonceOf(sandbox, 101);
    const { code, error, stderr } = await withdraw({ LIGHTER_API_KEY: 'another' }, '--account', 'dev1');
    expect(code).toBe(4);
    expect(error).toMatchObject({ code: 'auth.signer', facts: { reason: 'it exited with code 1' } });
    expect(stderr).toContain('client is not created');
    expect(await nonceOf(sandbox, 101)).toBe(before);
  }, 30_000);
});
