/** What a seed means: the transfer, the manners of the service, and what goes wrong. */

import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as randoms from './random.js';
import type { Manner } from './service.js';
import type { Fault } from './trouble.js';

export type Scenario = {
  seed: number;
  /** Transfers that are wanted, each by somebody of its own name, on a machine. */
  wanted: readonly Wanted[];
  /** How many nodes of each chain are asked. */
  nodes: number;
  manner: Manner;
  faults: readonly Fault[];
  /** Whether the nodes are the sandbox's own, which are believed alone. */
  isSandbox?: boolean;
  /** How often it is typed at most, if not until it has ended. */
  mostStarts?: number;
};

export type Wanted = {
  name: string;
  args: readonly string[];
  flags: Readonly<Record<string, boolean | string>>;
  /** When it is typed first, in milliseconds after the start. */
  atMs: number;
  /** Whether it is paid by an account of the venue. */
  isWithdrawal?: boolean;
  /** Whether it is no transfer but a raw call. */
  isCall?: boolean;
  /** How long somebody at a terminal takes to answer a question; undefined if nobody is asked. */
  answerMs?: number | undefined;
  /** Where it is typed, if not on the machine of the others: one that knows nothing of what they have signed. */
  elsewhere?: boolean;
  /** The starts at which the run is to be canceled, if it has begun, and not resumed. */
  cancels?: readonly number[];
  /** Those at which its pending transactions are to be sped up. */
  speedUps?: readonly number[];
};

/** How it is paid: by transactions, by a batch or by a permit. */
const ways: readonly Wanted['flags'][] = [{}, {}, { gasless: true }, { gasless: true, permit: true }];

const { address } = accounts.dev0;

/** How long a transfer at the venue is valid. */
const validities: readonly Wanted['flags'][] = [{}, { validFor: '10s' }, { validFor: '60s' }];

/** Or by somebody else, at an address that is shown. */
const atAddress: Wanted['flags'] = { depositAddress: true, recipient: address, refundTo: address, timeout: '40s' };

/** Faults are over after this time. */
export const calmMs = 300_000;

