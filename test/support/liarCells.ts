/** A cell of the matrix: one transfer while one witness tells one lie, judged by what the chains and the venue show. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Funds } from '../../src/core/base/Errors.js';
import type { BuiltFerry } from './builtFerry.js';
import { ferry } from './ferry.js';
import type { Flow, Transfer, Truth } from './liarFlows.js';
import { ask } from './node.js';
import type { TestSandbox } from './sandbox.js';
import type { AnsweredQuestion, Lie, Witnesses } from './witnesses.js';
import * as witnessFiles from './witnessFiles.js';

/** Whether a person is asked. */
export const modes = ['interactive', '--yes'] as const;
export type Mode = (typeof modes)[number];

/** What ferry said at its end. */
export type Said = {
  code: number;
  funds: Funds;
  run: string | undefined;
  error: string | undefined;
  /** The command to type next. */
  next: string | undefined;
};

export type Report = {
  said: Said[];
  /** What is wrong with what was done or said; nothing if it is empty. */
  breaches: string[];
  /** What was truly answered in the first command. */
  asked: AnsweredQuestion[];
  /** What left the payer, and what arrived. */
  spent: bigint;
  got: bigint;
};

export type Cell = {
  flow: Flow;
  mode: Mode;
  lie: Lie | undefined;
  /** Whether the lie decides nothing. */
  isHarmless?: boolean;
};

/** The most that gas may cost: `--max-gas-usd` is 25 at 2,500 dollars. */
const gasCap = 10n ** 16n;

/** The least that must arrive: the price may differ by 1 % between dollars, and the fees are a few cents. */
const least = 9_700_000n;

/** Where a cell is done: in this process, or by a built ferry. */
export type Stage = { sandbox: TestSandbox; witnesses: Witnesses; built?: BuiltFerry };

