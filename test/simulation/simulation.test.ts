/** Many runs of the code that pays, on a model of everything around it. `npm run simulate` replays a seed in words. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { load } from './bundle.mjs';
import { guards } from './guards.mjs';
import type { Word } from './program.js';
import type { Scenario } from './scenario.js';
import type * as Seeds from './seeds.js';

/** How many seeds are run: the same ones every time. */
const seeds = Number(process.env.FERRY_SEEDS ?? 2_000);

let bundled: typeof Seeds;
beforeAll(async () => {
  bundled = await load('seeds.ts');
});

test('behavior: no run loses money, pays twice, says what is false, or gets stuck', { timeout: 600_000 }, async () => {
  const args = [fileURLToPath(new URL('run.mjs', import.meta.url)), '--seeds', String(seeds), '--verbose'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(new RegExp(`^${seeds} seeds in [\\d.]+ s of a processor: \\d+ a second\n$`));
});

test('behavior: a seed has the same history each time', async () => {
  const histories: string[][] = [[], []];
  for (const history of histories)
    for (const seed of [1, 2, 3, 4]) await bundled.run(seed, (line) => history.push(line));
  expect(histories[0]?.length).toBeGreaterThan(50);
  expect(histories[1]).toEqual(histories[0]);
});

test('behavior: a history of which only the beginning is read ends without a word', async () => {
  const args = [fileURLToPath(new URL('run.mjs', import.meta.url)), '--seed', '1', '--whole'];
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.stdout.destroy();
  const said: string[] = [];
  running.stderr.on('data', (some) => said.push(String(some)));
  await once(running, 'close');
  expect(said.join('')).toBe('');
});

test('behavior: each guard that can be taken out is where it is looked for, once', () => {
  const elsewhere = guards.filter(([, file = '', guard = '']) => {
    const text = readFileSync(new URL(`../../src/${file}.ts`, import.meta.url), 'utf8');
    return text.split(guard).length !== 2;
  });
  expect(elsewhere.map(([name]) => name)).toEqual([]);
});

type Wanted = Scenario['wanted'][number];

/** What ferry is told first. */
const first = (flags: Wanted['flags'] = {}): Wanted => ({
  ...{ name: 'ferry', args: ['100', 'alpha/usdc', 'beta/usdc'], flags, atMs: 0 },
});

/** What the account is told to pay meanwhile, on the same machine or elsewhere. */
const rival = (atMs: number, more: Partial<Wanted> = {}): Wanted => ({
  ...{ name: 'rival', args: ['40', 'alpha/usdc', 'beta/usdc'], flags: {}, atMs },
  ...more,
});
const gasless = { gasless: true };

/** The last word about a transfer of 100 USDC by a batch, the service having one fault. */
async function lastWord({ nodes, what }: { nodes: number; what: string }): Promise<Word | undefined> {
  const scenario: Scenario = {
    ...{ seed: 1, nodes, manner: 'fills' },
    wanted: [first(gasless)],
    faults: [{ where: 'service', what, occasion: 'submission', nth: 1 }],
  };
  const { failings, words } = await bundled.play(scenario);
  expect(failings).toEqual([]);
  return words.at(-1);
}

test('behavior: what the service has accepted and never submitted is not in flight once its deadline has passed', async () => {
  const what = 'accepts it, and does nothing';
  expect(await lastWord({ nodes: 1, what })).toMatchObject({ funds: 'unknown', code: 'submit.unknown' });
});

test('behavior: the first of two transactions whose nonce another machine’s delegation used ends once', async () => {
  const { failings } = await bundled.play({
    ...{ seed: 989, nodes: 2, manner: 'fills' },
    wanted: [first(), rival(4895, { flags: gasless, elsewhere: true })],
    faults: [{ where: 'service', what: 'refuses', occasion: 'quote', nth: 1 }],
  });
  expect(failings).toEqual([]);
});

test('behavior: a refund of a batch is shown although this clock is ahead', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 293, nodes: 2, manner: 'refunds' },
    wanted: [first(gasless)],
    faults: [{ where: 'ferry 1', what: 'has a wrong clock', size: 75_997, fromMs: 0, untilMs: 300_000 }],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'returned' }]);
});

test('behavior: a delivery is shown although this clock was ahead, and nobody told the block before it', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 264_117, nodes: 1, manner: 'fills' },
    wanted: [first(gasless)],
    faults: [
      { where: 'ferry 1', what: 'has a wrong clock', size: 87_227, fromMs: 0, untilMs: 300_000 },
      { where: 'beta 1', what: 'is down', fromMs: 0, untilMs: 49_700 },
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 42 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'delivered' }]);
});