export function from(seed: number): Scenario {
  const random = randoms.create(seed, 'scenario');
  const isWithdrawal = random.chance(0.08);
  const isAtAddress = !isWithdrawal && random.chance(0.06);
  const other = random.pick<Wanted['flags']>(isWithdrawal ? validities : ways);
  const flags = isAtAddress ? atAddress : other;
  const isPlain = !isAtAddress && !isWithdrawal;
  const isNative = !flags.gasless && isPlain && random.chance(0.3);
  // With a swap before the deposit, by a contract that ferry does not know.
  const paid = !flags.permit && !isAtAddress && random.chance(0.15) ? 'alpha/usdt' : 'alpha/usdc';
  const transferred = isNative ? ['0.1', 'alpha/eth', 'beta/eth'] : ['100', paid, 'beta/usdc'];
  const args = isWithdrawal ? ['100', 'beta/usdc'] : transferred;
  const nodes = random.chance(0.75) ? 2 : 1;
  const isCall = isPlain && random.chance(0.06);
  const cancels = !isWithdrawal && random.chance(0.2) ? random.pick(cancellations) : [];
  const speedUps = cancels.length === 0 && !flags.gasless && isPlain && random.chance(0.06) ? [2, 3] : [];
  const answerMs = random.chance(0.12)
    ? random.pick([random.between(0, 5_000), random.between(0, 200_000)])
    : undefined;
  const wanted: Wanted[] = [{ name: 'ferry', args, flags, atMs: 0, isWithdrawal, isCall, cancels, speedUps, answerMs }];
  if (random.chance(0.15)) wanted.push(rival(random, { flags, isWithdrawal }));
  const manner = random.chance(0.7) ? 'fills' : random.pick(manners);
  const count = random.chance(0.1) ? 0 : random.between(1, 4);
  const liar = random.between(1, 2);
  // What somebody else has is void or shown after a while; of a raw call nothing ever is, and an address is paid by others.
  const canForget = wanted.length === 1 && !isCall && !isAtAddress;
  // Of the venue and the service one lies: of two who lie alike nobody could tell.
  const isVenueLying = isWithdrawal && random.chance(0.5);
  const drawn = Array.from({ length: count }, () =>
    fault(random, { nodes, liar, canForget, isWithdrawal, isVenueLying }),
  );
  const [canceling] = cancels;
  // What is canceled was stopped before, and so may its cancellation be.
  const isStopped = canceling !== undefined && count > 0 && random.chance(0.7);
  const faults = isStopped ? [...drawn, stopping(random.pick([1, 1, canceling]), random)] : drawn;
  if (cancels.length + speedUps.length > 0 && count > 0 && random.chance(0.5)) faults.push(...late(random, flags));
  // Of a venue and a service that lie together nobody can tell, nor of a node and a service about an address.
  const accompanied = faults.filter(({ where, what }) =>
    isWithdrawal
      ? where === 'venue' && what !== 'says that a nonce is used'
      : !isAtAddress || what === 'takes blocks back',
  );
  const together = companions(seed, accompanied);
  if (isAtAddress && seed % 4 === 0)
    together.push({ where: 'service', what: 'ends what nobody pays', fromMs: 0, untilMs: Number.POSITIVE_INFINITY });
  if (flags.validFor === '10s' && !isVenueLying && seed % 5 === 0) together.push(...atTheLastMoment(seed));
  const isOwn = isPlain && !isCall && !flags.gasless;
  // Of two that have one nonce, such a node shows both.
  if (isOwn && wanted.length === 1 && faults.some(({ what }) => what === 'shows everything as mined'))
    wanted.push({ name: 'rival', args, flags, atMs: seed % 1_000, elsewhere: true });
  const [first, ...others] = wanted;
  const isOneByOne = first && others.length > 0 && isOwn && !isNative && seed % 2 === 0;
  const all = tellable([...faults, ...together]);
  if (!isOneByOne) return { seed, wanted, nodes, manner, faults: all };
  // Once its approval is mined, somebody else may take what it allows for free.
  const signing = { ...first, flags: { ...flags, oneByOne: true } };
  const stopped: Fault = { where: 'ferry 1', what: 'dies', occasion: 'step', nth: 45 + (seed % 40) };
  return { seed, wanted: [signing, ...others], nodes, manner, faults: [...all, stopped] };
}

/** Of a node that shows what never happened and a service that lies alike nobody can tell while the other node says nothing. */
function tellable(faults: readonly Fault[]): readonly Fault[] {
  const isAlone = faults.some(({ where, what }) => /^alpha \d$/.test(where) && /^is (silent|down)$/.test(what));
  const isShown = faults.some(({ what }) => inventions.includes(what));
  if (!isAlone || !isShown) return faults;
  return faults.filter(({ what }) => !['says that it failed', 'changes its word'].includes(what));
}

/** What a node makes up of a payment that has not been made. */
const inventions = ['shows everything as mined', 'says that a nonce is used', 'says that a sequence is used'];

/** What goes wrong together with what alone would show nothing. */
function companions(seed: number, faults: readonly Fault[]): Fault[] {
  const random = randoms.create(seed, 'companions');
  return faults.flatMap((fault) => {
    const of = helpers[fault.what];
    if (!of || random.chance(0.3)) return [];
    return of('fromMs' in fault ? { fromMs: fault.fromMs, untilMs: fault.untilMs } : always, fault);
  });
}

type Window = { fromMs: number; untilMs: number };

const failed = (during: Window): Fault => ({ where: 'service', what: 'says that it failed', ...during });
const crowded = (during: Window): Fault => ({ where: 'alpha', what: 'has no room for low tips', ...during });
const ahead: Fault = { where: 'ferry 1', what: 'has a wrong clock', size: 25_000, fromMs: 0, untilMs: calmMs };

