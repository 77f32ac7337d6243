/**
 * The crash matrix: each kind of run is killed at each line of its journal, exactly before and after each act, and its
 * journal is cut off after each line; then it is resumed, and killed in that as well. In every cell there is one payment,
 * and the end is the truth.
 *
 * The suite runs a sample and resumes in this process. All of it, with processes alone:
 * CRASHES=all npx vitest run --config test/vitest.config.ts test/process/crashes.test.ts
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { cast } from '../support/cast.js';
import { type Act, type Crashes, createCrashes, type Point, type Whole } from '../support/crashes.js';
import { balanceAt, nonceAt } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

const all = process.env.CRASHES === 'all';
let built: BuiltFerry;
let sandbox: TestSandbox;
let crashes: Crashes;
let cells = 0;
let kills = 0;

beforeAll(async () => {
  [built, sandbox] = await Promise.all([buildFerry(), startSandbox()]);
  crashes = await createCrashes(built, sandbox, { isApart: all });
});
afterAll(async () => {
  process.stderr.write(
    `crash matrix: ${cells} cells, ${kills} kills, one payment in each${all ? '' : ' (a sample; CRASHES=all)'}\n`,
  );
  await crashes.stop();
  await sandbox.stop();
  built.remove();
});

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
const heldBy = (name: 'dev0' | 'dev9') => (sandbox: TestSandbox) =>
  balanceAt(sandbox.chains.alpha.rpcUrl, usdc, accounts[name].address);

type Kind = { name: string; args: string[]; pays: string; paid: bigint; held(sandbox: TestSandbox): Promise<bigint> };

const kinds: readonly Kind[] = [
  {
    name: 'own gas with approval',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc'],
    pays: 'broadcast 2',
    paid: 1_000_000n,
    held: heldBy('dev0'),
  },
  {
    name: 'gasless batch',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9'],
    pays: '/execute 1',
    paid: 1_000_000n,
    held: heldBy('dev9'),
  },
  {
    name: 'permit',
    args: ['execute', '1', 'alpha/usdc', 'beta/usdc', '--permit', '--account', 'dev9'],
    pays: '/execute/permits 1',
    paid: 1_000_000n,
    held: heldBy('dev9'),
  },
  {
    name: 'venue deposit',
    args: ['venue', 'deposit', '10', 'alpha/usdc'],
    pays: 'broadcast 2',
    paid: 10_000_000n,
    held: heldBy('dev0'),
  },
  {
    name: 'venue withdrawal',
    args: ['venue', 'withdraw', '10', 'beta/usdc'],
    pays: '/api/v1/sendTx 1',
    paid: 13_000_000n,
    held: (sandbox) => usdcOf(sandbox, 100),
  },
];

/** What a cell came to, and what is wrong with it. */
async function cell(
  { args, paid, ...kind }: Kind,
  point: Point,
  { whole, again }: { whole?: Whole | undefined; again?: Act } = {},
): Promise<string | undefined> {
  const isSettled = point.kind === 'cut';
  const held = () => kind.held(sandbox);
  const before = await held();
  const left = await crashes.killed(args, point, whole);
  try {
    cells += 1;
    if (left.wasKilled && point.kind !== 'cut') kills += 1;
    const name = left.run;
    if (name === undefined) return 'no journal was begun';
    if (point.kind === 'act' && !left.wasKilled) return 'it was not killed';
    if (again && !(await left.kills(['resume', name], again))) return 'resume was not killed';
    if (again) kills += 1;
    const ended = await left.ferry('resume', name, '--yes', '--json');
    const envelope = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
    const due = isSettled ? 0n : paid;
    if (envelope.error?.code === 'run.unsigned') {
      if ((await held()) !== before) return 'it says that nothing was signed, and money moved';
      if (envelope.error.funds !== 'untouched' || ended.code !== 6)
        return `unsigned, and ${JSON.stringify(envelope.error)}`;
      if (isSettled) return undefined;
      const again = await left.ferry(...String(envelope.error.next).split(' ').slice(1), '--yes', '--json');
      if (again.code !== 0) return `typed again, it ended with ${again.code}: ${again.stdout.slice(-300)}`;
      return before - (await held()) === due ? undefined : 'not paid once after it was typed again';
    }
    if (ended.code !== 0) return `it ended with ${ended.code}: ${JSON.stringify(envelope.error ?? envelope)}`;
    const { requestId, status, funds, run } = envelope.data;
    const known = left.lines().find((line) => line.includes('"type":"quote"'));
    if (!known?.includes(requestId) || run !== name) return 'another request';
    if (status !== 'success' || funds !== 'delivered') return `${status}, ${funds}`;
    const moved = before - (await held());
    if (moved !== due) return `paid ${moved}`;
    const shown = JSON.parse((await left.ferry('runs', 'show', name, '--json')).stdout).data;
    return shown.state === 'success' && shown.funds === 'delivered' ? undefined : `shown as ${shown.state}`;
  } finally {
    left.remove();
  }
}

const around = (act: string): Act[] => [
  { kind: 'act', act, when: 'before' },
  { kind: 'act', act, when: 'after' },
];

