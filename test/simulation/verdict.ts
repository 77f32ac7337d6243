/** The truth of a run: what the model knows has happened, held against what the program has said. */

import type * as Execute from '../../src/core/api/Execute.js';
import type { Hex } from '../../src/core/base/Hex.js';
import type { Log } from '../../src/core/ports/Ports.js';
import type { Entry } from '../../src/core/tracking/Journal.js';
import { type Blockchain, isDeposit, lowTip } from './blockchain.js';
import { batchIn } from './contracts.js';
import { keys } from './ledger.js';
import type { Machine } from './machine.js';
import { venueId } from './market.js';
import type { Word } from './program.js';
import type { Scenario } from './scenario.js';
import type * as services from './service.js';
import type { Fault } from './trouble.js';
import type * as venues from './venue.js';
import * as wallet from './wallet.js';

/**
 * What may never be. `early`: what was signed left before it was in the journal. `revived`: what was being made void was
 * handed over again. `repeated`: so was what a chain showed as done. `overtaken`: a nonce was signed that an open run of the
 * machine had signed. `adopted`: one was signed after others that its machine does not know. `wasted`: a transaction of the
 * account reverted on a chain that nothing was wrong with.
 */
export type Failing =
  | 'lost'
  | 'doubled'
  | 'false word'
  | 'stuck'
  | 'early'
  | 'revived'
  | 'repeated'
  | 'overtaken'
  | 'adopted'
  | 'wasted'
  | 'undelivered'
  | 'cap'
  | 'bug';

export type Verdict = { failings: readonly { kind: Failing; what: string }[]; words: readonly Word[] };

/** Most that the gas of a process may cost: 25 dollars at 2,500 dollars for a whole token, in wei. */
const mostGas = 10n ** 16n;

/** The highest tip where the service has stated none, in wei. */
const mostTip = 3n * 10n ** 9n;

/** Units of gas: five times what a transaction uses usually that no quote states, and a margin of a quarter. */
const mostLimit = 4_375_000n;

const ends: readonly unknown[] = ['delivered', 'returned', 'held', 'untouched'];

/** Whether nothing is left to do about a transfer. */
export function isFinal({ funds, code }: Word): boolean {
  return ends.includes(funds) && code !== 'run.unfinished';
}

/** Whether somebody who is told that nothing was paid tries again. */
export function canRepeat(words: readonly Word[]): boolean {
  return words.filter(({ funds }) => funds === 'untouched').length < 4;
}

/** One transfer that somebody wants, and everything that was said about it. */
export type Story = { name: string; words: readonly Word[] };

/** Signed bytes that a process has handed to somebody. */
export type Left = {
  bytes: string;
  /** Of a batch or a permit: the order that it pays. */
  requestId: string | undefined;
  process: string;
  atMs: number;
  isJournaled: boolean;
};

type Ended = {
  scenario: Scenario;
  /** When the run began. */
  startMs: number;
  stories: readonly Story[];
  /** Everything that was signed. */
  signing: readonly Pick<Left, 'bytes' | 'process'>[];
  /** Of it what has left, and whether the journal had it. */
  leaving: readonly Left[];
  /** When somebody had a machine adopt what it did not know of the account. */
  adoptions: readonly { machine: Machine; atMs: number }[];
  origin: Blockchain;
  destination: Blockchain;
  machines: readonly Machine[];
  service: services.Model;
  venue: venues.Model;
};

