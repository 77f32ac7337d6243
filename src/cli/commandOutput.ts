/** What a command prints: lines while it works, on stderr, and its result. All of it passes here, masked and fitted. */

import { BaseError, type Code, entry as codeEntry, type Funds } from '../core/base/Errors.js';
import { once } from '../core/base/Once.js';
import type { Context } from '../core/command/Context.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { Place } from '../core/text/Place.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import type { Style } from '../core/text/TerminalStyle.js';
import type { Timeline } from '../core/view/ElapsedTime.js';
import type { Host, Output } from '../io/terminal/host.js';
import type { Progress } from '../io/terminal/progress.js';
import type { Reporter } from './createContext.js';
import type { Typed } from './nextCommand.js';
import type { Parsed } from './program.js';

/** What printing depends on, as far as it is known when something fails. */
export type Printed = {
  json: boolean;
  quiet: boolean;
  color: boolean | undefined;
  utc: boolean;
  network: string | null;
  /** The command line, once it is parsed. */
  typed: Typed | undefined;
  /** Whether the command can pay. */
  pays: boolean;
  /** The network, once it is known. */
  place: Place | undefined;
  /** Masks secrets, however they got into the text. */
  redact(text: string): string;
  /** Who is told when a run ends; undefined for a command that makes none. */
  announced: { notify: string | undefined; bell: boolean; made: Made } | undefined;
  /** What the command has ended with, as JSON. */
  ended: string | undefined;
};

/** What a command has done by its events: the run that it began, and whether it may have paid. */
export type Made = { run: string | undefined; isPaid: boolean };

/** The output of one command, and what it has printed so far. */
export type CommandOutput = {
  parsed: Extract<Parsed, { kind: 'command' }>;
  host: Host;
  printed: Printed;
  progress: Progress;
  warnings: string[];
  made: Made;
  clean(text: string, output: Output): string;
  /** The same in lines that fit. */
  fitted(text: string, output: Output): string;
  /** Picks the requested fields of a result. */
  pick(data: unknown): unknown;
  styleOfResult(): Promise<Style>;
  styleOfProgress(): Promise<Style>;
  /** Whether the network stands above the result. */
  isHeaded: boolean;
  /** Lines of the result that were printed as they came. */
  parts: number;
  timeline: Timeline | undefined;
};

/** @throws usage.invalid if the result has no such field */
export async function openOutput(
  parsed: CommandOutput['parsed'],
  host: Host,
  printed: Printed,
): Promise<CommandOutput> {
  const { globals, command } = parsed;
  const { createProgress } = await import('../io/terminal/progress.js');
  const TerminalLine = await import('../core/text/TerminalLine.js');
  const clean = await cleaner(host, printed);
  return {
    ...{ parsed, host, printed, clean, warnings: [], isHeaded: false, parts: 0, timeline: undefined },
    made: { run: undefined, isPaid: false },
    progress: createProgress(host.stderr, { silent: globals.quiet || globals.json, env: host.env, now: host.now }),
    fitted: (text, output) => TerminalLine.fit(clean(text, output), output.columns || Number.POSITIVE_INFINITY),
    pick: await picking(globals.fields, command.fields ?? command.output),
    styleOfResult: once(() => createStyle(host.stdout, host, printed)),
    styleOfProgress: once(() => createStyle(host.stderr, host, printed)),
  };
}

/** Masks secrets and what a terminal would obey. */
export async function cleaner({ env }: Host, printed: Printed): Promise<CommandOutput['clean']> {
  const { printable } = await import('../core/text/TerminalText.js');
  const { isColored } = await import('../io/terminal/style.js');
  return (text, output) => printable(printed.redact(text), isColored(output, env, printed.color));
}

async function picking(
  fields: string | undefined,
  schema: CommandOutput['parsed']['command']['output'],
): Promise<CommandOutput['pick']> {
  if (fields === undefined) return (data) => data;
  const FieldSelection = await import('../core/docs/FieldSelection.js');
  const selection = FieldSelection.read(fields, schema);
  return (data) => FieldSelection.pick(data, selection);
}

