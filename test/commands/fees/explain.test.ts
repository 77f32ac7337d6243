import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Usd from '../../../src/core/base/Usd.js';
import { addFault } from '../../support/faults.js';
import { type Ended, type Envelope, ferry, temporaryFolder } from '../../support/ferry.js';
import { describePublished, read as readPublished, withoutElisions } from '../../support/published.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox, env } = useSandbox();

const app = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const explain = (...args: string[]): Promise<Ended> => ferry(['fees', 'explain', ...args, '--json'], { env });

async function statement(...args: string[]): Promise<Envelope> {
  const ended = await explain(...args);
  expect(ended.code).toBe(0);
  return ended.json().data;
}

/** The id of a request that has come to its end. */
const ended = async (...line: string[]): Promise<string> =>
  (await ferry([...line, '--yes', '--json'], { env })).json().data.requestId;

const component = (data: Envelope, name: string): Envelope =>
  data.components.find((each: Envelope) => each.component === name);
const usd = (text: string): bigint => Usd.from(text) ?? 0n;

describe('run on quotes', () => {
  test.each([
    ['exact output', 'minor', ['50', 'alpha/usdc', 'beta/gull', '--exact-output']],
    ['gasless swap', 'major', ['100', 'alpha/usdc', 'beta/eth', '--gasless']],
    ['bridge by permit', 'bridge', ['100', 'alpha/usdc', 'beta/usdc', '--permit']],
    ['sponsored swap', 'stablecoin', ['100', 'alpha/usdc', 'beta/usdt', '--sponsor', 'all']],
    ['partly sponsored swap', 'stablecoin', ['100', 'alpha/usdc', 'beta/usdt', '--sponsor', 'execution']],
    ['swap with an app fee', 'major', ['100', 'alpha/usdc', 'beta/eth', '--app-fee', `${app}:30`]],
    ['venue deposit', 'bridge', ['100', 'alpha/usdc', 'lighter/usdc']],
    ['venue withdrawal', 'major', ['100', 'lighter/usdc', 'beta/eth']],
  ])('default: a %s adds up on the schedule', async (_, type, args) => {
    const data = await statement(...args, '--strict-schedule');
    expect(data.schedule).toMatchObject({ type, onSchedule: true });
    expect(data.checks.every(({ verdict }: Envelope) => verdict === 'holds')).toBe(true);
    expect(data.expectation).toMatchObject({ met: true, unmet: [] });
  });

  test('behavior: an app fee says who gets it, a sponsor what it pays', async () => {
    const data = await statement('100', 'alpha/usdc', 'beta/eth', '--app-fee', `${app}:30`, '--sponsor', 'execution');
    expect(component(data, 'app')).toMatchObject({ paidTo: '0x7099…79C8', quoted: { usd: '-0.300000', bps: '-30.0' } });
    const { sponsored, quoted } = component(data, 'execution');
    expect(usd(sponsored)).toBe(-usd(quoted.usd));
    expect(component(data, 'swap').sponsored).toBe('0.000000');
    expect(data.recommended.appFee).toBe('-0.300000');
  });

  test('behavior: a saved quote and a bare answer, offline', async () => {
    const saved = (await ferry(['quote', '1', 'alpha/eth', 'beta/gull', '--json'], { env })).stdout;
    const path = join(temporaryFolder(), 'quote.json');
    writeFileSync(path, saved);
    const ofFile = (await ferry(['fees', 'explain', path, '--check', '--json'])).json().data;
    const stdin = JSON.stringify(JSON.parse(saved).data.response);
    const ofAnswer = (await ferry(['fees', 'explain', '-', '--json'], { stdin })).json().data;
    expect(ofFile).toMatchObject({ source: 'quote', gasless: false, expectation: { met: true, tolerance: '0.5%' } });
    expect(ofAnswer.components).toEqual(ofFile.components);
    expect(ofAnswer).toMatchObject({ gasless: null, expectation: null });
  });

  test('behavior: an old answer without a minimum and an order is explained, one without a breakdown is named', async () => {
    const saved = (await ferry(['quote', '1', 'alpha/usdc', 'beta/usdc', '--json'], { env })).json();
    const { protocol: _, ...response } = saved.data.response;
    response.details.currencyOut.minimumAmount = undefined;
    const path = join(temporaryFolder(), 'old.json');
    writeFileSync(path, JSON.stringify(response));
    const explained = await ferry(['fees', 'explain', path, '--json']);
    expect(explained.json().data).toMatchObject({ source: 'quote' });
    response.details.expandedPriceImpact = undefined;
    writeFileSync(path, JSON.stringify(response));
    const { code, ...ended } = await ferry(['fees', 'explain', path, '--json']);
    expect([code, ended.json().error.code]).toEqual([2, 'quote.unreadable']);
    const relayer = expect.stringMatching(/^-\$0\.\d+, execution, platform/);
    const facts = { missing: 'details.expandedPriceImpact', file: path, 'fees.relayer': relayer };
    expect(ended.json().error.facts).toMatchObject(facts);
    expect(ended.stdout).not.toMatch(/never paid|Try again|The service/);
  });

  test('behavior: an old record without a breakdown states its old fees', async () => {
    const { requests } = JSON.parse(readFileSync('test/recorded/requests-v2.json', 'utf8'));
    const [{ data, ...record }] = requests;
    const path = join(temporaryFolder(), 'old.json');
    const old = { ...record, data: { ...data, expandedPriceImpact: undefined } };
    writeFileSync(path, JSON.stringify({ requests: [old] }));
    const { error } = (await ferry(['fees', 'explain', path, '--json'])).json();
    const facts = { missing: 'data.expandedPriceImpact', 'fees.gas': expect.stringMatching(/^-\$0\.\d+, execution$/) };
    expect(error).toMatchObject({ code: 'quote.unreadable', facts });
  });
});