export function judge(ended: Ended): Verdict {
  const { scenario, stories, leaving } = ended;
  const failings: { kind: Failing; what: string }[] = [];
  const say = (kind: Failing, what: string): void => void failings.push({ kind, what });
  for (const left of leaving)
    if (!left.isJournaled && !isFiller(left, ended)) say('early', `${left.process} sends what is not in its journal`);
  for (const process of revivers(ended)) say('revived', `${process} hands over what is being made void`);
  for (const process of repeaters(ended)) say('repeated', `${process} hands over what has paid already`);
  for (const nonce of overtaken(ended)) say('overtaken', `nonce ${nonce} is signed again while its run is open`);
  for (const nonce of outdated(ended)) say('overtaken', `nonce ${nonce} is signed though a block has it`);
  for (const nonce of adopted(ended))
    say('adopted', `nonce ${nonce} is signed after one that the machine does not know`);
  for (const nonce of wasted(ended)) say('wasted', `nonce ${nonce} is signed for what reverts`);
  for (const [process, wei] of gasOf(leaving)) if (wei > mostGas) say('cap', `${process} signs for ${wei} wei of gas`);
  for (const { process, gas, maxFeePerGas } of overpriced(ended))
    say('cap', `${process} signs for ${gas} units of gas at ${maxFeePerGas} wei`);
  // Whoever has lost everything is told that somebody has used the account, and so is who shares it unknowingly.
  const isForgetful = scenario.faults.some(({ what }) => what === 'loses its disk');
  const isShared = scenario.wanted.some(({ elsewhere }) => elsewhere);
  for (const story of stories) {
    const { name, words } = story;
    const orders = [...ended.service.orders.values()].filter(({ client }) => client.startsWith(`${name} `));
    const paid = orders.map((order) => paymentsOf(order, ended));
    const open = paid.reduce((sum, { deposits, refunds }) => sum + deposits - refunds, 0);
    if (open > 1) say('doubled', `${name} has paid ${open} times`);
    for (const word of words) {
      const why = falsehoodOf(word, ended);
      if (why !== undefined) say('false word', `${word.process} says ${word.funds} (${word.code}): ${why}`);
      if (word.code === 'internal.bug') say('bug', word.text);
    }
    const last = words.at(-1);
    // What is in the way of one may have no end that anybody can show.
    const isBehind = ({ code, next = '' }: Word): boolean =>
      code === 'run.unfinished' &&
      stories.some(({ words: theirs }) =>
        theirs.some((word) => word.run !== undefined && next.includes(word.run) && isNamed(word, scenario)),
      );
    if (
      !last ||
      (!isFinal(last) && !isNamed(last, scenario) && !isBehind(last)) ||
      (last.code === 'run.foreign-nonce' && !isForgetful && !isShared)
    )
      say('stuck', `${name} ends with ${last?.funds} (${last?.code}) ${last?.text}`);
    const isOwed = paid.some(({ deposits, payouts }) => deposits > 0 && payouts === 0);
    if (isOwed && !isForgetful && last && isFinal(last) && last.funds !== 'held' && !isServicesWord(last))
      say('lost', `${name} has paid, and nothing was paid out`);
    const made = callsOf(ended, (client) => client.startsWith(`${name} `));
    if (made.length > 1) say('doubled', `${name} has made ${made.length} calls`);
    // Whoever answers late has confirmed other terms than those that are quoted then.
    const isLate = scenario.wanted.some(({ answerMs = 0 }) => answerMs > 30_000);
    const isCalm = scenario.faults.length === 0 && scenario.manner === 'fills' && !isShared && !isLate;
    const told = isMended(scenario) ? words[0] : last;
    // An approval that goes just when it was waited for no longer bears the payment, which is not signed then.
    const isRefused = !isCalm && told?.funds === 'untouched' && /^(submit.simulation|verify.changed)$/.test(told.code);
    if ((isCalm || isMended(scenario)) && told?.funds !== 'delivered' && !isRefused)
      say('undelivered', `${name}: ${told?.code} ${told?.text}`);
  }
  return { failings, words: stories.flatMap(({ words }) => words) };
}

/** The selector of `approve`. */
const approving = '0x095ea7b3';

/**
 * Whether a transaction only uses a nonce of the account with nothing in it, which no journal needs to know of. What makes
 * a payment void must be in the journal, as long as there is one in which the payment may still be mined.
 */
function isFiller({ bytes, atMs }: Left, { leaving, machines }: Ended): boolean {
  const transaction = wallet.find(bytes);
  const isEmpty = (sent: typeof transaction): boolean => sent?.data === '0x' && sent.value === 0n;
  if (!isEmpty(transaction)) return false;
  const files = machines.flatMap(({ journals }) => [...journals.values()]);
  const isOpen = (other: string): boolean =>
    files.some(
      ({ lines, isGone }) =>
        !isGone &&
        lines.some(({ entry }) => entry.type === 'signed' && entry.bytes === other) &&
        !lines.some(({ at, entry }) => entry.type === 'outcome' && at < atMs),
    );
  return leaving.every((left) => {
    const other = wallet.find(left.bytes);
    const isApproval = other?.data.startsWith(approving) === true;
    return isEmpty(other) || isApproval || other?.nonce !== transaction?.nonce || !isOpen(left.bytes);
  });
}