const helpers: Readonly<Record<string, (during: Window, fault: Fault) => Fault[]>> = {
  // Of a payment that waits they say that it is made, and the service that it has it.
  'invents a receipt': (during) => [failed(during), crowded(during)],
  'says that a nonce is used': (during) => [{ where: 'service', what: 'changes its word', ...during }, crowded(during)],
  'says that a sequence is used': (during) => [
    failed(during),
    { where: 'service', what: 'accepts it, and submits it late', occasion: 'submission', nth: 1, size: 60_000 },
  ],
  'shows everything as mined': (during) => [failed(during)],
  'says that it reverted': (during) => [{ where: 'service', what: 'says that nothing has come', ...during }],
  'takes blocks back': () => [{ where: 'alpha', what: 'forgets what it takes back', ...always }],
  'refuses, and sends it in secret': (_, fault) => [
    { ...fault, where: fault.where === 'alpha 1' ? 'alpha 2' : 'alpha 1', what: 'loses the transaction' },
  ],
  // By a clock that is ahead, but not by so much that nothing is signed, what may still be taken has expired.
  'refuses, and takes it later': () => [ahead],
  'holds what it is sent': () => [ahead],
};

/** What the venue takes just before it expires, it shows later than an answer was made in which it is missing. */
function atTheLastMoment(seed: number): Fault[] {
  return [
    { where: 'venue', what: 'holds what it is sent', size: 6_000 + (seed % 3_000), ...always },
    { where: 'venue', what: 'shows late', size: 8_000, ...always },
    { where: 'venue', what: 'answers late', size: 7_000, ...always },
    { where: 'service', what: 'says that nothing has come', ...always },
  ];
}

/** What the real sandbox can do too: one transfer, no crash, and at most one thing that goes wrong. */
export function ofSandbox(seed: number): Scenario {
  const random = randoms.create(seed, 'sandbox');
  if (random.chance(0.2)) return ofSandboxVenue(seed, random);
  const way = random.pick<Wanted['flags']>(ways);
  const isNative = !way.gasless && random.chance(0.4);
  const args = isNative ? ['0.1', 'alpha/eth', 'beta/eth'] : ['100', 'alpha/usdc', 'beta/usdc'];
  const manner = random.pick<Manner>(['fills', 'fills', 'refunds', 'keeps it']);
  const occasion = random.pick(['nothing', 'quote', way.gasless ? 'submission' : 'broadcast']);
  // Of two that are sent at once either may come first.
  const flags = occasion === 'broadcast' && !isNative ? { ...way, oneByOne: true } : way;
  const whats = sandboxFaults[occasion] ?? [];
  const where = occasion === 'broadcast' ? 'alpha 1' : 'service';
  const most = flags.oneByOne ? 2 : 1;
  const nth = random.between(1, most);
  const faults = whats.length > 0 ? [{ where, what: random.pick(whats), occasion, nth }] : [];
  // Until what was signed has expired is longer than anybody waits.
  const isOpen = faults.some(({ what }) => what === 'refuses') && occasion === 'submission';
  const wanted = [{ name: 'ferry', args, flags, atMs: 0 }];
  return { seed, wanted, nodes: 1, manner, faults, isSandbox: true, ...(isOpen && { mostStarts: 1 }) };
}

function ofSandboxVenue(seed: number, random: randoms.Random): Scenario {
  const manner = random.pick<Manner>(['fills', 'fills', 'refunds', 'keeps it']);
  const what = random.pick(['nothing', 'loses the transfer', 'loses the answer', 'fails', 'refuses, and takes it']);
  const faults = what === 'nothing' ? [] : [{ where: 'venue', what, occasion: 'transfer', nth: 1 }];
  const wanted = [{ name: 'ferry', args: ['100', 'beta/usdc'], flags: {}, atMs: 0, isWithdrawal: true }];
  return { seed, wanted, nodes: 1, manner, faults, isSandbox: true };
}