describe('run on requests', () => {
  test.each([
    ['gasless bridge', ['execute', '100', 'alpha/usdc', 'beta/usdc', '--gasless'], 0],
    ['swap on one chain', ['execute', '100', 'alpha/usdc', 'alpha/gull'], 1],
    ['sponsored swap', ['execute', '100', 'alpha/usdc', 'beta/usdt', '--sponsor', 'all'], 1],
    ['swap with an app fee', ['execute', '100', 'alpha/usdc', 'beta/eth', '--app-fee', `${app}:30`], 1],
    ['deposit', ['venue', 'deposit', '100', 'alpha/usdc'], 1],
    ['withdrawal', ['venue', 'withdraw', '100', 'alpha/usdc'], 0],
  ])('default: a filled %s, quoted against charged', async (_, line, costs) => {
    const data = await statement(await ended(...line), '--check', '--strict-schedule');
    expect(data).toMatchObject({ source: 'record', status: 'success', expectation: { met: true } });
    const holding = data.checks.flatMap(({ check, verdict }: Envelope) => (verdict === 'holds' ? [check] : []));
    expect(holding).toEqual(expect.arrayContaining(['components-quoted', 'components-actual']));
    expect(usd(data.total.actual.usd) - usd(data.total.quoted.usd)).toBe(usd(data.total.difference));
    expect(data.outside.filter(({ when }: Envelope) => when === 'actual').length >= costs).toBe(true);
    expect(data.outside.length > 0).toBe(costs > 0);
  });

  test('error: no quote, no record, too few words', async () => {
    for (const stdin of ['', '{}', '{"requests":[]}', '{"id":"0x1","status":"success"}']) {
      const failed = await ferry(['fees', 'explain', '-', '--json'], { env, stdin });
      expect(failed.json().error).toMatchObject({ code: 'quote.unreadable', exit: 2 });
    }
    expect((await explain('100', 'alpha/usdc')).json().error).toMatchObject({ code: 'usage.missing' });
    const odd = await explain('1', 'alpha/usdc', 'beta/usdc', '--tolerance', 'much');
    expect(odd.json().error).toMatchObject({ code: 'usage.invalid' });
  });
});