/** The processes that have handed over what a transaction was sent before to make void. */
function revivers({ machines, leaving }: Ended): string[] {
  return machines.flatMap(({ journals }) =>
    [...journals.values()].flatMap(({ lines }) => {
      const entries = lines.map(({ entry }) => entry);
      const sent = entries.find((entry) => entry.type === 'invalidation');
      const voidMs = leaving.find(({ bytes }) => bytes === sent?.bytes)?.atMs ?? Number.POSITIVE_INFINITY;
      const ids = entries.flatMap((entry) => (entry.type === 'quote' ? [entry.requestId] : []));
      return leaving.flatMap(({ requestId = '', atMs, process }) =>
        ids.includes(requestId as Hex) && atMs > voidMs ? [process] : [],
      );
    }),
  );
}

/** The processes that have handed over a batch or a permit again although a chain that nothing was wrong with showed that it had paid. */
function repeaters({ scenario, leaving, service, origin }: Ended): string[] {
  if (scenario.faults.some(({ where, what }) => where.startsWith('alpha') || what === 'freezes')) return [];
  return leaving.flatMap(({ requestId = '', bytes, process, atMs }) => {
    const isAgain = leaving.some((each) => each.bytes === bytes && each.atMs < atMs);
    const deposits = service.orders.get(requestId)?.deposits ?? [];
    const isPaid = deposits.some((hash) => (origin.firstMinedMs(hash) ?? atMs) < atMs - answerMs);
    return isAgain && isPaid ? [process] : [];
  });
}

/** What has come since a node answered, and since nonces were read, a process cannot know. */
const [answerMs, readMs] = [200, 1_000];

/** The nonces that a machine has signed after one that only others know, and that nobody has had it adopt. */
function adopted({ machines, signing, leaving, adoptions }: Ended): number[] {
  const noncesOf = ({ bytes }: Pick<Left, 'bytes'>): number[] => {
    const transaction = wallet.find(bytes);
    return transaction ? [transaction.nonce] : [];
  };
  return machines.flatMap((machine) => {
    const { journals, clients } = machine;
    const isOwn = ({ process }: Pick<Left, 'process'>): boolean => clients.some(({ name }) => name === process);
    const entries = [...journals.values()].flatMap(({ lines }) => lines.map(({ entry }) => entry));
    const known = [...signing.filter(isOwn).flatMap(noncesOf), ...entries.flatMap(delegatedIn)];
    return leaving.filter(isOwn).flatMap((left) => {
      const since = adoptions.findLast((each) => each.machine === machine && each.atMs < left.atMs)?.atMs ?? 0;
      const taken = [...known, ...leaving.filter(({ atMs }) => atMs < since).flatMap(noncesOf)];
      const before = leaving.filter(({ atMs }) => atMs < left.atMs - readMs).flatMap(noncesOf);
      return noncesOf(left).filter((nonce) => before.some((other) => other < nonce && !taken.includes(other)));
    });
  });
}

/** The nonces that a process has signed and sent although the nodes could not but know that they were used. */
function outdated({ scenario, signing, leaving, machines, origin }: Ended): number[] {
  const { faults, nodes } = scenario;
  // What is read together is as old as the slowest answer.
  const isExcuse = (fault: Fault): boolean =>
    isOfChain(fault) || ['freezes', 'is down', 'is silent'].includes(fault.what);
  if (nodes < 2 || faults.some(isExcuse)) return [];
  const entries = machines.flatMap(({ journals }) => [...journals.values()].flatMap(({ lines }) => lines));
  return entries.flatMap(({ entry }) => {
    const signed = entry.type === 'signed' ? signing.find(({ bytes }) => bytes === entry.bytes) : undefined;
    const left = leaving.find(({ bytes, process }) => bytes === signed?.bytes && process === signed.process);
    const before = left && origin.blocks.findLast(({ timestamp }) => Number(timestamp) * 1000 < left.atMs - 2 * readMs);
    if (entry.type !== 'signed' || !before) return [];
    const used = origin.ledger.at(keys.nonce(wallet.owner.toLowerCase()), before.after);
    return BigInt(entry.nonce) < used ? [entry.nonce] : [];
  });
}

/** Whether a fault keeps the chain from being seen as it is, or takes something of it back. Prices and nonces do not. */
function isOfChain({ where, what, ...when }: Fault): boolean {
  const isOfBroadcast = 'occasion' in when && when.occasion === 'broadcast';
  return where.startsWith('alpha') && !isOfBroadcast && !/nonce|tip|gas/.test(what);
}