test.each([
  [
    'two nodes show as reverted',
    {
      ...{ seed: 46_434, nodes: 2, rivalMs: 97 },
      faults: [{ where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 21_186 }],
    },
  ],
  [
    'its one node shows as reverted, too late',
    {
      ...{ seed: 128_446, nodes: 1, rivalMs: 4_848 },
      faults: [
        { where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 158_366 },
        { where: 'alpha 1', what: 'is behind', size: 4, fromMs: 4_054, untilMs: 167_968 },
      ],
    },
  ],
] as const)(
  'behavior: a service that says it holds what %s is not believed',
  async (_, { seed, nodes, rivalMs, faults }) => {
    const { failings, words } = await bundled.play({
      ...{ seed, nodes, manner: 'fills', faults },
      wanted: [
        { name: 'ferry', args: ['0.1', 'alpha/eth', 'beta/eth'], flags: {}, atMs: 0 },
        rival(rivalMs, { elsewhere: true }),
      ],
    });
    expect([failings, words.some(({ code }) => /^submit\.(unknown|replaced)$/.test(code))]).toEqual([[], true]);
  },
);

test('behavior: a service that says it holds what is being canceled is not believed', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 364_269, nodes: 1, manner: 'fills' },
    wanted: [{ ...first(), cancels: [2] }],
    faults: [
      { where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 225_200 },
      { where: 'alpha 1', what: 'refuses, and sends it later', occasion: 'broadcast', nth: 3, size: 12_181 },
      { where: 'alpha', what: 'has no room for low tips', fromMs: 0, untilMs: 132_100 },
    ],
  });
  expect([failings, words.filter(({ code }) => code === 'track.failed')]).toEqual([[], []]);
});

test('behavior: a batch is not signed with a sequence that a node which is behind still shows as free', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 72_671, nodes: 1, manner: 'fills' },
    wanted: [first(gasless), rival(2_016, { flags: gasless })],
    faults: [
      { where: 'ferry 1', what: 'is interrupted', occasion: 'step', nth: 102 },
      { where: 'alpha 1', what: 'is behind', size: 4, fromMs: 0, untilMs: 211_926 },
    ],
  });
  const codes = ['track.unfinished', 'success', 'run.unfinished', 'success'];
  expect([failings, words.map(({ code }) => code)]).toEqual([[], codes]);
});

test('behavior: a batch that was used while a silent service was waited for is not handed over again', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 138_898, nodes: 2, manner: 'fills' },
    wanted: [first(gasless)],
    faults: [
      { where: 'service', what: 'refuses, and submits it later', occasion: 'submission', nth: 1, size: 58_622 },
      { where: 'service', what: 'is silent', fromMs: 3_119, untilMs: 126_442 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'delivered' }]);
});

test('behavior: a cancellation whose nonce another machine’s payment took is not sent anew unasked', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 679_398, nodes: 2, manner: 'fills' },
    wanted: [{ ...first(gasless), cancels: [2, 4] }, rival(5_381, { elsewhere: true })],
    faults: [
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 41 },
      { where: 'service', what: 'accepts it, and submits it on another branch', occasion: 'submission', nth: 1 },
    ],
  });
  const canceled = words.find(({ process }) => process === 'ferry 4');
  expect([failings, canceled]).toMatchObject([[], { funds: 'in-flight', text: expect.stringMatching(/know nonce 0/) }]);
});

test('attack: what another machine has paid is no delivery of a batch that the service keeps', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1, nodes: 2, manner: 'fills' },
    wanted: [first(), rival(0, { flags: gasless, elsewhere: true })],
    faults: [
      { where: 'service', what: 'accepts it, and does nothing', occasion: 'submission', nth: 1 },
      { where: 'service', what: 'names the delivery of another', fromMs: 0, untilMs: 250_000 },
    ],
  });
  const delivered = words.filter(({ funds }) => funds === 'delivered').map(({ process }) => process);
  // Once nothing that was signed can be used, and what the other has paid is adopted, it pays itself.
  expect([failings, delivered]).toEqual([[], ['ferry 1', 'rival 7']]);
});

test.each([
  ['and its payment that a chain has lost are', { paid: 'alpha/usdc', lostMs: 1_500 }],
  ['that a chain has lost while its payment waits is', { paid: 'alpha/usdt', lostMs: 799 }],
])('behavior: an approval %s sent again, without being asked', async (_, { paid, lostMs }) => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1, nodes: 2, manner: 'fills' },
    wanted: [{ ...first(), args: ['100', paid, 'beta/usdc'] }],
    faults: [
      { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth: 1, size: lostMs },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
    ],
  });
  expect([failings, words.map(({ funds }) => funds)]).toEqual([[], ['delivered']]);
});

