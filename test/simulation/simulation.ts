/** One run of the program on the model, from its seed to the verdict. */

import * as blockchain from './blockchain.js';
import * as kernels from './kernel.js';
import { keys, type Ledger } from './ledger.js';
import * as machines from './machine.js';
import { contractsOf } from './market.js';
import type { Node } from './node.js';
import * as program from './program.js';
import * as randoms from './random.js';
import type { Scenario, Wanted } from './scenario.js';
import * as services from './service.js';
import * as troubles from './trouble.js';
import * as verdicts from './verdict.js';
import * as wallet from './wallet.js';

/** Unix time at which every run begins, in milliseconds. */
const startMs = 1_790_000_000_000;

/** How often the program is started again for one transfer before it is stuck. */
const mostStarts = 9;

/** After so many, what the program says that nobody can show is taken as said. */
const fewStarts = 5;

/** How long somebody waits before the next command. */
const [pauseMs, longPauseMs] = [5_000, 120_000];

/** Runs a scenario. `tell` gets its history, a line at a time. */
export async function simulate(scenario: Scenario, tell?: (line: string) => void): Promise<verdicts.Verdict> {
  const { seed, faults } = scenario;
  const kernel = kernels.create(startMs, tell);
  const random = (name: string): randoms.Random => randoms.create(seed, name);
  const trouble = troubles.create(faults, kernel);
  const [origin, destination] = (['alpha', 'beta'] as const).map((name) => {
    const blockMs = name === 'alpha' ? 2_000 : 1_500;
    const contracts = contractsOf(name);
    const fund = (ledger: Ledger): void => fundAll(ledger, contracts.tokens);
    return blockchain.create(name, contracts, { kernel, random: random(name), blockMs, fund });
  }) as [blockchain.Blockchain, blockchain.Blockchain];
  const service = services.create({
    kernel,
    random: random('service'),
    trouble,
    manner: scenario.manner,
    seed,
    origin,
    destination,
  });
  const nodesOf = (chain: blockchain.Blockchain): Node[] =>
    Array.from({ length: scenario.nodes }, (_, index) => ({ host: `${chain.name} ${index + 1}`, chain, held: [] }));
  const nodes = { alpha: nodesOf(origin), beta: nodesOf(destination) };
  const machine = machines.create('machine', { kernel, trouble });
  const leaving: verdicts.Left[] = [];
  const left: program.Surroundings['left'] = (bytes, process, requestId) =>
    void leaving.push({ bytes, requestId, process, atMs: kernel.now(), isJournaled: machine.hasDurably(bytes) });
  const shared = { kernel, trouble, random: random('network'), machine, service, nodes, left };

  for (const { atMs, size = 1 } of trouble.moments('alpha'))
    kernel.after(atMs, () => {
      kernel.note('alpha', () => `takes ${size} blocks back`);
      origin.reorganize(size, () => false);
    });
  for (const { atMs, what } of trouble.moments('machine'))
    kernel.after(atMs, () => (what === 'loses its disk' ? machine.loseDisk() : machine.losePower()));

  const stories = scenario.wanted.map((wanted) => ({ name: wanted.name, words: [] as program.Word[] }));
  const play = async (): Promise<void> => {
    await Promise.all(
      scenario.wanted.map((wanted, index) => insist(wanted, stories[index]?.words ?? [], scenario, shared)),
    );
    // Whatever is still on its way arrives.
    await kernel.settle();
  };
  await kernel.until(play());
  return verdicts.judge({ scenario, stories, leaving, origin, destination, machines: [machine], service });
}

/** Does what somebody does who wants a transfer: types it, resumes it, and types it again if nothing was paid. */
async function insist(
  wanted: Wanted,
  words: program.Word[],
  scenario: Scenario,
  shared: program.Surroundings,
): Promise<void> {
  const { kernel } = shared;
  const execute: program.Typed = { command: 'execute', args: wanted.args, flags: wanted.flags };
  let typed: program.Typed = execute;
  let run: string | undefined;
  await kernel.sleep(wanted.atMs);
  for (let start = 1; start <= mostStarts; start++) {
    const word = await program.run(`${wanted.name} ${start}`, typed, shared);
    words.push(word);
    // Another run may be in the way, which is somebody else's to finish.
    const isRefused = word.code === 'run.unfinished';
    if (!isRefused) run = word.run ?? run;
    const isUntouched = word.funds === 'untouched' && !(isRefused && word.run === run);
    if (start >= fewStarts && verdicts.isNamed(word, scenario)) return;
    if (verdicts.isFinal(word) && !(isUntouched && verdicts.canRepeat(words))) return;
    typed = isUntouched || run === undefined ? execute : { command: 'resume', run };
    await kernel.sleep(start < 3 ? pauseMs : longPauseMs);
  }
}

/** What the account has, and more than enough for the service. */
function fundAll(ledger: Ledger, tokens: ReadonlySet<string>): void {
  const owner = wallet.owner.toLowerCase();
  ledger.add(keys.native(owner), 10n ** 19n);
  for (const token of tokens) ledger.add(keys.token(token, owner), 10n ** 12n);
  for (const party of services.parties) {
    ledger.add(keys.native(party), 10n ** 24n);
    for (const token of tokens) ledger.add(keys.token(token, party), 10n ** 18n);
  }
}