export async function createStyle(output: Output, { env, now }: Host, { color, utc }: Printed): Promise<Style> {
  const style = await import('../io/terminal/style.js');
  return style.createStyle(output, env, { color, utc, now });
}

/** How the command's context reports to the user. */
export function reporterOf(out: CommandOutput, version: string): Reporter {
  const { parsed, host, printed, progress, warnings, pick } = out;
  return {
    warn(text) {
      warnings.push(text);
      const warning = `warning: ${text}`;
      // Beside a document there is no progress.
      if (parsed.globals.json && !printed.quiet) host.stderr.write(`${out.fitted(warning, host.stderr)}\n`);
      else say(out, warning);
    },
    pause: () => progress.stop(),
    say: (text) => say(out, text),
    waiting: (text) => {
      if (!printed.quiet && host.stderr.isTTY) progress.show(out.clean(text, host.stderr));
    },
    pick,
    version,
  };
}

function say({ printed, progress, fitted, host }: CommandOutput, text: string): void {
  if (!printed.quiet) progress.say(fitted(text, host.stderr));
}

/** What was typed, with addresses in place of the user's names for them. The address is said, whatever comes next. */
export async function withAddresses(out: CommandOutput, context: Context): Promise<CommandOutput['parsed']['options']> {
  const { options, command } = out.parsed;
  if (!context.place.addressNames) return options;
  const { resolve } = await import('./addressNames.js');
  const { options: given, found } = await resolve(command, options, context);
  for (const { name, address } of found) say(out, `${name} is ${address}`);
  return given;
}

/** Prints what an event says. Resolves to false once stdout is closed and the events were the result. */
export async function printEvent(out: CommandOutput, event: CommandEvent): Promise<boolean> {
  const { host, made } = out;
  const { command, globals } = out.parsed;
  if (event.type === 'run' || event.type === 'resuming') made.run = event.run;
  if (event.type === 'run' || (event.type === 'result' && event.command !== 'quote')) made.isPaid = true;
  await printProgress(out, event);
  if (globals.json && command.streams) await printEventLine(out, event);
  else if (!globals.json && command.resultLine) {
    const part = command.resultLine(event, await out.styleOfResult(), out.parts, out.parsed.options);
    if (part === undefined) return true;
    out.parts++;
    out.progress.stop();
    if (!out.isHeaded) await printHeading(out);
    printShown(out, part);
  }
  // If events are not part of the result, a slow or closed reader must not delay or stop a transfer in flight.
  if (!command.resultLine) return true;
  await host.stdout.drained?.(host.signal);
  return !host.stdout.isClosed;
}

async function printProgress(out: CommandOutput, event: CommandEvent): Promise<void> {
  const { host, printed, progress, parsed } = out;
  const ElapsedTime = await import('../core/view/ElapsedTime.js');
  const ProgressBar = await import('../core/view/ProgressBar.js');
  const style = await out.styleOfProgress();
  out.timeline = ElapsedTime.reduce(out.timeline ?? ElapsedTime.none, event, host.now());
  if (printed.quiet) return;
  const { logLine = (await import('../core/view/EventText.js')).format } = parsed.command;
  const text = logLine(event, style, printed.place);
  const suffix = (): string => style.dim(ElapsedTime.format(out.timeline ?? ElapsedTime.none, host.now()));
  if (text !== undefined) progress.say(out.fitted(text, host.stderr), { passes: ElapsedTime.passes(event), suffix });
  const gauge = ProgressBar.format(event, style);
  if (gauge !== undefined) progress.show(out.clean(gauge, host.stderr));
}

async function printEventLine({ host, printed }: CommandOutput, event: CommandEvent): Promise<void> {
  const EventLine = await import('../core/event/EventLine.js');
  if (EventLine.isPrinted(event))
    host.stdout.write(`${printed.redact(EventLine.format(event, printed.network ?? 'unknown'))}\n`);
}

