/** Somebody who wants a transfer, and does what one does until it has ended. */

import type { Typed, Word } from './program.js';
import { calmMs, type Scenario, type Wanted } from './scenario.js';
import * as verdicts from './verdict.js';

/**
 * How often the program is started again for one transfer before it is stuck: for longer than two permits are valid one
 * after the other.
 */
const mostStarts = 20;

/** After so many, what the program says that nobody can show is taken as said. */
const fewStarts = 5;

/** How long somebody waits before the next command. */
const [pauseMs, longPauseMs] = [5_000, 120_000];

/** How long somebody waits whose run is lost: until whatever it signed has expired or has been used. */
const lostPauseMs = 900_000;

/** Somebody's terminal. */
type Terminal = {
  run(name: string, typed: Typed): Promise<Word>;
  sleep(ms: number): Promise<void>;
  /** Adopts what the machine does not know of the account, if none of it has paid for what is wanted. */
  reconcile(name: string): Promise<void>;
};

/** Does what somebody does who wants a transfer: types it, resumes it, and types it again if nothing was paid. */
export async function insist(
  wanted: Wanted,
  words: Word[],
  scenario: Scenario,
  { run: type, sleep, reconcile }: Terminal,
): Promise<void> {
  const { args, flags, isCall, isWithdrawal, cancels = [], speedUps = [] } = wanted;
  const command = isWithdrawal ? 'venue withdraw' : 'execute';
  const execute: Typed = isCall ? { command: 'execute call' } : { command, args, flags };
  let typed: Typed = execute;
  let run: string | undefined;
  await sleep(wanted.atMs);
  for (let start = 1; start <= (scenario.mostStarts ?? mostStarts); start++) {
    const word = await type(`${wanted.name} ${start}`, typed);
    words.push(word);
    // Another run may be in the way, which is somebody else's to finish.
    const isRefused = word.code === 'run.unfinished';
    if (!isRefused) run = word.run ?? run;
    const isUntouched = word.funds === 'untouched' && !(isRefused && word.run === run);
    if (word.code === 'run.foreign-nonce') await reconcile(`${wanted.name} ${start}`);
    if (start >= fewStarts && verdicts.isNamed(word, scenario)) return;
    const isAgain = isUntouched && verdicts.canRepeat(words);
    const isToldTo = (command: string): boolean => run !== undefined && word.next === `ferry ${command} ${run}`;
    // Whoever does not type it again finishes what was signed.
    const isTold = !isAgain && isToldTo('resume');
    if (verdicts.isFinal(word) && !isAgain && !isTold) return;
    const isLost = word.code === 'run.unknown';
    const begun = (isUntouched && !isTold) || isLost ? undefined : run;
    const other = speedUps.includes(start + 1) ? 'runs speed-up' : 'resume';
    const command = cancels.includes(start + 1) || isToldTo('runs cancel') ? 'runs cancel' : other;
    typed = begun === undefined ? execute : { command, run: begun };
    // Before it is typed for the last time, whatever goes wrong may end.
    const isLastTime = isUntouched && !verdicts.canRepeat([...words, word]);
    const otherPauseMs = isLastTime ? calmMs : start < 3 ? pauseMs : longPauseMs;
    await sleep(isLost ? lostPauseMs : otherPauseMs);
  }
}