test('behavior: a payment that a node may have is not called untouched because the node is silent later', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 271_491, nodes: 1, manner: 'fills' },
    wanted: [first()],
    faults: [
      { where: 'alpha 1', what: 'is silent', fromMs: 1_278, untilMs: 32_425 },
      { where: 'alpha 1', what: 'loses the transaction', occasion: 'broadcast', nth: 2, size: 149_049 },
    ],
  });
  expect([failings, words.map(({ funds }) => funds)]).toEqual([[], ['unknown', 'delivered']]);
});

test('behavior: a payment that a lost run has made in place of its own is not repeated', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 180_408, nodes: 2, manner: 'fills' },
    wanted: [first()],
    faults: [
      { where: 'machine', what: 'loses its disk', atMs: 522 },
      { where: 'alpha 2', what: 'takes and forgets it', occasion: 'broadcast', nth: 1, size: 39_499 },
    ],
  });
  const found = words.find(({ process }) => process === 'ferry 3');
  expect([failings, found]).toMatchObject([[], { funds: 'untouched', code: 'run.foreign-nonce' }]);
});

test('behavior: a nonce that another run’s batch used is known, and the run is finished', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 837_956, nodes: 2, manner: 'fills' },
    wanted: [first(gasless), rival(4_554)],
    faults: [
      { where: 'machine', what: 'cannot write', occasion: 'write', nth: 13 },
      { where: 'service', what: 'refuses, and submits it later', occasion: 'submission', nth: 1, size: 335_795 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'delivered' }]);
});

test('behavior: a batch is not taken as used once its chain has gone back before it', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 193_593, nodes: 1, manner: 'fills' },
    wanted: [first(gasless), rival(3_332, { flags: gasless })],
    faults: [
      { where: 'alpha', what: 'takes blocks back', size: 3, atMs: 6_662 },
      { where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 28_878 },
      { where: 'service', what: 'accepts it, and does nothing', occasion: 'submission', nth: 2, size: 22_690 },
    ],
  });
  expect([failings, words.some(({ code }) => code === 'submit.unknown')]).toEqual([[], true]);
});

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const addressed = first({ depositAddress: true, recipient: account, refundTo: account, timeout: '40s' });

test('behavior: a payment at an address that the service alone says is under way is not called so', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 23_424, nodes: 2, manner: 'fills' },
    wanted: [addressed],
    faults: [
      { where: 'service', what: 'changes its word', fromMs: 1_700, untilMs: 224_200 },
      { where: 'service', what: 'ends what nobody pays', fromMs: 0, untilMs: Number.POSITIVE_INFINITY },
    ],
  });
  expect([failings, words[0]]).toMatchObject([[], { code: 'track.unfinished', funds: 'unknown' }]);
});

test('behavior: a service that says it holds a payment which the chain has taken back is not believed', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1_008_653, nodes: 2, manner: 'keeps it' },
    wanted: [addressed, rival(617)],
    faults: [
      { where: 'alpha', what: 'takes blocks back', size: 4, atMs: 6_225 },
      { where: 'alpha', what: 'lets no deposit pass', fromMs: 4_051, untilMs: 39_080 },
    ],
  });
  expect([failings, words.some(({ code }) => code === 'submit.unknown')]).toEqual([[], true]);
});

test('behavior: an address that nobody has paid is not in flight because the service once said that it was', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1_021_175, nodes: 2, manner: 'fills' },
    wanted: [addressed],
    faults: [
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 27 },
      { where: 'service', what: 'says that it was delivered', fromMs: 0, untilMs: 222_737 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'untouched', code: 'track.unfinished' }]);
});

test('behavior: an address that the service alone calls paid is not in flight when ferry is stopped', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 77_480, nodes: 1, manner: 'fills' },
    wanted: [addressed],
    faults: [
      { where: 'service', what: 'says that it was delivered', fromMs: 2_600, untilMs: 51_800 },
      { where: 'service', what: 'ends what nobody pays', fromMs: 0, untilMs: Number.POSITIVE_INFINITY },
      { where: 'ferry 1', what: 'is interrupted', occasion: 'step', nth: 111 },
    ],
  });
  expect([failings, words[0]?.funds]).toEqual([[], 'unknown']);
});