/** Whether nothing goes wrong but what the program mends by itself: what a chain has lost of its own is sent again. */
function isMended({ faults, manner, wanted: [first, ...others] }: Scenario): boolean {
  const isOwn = first && !(first.flags.gasless || first.flags.depositAddress || first.isWithdrawal || first.isCall);
  const isAlone = others.length === 0 && manner === 'fills' && first?.answerMs === undefined;
  return Boolean(isOwn) && isAlone && faults.length > 0 && faults.every(({ what }) => mended.includes(what));
}

const mended = ['takes and forgets it', 'takes blocks back', 'forgets what it takes back'];

/** The nonces of transactions that reverted because of what the account itself had sent. */
function wasted({ scenario, origin }: Ended): number[] {
  // What an account has signed for the service uses nonces and allowances when the service likes, and of an approval and a
  // payment that are canceled one may be mined.
  const isExcused = scenario.wanted.some(
    ({ elsewhere, flags, cancels = [] }) => elsewhere || flags.gasless || cancels.length > 0,
  );
  if (isExcused || scenario.faults.some(isOfChain)) return [];
  const owner = wallet.owner.toLowerCase();
  return origin.blocks.flatMap(({ mined }) =>
    mined.flatMap(({ status, transaction: { from, nonce } }) =>
      from === owner && status === 'reverted' ? [nonce] : [],
    ),
  );
}

/** The nonces of the account by which a batch delegates it. */
function delegatedIn(entry: Entry): number[] {
  if (entry.type !== 'signed-batch') return [];
  return ((entry.request as Execute.Request).data.authorizationList ?? []).map(({ nonce }) => nonce);
}

/**
 * What was signed, in place of nothing, with a fee above three times any that the service has stated, or for far more gas
 * than it uses. For what makes a signature void the service states no fee: its tip is bounded, and what all of it costs.
 */
function overpriced({ leaving, origin, machines }: Ended): { process: string; gas: bigint; maxFeePerGas: bigint }[] {
  const mostFee = 3n * (2n * origin.greatestBaseFee() + lowTip);
  const entries = machines.flatMap(({ journals }) => [...journals.values()].flatMap(({ lines }) => lines));
  const isUnstated = (bytes: string): boolean =>
    entries.some(({ entry }) => entry.type === 'invalidation' && entry.bytes === bytes);
  const seen = new Set<number>();
  return leaving.flatMap(({ bytes, process }) => {
    const transaction = wallet.find(bytes);
    if (!transaction || transaction.data === '0x' || seen.has(transaction.nonce)) return [];
    const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
    seen.add(nonce);
    const isDear = isUnstated(bytes) ? maxPriorityFeePerGas > mostTip : maxFeePerGas > mostFee;
    return gas > mostLimit || isDear ? [{ process, gas, maxFeePerGas }] : [];
  });
}

/** The nonces that a run has signed while another run of the machine had signed them, and did not know their end. */
function overtaken({ machines, scenario, origin }: Ended): number[] {
  // The times of two journals cannot be compared where a clock is wrong, and who has lost a journal cannot know.
  if (scenario.faults.some(({ what }) => ['has a wrong clock', 'loses its disk'].includes(what))) return [];
  return machines.flatMap(({ journals }) => {
    const files = [...journals.values()];
    const isOpen = ({ lines, lost }: (typeof files)[number], nonce: number, before: number): boolean => {
      // What the power took later was there.
      const entries = [...lines, ...lost].flatMap(({ at, entry }) => (at < before ? [entry] : []));
      const step = entries.find((entry) => entry.type === 'signed' && entry.nonce === nonce);
      const isEnd = (entry: (typeof entries)[number]): boolean =>
        entry.type === 'outcome' || (step !== undefined && 'step' in step && isEndOf(entry, step.step));
      // What a block had that was taken back since the nonces were read is no longer asked about.
      const hadGone = step?.type === 'signed' && origin.hadWorked(step.txHash as Hex, before - readMs, before);
      return step !== undefined && !entries.some(isEnd) && !hadGone;
    };
    return files.flatMap((file) =>
      file.lines.flatMap(({ at, entry }) => {
        if (entry.type !== 'signed') return [];
        return files.some((other) => other !== file && isOpen(other, entry.nonce, at)) ? [entry.nonce] : [];
      }),
    );
  });
}

