import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { describePublished, read as readPublished } from '../support/published.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  sandbox = await startSandbox();
  env = at(sandbox);
});
afterAll(() => sandbox.stop());

const nobody = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

async function saved(...more: string[]): Promise<string> {
  return (await ferry(['quote', '100', 'alpha/usdc', 'beta/usdc', '--json', ...more], { env })).stdout;
}

describe('run', () => {
  test('default: a saved quote is proved offline, against its intent', async () => {
    const ended = await ferry(['verify', '-', '--json'], { stdin: await saved() });
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({ network: 'sandbox', verdict: 'verified' });
    const names = ended.json().data.proof.map(({ check }: { check: string }) => check);
    expect(names).toEqual(
      expect.arrayContaining(['digest', 'order-id', 'recipient', 'minimum-received', 'deposit-id', 'effect']),
    );
  });

  test('behavior: a bare answer is proved against the options', async () => {
    const { response, intent } = JSON.parse(await saved()).data;
    const stdin = JSON.stringify(response);
    const bare = await ferry(['verify', '-', '--json'], { stdin });
    expect(bare.code).toBe(0);
    const recipient = bare.json().data.proof.find(({ check }: { check: string }) => check === 'recipient');
    expect(recipient.verdict).toBe('not checked');
    expect((await ferry(['verify', '-', '--recipient', intent.recipient, '--min-out', '97'], { stdin })).code).toBe(0);
    expect((await ferry(['verify', '-', '--recipient', nobody], { stdin })).code).toBe(5);
    expect((await ferry(['verify', '-', '--min-out', '100'], { stdin })).code).toBe(5);
  });

  test('behavior: --online shows the effect on the chain', async () => {
    const ended = await ferry(['verify', '-', '--online', '--json'], { env, stdin: await saved() });
    expect(ended.code).toBe(0);
    const names = ended.json().data.proof.map(({ check }: { check: string }) => check);
    expect(names).toEqual(expect.arrayContaining(['effect-success', 'effect-deposit', 'effect-input']));
    const poor = await ferry(['quote', '100', 'alpha/usdc', 'beta/usdc', '--json'], { env });
    const { response } = poor.json().data;
    response.details.sender = nobody;
    const stdin = JSON.stringify(response);
    expect((await ferry(['verify', '-', '--online'], { env, stdin })).code).toBe(5);
  });

  test('error: an altered file is a finding, and the other checks still run', async () => {
    const path = join(temporaryFolder(), 'q.json');
    const envelope = JSON.parse(await saved());
    envelope.data.intent.recipient = nobody;
    writeFileSync(path, JSON.stringify(envelope));
    const ended = await ferry(['verify', path, '--json'], {});
    expect(ended.code).toBe(5);
    const wrong = ended.json().data.proof.filter(({ verdict }: { verdict: string }) => verdict === 'mismatch');
    expect(wrong.map(({ check }: { check: string }) => check)).toEqual(
      expect.arrayContaining(['digest', 'recipient', 'order-recipient']),
    );
    expect(readFileSync(path, 'utf8')).toContain(nobody);
  });

  test('error: what is no quote', async () => {
    for (const stdin of ['', '{}', '[]', '{"steps":[]}']) {
      const ended = await ferry(['verify', '-', '--json'], { stdin });
      expect(ended.json().error).toMatchObject({ code: 'quote.unreadable', exit: 2 });
    }
  });
});

describePublished('verify published quotes', () => {
  test.each(['quote-venue-deposit.json', 'quote-venue-withdrawal.json', 'quote-sponsored.json'])(
    'default: the order id of %s is proved with no network at all',
    async (file) => {
      const ended = await ferry(['verify', '-', '--json'], { stdin: JSON.stringify(readPublished(file)) });
      expect(ended.code).toBe(0);
      const { network, verdict, proof, orderId } = ended.json().data;
      expect([network, verdict]).toEqual(['mainnet', 'verified']);
      expect(proof.find(({ check }: { check: string }) => check === 'order-id')).toMatchObject({
        verdict: 'verified',
        found: orderId,
      });
    },
  );
  test('behavior: a deposit address cannot be verified, unless that is accepted', async () => {
    const stdin = JSON.stringify(readPublished('quote-deposit-address.json'));
    expect((await ferry(['verify', '-'], { stdin })).code).toBe(5);
    expect((await ferry(['verify', '-', '--allow', 'deposit-address'], { stdin })).code).toBe(0);
  });
});