/** Does a cell for somebody new, with a state folder of its own. */
export async function run(cell: Cell, stage: Stage): Promise<Report> {
  const { sandbox, witnesses } = stage;
  const folder = mkdtempSync(join(tmpdir(), 'ferry-liars-'));
  try {
    return await judged(cell, await cell.flow.prepare(sandbox), folder, stage);
  } finally {
    witnesses.set(undefined);
    // What a node kept back must not be mined later, in another cell.
    const { alpha, beta } = sandbox.rpcUrls;
    for (const rpcUrl of [alpha, beta]) await ask(rpcUrl, 'anvil_dropAllTransactions');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A command line of the user, to its end. */
type Command = (words: readonly string[], mode: Mode) => Promise<Typed>;

type Typed = { code: number; stdout: string; stderr: string };

function commandOf(transfer: Transfer, folder: string, { witnesses, built }: Stage, timeout: string): Command {
  const env = { ...witnesses.env, ...transfer.env, FERRY_STATE_DIR: join(folder, 'state'), NO_COLOR: '1' };
  return async (words, mode) => {
    const isTimed = words.includes('--timeout') || words[0] === 'quote';
    const argv = [...words, ...(isTimed ? [] : ['--timeout', timeout])];
    if (mode === 'interactive')
      return ferry(argv, { env, home: folder, pace, terminals: { stdin: true, stdout: true, stderr: true }, answer });
    if (!built) return ferry([...argv, '--yes', '--json'], { env, home: folder, pace });
    const { code, ...ended } = await built.run([...argv, '--yes', '--json'], env);
    return { ...ended, code: code ?? -1 };
  };
}

/** How many times faster waits pass in this process. */
const pace = 20;

async function judged(
  { flow, mode, lie, isHarmless = lie === undefined }: Cell,
  transfer: Transfer,
  folder: string,
  stage: Stage,
): Promise<Report> {
  const { witnesses } = stage;
  const { handed } = witnesses;
  const { truth } = transfer;
  // Where nothing is lied about that decides, no deadline is reached: at this pace it is a minute.
  const command = commandOf(transfer, folder, stage, isHarmless ? '20m' : '20s');
  const before = await truth();
  const spentAt = (now: Truth): bigint => before.held - now.held;
  const gotAt = (now: Truth): bigint => now.got - before.got;
  const isPaid = (now: Truth): boolean => spentAt(now) > flow.charge;
  const breaches: string[] = [];
  const says: Said[] = [];

  /** What is said of the money must be true at once. */
  const typed = async (words: readonly string[], when: string): Promise<Said> => {
    const ended = await command(words, mode);
    const now = await truth();
    const said = saidBy(ended, mode);
    says.push(said);
    if (said.funds === 'delivered' && gotAt(now) < least)
      breaches.push(`false delivered ${when}: ${gotAt(now)} arrived`);
    if (said.funds === 'returned' && isPaid(now)) breaches.push(`false returned ${when}: ${spentAt(now)} is gone`);
    if (said.error === 'internal.bug') breaches.push(`a bug ${when}: ${ended.stderr}${ended.stdout}`);
    return said;
  };
  const settled = async (isDone: (now: Truth) => boolean, ms: number): Promise<Truth> => {
    for (const until = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const now = await truth();
      if (isDone(now) || Date.now() > until) return now;
    }
  };
  /** Whoever has what was signed uses it now. */
  const useAll = async (): Promise<void> => {
    for (const each of [...handed]) await witnesses.replay(each).catch(() => undefined);
  };
  /** From now on another lie, or none; what was signed remains in their hands. */
  const tell = (next: Lie | undefined): void => {
    const kept = [...handed];
    witnesses.set(next);
    handed.push(...kept);
  };

  const { begin } = flow;
  let { argv } = transfer;
  let files: witnessFiles.Altered | undefined;
  if (begin) {
    witnesses.set(begin.trouble);
    const begun = saidBy(await command(begin.argv(transfer, folder), '--yes'), '--yes');
    argv = begin.next(begun.run ?? '', folder, transfer);
    files = await witnessFiles.alter(folder, begin.party, lie);
  } else witnesses.set(undefined);
  tell(lie);
  let said = await typed(argv, 'at first');
  const asked = files?.said ?? [...witnesses.asked];
  const isOut = handed.length > 0;

  if (isOut && said.funds === 'untouched') {
    await useAll();
    const now = await settled(isPaid, 400);
    if (isPaid(now)) breaches.push(`false untouched: ${spentAt(now)} is gone`);
  }
  // The user types what they are told to, or repeats what was not done: first while the lie is told, then to honest ones.
  for (const next of isOut ? [lie, undefined] : []) {
    if (said.funds === 'delivered') break;
    if (next === undefined) {
      tell(undefined);
      files?.restore();
    }
    const told = /^ferry (resume .*)$/.exec(said.next ?? '')?.[1]?.split(' ');
    const watched = /^ferry (status \S+)/.exec(said.next ?? '')?.[1]?.split(' ');
    const isOpen = said.funds !== 'untouched' && said.funds !== 'returned';
    // Who is told that it is held, and nothing to type, does nothing.
    if (isOpen && !told && !watched) break;
    said = await typed(
      told ?? (watched && isOpen ? [...watched, '--watch'] : argv),
      next ? 'when repeated' : 'when all are honest again',
    );
  }
  if (isOut && said.funds !== 'returned') await useAll();

  const end = await settled((now) => !isPaid(now) || gotAt(now) >= least, isOut ? 20_000 : 0);
  const [spent, got] = [spentAt(end), gotAt(end)];
  if (spent > flow.asked + flow.charge) breaches.push(`too much: ${spent} left the payer`);
  if (before.native - end.native > gasCap) breaches.push(`gas: ${before.native - end.native} wei`);
  if (end.loot > before.loot) breaches.push(`robbed: the attacker has ${end.loot - before.loot} more`);
  if (isPaid(end) && got < least) breaches.push(`lost: ${spent} left the payer, ${got} arrived`);
  return { said: says, breaches, asked, spent, got };
}

/** A person accepts what an honest transfer asks, and declines what rests on one witness. */
function answer(question: string): 'yes' | 'no' {
  return /Only one witness|not sealed by you/.test(question) ? 'no' : 'yes';
}

const words: Readonly<Record<string, Funds>> = {
  untouched: 'untouched',
  'in flight': 'in-flight',
  returned: 'returned',
  held: 'held',
  delivered: 'delivered',
  unknown: 'unknown',
};

/** What ferry said about the funds: in its envelope, or in words on the terminal. */
function saidBy({ code, stdout, stderr }: Typed, mode: Mode): Said {
  if (mode === '--yes') {
    const { data, error } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
    const { funds = 'unknown', run } = error ?? data ?? {};
    return { code, funds, run, error: error?.code, next: error?.next ?? undefined };
  }
  const word = /^ *funds +(untouched|in flight|returned|held|delivered|unknown)/m.exec(stderr)?.[1];
  const done = /Delivered/.test(stdout) ? 'delivered' : 'in-flight';
  return {
    code,
    funds: word === undefined ? (code === 0 ? done : 'unknown') : (words[word] ?? 'unknown'),
    run: undefined,
    error: /\(([a-z]+\.[a-z-]+)\)/.exec(stderr)?.[1],
    next: /^ *next: (.*)$/m.exec(stderr)?.[1],
  };
}
