/** Accounts that a command of the user's own signs for: the scripts of the manual, for real, and commands that lie. */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { castFolder, castWallet } from '../support/cast.js';
import { at, type Ended, ferry, type Surroundings } from '../support/ferry.js';
import { ask, balanceAt, nonceAt } from '../support/node.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { describeWith } from '../support/terminal.js';
import { until } from '../support/until.js';
import { nonceOf } from '../support/venueBooks.js';

const { sandbox } = useSandbox();
let folder: string;
/** What every command gets: the nodes, the scripts, and the programs that they call. */
let env: Record<string, string | undefined>;

const { dev1, dev2, dev3, dev4, dev5, dev9 } = accounts;
/** The scripts of the manual, by the names in their first lines. */
function scripts(): Map<string, string> {
  const page = readFileSync(fileURLToPath(new URL('../../.github/docs/guide/signers.md', import.meta.url)), 'utf8');
  const found = [...page.matchAll(/```sh\n(# ([\w-]+\.sh): [\s\S]*?)```/g)];
  return new Map(found.map(([, text = '', name = '']) => [name, text]));
}

/**
 * Stands in for the program of a key management service: it takes the arguments that the script gives it, and signs for
 * real with a key that never leaves its file.
 */
const aws = `#!/bin/sh
set -eu
[ "$*" = "kms sign --key-id $KMS_KEY --message-type DIGEST --signing-algorithm ECDSA_SHA_256 --message fileb:///dev/stdin --query Signature --output text" ]
openssl pkeyutl -sign -inkey "$KMS_KEY" | base64 -w 0
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-signers-'));
  for (const [name, text] of scripts()) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'aws'), aws);
  chmodSync(join(folder, 'bin', 'aws'), 0o755);
  const path = [castFolder, join(folder, 'bin'), process.env.PATH].join(delimiter);
  env = { ...at(sandbox), PATH: path, CAST_SIGNER: join(folder, 'cast-signer.sh') };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** The command line of cast's script for a key of its own keystore. */
function keystore(name: string, privateKey: string): string {
  const [keys, password] = [join(folder, 'keys'), join(folder, 'password')];
  writeFileSync(password, 'a password');
  castWallet('import', name, '-k', keys, '--private-key', privateKey, '--unsafe-password', 'a password');
  return `sh ${env.CAST_SIGNER} --keystore ${join(keys, name)} --password-file ${password}`;
}

function run(line: string, account: string, signer: string, surroundings: Surroundings = {}): Promise<Ended> {
  const argv = [...line.split(' '), '--account', account, '--account-signer', signer, '--yes', '--json'];
  return ferry(argv, { ...surroundings, env: { ...env, ...surroundings.env } });
}

describeWith(['jq'], 'cast’s keystore', () => {
  let signer: string;
  beforeAll(() => {
    signer = keystore('dev1', dev1.privateKey);
  });

  test('default: an approval and a deposit', async () => {
    const ended = await run('execute 100 alpha/usdc beta/usdc', dev1.address, signer);
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    const { data } = ended.json();
    expect(data).toMatchObject({ status: 'success', funds: 'delivered', recipient: dev1.address });
    expect(data.transactions.map(({ action }: { action: string }) => action)).toEqual(['approve', 'deposit']);
  });

  test('default: the wallet’s message of a withdrawal, and a deposit to the venue', async () => {
    const withdrawn = await run('venue withdraw 10 alpha/usdc', dev1.address, signer);
    expect([withdrawn.json().error, withdrawn.code]).toEqual([undefined, 0]);
    expect(withdrawn.json().data).toMatchObject({ funds: 'delivered', recipient: dev1.address });
    const deposited = await run('venue deposit 10 alpha/usdc', dev1.address, signer);
    expect([deposited.json().error, deposited.code]).toEqual([undefined, 0]);
  });

  test('default: the typed data of a batch and its authorization, then the delegation is revoked', async () => {
    const own = keystore('dev3', dev3.privateKey);
    const ended = await run('execute 20 alpha/usdc beta/usdc --gasless', dev3.address, own);
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.lines().find(({ type }) => type === 'delegated')).toMatchObject({ isNew: true });
    expect(await ask(sandbox.rpcUrls.alpha, 'eth_getCode', dev3.address, 'latest')).toMatch(/^0xef0100/);
    const revoked = await run('delegation revoke alpha', dev3.address, own);
    expect([revoked.json().error, revoked.code]).toEqual([undefined, 0]);
    expect(await ask(sandbox.rpcUrls.alpha, 'eth_getCode', dev3.address, 'latest')).toBe('0x');
  });

  test('default: a permit, by an account without gas', async () => {
    const ended = await run(
      'execute 20 alpha/usdc beta/usdc --permit',
      dev9.address,
      keystore('dev9', dev9.privateKey),
    );
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.lines().some(({ type }) => type === 'permit-signed')).toBe(true);
  });
});

describeWith(['jq', 'openssl', 'xxd'], 'a key management service', () => {
  test('default: signs the digests of an approval and a deposit', async () => {
    const file = join(folder, 'kms.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'sec1' }));
    const { d = '' } = privateKey.export({ format: 'jwk' });
    const owner = privateKeyToAddress(`0x${Buffer.from(d, 'base64url').toString('hex')}`);
    await fund(owner);
    const signer = `sh ${join(folder, 'kms-signer.sh')}`;
    const ended = await run('execute 40 alpha/usdc beta/usdc', owner, signer, { env: { KMS_KEY: file } });
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.json().data).toMatchObject({ funds: 'delivered', recipient: owner });
  });
});

/** What dev1 has, and the nonces that it has used: nothing of that may move. */
async function books(): Promise<readonly (number | bigint)[]> {
  const { alpha, beta } = sandbox.rpcUrls;
  const nodes = [alpha, beta].flatMap((url) => [nonceAt(url, dev1.address), balanceAt(url, native, dev1.address)]);
  return Promise.all<number | bigint>([...nodes, balanceAt(alpha, usdc, dev1.address), nonceOf(sandbox, 101)]);
}

/** The act as it is changed by jq, signed by cast with the key in SIGNING_KEY. */
const changed = (filter: string) => `jq -c '${filter}' | sh $CAST_SIGNER --private-key $SIGNING_KEY`;
const honest = changed('.');

describeWith(['jq'], 'a command that lies', () => {
  const signing = { env: { SIGNING_KEY: dev1.privateKey } };

  /** Runs a line with a command that must be refused: nothing is sent, and no batch or permit is posted. */
  async function refused(line: string, signer: string, surroundings: Surroundings = signing) {
    const before = await books();
    const ended = await run(line, dev1.address, signer, surroundings);
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'auth.signer', funds: 'untouched' });
    expect(ended.code).toBe(4);
    expect(ended.stdout).not.toMatch(/"type":"(signed|sent|batch-signed|permit-signed|venue-signed)"/);
    expect(await books()).toEqual(before);
    return error;
  }

  test('error: the deposit to somebody else, after an honest approval', async () => {
    const filter = `if .action.parameters.data[0:10] == "0x095ea7b3" then . else .action.parameters.to = "${dev2.address}" end`;
    const { facts } = await refused('execute 10 alpha/usdc beta/usdc', changed(filter));
    expect(Object.keys(facts)).toEqual(['to']);
  });
});

describeWith(['jq'], 'a batch', () => {
  test('default: of several accounts, for which the command runs once at a time', async () => {
    const [busy, file] = [join(folder, 'busy'), join(folder, 'batch.ndjson')];
    const signer = `mkdir ${busy} || exit 9; act=$(cat); case $act in *${dev4.address}*) key=$FOURTH;; *) key=$FIFTH;; esac; sleep 0.1; cast wallet sign --no-hash --private-key $key $(printf %s "$act" | jq -r .digest); rmdir ${busy}`;
    const lines = [dev4, dev5, dev4].map(({ address }, id) => ({
      ...{ id, amount: '0.01', from: 'alpha/eth', to: 'beta/eth', account: address },
    }));
    writeFileSync(file, lines.map((each) => JSON.stringify(each)).join('\n'));
    const argv = ['execute', '--batch', file, '--out', join(folder, 'out.ndjson'), '--account-signer', signer];
    const keys = { FOURTH: dev4.privateKey, FIFTH: dev5.privateKey };
    const ended = await ferry([...argv, '--yes', '--json'], { env: { ...env, ...keys } });
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.json().data).toMatchObject({ succeeded: 3, failed: 0 });
  });
});

describeWith(['jq'], 'a command that sends what it signs', () => {
  const sends = `jq -r '.action.parameters | "cast send --rpc-url $NODE --async --private-key $SIGNING_KEY --value " + .value + " " + .to + " " + .data' | sh`;
  const by = (signer: string, more: readonly string[] = []) => {
    const surroundings = {
      home: join(folder, 'home'),
      env: { NODE: sandbox.rpcUrls.alpha, SIGNING_KEY: dev5.privateKey },
    };
    return run(['execute 0.1 alpha/eth beta/eth', ...more].join(' '), dev5.address, signer, surroundings);
  };

  test('error: it may have been sent, and the next run knows of a nonce that is not its own', async () => {
    expect((await by(honest)).code).toBe(0);
    const before = await nonceAt(sandbox.rpcUrls.alpha, dev5.address);
    const ended = await by(sends);
    expect(ended.code).toBe(10);
    expect(ended.json().error).toMatchObject({ code: 'submit.unknown', funds: 'unknown' });
    await expect.poll(() => nonceAt(sandbox.rpcUrls.alpha, dev5.address)).toBe(before + 1);
    const next = await by(honest);
    expect(next.json().warnings).toEqual([expect.stringContaining(`ferry does not know nonce ${before}`)]);
  });

  test.each([
    ['prints something else', `{ ${sends}; } > /dev/null; echo sent`],
    ['fails', `{ ${sends}; }; exit 1`],
  ])('error: the same of one that %s then', async (_, signer) => {
    const before = await nonceAt(sandbox.rpcUrls.alpha, dev5.address);
    const ended = await by(signer);
    expect(ended.json().error).toMatchObject({
      ...{ code: 'submit.unknown', funds: 'unknown' },
      facts: { nonce: String(before) },
    });
    expect(ended.code).toBe(10);
  });
});

describeWith(['jq'], 'a run that is finished', () => {
  const signing = { env: { SIGNING_KEY: dev4.privateKey } };
  const rpc = (method: string, ...params: unknown[]) => ask(sandbox.rpcUrls.alpha, method, ...params);
  afterEach(async () => {
    await rpc('evm_setAutomine', true);
    await rpc('evm_mine');
  });

  /** Waits until such a transaction waits to be mined, and mines it. */
  async function whenOut(isWanted: (transaction: { from: string; to: string }) => boolean): Promise<void> {
    await until(async () => {
      const { transactions } = (await rpc('eth_getBlockByNumber', 'pending', true)) as {
        transactions: { from: string; to: string }[];
      };
      return transactions.some(isWanted);
    }, 'such a transaction');
    await rpc('evm_mine');
  }

  test('behavior: sped up and canceled by the command, and by none that lies', async () => {
    const home = join(folder, 'finished');
    const there = (line: string, signer = honest) => run(line, dev4.address, signer, { ...signing, home });
    await rpc('evm_setAutomine', false);
    const { error } = (await there('execute 0.2 alpha/eth beta/eth --timeout 500ms')).json();
    expect(error.code).toBe('track.unfinished');
    const fee = '.action.parameters.maxFeePerGas += "0"';
    for (const act of ['speed-up', 'cancel']) {
      const refused = await there(`runs ${act} ${error.run}`, changed(fee));
      expect(refused.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight', run: error.run });
      expect(refused.json().error.facts).toMatchObject({ 'stopped by': expect.stringContaining('It is not sent.') });
    }
    const faster = await there(`runs speed-up ${error.run} --timeout 500ms`);
    expect(faster.json().error).toMatchObject({ code: 'track.unfinished' });
    const mining = whenOut(({ from, to }) => from === to).then(() => rpc('evm_setAutomine', true));
    const canceled = await there(`runs cancel ${error.run}`);
    await mining;
    expect(canceled.json().error ?? canceled.json().data).toMatchObject({ run: error.run, funds: 'untouched' });
  });
});

/** Gives an account gas and 50 USDC on alpha. */
async function fund(owner: string): Promise<void> {
  await ask(sandbox.rpcUrls.alpha, 'anvil_setBalance', owner, `0x${(10n ** 19n).toString(16)}`);
  const paid = await ferry(['execute', '50', 'alpha/usdc', 'alpha/usdc', '--recipient', owner, '--yes', '--json'], {
    env,
  });
  expect(paid.code).toBe(0);
}