test('behavior: a cancellation does not fill the nonce of what another run sends again', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 418_753, nodes: 1, manner: 'fills' },
    wanted: [
      { name: 'ferry', args: ['0.1', 'alpha/eth', 'beta/eth'], flags: {}, atMs: 0 },
      rival(2_751, { cancels: [3] }),
    ],
    faults: [
      { where: 'alpha', what: 'takes blocks back', size: 2, atMs: 8_276 },
      { where: 'alpha 1', what: 'refuses, and sends it in secret', occasion: 'broadcast', nth: 1, size: 7_621 },
      { where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 25_400 },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
    ],
  });
  const canceled = words.find(({ process }) => process === 'rival 3');
  expect([failings, canceled]).toMatchObject([[], { code: 'run.unfinished', funds: 'in-flight' }]);
});

test('behavior: a run that waits for what another one has signed names that one to be finished first', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 78_930, nodes: 1, manner: 'fills' },
    wanted: [
      { name: 'ferry', args: ['100', 'alpha/usdt', 'beta/usdc'], flags: { oneByOne: true }, atMs: 0 },
      { name: 'rival', args: ['40', 'alpha/usdc', 'beta/usdc'], flags: { gasless: true }, atMs: 4_064 },
    ],
    faults: [
      { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth: 1, size: 3_835 },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 55 },
    ],
  });
  const runOf = (name: string) => words.find(({ process }) => process.startsWith(`${name} `))?.run;
  const waiting = words.filter(({ process, code }) => process.startsWith('ferry ') && code === 'run.unfinished');
  expect(failings).toEqual([]);
  expect(waiting[0]).toMatchObject({ run: runOf('ferry'), next: `ferry resume ${runOf('rival')}` });
});

test('behavior: an end that names no payment is none of an address of which one node says that it was emptied', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 65_912, nodes: 2, manner: 'fills' },
    wanted: [addressed],
    faults: [
      { where: 'alpha 1', what: 'is silent', fromMs: 3_800, untilMs: 9_500 },
      { where: 'alpha 2', what: 'says that a nonce is used', fromMs: 8_100, untilMs: 26_000 },
      { where: 'service', what: 'ends what nobody pays', fromMs: 0, untilMs: Number.POSITIVE_INFINITY },
    ],
  });
  expect([failings, words.some(({ funds }) => funds === 'held')]).toEqual([[], false]);
});

test('behavior: a signature is made void at once, though the nodes say of an account without a delegation that it has one', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1, nodes: 2, manner: 'fills' },
    wanted: [{ ...first(gasless), cancels: [2] }],
    faults: [
      { where: 'service', what: 'accepts it, and does nothing', occasion: 'submission', nth: 1 },
      { where: 'alpha', what: 'says that it is delegated', fromMs: 30_000, untilMs: 100_000 },
    ],
  });
  expect([failings, words.map(({ code }) => code)]).toEqual([[], ['track.unfinished', 'cancelled', 'success']]);
});

test('behavior: a permit that was used is not taken for void by what waits behind nonces that nobody fills', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 832_625, nodes: 2, manner: 'fills' },
    wanted: [{ ...first({ gasless: true, permit: true }), cancels: [2, 3] }, rival(1_383)],
    faults: [
      { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth: 1, size: 339 },
      { where: 'machine', what: 'loses power', atMs: 5_304 },
      { where: 'service', what: 'accepts it, and submits it on another branch', occasion: 'submission', nth: 1 },
      { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth: 2, size: 3_594 },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'delivered' }]);
});

test('behavior: a nonce is not taken for known that was to be journaled when the process died', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 930_309, nodes: 1, manner: 'fills' },
    wanted: [first()],
    faults: [
      { where: 'ferry 3', what: 'dies', occasion: 'step', nth: 30 },
      { where: 'machine', what: 'loses its disk', atMs: 3_795 },
      { where: 'alpha 1', what: 'loses the transaction', occasion: 'broadcast', nth: 1, size: 51_402 },
    ],
  });
  const [, , , resumed] = words;
  expect([failings, resumed?.code]).toEqual([[], 'run.foreign-nonce']);
});

test('behavior: a payment that is out is not called untouched because it cannot be canceled now', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 88, nodes: 2, manner: 'fills' },
    wanted: [{ name: 'ferry', args: ['0.1', 'alpha/eth', 'beta/eth'], flags: {}, atMs: 0, cancels: [3] }],
    faults: [{ where: 'alpha 1', what: 'says that it reverted', fromMs: 0, untilMs: 178_202 }],
  });
  expect([failings, words[2]]).toMatchObject([[], { code: 'chain.disagreement', funds: 'in-flight' }]);
});

