/** One run of the program on the model, from its seed to the verdict. */

import * as blockchain from './blockchain.js';
import type { Contracts } from './contracts.js';
import * as kernels from './kernel.js';
import { keys, type Ledger } from './ledger.js';
import * as machines from './machine.js';
import { contractsOf } from './market.js';
import type { Node } from './node.js';
import { insist } from './person.js';
import * as program from './program.js';
import * as randoms from './random.js';
import type { Scenario } from './scenario.js';
import * as services from './service.js';
import * as troubles from './trouble.js';
import * as venues from './venue.js';
import * as verdicts from './verdict.js';
import * as wallet from './wallet.js';

/** Unix time at which every run begins, in milliseconds. */
const startMs = 1_790_000_000_000;

/** Time between two blocks of a chain. */
const blocksMs = { alpha: 2_000, beta: 1_500 } as const;

/** What the model knows of a run when it is over. */
export type Ended = verdicts.Verdict & { origin: blockchain.Blockchain };

/** Runs a scenario. `tell` gets its history, a line at a time. */
export async function simulate(scenario: Scenario, tell?: (line: string) => void): Promise<Ended> {
  const { seed, faults } = scenario;
  const kernel = kernels.create(startMs, tell);
  const random = (name: string): randoms.Random => randoms.create(seed, name);
  const trouble = troubles.create(faults, kernel);
  const [origin, destination] = (['alpha', 'beta'] as const).map((name) => {
    // The sandbox mines whatever it is given at once.
    const blockMs = scenario.isSandbox ? 100 : blocksMs[name];
    const contracts = contractsOf(name);
    const fund = (ledger: Ledger): void => fundAll(ledger, contracts);
    return blockchain.create(name, contracts, { kernel, random: random(name), trouble, blockMs, fund });
  }) as [blockchain.Blockchain, blockchain.Blockchain];
  const venue = venues.create({ kernel, random: random('venue'), trouble });
  const service = services.create({
    kernel,
    random: random('service'),
    trouble,
    manner: scenario.manner,
    seed,
    origin,
    destination,
    venue,
  });
  const nodesOf = (chain: blockchain.Blockchain): Node[] =>
    Array.from({ length: scenario.nodes }, (_, index) => ({
      host: `${chain.name} ${index + 1}`,
      chain,
      held: [],
      given: new Map(),
      isOwn: scenario.isSandbox ?? false,
    }));
  const nodes = { alpha: nodesOf(origin), beta: nodesOf(destination) };
  const machine = machines.create('machine', { kernel, trouble });
  const other = machines.create('other machine', { kernel, trouble });
  const leaving: verdicts.Left[] = [];
  const adoptions: { machine: machines.Machine; atMs: number }[] = [];
  const signing: { bytes: string; process: string }[] = [];
  const network = random('network');
  const isEnded = trouble.during('service', 'ends what nobody pays') !== undefined;
  const pay = isEnded ? (): void => {} : payerOn(origin, kernel, network);
  const on = (place: machines.Machine): program.Surroundings => ({
    ...{ kernel, trouble, random: network, machine: place, service, venue, nodes },
    shown: pay,
    signed: (bytes, process) => void signing.push({ bytes, process }),
    left: (bytes, process, requestId) =>
      void leaving.push({ bytes, requestId, process, atMs: kernel.now(), isJournaled: place.hasDurably(bytes) }),
  });

  for (const { atMs, size = 1 } of trouble.moments('alpha'))
    kernel.after(atMs, () => {
      kernel.note('alpha', () => `takes ${size} blocks back`);
      origin.reorganize(size);
    });
  origin.watch(() => {
    const { number, mined } = origin.tip();
    if (!mined.some(({ transaction }) => transaction.from === wallet.owner.toLowerCase())) return;
    const fault = trouble.at('alpha', 'block of the account');
    if (!fault) return;
    kernel.after(fault.size ?? 0, () => origin.reorganize(Number(origin.tip().number - number) + 1));
  });
  for (const { atMs, what } of trouble.moments('machine'))
    kernel.after(atMs, () => (what === 'loses its disk' ? machine.loseDisk() : machine.losePower()));

  const stories = scenario.wanted.map((wanted) => ({ name: wanted.name, words: [] as program.Word[] }));
  const play = async (): Promise<void> => {
    await Promise.all(
      scenario.wanted.map((wanted, index) =>
        insist(wanted, stories[index]?.words ?? [], scenario, {
          run: (name, typed) =>
            program.run(name, typed, { ...on(wanted.elsewhere ? other : machine), answerMs: wanted.answerMs }),
          sleep: kernel.sleep,
          reconcile: async (name) => {
            const paid = [...service.orders.values()].filter(
              (order) => verdicts.paymentsOf(order, { origin, destination, venue }).deposits > 0,
            );
            if (paid.some(({ client }) => client.startsWith(`${wanted.name} `))) return;
            const place = wanted.elsewhere ? other : machine;
            const { code } = await program.run(name, { command: 'runs reconcile' }, on(place));
            if (code === 'adopted') adoptions.push({ machine: place, atMs: kernel.now() });
          },
        }),
      ),
    );
    // Whatever is still on its way arrives, and is mined, again if its block was taken back.
    await kernel.settle();
    await kernel.sleep(3 * blocksMs.alpha);
  };
  await kernel.until(play());
  const verdict = verdicts.judge({
    scenario,
    startMs,
    stories,
    signing,
    leaving,
    adoptions,
    origin,
    destination,
    machines: [machine, other],
    service,
    venue,
  });
  return { ...verdict, origin };
}

/** Somebody who pays at each address that is shown, once, within a minute. */
function payerOn(
  origin: blockchain.Blockchain,
  kernel: kernels.Kernel,
  random: randoms.Random,
): program.Surroundings['shown'] {
  const paid = new Set<string>();
  return ({ address, token, amount }) => {
    if (paid.has(address)) return;
    paid.add(address);
    kernel.after(random.between(1_000, 60_000), () => {
      kernel.note('payer', () => `pays at ${address}`);
      origin.submit(services.transferOf(origin, { from: services.payer, token, to: address, amount }));
    });
  };
}

/** What the account has, and more than enough for the service and for those who swap. */
function fundAll(ledger: Ledger, { tokens, aggregator }: Contracts): void {
  const owner = wallet.owner.toLowerCase();
  ledger.add(keys.native(owner), 10n ** 19n);
  for (const token of tokens) ledger.add(keys.token(token, owner), 10n ** 12n);
  for (const party of [...services.parties, aggregator]) {
    ledger.add(keys.native(party), 10n ** 24n);
    for (const token of tokens) ledger.add(keys.token(token, party), 10n ** 18n);
  }
}