describe('--check', () => {
  const bridge = ['100', 'alpha/usdc', 'beta/usdc'];

  async function unmet(fault: Record<string, unknown>, ...args: string[]): Promise<unknown> {
    await addFault(sandbox, 'service', { kind: 'tamper', times: 0, ...fault });
    const failed = await explain(...args);
    const { ok, data } = failed.json();
    expect(ok).toBe(true);
    expect(failed.code).toBe(data.expectation && !data.expectation.met ? 12 : 0);
    return data.expectation?.unmet.map((each: string) => each.split(':')[0]) ?? [];
  }

  test('error: components of a quote that do not sum', async () => {
    const fault = { path: '/details/expandedPriceImpact/execution/usd', value: '-0.5' };
    expect(await unmet(fault, ...bridge)).toEqual([]);
    expect(await unmet(fault, ...bridge, '--check')).toEqual(['components-quoted']);
  });
  test('error: more charged than quoted, by more than the tolerance', async () => {
    const id = await ended('execute', ...bridge);
    const fault = { path: '/requests/0/data/fees/actual/swap/usd', value: '-0.6' };
    expect(await unmet(fault, id, '--check')).toEqual(['components-actual', 'charged']);
    expect(await unmet(fault, id, '--tolerance', '1%')).toEqual(['components-actual']);
    expect(await unmet(fault, id, '--tolerance', '0.5')).toEqual(['components-actual', 'charged']);
  });
  test('behavior: what cannot be told is a warning', async () => {
    const id = await ended('execute', ...bridge);
    const path = '/requests/0/data/route/quoted/destination/outputCurrency/amountUsd';
    await addFault(sandbox, 'service', { kind: 'tamper', times: 0, path });
    const told = await explain(id, '--check');
    const warning = 'components-quoted could not be checked: figures are missing.';
    expect([told.code, told.json().warnings]).toEqual([0, [warning]]);
  });
  test('behavior: a refund is not said to be filled later', async () => {
    const refunding = ['execute', ...bridge, '--referrer', 'debug-force-refund', '--yes', '--json'];
    const id = (await ferry(refunding, { env })).json().error.requestId;
    const told = await explain(id, '--check');
    const warning = 'Quoted and charged could not be compared: the request ended as "refund".';
    expect([told.code, told.json().warnings]).toEqual([0, [warning]]);
  });
});

describePublished('fees explain of published answers', () => {
  const published = (name: string, ...args: string[]): Promise<Ended> =>
    ferry(['fees', 'explain', '-', '--json', '--check', '--strict-schedule', ...args], {
      stdin: JSON.stringify(withoutElisions(readPublished(name))),
    });

  test.each([
    ['quote-venue-deposit.json', 'major', '-6.154746'],
    ['quote-venue-withdrawal.json', 'major', '-0.022664'],
    ['quote-sponsored.json', 'stablecoin', '-0.049091'],
    ['quote-deposit-address.json', 'bridge', '-0.041623'],
  ])('default: %s adds up, on the schedule of type %s', async (name, type, total) => {
    const { code, json } = await published(name);
    expect(code).toBe(0);
    const { data } = json();
    expect(data.schedule).toMatchObject({ type, onSchedule: true });
    expect(data.total.quoted.usd).toBe(total);
    expect(data.checks.every(({ verdict }: Envelope) => verdict === 'holds')).toBe(true);
  });

  test('behavior: the withdrawal’s fee of three USDC is three times what is withdrawn, and hidden from the short form', async () => {
    const { data } = (await published('quote-venue-withdrawal.json')).json();
    expect(data.outside).toMatchObject([{ cost: 'venue-fee', formatted: '3', usd: '-2.999505', bps: '-30000.0' }]);
    const hidden = Object.values<string>(data.recommended).reduce((sum, each) => sum + usd(each), 0n);
    expect(hidden).toBeGreaterThan(-30_000n);
    expect(data.notes[0]).toContain('at least as much as the withdrawal itself');
  });

  test('behavior: the deposit may include an activation', async () => {
    const { data } = (await published('quote-venue-deposit.json')).json();
    expect(data.notes).toEqual([expect.stringContaining('may include the venue’s activation fee')]);
  });

  test.each(['request-v3-record.json', 'request-v2-record.json'])(
    'behavior: %s, sponsored, and off the schedule by a campaign',
    async (name) => {
      const strict = await published(name);
      expect(strict.code).toBe(12);
      const { data } = strict.json();
      expect(data.total).toMatchObject({ quoted: { usd: '0.000000' }, difference: '0.000000' });
      expect(data.expectation.unmet).toEqual([expect.stringMatching(/^platform-fee:/)]);
      expect(component(data, 'app')).toMatchObject({ quoted: { usd: '-4.998625' }, actual: { usd: '-4.998625' } });
      expect(data.notes.join()).toContain('Campaigns may differ');
    },
  );
});