function isEndOf(entry: Entry, step: number): boolean {
  return (entry.type === 'receipt' || entry.type === 'impossible') && entry.step === step;
}

/**
 * Whether no end can be shown, and the program says so: the service has not kept its order, has named its delivery for
 * another, has filled it before its deposit was taken back, or has lost the block of a call; or one node alone was asked.
 */
export function isNamed(
  { code, text, process }: Word,
  { manner, nodes, faults, wanted }: Pick<Scenario, 'manner' | 'nodes' | 'faults' | 'wanted'>,
): boolean {
  if (code === 'submit.unknown' && /accepted the call/.test(text)) return true;
  const isCall = wanted.some((each) => each.isCall && storyOf({ process }) === `${each.name} `);
  if (isCall && code === 'track.unfinished') return faults.some(({ what }) => /on another branch$/.test(what));
  if (code === 'submit.unknown' && /the service (alone )?says that it has the payment/i.test(text))
    return faults.some(({ what }) => what === 'takes blocks back');
  if (code === 'track.unwitnessed') return manner === 'fills too little' || isMisnamed({ faults }) || isUndated(faults);
  return code === 'submit.unknown' && nodes === 1 && /^One node says|, by two nodes,/.test(text);
}

/** Whether a fill may stand before the deposit, and no block of the destination is known that was before both. */
function isUndated(faults: readonly Fault[]): boolean {
  const isUnseen = faults.some(({ where, what }) => where.startsWith('beta') && /^is (silent|down)$/.test(what));
  return isUnseen && faults.some(({ what }) => what === 'takes blocks back');
}

type Payments = { deposits: number; refunds: number; payouts: number };

/** What was paid for an order, and what for it was paid out, on the chains as they are in the end. */
export function paymentsOf(
  { deposits, payouts }: Pick<services.Placed, 'deposits' | 'payouts'>,
  { origin, destination, venue }: Pick<Ended, 'origin' | 'destination' | 'venue'>,
): Payments {
  const isExecuted = (hash: Hex): boolean => venue.executedMs(hash) !== undefined;
  const mined = payouts.filter(
    ({ hash, kind }) => (kind === 'refund' ? origin : destination).mined(hash) || isExecuted(hash),
  );
  return {
    deposits: deposits.filter((hash) => isDeposit(origin.mined(hash)) || isExecuted(hash)).length,
    refunds: mined.filter(({ kind }) => kind === 'refund').length,
    payouts: mined.length,
  };
}