const sandboxFaults: Readonly<Record<string, readonly string[]>> = {
  quote: ['refuses', 'fails'],
  submission: ['does not get it', 'loses the answer', 'fails', 'refuses', 'refuses, and submits it'],
  broadcast: ['loses the answer', 'loses the transaction', 'takes and forgets it'],
};

const manners: readonly Manner[] = ['refunds', 'keeps it', 'fills too little', 'fills late'];

/** Whoever cancels goes on, or resumes in between. */
const cancellations: readonly NonNullable<Wanted['cancels']>[] = [[2], [2, 3], [2, 4], [3], [3, 4, 5]];

/** Another transfer of the same account at about the same time. */
function rival(
  random: randoms.Random,
  { flags: first, isWithdrawal = false }: Pick<Wanted, 'flags' | 'isWithdrawal'>,
): Wanted {
  const atMs = random.between(0, 6_000);
  if (isWithdrawal && random.chance(0.7))
    return {
      ...{ name: 'rival', args: ['40', 'beta/usdc'], flags: {}, isWithdrawal, atMs },
      elsewhere: random.chance(0.3),
    };
  const flags = random.pick<Wanted['flags']>([{}, { gasless: true }, { gasless: true, permit: true }]);
  const wanted = { name: 'rival', args: ['40', 'alpha/usdc', 'beta/usdc'], flags, atMs };
  // Of two batches with one sequence the chain does not show which was used: machines that share an account share a store.
  const areBatches = [first, flags].every(({ gasless, permit }) => gasless && !permit);
  return areBatches || random.chance(0.7) ? wanted : { ...wanted, elsewhere: true };
}

type Setting = { nodes: number; liar: number; canForget: boolean; isWithdrawal: boolean; isVenueLying: boolean };

/** One thing that goes wrong. */
function fault(random: randoms.Random, setting: Setting): Fault {
  if (setting.isWithdrawal)
    return random.pick([ofProcess, ofProcess, ofMachine, ofNode, ofService, ofTransfer, ofTransfer, ofVenue])(
      random,
      setting,
    );
  return random.pick([
    ofProcess,
    ofProcess,
    ofMachine,
    ofBroadcast,
    ofBroadcast,
    ofNode,
    ofNode,
    ofChain,
    ofService,
    ofService,
    ofSubmission,
    ofSubmission,
  ])(random, setting);
}

function ofProcess(random: randoms.Random): Fault {
  const where = random.pick(['ferry 1', 'ferry 1', 'ferry 1', 'ferry 2', 'ferry 3', 'rival 1']);
  const nth = random.between(1, 140);
  if (random.chance(0.1)) return { where, what: 'has a wrong clock', size: random.between(-90_000, 90_000), ...always };
  if (random.chance(0.15))
    return { where, what: 'freezes', occasion: 'step', nth, size: random.between(1_000, 200_000) };
  return { where, what: random.chance(0.8) ? 'dies' : 'is interrupted', occasion: 'step', nth };
}

/** The end of one process before it is done. */
function stopping(start: number, random: randoms.Random): Fault {
  return { where: `ferry ${start}`, what: 'dies', occasion: 'step', nth: random.between(10, 60) };
}

/** What keeps a payment from being mined until it is made void, and may take that back. */
function late(random: randoms.Random, { gasless }: Wanted['flags']): Fault[] {
  const submission = { what: 'accepts it, and submits it on another branch', occasion: 'submission', nth: 1 };
  const waits: Fault = gasless
    ? { where: 'service', ...submission }
    : { where: 'alpha', what: 'has no room for low tips', fromMs: 0, untilMs: random.between(10_000, 200_000) };
  return random.chance(0.5) ? [waits, takingBack(random)] : [waits];
}

/** The block goes in which a transaction of the account is, before there are two above it. */
function takingBack(random: randoms.Random): Fault {
  const [nth, size] = [random.between(1, 2), random.between(0, 3_900)];
  return { where: 'alpha', what: 'takes blocks back', occasion: 'block of the account', nth, size };
}

