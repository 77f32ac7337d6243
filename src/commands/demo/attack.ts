import * as z from 'zod/mini';
import type * as Address from '../../core/base/Address.js';
import * as Attack from '../../core/checks/Attack.js';
import * as AttackReport from '../../core/checks/AttackReport.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import type { OutcomeDocument } from '../../core/execution/OutcomeDocument.js';
import * as Verification from '../../core/proof/Verification.js';
import * as QuoteDocument from '../../core/quote/QuoteDocument.js';
import { toBaseError } from '../../core/text/ErrorReport.js';
import { resultOf } from '../../transfer/batches/finishLine.js';
import { executeQuote } from '../../transfer/executeQuote.js';
import { executeTransfer } from '../../transfer/executeTransfer.js';
import { withJournal } from '../../transfer/journalledRun.js';
import { savedQuote } from '../../transfer/quoteFile.js';
import { resumeTransfer } from '../../transfer/resumeRun.js';
import { readCaps, readIntent, requestQuote } from '../../transfer/transferOptions.js';
import { balances, notSandbox } from '../demo.js';

export const command = define({
  description:
    'Attacks an account of the sandbox: one after the other, the service, a node and a quote file lie to ferry, as somebody would who wants the money. For each it shows who lied, which witness showed it, and what the account holds afterwards. What is signed in the course of it arrives; the runs are listed by ferry runs.',
  examples: [
    ['ferry demo attack', 'needs no setup and no funds'],
    ['ferry demo attack --json', 'in a script: exits with 1 if an attack succeeds'],
  ],
  output: z.object({ account: z.string(), attacks: z.array(AttackReport.schema), heldOff: z.int() }),
  streams: true,
  async *run(_, context) {
    if (context.network.name !== 'sandbox') throw notSandbox(context.network.name, 'demo attack');
    // The configured account may hold nothing here.
    const derived = context.derive({ account: 'dev0' });
    // The sandbox vouches for its nodes; here they are strangers.
    const chain: Context['chain'] = async (asked) => ({ ...(await derived.chain(asked)), isOwn: undefined });
    const attacked = { ...derived, chain };
    // A payment that a liar holds back is not waited for long: its arrival is never shown.
    const hasty = { ...attacked, config: context.derive({ account: 'dev0', timeout: '1s' }).config };
    const thief = await context.derive({ account: 'dev9' }).sender();
    const attacks: AttackReport.Attacked[] = [];
    for (const attack of Attack.attacks) {
      yield { type: 'scene', title: AttackReport.title(attack) };
      const ended = await perform(attack, { context: attacked, hasty, thief });
      attacks.push(ended);
      yield { type: 'attack-ended', attack: ended };
    }
    return {
      account: await attacked.sender(),
      attacks,
      heldOff: attacks.filter(({ isHeldOff }) => isHeldOff).length,
    };
  },
  outcome: ({ attacks, heldOff }) => (heldOff === attacks.length ? undefined : 'internal.bug'),
  resultLine: (event, style) => (event.type === 'attack-ended' ? AttackReport.format(event.attack, style) : undefined),
  view: AttackReport.summary,
});

type Setup = {
  /** The context of the account that is attacked. */
  context: Context;
  /** The same with a short time limit. */
  hasty: Context;
  /** The address that would get its money. */
  thief: Address.Address;
};

async function perform(attack: Attack.Attack, { context, hasty, thief }: Setup): Promise<AttackReport.Attacked> {
  const { target } = attack;
  const before = await balances(await context.sender(), context);
  const faults = context.control();
  const ended: Ended[] = [];
  try {
    for (const { at, fault } of attack.faults) await faults.add(at, fault);
    // A run of before, which is not finished, is no answer to the attack.
    const paying = pay({ ...target, again: true }, attack.ends === 'held' ? hasty : context);
    ended.push(await endOf(attack.liar === 'file' ? payFile(target, thief, context) : paying, context));
    // A user who gets such an answer may type the command again.
    if (attack.ends === 'held') ended.push(await endOf(pay(target, context), context));
    if (attack.ends === 'once') ended.push(await endOf(pay({ ...target, again: true }, context), context));
  } finally {
    await faults.clear();
  }
  const run = ended[0]?.run;
  if (attack.ends === 'held' && run !== undefined) ended.push(await endOf(resume(run, context), context));
  return AttackReport.from(attack, ended, { before, after: await balances(await context.sender(), context) });
}

type Ended = AttackReport.Ended & { run: string | undefined };

/** Runs a transfer to its end, whatever that is. @throws service.* · chain.* · config.* · the reason of Ctrl-C */
async function endOf(running: AsyncGenerator<Event, OutcomeDocument>, { signal }: Context): Promise<Ended> {
  try {
    const { status, funds, run } = await resultOf(running);
    return { said: status, funds, checks: [], run: run ?? undefined };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toBaseError(thrown);
    // A witness that does not answer is not a liar.
    if (/^(service|chain|auth|sandbox|config|state)\./.test(error.code)) throw error;
    const isFound = error instanceof Verification.MismatchError || error instanceof Verification.UnverifiedError;
    const checks = isFound ? error.findings.map(({ check }) => check) : [];
    return { said: error.code, funds: error.funds, checks, run: error.run };
  }
}

function pay(
  { amount, from, to, ...flags }: Attack.Target & { again?: boolean },
  context: Context,
): ReturnType<typeof executeTransfer> {
  return executeTransfer({ args: [amount, from, to], ...flags }, context);
}

/** Pays a saved quote that nobody here has made. */
async function* payFile(
  { amount, from, to }: Attack.Target,
  thief: Address.Address,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument> {
  const theirs = await readIntent({ args: [amount, from, to], recipient: thief }, context);
  const { quote: promised } = await requestQuote(theirs, context);
  const file = { kind: 'saved', network: context.network.name, document: QuoteDocument.from(promised, []) } as const;
  const reading = { seal: await context.seal({ make: true }), nowMs: context.clock.now(), isReview: false };
  const { quote, findings } = savedQuote(file, context.network, reading);
  const caps = readCaps({}, context, quote.intent);
  const getQuote = async () => ({ quote, caps, allow: [], baseUrl: context.network.baseUrl, findings });
  return yield* executeQuote({ intent: quote.intent, getQuote }, { args: [] }, context, 'execute');
}

async function* resume(name: string, context: Context): AsyncGenerator<Event, OutcomeDocument> {
  const run = await (await context.runs()).open(name);
  return yield* withJournal(run, resumeTransfer(run, { args: [] }, context), context);
}
