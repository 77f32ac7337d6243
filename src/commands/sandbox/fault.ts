import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Fault } from '../../core/ports/SandboxProcess.js';
import * as JsonText from '../../core/text/JsonText.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { onSandbox } from './fund.js';

/** The kinds, as the sandbox names them. */
export const kinds = [
  ...['delay', 'drop', 'drop-after', 'status', 'status-after', 'html', 'truncate', 'empty', 'reset', 'trickle'],
  ...['repeat', 'endless', 'tamper', 'solver', 'sequencer', 'limit', 'skew', 'chain'],
] as const;

/** What a fault of a kind can do. */
const doings = {
  solver: ['refund', 'revert', 'stuck', 'fail', 'delay'],
  sequencer: ['fail', 'stuck', 'delay'],
  chain: ['halt', 'evict', 'swallow', 'hold', 'replace', 'cancel', 'skew', 'reorg', 'forge'],
} as const;

function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** The places of the kinds that strike one alone; of a chain it may be any. */
const homes: Readonly<Record<string, string>> = { solver: 'service', sequencer: 'venue', chain: 'alpha' };

const row = z.looseObject({
  id: z.string(),
  /** The service, the venue, or a chain. */
  on: z.string(),
  kind: z.string(),
});

export const command = define({
  description: `Makes the sandbox fail or lie, to see what ferry, or a client of your own, does then. Without a kind it lists the faults in effect. What a fault does is said by pairs: status=503 times=3 after=1 match.path=/quote match.rpc=eth_sendRawTransaction delayMs=2000 does=refund recipe=wrong-recipient path=/details/timeEstimate value=9. does is, of solver, ${oneOf(doings.solver)}; of sequencer, with --on venue, ${oneOf(doings.sequencer)}; of chain, with --on alpha, ${oneOf(doings.chain)}. The error for a wrong recipe names those that there are. A fault strikes once unless times says otherwise; 0 is until it is cleared. limit refuses requests with status 429, as the service limits quotes: requests is how many pass (default: 50) in any windowMs milliseconds (default: 60000), retryAfter=true says in the header Retry-After when the next one passes, and match.path is what is limited (default: /quote). It holds until it is cleared.`,
  args: [
    { name: 'kind', description: 'what is to happen', optional: true, choices: kinds },
    { name: 'pairs', description: 'name=value: a number, true, false, JSON or a word', optional: true, variadic: true },
  ],
  options: {
    on: { value: 'place', description: 'service (default), venue, alpha or beta' },
    clear: { description: 'clear the faults of all places, or of the one of --on' },
  },
  examples: [
    ['ferry sandbox fault status status=503 match.path=/quote times=3', 'the next three quotes fail'],
    ['ferry sandbox fault solver does=refund', 'the next transfer is refunded'],
    ['ferry sandbox fault tamper recipe=wrong-recipient', 'the next quote pays somebody else'],
    ['ferry sandbox fault delay delayMs=2000 times=0 --on alpha', 'a slow node'],
    ['ferry sandbox fault chain does=evict --on alpha', 'the next transaction is lost'],
    ['ferry sandbox fault limit requests=50', 'at most 50 quotes a minute, as the service allows'],
    [
      'ferry sandbox fault limit requests=2 windowMs=1000 retryAfter=true match.path=/intents',
      'two status requests a second',
    ],
    ['ferry sandbox fault', 'what is in effect'],
    ['ferry sandbox fault --clear', 'none any more'],
  ],
  output: z.object({
    /** How many were cleared. */
    cleared: z.int(),
    /** The fault that was added; null if none was. */
    added: z.nullable(row),
    /** Those in effect. */
    faults: z.array(row),
  }),
  async run({ args: [kind, ...pairs], on, clear }, context) {
    const places = placesOf(context, on);
    const control = onSandbox(context).control();
    if (clear && kind !== undefined)
      throw new BaseError('usage.invalid', 'Either clear the faults or add one.', {
        next: 'ferry sandbox fault --clear',
      });
    const place = on ?? 'service';
    if (kind !== undefined) assertApplies(kind, place, pairs);
    let cleared = 0;
    if (clear) for (const place of places) cleared += await control.remove(place);
    const added = kind === undefined ? null : toRow(await control.add(place, { kind, ...read(pairs) }), place);
    const faults = [];
    for (const each of places)
      faults.push(...(await control.list(each)).filter(isInEffect).map((fault) => toRow(fault, each)));
    return { cleared, added, faults };
  },
  view: ({ cleared, added, faults }, style) =>
    [
      ...(added ? [`Added ${style.bold(added.id)} on ${added.on}.`] : []),
      ...(cleared > 0 ? [`Cleared ${cleared}.`] : []),
      faults.length === 0
        ? 'No fault is in effect.'
        : TerminalText.columns(
            faults.map(({ id, on, kind, ...rest }) => [
              style.bold(id),
              on,
              kind,
              style.dim(TerminalText.escape(JSON.stringify(rest))),
            ]),
          ),
    ].join('\n'),
});

/** All places, or the one that was named. @throws usage.invalid */
function placesOf({ network }: Context, on: string | undefined): string[] {
  const all = ['service', 'venue', ...network.chains.filter(({ vm }) => vm === 'evm').map(({ name }) => name)];
  if (on === undefined) return all;
  if (all.includes(on)) return [on];
  throw new BaseError('usage.invalid', `There is no place "${TerminalText.escape(on)}".`, {
    facts: [['places', all.join(', ')]],
  });
}

/** Whether a kind can strike there: some are of one place alone. @throws usage.invalid */
function assertApplies(kind: string, place: string, pairs: readonly string[]): void {
  const ofChain = place !== 'service' && place !== 'venue';
  const on = homes[kind];
  if (on === undefined || on === place || (kind === 'chain' && ofChain)) return;
  throw new BaseError('usage.invalid', `A fault of the kind ${kind} does not apply to ${place}.`, {
    hint: `Add --on ${on}.`,
    next: ShellCommand.from('sandbox fault', [kind, ...pairs], { on }),
  });
}

/** The pairs as an object: `match.path=/quote` is a value in `match`. @throws usage.invalid */
function read(pairs: readonly string[]): Record<string, unknown> {
  const fault: Record<string, unknown> = {};
  const match: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name = '', text = ''] = /^([A-Za-z.]+)=(.*)$/s.exec(pair) ?? [];
    if (name === '')
      throw new BaseError('usage.invalid', `"${TerminalText.escape(pair)}" is not of the form name=value.`, {
        next: 'ferry sandbox fault --help',
      });
    if (name.startsWith('match.')) match[name.slice('match.'.length)] = text;
    else {
      const value = JsonText.read(text);
      fault[name] = value === undefined ? text : value;
    }
  }
  return Object.keys(match).length > 0 ? { ...fault, match } : fault;
}

/** One that has struck as often as it was to is over. What the solver, the venue or a chain was made to do may last. */
function isInEffect({ kind, times, struck }: Fault): boolean {
  const isOver = typeof times === 'number' && times > 0 && Number(struck) >= times;
  return !isOver || String(kind) in homes;
}

function toRow(fault: Fault, on: string): z.infer<typeof row> {
  return { ...fault, id: String(fault.id), on, kind: String(fault.kind) };
}
