import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { describePublished, read as readPublished } from '../support/published.js';
import { quotes } from '../support/publishedVerdicts.js';
import { kyberSwap } from '../support/routerCalldata.js';
import { useSandbox } from '../support/sandbox.js';

const { env } = useSandbox();

const nobody = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const saved = async (): Promise<string> =>
  (await ferry(['quote', '100', 'alpha/usdc', 'beta/usdc', '--json'], { env })).stdout;

/** The names of checks, or of those with a verdict. */
const checks = (ended: Ended, wanted?: string): string[] =>
  ended.json().data.proof.flatMap(({ check, verdict }: Envelope) => (verdict === (wanted ?? verdict) ? [check] : []));

describe('run', () => {
  test('default: a saved quote is proved offline, against its intent', async () => {
    const ended = await ferry(['verify', '-', '--json'], { stdin: await saved() });
    expect(ended.code).toBe(0);
    expect(ended.json().data).toMatchObject({ network: 'sandbox', verdict: 'verified' });
    const names = ['digest', 'order-id', 'recipient', 'minimum-received', 'deposit-id', 'effect'];
    expect(checks(ended)).toEqual(expect.arrayContaining(names));
  });

  test('behavior: a bare answer is proved against the options', async () => {
    const { response, intent } = JSON.parse(await saved()).data;
    const stdin = JSON.stringify(response);
    const bare = await ferry(['verify', '-', '--json'], { stdin });
    expect(bare.code).toBe(0);
    expect(checks(bare, 'not checked')).toContain('recipient');
    expect((await ferry(['verify', '-', '--recipient', intent.recipient, '--min-out', '97'], { stdin })).code).toBe(0);
    expect((await ferry(['verify', '-', '--recipient', nobody], { stdin })).code).toBe(5);
    expect((await ferry(['verify', '-', '--min-out', '100'], { stdin })).code).toBe(5);
  });

  test('behavior: --online shows the effect on the chain', async () => {
    const ended = await ferry(['verify', '-', '--online', '--json'], { env, stdin: await saved() });
    expect(ended.code).toBe(0);
    expect(checks(ended)).toEqual(expect.arrayContaining(['effect-success', 'effect-deposit', 'effect-input']));
    const { response } = JSON.parse(await saved()).data;
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
    const wrong = ['digest', 'recipient', 'order-recipient'];
    expect(checks(ended, 'mismatch')).toEqual(expect.arrayContaining(wrong));
  });

  test('behavior: a bare answer is held to the amount and the currencies that are named', async () => {
    const { response } = JSON.parse(await saved()).data;
    const stdin = JSON.stringify(response);
    const on = ['verify', '-', '--from', 'alpha/usdc', '--to', 'beta/usdc'];
    expect((await ferry([...on, '--amount', '100'], { stdin })).code).toBe(0);
    expect((await ferry([...on, '--amount', '99'], { stdin })).code).toBe(5);
    expect((await ferry(['verify', '-', '--to', 'beta/usdt'], { stdin })).code).toBe(5);
    const output = ['--amount', response.details.currencyOut.amount, '--exact-output'];
    expect((await ferry([...on, ...output], { stdin })).code).toBe(5);
    const lacking = await ferry(['verify', '-', '--amount', '100', '--json'], { stdin });
    expect(lacking.json().error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining('--from') });
    const odd = await ferry(['verify', '-', '--at', 'yesterday', '--json'], { stdin });
    expect(odd.json().error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining('yesterday') });
  });

  test('behavior: an order that has expired is no mismatch, but cannot be verified', async () => {
    const { response } = JSON.parse(await saved()).data;
    const later = ['--at', '2036-01-01T00:00:00Z', '--json'];
    const ended = await ferry(['verify', '-', ...later], { stdin: JSON.stringify(response) });
    expect([ended.code, ended.json().data.verdict]).toEqual([5, 'cannot verify']);
    expect(checks(ended, 'cannot verify')).toContain('expired');
  });

  test('behavior: what an unknown exchange does is shown by a simulation or not at all', async () => {
    const swap = (await ferry(['quote', '10', 'alpha/usdc', 'alpha/gull', '--json'], { env })).stdout;
    expect((await ferry(['verify', '-'], { env, stdin: swap })).code).toBe(0);
    const { response } = JSON.parse(swap).data;
    const unknown = JSON.stringify(response).replaceAll(new RegExp(kyberSwap.slice(2), 'gi'), nobody.slice(2));
    const offline = await ferry(['verify', '-', '--json'], { env, stdin: unknown });
    expect(offline.code).toBe(5);
    expect(checks(offline, 'cannot verify')).toEqual(['simulation']);
    expect((await ferry(['verify', '-', '--online'], { env, stdin: unknown })).code).toBe(5);
    expect((await ferry(['verify', '-', '--online'], { env, stdin: swap })).code).toBe(0);
  });

  test('error: an answer that lacks a field names it', async () => {
    const { response } = JSON.parse(await saved()).data;
    delete response.details.sender;
    response.details.currencyOut.amount = 'plenty';
    const ended = await ferry(['verify', '-', '--json'], { stdin: JSON.stringify(response) });
    expect(ended.json().error).toMatchObject({ code: 'quote.unreadable', exit: 2 });
    expect(ended.json().error.facts.fields).toMatch(/details\.sender: missing.*details\.currencyOut\.amount/);
  });

  test('error: no such file, of which it says where one comes from', async () => {
    const hint = expect.stringMatching(/^ferry quote .* -o/);
    expect((await ferry(['verify', 'nofile', '--json'])).json().error).toMatchObject({
      code: 'quote.unreadable',
      hint,
    });
  });

  test('error: what is no quote', async () => {
    for (const stdin of ['', '{}', '[]', '{"steps":[]}']) {
      const ended = await ferry(['verify', '-', '--json'], { stdin });
      expect(ended.json().error).toMatchObject({ code: 'quote.unreadable', exit: 2 });
    }
  });
});

describePublished('verify published quotes', () => {
  // Of the others `publishedVerdicts.test.ts` says what is found.
  test('default: an order id is proved with no network at all', async () => {
    const file = 'quote-venue-deposit.json';
    const [stdin, at] = [JSON.stringify(readPublished(file)), String(quotes[file]?.at)];
    expect((await ferry(['verify', '-', '--at', at], { stdin })).code).toBe(5);
    const ended = await ferry(['verify', '-', '--at', at, '--allow', 'solver-signature', '--json'], { stdin });
    expect(ended.code).toBe(0);
    const { network, verdict, proof, orderId } = ended.json().data;
    expect([network, verdict]).toEqual(['mainnet', 'verified']);
    const said = { check: 'order-id', verdict: 'verified', found: orderId };
    expect(proof).toContainEqual(expect.objectContaining(said));
  });

  test('behavior: a deposit address cannot be verified, unless that is accepted', async () => {
    const stdin = JSON.stringify(readPublished('quote-deposit-address.json'));
    const at = ['--at', String(quotes['quote-deposit-address.json']?.at), '--allow', 'solver-signature'];
    expect((await ferry(['verify', '-', ...at], { stdin })).code).toBe(5);
    const accepted = await ferry(['verify', '-', ...at, '--allow', 'deposit-address'], { stdin });
    expect(accepted.code).toBe(0);
    expect(accepted.stdout).toContain('you accept without proof: solver-signature, deposit-address');
    expect(accepted.stdout).not.toContain('refuse');
  });
});