/** Prints the result of a command. Resolves to the exit code. @throws output.* */
export async function printResult(out: CommandOutput, data: unknown): Promise<number> {
  const { host, printed, progress, made } = out;
  const { entry, command, options, globals } = out.parsed;
  const JsonText = await import('../core/text/JsonText.js');
  progress.stop();
  const schema = `ferry.${entry.name.replaceAll(' ', '-')}/1`;
  const envelope = { schema, ok: true, network: printed.network, data, warnings: out.warnings };
  if (printed.announced) printed.ended = JsonText.line(envelope);
  if (globals.json) {
    const shown = JsonText.line({ ...envelope, data: command.isWhole?.(data) ? data : out.pick(data) });
    if (shown) host.stdout.write(`${printed.redact(shown)}\n`);
  } else {
    const text = command.view(data, await out.styleOfResult(), options, printed.place);
    if (text && !out.isHeaded) await printHeading(out, data);
    if (text) printShown(out, text);
    const note = printed.quiet ? undefined : command.note?.(data, options);
    if (note !== undefined) host.stderr.write(`${out.fitted(note, host.stderr)}\n`);
  }
  const outcome = command.outcome?.(data);
  await assertWritten(host, { data, outcome, ...made });
  return outcome ? codeEntry(outcome).exit : (command.exit?.(data) ?? 0);
}

function printShown({ parsed, host, clean, fitted }: CommandOutput, text: string): void {
  const { stdout } = host;
  stdout.write(`${parsed.command.verbatim ? clean(text, stdout) : fitted(text, stdout)}\n`);
}

/** Prints the network, above a result that does not say it. */
async function printHeading(out: CommandOutput, data?: unknown): Promise<void> {
  const { host, printed } = out;
  const { placed } = out.parsed.command;
  out.isHeaded = true;
  if (!placed || !printed.place) return;
  const Place = await import('../core/text/Place.js');
  const name = typeof placed === 'function' && data !== undefined ? placed(data) : undefined;
  const place = name === undefined ? printed.place : await placeOf(name, printed.place);
  host.stdout.write(`${out.clean(Place.heading(place, await out.styleOfResult()), host.stdout)}\n`);
}

/** The network of that name, which a result is about. */
async function placeOf(name: string, place: Place): Promise<Place> {
  if (name === place.name) return place;
  const NetworkRegistry = await import('../core/network/NetworkRegistry.js');
  return { name, realMoney: NetworkRegistry.isShipped(name) && (await NetworkRegistry.load(name)).realMoney };
}

/** Ends a command whose output is lost. @throws output.* · the outcome's code, if that says where the money is */
export async function assertWritten(
  { stdout }: Pick<Host, 'stdout'>,
  made: Partial<Made> & { data?: unknown; outcome?: Code | undefined },
): Promise<void> {
  if (!stdout.failure) return;
  const { reasonOf } = await import('../io/files/fileError.js');
  throw new OutputError(reasonOf(stdout.failure), made);
}

/** The output is lost. What the command did is done: a paid transfer is in its journal, or in the ledger of its batch. */
export class OutputError extends BaseError {
  override name = 'OutputError';
  constructor(
    cause: string,
    { run, isPaid = false, data, outcome }: Partial<Made> & { data?: unknown; outcome?: Code | undefined },
  ) {
    const { funds, out } = (data ?? {}) as { funds?: Funds; out?: string | null };
    // A run that was canceled has paid nothing.
    const isMade = isPaid && funds !== 'untouched';
    super(
      outcome ?? (isMade ? 'output.lost' : 'output.unwritable'),
      isMade
        ? 'A transfer was made, but its result cannot be written to stdout.'
        : 'The result cannot be written to stdout.',
      {
        facts: [['reason', cause], ...(out ? [['ledger', out] as const] : [])],
        hint: isMade
          ? `Do not repeat it: the ${out ? 'ledger' : 'journal of the run'} has the outcome.`
          : 'The command has ended, and only its output is missing.',
        next: run === undefined ? undefined : ShellCommand.line`ferry runs show ${run}`,
        run,
        ...(isMade ? { funds: funds ?? 'unknown' } : {}),
      },
    );
  }
}