const always = { fromMs: 0, untilMs: calmMs };

function ofMachine(random: randoms.Random, { canForget }: Setting): Fault {
  const where = 'machine';
  if (canForget && random.chance(0.3)) return { where, what: 'loses its disk', atMs: random.between(0, 20_000) };
  if (random.chance(0.4)) return { where, what: 'loses power', atMs: random.between(0, 8_000) };
  if (random.chance(0.5)) return { where, what: 'cannot write', occasion: 'write', nth: random.between(1, 16) };
  return { where, what: 'has a full disk', ...window(random) };
}

function ofBroadcast(random: randoms.Random, { nodes }: Setting): Fault {
  const what = random.pick([
    ...['loses the answer', 'loses the transaction', 'takes and forgets it'],
    ...['refuses, and sends it later', 'refuses, and sends it in secret', 'holds it back'],
  ]);
  const where = `alpha ${random.between(1, nodes)}`;
  return { where, what, occasion: 'broadcast', nth: random.between(1, 3), size: random.between(0, 200_000) };
}

function ofNode(random: randoms.Random, { nodes, liar }: Setting): Fault {
  const chain = random.pick(['alpha', 'alpha', 'beta']);
  const where = `${chain} ${random.between(1, nodes)}`;
  // Of what one node alone makes up, the nonce shows that it is false.
  if (nodes < 2 && random.chance(0.1)) return { where, what: 'invents a receipt', ...window(random) };
  if (nodes < 2 || random.chance(0.4)) {
    const what = random.pick(['is behind', 'is behind', 'is silent', 'is down']);
    return { where, what, size: what === 'is behind' ? random.between(1, 4) : undefined, ...window(random) };
  }
  // About the time two may lie alike: there is a clock.
  if (random.chance(0.1)) return { where: 'alpha', what: 'says that it is later', size: 100_000, ...window(random) };
  // And about a delegation that is taken back with its block.
  if (random.chance(0.1)) return { where: 'alpha', what: 'says that it is delegated', ...window(random) };
  // One node of each chain lies; of two who lie alike nobody could tell.
  return { where: `${chain} ${liar}`, ...random.pick(lies)(random), ...window(random) };
}

const lies: readonly ((random: randoms.Random) => { what: string; size?: number })[] = [
  () => ({ what: 'hides transactions' }),
  () => ({ what: 'says that a nonce is used' }),
  () => ({ what: 'says that a sequence is used' }),
  () => ({ what: 'says that a nonce is free' }),
  () => ({ what: 'says that another took a nonce' }),
  () => ({ what: 'shows everything as mined' }),
  () => ({ what: 'says that it reverted' }),
  () => ({ what: 'says that everything is allowed' }),
  (random) => ({ what: 'says that it is later', size: random.between(60, 100_000) }),
  (random) => ({ what: 'asks for a high tip', size: random.between(2, 20_000) }),
  (random) => ({ what: 'says that gas is dear', size: random.between(2, 2_000) }),
  (random) => ({ what: 'estimates too much', size: random.between(2, 200) }),
];

function ofChain(random: randoms.Random): Fault {
  if (random.chance(0.3)) return { where: 'alpha', what: 'lets no deposit pass', ...window(random) };
  if (random.chance(0.15)) return { where: 'alpha', what: 'has no room for low tips', ...window(random) };
  if (random.chance(0.15))
    return { where: 'alpha', what: 'has dear gas', size: random.pick([20, 400]), ...window(random) };
  if (random.chance(0.3)) return takingBack(random);
  return { where: 'alpha', what: 'takes blocks back', size: random.between(1, 4), atMs: random.between(500, 20_000) };
}