describe('resume after kill -9', () => {
  // First: the solver's other transactions would be counted, too.
  test.each(
    (
      [
        ['after', 1],
        ['before', 0],
      ] as const
    ).filter(([when]) => all || when === 'after'),
  )('behavior: a raw call killed %s the posting was made %d times, and is never posted again', async (when, times) => {
    const usual = ['execute', 'call', '--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
    const made = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, network.solver?.relayers?.[0] ?? '');
    const before = await made();
    const left = await crashes.killed(usual, { kind: 'act', act: '/execute 1', when });
    try {
      const ended = await left.ferry('resume', left.run ?? '', '--yes', '--json');
      const { error } = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
      expect([left.wasKilled, ended.code, error.code, error.funds]).toEqual([true, 10, 'submit.unknown', 'unknown']);
      await expect.poll(made, { timeout: 60_000 }).toBe(before + times);
    } finally {
      left.remove();
    }
  });

  // The first pays twice on the way, and without gas somebody else sends: those and one of the venue stand for all.
  test.each(kinds.map((kind, index) => ({ ...kind, index })).filter(({ index }) => all || [0, 1, 4].includes(index)))(
    'behavior: $name',
    async (kind) => {
      // Whoever has paid must find it: every kind is killed then. What was killed before is one cell of the sample.
      let points: Point[] = around(kind.pays).slice(kind.index === 0 ? 0 : 1);
      let whole: Whole | undefined;
      if (all) {
        whole = await crashes.whole(kind.args);
        const { acts, lines } = whole;
        points = [
          ...lines.map((_, index): Point => ({ kind: 'line', line: index + 1 })),
          // How often the service is told of the payment depends on how soon it sees it.
          ...acts.filter((act) => !/index ([2-9]|\d\d)/.test(act)).flatMap(around),
          ...lines.map((_, index): Point => ({ kind: 'cut', lines: index + 1 })),
        ];
      }
      const wrong: string[] = [];
      for (const point of points) {
        const found = await cell(kind, point, { whole });
        if (found) wrong.push(`${JSON.stringify(point)}: ${found}`);
      }
      // Killed before it paid, it is resumed, and that is killed around the payment as well.
      const resumed = around(kind.pays.replace(/\d+$/, '1'));
      for (const again of all ? resumed : resumed.slice(kind.index === 1 ? 1 : 2)) {
        const found = await cell(kind, { kind: 'act', act: kind.pays, when: 'before' }, { again });
        if (found) wrong.push(`resumed, ${JSON.stringify(again)}: ${found}`);
      }
      expect(wrong).toEqual([]);
    },
    900_000,
  );

  test('behavior: a deposit address is followed to its end by whoever comes after, without a key', async () => {
    const refundTo = `0x${'0'.repeat(32)}adde5500`;
    // An address without a key.
    const keyless = ['--account', refundTo];
    const argsFor = (recipient: string): string[] => [
      ...['execute', '0.01', 'alpha/eth', 'beta/eth', '--deposit-address', '--recipient', recipient],
      ...['--refund-to', refundTo, ...keyless],
    ];
    const pay = (address: string): Promise<string> =>
      cast(
        ...['send', address, '--value', '0.01ether', '--rpc-url', sandbox.rpcUrls.alpha],
        ...['--private-key', accounts.dev3.privateKey],
      );
    /** Pays the address of a recipient as soon as it may be shown: once it is journaled. */
    const payEarly = async (recipient: string): Promise<void> => {
      const url = `${sandbox.baseUrl}/requests/v3?recipient=${recipient}`;
      for (;;) {
        const answer = await fetch(url, { headers: { 'x-api-key': 'sandbox-key' } });
        const [record] = ((await answer.json()) as { requests: { depositAddress: { address: string } | null }[] })
          .requests;
        const address = record?.depositAddress?.address;
        if (address && crashes.journals().some((text) => text.includes(`"type":"address","address":"${address}"`)))
          return void (await pay(address));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const recipientOf = (index: number): string => `0x${'0'.repeat(32)}adde${String(1000 + index)}`;
    const [whole] = await Promise.all([crashes.whole(argsFor(recipientOf(0))), payEarly(recipientOf(0))]);
    const shownAt = whole.lines.findIndex((line) => line.includes('"type":"address"')) + 1;
    const quotedAt = whole.lines.findIndex((line) => line.includes('"type":"quote"')) + 1;
    const every = whole.lines.map((_, index) => index + 1);
    const points: Point[] = [
      ...(all ? every : []).map((line): Point => ({ kind: 'line', line })),
      ...(all ? every : [quotedAt, shownAt]).map((lines): Point => ({ kind: 'cut', lines })),
    ];
    const wrong: string[] = [];
    for (const [index, point] of points.entries()) {
      const isCut = point.kind === 'cut';
      const recipient = recipientOf(isCut ? 0 : index + 1);
      const isPaidEarly = point.kind === 'line' && point.line > shownAt;
      const [left] = await Promise.all([
        crashes.killed(argsFor(recipient), point, whole),
        isPaidEarly ? payEarly(recipient) : undefined,
      ]);
      try {
        cells += 1;
        if (!isCut && left.wasKilled) kills += 1;
        const found = left.lines().map((line) => JSON.parse(line).entry as { type: string; address?: string });
        const address = found.find(({ type }) => type === 'address')?.address;
        if (address !== undefined && !isCut && !isPaidEarly) await pay(address);
        const ended = await left.ferry('resume', left.run ?? '', ...keyless, '--yes', '--json');
        const { data, error } = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
        const isKnown = address !== undefined || (isCut && point.lines >= quotedAt);
        const got = await balanceAt(sandbox.chains.beta.rpcUrl, native, recipient);
        const end = isKnown ? [0, 'delivered', true] : [6, 'untouched', isCut];
        const is = [ended.code, data?.funds ?? error?.funds, got > 0n && got <= 10n ** 16n];
        if (JSON.stringify(is) !== JSON.stringify(end)) wrong.push(`${JSON.stringify(point)}: ${is.join(', ')}`);
      } finally {
        left.remove();
      }
    }
    expect(wrong).toEqual([]);
  }, 900_000);
});