test('behavior: a cancellation fills the nonce of an approval whose block was taken back', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 672_700, nodes: 1, manner: 'fills' },
    wanted: [{ ...first(), cancels: [2] }],
    faults: [
      { where: 'alpha 1', what: 'takes and forgets it', occasion: 'broadcast', nth: 1, size: 106_695 },
      { where: 'alpha', what: 'takes blocks back', size: 4, atMs: 8_388 },
      { where: 'alpha 1', what: 'is silent', fromMs: 0, untilMs: 1_900 },
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 58 },
    ],
  });
  const [stopped, canceled] = words.map(({ code }) => code);
  expect([failings, stopped, canceled]).toEqual([[], 'died', 'submit.unknown']);
});

test('behavior: a payment that was mined is canceled once it was taken back with its approval', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 51_848, nodes: 1, manner: 'fills' },
    wanted: [first()],
    faults: [
      { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth: 1, size: 3_426 },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
      { where: 'alpha', what: 'has no room for low tips', fromMs: 0, untilMs: 179_000 },
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 31 },
      { where: 'ferry 3', what: 'dies', occasion: 'step', nth: 2 },
    ],
  });
  expect([failings, words.at(-2)?.code, words.at(-1)?.code]).toEqual([[], 'submit.nonce-gap', 'submit.unknown']);
});

test('behavior: what fills a nonce for another run is no payment that a run has to ask about', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 51_010, nodes: 2, manner: 'fills' },
    wanted: [{ ...first(), flags: { oneByOne: true } }, rival(1_952, {})],
    faults: [
      { where: 'alpha 1', what: 'takes and forgets it', occasion: 'broadcast', nth: 1, size: 29_266 },
      { where: 'alpha', what: 'takes blocks back', size: 1, atMs: 8_796 },
      { where: 'alpha', what: 'forgets what it takes back', fromMs: 0, untilMs: 300_000 },
      { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 55 },
    ],
  });
  const codes = words.map(({ code }) => code);
  expect([failings, codes.includes('submit.nonce-gap'), codes.includes('run.foreign-nonce')]).toEqual([
    [],
    true,
    false,
  ]);
});

/** 100 USDC from the account on the venue, with a transfer that is valid for ten seconds. */
const withdrawal: Wanted = {
  ...{ name: 'ferry', args: ['100', 'beta/usdc'], flags: { validFor: '10s' }, atMs: 0, isWithdrawal: true },
};

test.each([
  [
    'was refused and has expired ends, although another one has used its nonce',
    { others: [{ ...withdrawal, name: 'rival', args: ['40', 'beta/usdc'], atMs: 5_000 }], code: 'submit.expired' },
    [{ where: 'venue', what: 'refuses', occasion: 'transfer', nth: 1 }],
  ],
  [
    'somebody on the way has submitted twice is not taken for refused',
    { others: [], code: 'success' },
    [{ where: 'venue', what: 'refuses, and takes it', occasion: 'transfer', nth: 1, size: 8_000 }],
  ],
  [
    'the venue calls failed, and the service says it holds, is unknown',
    { others: [], code: 'submit.unknown' },
    [
      { where: 'venue', what: 'fails it', occasion: 'execution', nth: 1 },
      { where: 'service', what: 'says that it failed', fromMs: 0, untilMs: 60_000 },
    ],
  ],
  [
    'the venue calls failed, and the service received and then failed, is unknown',
    { others: [], code: 'submit.unknown' },
    [
      { where: 'venue', what: 'fails it', occasion: 'execution', nth: 1 },
      { where: 'service', what: 'changes its word', fromMs: 1_000, untilMs: 60_000 },
    ],
  ],
] as const)('behavior: a transfer at the venue that %s', async (_, { others, code }, faults) => {
  const { failings, words } = await bundled.play({
    ...{ seed: 1, nodes: 2, manner: 'fills', faults },
    wanted: [withdrawal, ...others],
  });
  expect(failings).toEqual([]);
  expect(words.filter(({ process }) => process.startsWith('ferry')).map((word) => word.code)).toContain(code);
});

test('behavior: a service that has begun a withdrawal which nobody has signed is not believed alone', async () => {
  const { failings, words } = await bundled.play({
    ...{ seed: 89_042, nodes: 2, manner: 'fills' },
    wanted: [withdrawal],
    faults: [
      { where: 'machine', what: 'cannot write', occasion: 'write', nth: 4 },
      { where: 'ferry 2', what: 'dies', occasion: 'step', nth: 2 },
      { where: 'service', what: 'says that it was delivered', fromMs: 4_800, untilMs: 14_200 },
    ],
  });
  expect([failings, words.at(-1)]).toMatchObject([[], { funds: 'delivered' }]);
});