/** What becomes of a transfer that is sent to the venue. */
function ofTransfer(random: randoms.Random, { isVenueLying }: Setting): Fault {
  const [nth, size] = [random.between(1, 2), random.between(0, 400_000)];
  if (random.chance(0.15)) return { where: 'venue', what: 'does not get it', occasion: 'connection', nth };
  if (random.chance(0.25))
    return { where: 'venue', what: random.pick(['executes it late', 'fails it']), occasion: 'execution', nth, size };
  // A venue that hides what it has refused and holds cannot be told from one that has refused.
  const refusals = isVenueLying ? [] : ['refuses, and takes it', 'refuses, and takes it later'];
  const what = random.pick([
    ...['loses the answer', 'loses the transfer', 'fails', 'is busy', 'refuses', ...refusals],
    ...['accepts it, and does nothing', 'accepts it, and takes it late'],
  ]);
  return { where: 'venue', what, occasion: 'transfer', nth, size };
}

function ofVenue(random: randoms.Random, { isVenueLying }: Setting): Fault {
  const lies = ['hides transactions', 'says that it failed', 'says that it was executed'];
  lies.push('says that a nonce is used', 'says that a nonce is free');
  if (isVenueLying) return { where: 'venue', what: random.pick(lies), ...window(random) };
  if (random.chance(0.4)) return { where: 'venue', what: 'is silent', ...window(random) };
  if (random.chance(0.4))
    return { where: 'venue', what: 'holds what it is sent', size: random.between(0, 120_000), ...window(random) };
  return { where: 'venue', what: 'shows late', size: random.between(0, 8_000), ...window(random) };
}

function ofService(random: randoms.Random, { isVenueLying, isWithdrawal }: Setting): Fault {
  const where = 'service';
  if (isWithdrawal && random.chance(0.3))
    return { where, what: 'is slow', size: random.between(500, 6_000), ...window(random) };
  if (random.chance(0.15))
    return { where, what: random.pick(['refuses', 'fails']), occasion: 'quote', nth: random.between(1, 2) };
  if (random.chance(0.15)) return { where, what: 'fails', occasion: 'status', nth: random.between(1, 10) };
  if (isVenueLying) return { where, what: 'is silent', ...window(random) };
  const what = random.pick([
    ...['is silent', 'has forgotten everything', 'says that nothing has come'],
    ...['says that it was delivered', 'says that it was refunded', 'says that it failed'],
    'names the delivery of another',
  ]);
  return { where, what, ...window(random) };
}

function ofSubmission(random: randoms.Random): Fault {
  const what = random.pick([
    ...['does not get it', 'loses the answer', 'submits late, without an answer', 'fails', 'refuses'],
    ...['refuses, and submits it', 'refuses, and submits it later', 'accepts it, and does nothing'],
    ...['accepts it, and submits it late', 'accepts it, and submits it on another branch', 'submits it twice'],
  ]);
  return {
    where: 'service',
    what,
    occasion: 'submission',
    nth: random.between(1, 2),
    size: random.between(0, 400_000),
  };
}

/** Short ones are as likely as long ones. */
function window(random: randoms.Random): Window {
  const fromMs = random.chance(0.5) ? 0 : random.between(0, 10_000);
  const forMs = random.pick([2_000, 10_000, 60_000, 250_000]);
  return { fromMs, untilMs: Math.min(calmMs, fromMs + random.between(100, forMs)) };
}

/** The same with one thing less that is out of the ordinary. */
export function* simpler(scenario: Scenario): Generator<Scenario> {
  const { wanted, faults, manner } = scenario;
  for (const left of faults) yield { ...scenario, faults: faults.filter((each) => each !== left) };
  if (wanted.length > 1) yield { ...scenario, wanted: wanted.slice(0, 1) };
  if (wanted.some(({ cancels = [], speedUps = [] }) => cancels.length + speedUps.length > 0))
    yield { ...scenario, wanted: wanted.map((each) => ({ ...each, cancels: [], speedUps: [] })) };
  if (manner !== 'fills') yield { ...scenario, manner: 'fills' };
}