/** What is false about a word; undefined if it is true. */
function falsehoodOf(word: Word, ended: Ended): string | undefined {
  if (isOfCall(word, ended)) return falsehoodOfCall(word, ended);
  const orders = ordersOf(word, ended);
  const isPaid = orders.some((order) => paymentsOf(order, ended).deposits > 0);
  const hadWorked = (hash: Hex): boolean => ended.origin.hadWorked(hash, word.atMs - latelyMs(word, ended), word.atMs);
  const had = (kind: 'fill' | 'refund') =>
    orders.flatMap(({ order, payouts }) =>
      payouts
        .filter((each) => each.kind === kind && firstSeen(each.hash, kind, ended) <= word.atMs)
        .map(({ amount }) => amount >= (kind === 'fill' ? order.destination.minimumAmount : 1n)),
    );
  switch (word.funds) {
    case 'untouched':
      if (
        orders.some(
          (order) => isPaidBy(order, word.atMs, ended) || isPaidAt(order, word.atMs - latelyMs(word, ended), ended),
        )
      )
        return 'it was paid';
      return orders.some((order) => isOpen(order, word.atMs, ended)) ? 'what was signed can be used' : undefined;
    case 'delivered':
      // By the service's word is another word, and one for where nobody else can be asked.
      if (isServicesWord(word) && isSilent('beta', word, ended)) return undefined;
      if (!isSilent('alpha', word, ended) && orders.some((order) => isOpen(order, word.atMs, ended)))
        return 'what was signed for it can be used';
      if (had('fill').includes(true)) return undefined;
      // Of what arrived nothing shows whose it is: who counts it first is believed.
      if (!isMisnamed(ended.scenario) || !hasArrived(word, ended))
        return 'nothing, or less than the minimum, had arrived';
      return isCountedBefore(word, ended) ? 'it was counted for another' : undefined;
    case 'returned':
      // By the service's word is another word, and one for where nobody else can be asked.
      if (/by the service's word/.test(word.text) && isSilent('alpha', word, ended)) return undefined;
      return had('refund').includes(true) ? undefined : 'nothing had come back';
    case 'held':
      if (orders.some((order) => isPaidAt(order, word.atMs, ended))) return undefined;
      if (!orders.some(({ everSeen }) => everSeen.some((hash) => firstSeen(hash, 'refund', ended) <= word.atMs)))
        return 'it was not paid yet';
      if (!isPaid && !orders.some(({ everSeen }) => everSeen.some(hadWorked))) return 'it was never paid';
      // Only the service knows what it holds: its word is taken, and a liar is believed.
      if (ended.scenario.faults.some(({ what }) => ['says that it failed', 'changes its word'].includes(what)))
        return undefined;
      return had('fill').length + had('refund').length > 0 ? 'it was paid out before' : undefined;
    case 'in-flight': {
      const isOut = ended.leaving.some(({ process }) => process.startsWith(storyOf(word)));
      return isPaid || isOut ? undefined : 'nothing has left';
    }
    default:
      return undefined;
  }
}

/** Whether the service may name the delivery of another transfer. */
function isMisnamed({ faults }: Pick<Scenario, 'faults'>): boolean {
  return faults.some(({ what }) => what === 'names the delivery of another');
}

/** Whether as much as the order of a word wants had arrived for any order. */
function hasArrived(word: Word, ended: Ended): boolean {
  const least = ordersOf(word, ended).map(({ order }) => order.destination.minimumAmount);
  return [...ended.service.orders.values()].some(({ payouts }) =>
    payouts.some(
      ({ kind, hash, amount }) =>
        kind === 'fill' && firstSeen(hash, kind, ended) <= word.atMs && least.some((each) => amount >= each),
    ),
  );
}

/** Whether another transfer of the machine was said to be delivered before, by what the word may refer to. */
function isCountedBefore(word: Word, { stories, scenario }: Ended): boolean {
  const isElsewhere = (each: Word): boolean =>
    scenario.wanted.some(({ name, elsewhere }) => elsewhere === true && `${name} ` === storyOf(each));
  const isOther = (each: Word): boolean =>
    storyOf(each) !== storyOf(word) && isElsewhere(each) === isElsewhere(word) && each.atMs < word.atMs;
  return stories.some(({ words }) =>
    words.some((each) => each.funds === 'delivered' && !isServicesWord(each) && isOther(each)),
  );
}

/** Whether the program says that the service alone shows the delivery. */
function isServicesWord({ funds, witnesses }: Word): boolean {
  return funds === 'delivered' && witnesses?.join() === 'the service';
}

/** How long ago a process may have asked for what it says. One that froze has asked before. */
function latelyMs({ process }: Word, { scenario }: Ended): number {
  const frozenMs = scenario.faults.map((each) =>
    each.where === process && each.what === 'freezes' ? (each.size ?? 0) : 0,
  );
  return frozenMs.reduce((sum, each) => sum + each, 20_000);
}

/** Whether no node of a chain has answered lately. */
function isSilent(chain: string, word: Word, ended: Ended): boolean {
  const { scenario, startMs } = ended;
  const at = word.atMs - startMs;
  const lately = latelyMs(word, ended);
  return Array.from({ length: scenario.nodes }, (_, index) => `${chain} ${index + 1}`).every((host) =>
    scenario.faults.some(
      (each) =>
        each.where === host &&
        ['is silent', 'is down'].includes(each.what) &&
        'fromMs' in each &&
        each.fromMs <= at &&
        at - lately <= each.untilMs,
    ),
  );
}

function isOfCall(word: Word, { scenario }: Ended): boolean {
  return scenario.wanted.some(({ name, isCall }) => isCall && storyOf(word) === `${name} `);
}

/** When each call was made that somebody wanted. */
function callsOf({ service, origin }: Ended, isTheirs: (client: string) => boolean): number[] {
  return [...service.calls.values()]
    .filter(({ client }) => isTheirs(client))
    .flatMap(({ hashes }) => hashes.filter((hash) => origin.mined(hash)))
    .map((hash) => origin.firstMinedMs(hash) ?? 0);
}

/** The same of a raw call, about which only the service can be asked. */
function falsehoodOfCall({ funds, atMs, process }: Word, ended: Ended): string | undefined {
  // Whatever an earlier process has posted is that one's.
  if (funds === 'untouched')
    return callsOf(ended, (client) => client === process).length > 0 ? 'the call was made' : undefined;
  const isMade = callsOf(ended, (client) => client.startsWith(storyOf({ process }))).some((at) => at <= atMs);
  return funds === 'delivered' && !isMade ? 'the call was not made' : undefined;
}

/** Whether what had left until then has paid for an order. What was signed and is sent later, is paid later. */
function isPaidBy(order: services.Placed, atMs: number, ended: Ended): boolean {
  if (paymentsOf(order, ended).deposits === 0) return false;
  return ended.leaving.some(
    (left) =>
      left.atMs <= atMs &&
      (left.requestId === order.requestId || order.deposits.some((hash) => hash === wallet.find(left.bytes)?.hash)),
  );
}

/** Whether what was signed for an order had left, and could be used on the chain as it was. */
function isOpen({ requestId, order }: services.Placed, atMs: number, ended: Ended): boolean {
  const { scenario, leaving, origin, venue } = ended;
  if (order.origin.chainId === venueId)
    return leaving.some((left) => left.requestId === requestId && left.atMs <= atMs && venue.isOpen(left.bytes, atMs));
  // Of blocks that were taken back nothing is kept.
  if (scenario.faults.some(({ what }) => what === 'takes blocks back')) return false;
  const left = leaving.find((each) => each.requestId === requestId && each.atMs <= atMs);
  const block = origin.blocks.findLast(({ timestamp }) => Number(timestamp) * 1000 <= atMs);
  if (!left || !block) return false;
  const { permit } = order;
  const owner = wallet.owner.toLowerCase();
  const at = (key: string): bigint => origin.ledger.at(key, block.after);
  if (permit) {
    const used = keys.authorization(order.origin.token.address.toLowerCase(), owner, permit.nonce);
    return at(used) === 0n && block.timestamp < permit.validBefore;
  }
  const { nonce, deadline } = batchIn(left.bytes as Hex);
  return at(keys.sequence(owner)) <= nonce && block.timestamp <= deadline;
}

/** Whether somebody had paid at an order's address by then. */
function isPaidAt({ order: { depositAddress } }: services.Placed, atMs: number, ended: Ended): boolean {
  if (!depositAddress) return false;
  const isTo = ({ topics: [, , to] }: Log): boolean => to?.endsWith(depositAddress.slice(2).toLowerCase()) ?? false;
  return ended.origin.blocks.some(
    ({ timestamp, mined }) => Number(timestamp) * 1000 <= atMs && mined.some(({ logs }) => logs.some(isTo)),
  );
}

function firstSeen(hash: `0x${string}`, kind: 'fill' | 'refund', { origin, destination, venue }: Ended): number {
  const minedMs = (kind === 'refund' ? origin : destination).firstMinedMs(hash);
  return minedMs ?? venue.executedMs(hash) ?? Number.POSITIVE_INFINITY;
}

/** The orders that a word is about: those of its run, or else those that the process has asked for. */
function ordersOf({ run, code, process }: Word, { machines, service }: Ended): services.Placed[] {
  const all = [...service.orders.values()];
  const isOwn = !['run.unfinished', 'run.busy'].includes(code);
  const journal = isOwn ? machines.flatMap(({ journals }) => journals.get(run ?? '') ?? [])[0] : undefined;
  if (!journal) return all.filter(({ client }) => client === process);
  const ids = journal.lines.flatMap(({ entry }) => (entry.type === 'quote' ? [entry.requestId] : []));
  return all.filter(({ requestId, client }) => ids.includes(requestId) || client === process);
}

function storyOf({ process }: Pick<Word, 'process'>): string {
  return `${process.split(' ')[0]} `;
}

/** Most that the gas of the transactions costs that each process has sent. */
function gasOf(leaving: Ended['leaving']): Map<string, bigint> {
  const found = new Map<string, bigint>();
  const counted = new Set<string>();
  for (const { bytes, process } of leaving) {
    const transaction = wallet.find(bytes);
    if (!transaction || counted.has(`${process} ${bytes}`)) continue;
    counted.add(`${process} ${bytes}`);
    found.set(process, (found.get(process) ?? 0n) + transaction.gas * transaction.maxFeePerGas);
  }
  return found;
}
