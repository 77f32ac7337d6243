/** `run(argv, host)`: parse, run, print. The only place that catches errors and decides the exit code. */

import { writeSync } from 'node:fs';
import type { Globals } from './cli/globalFlags.js';
import type { Typed } from './cli/nextCommand.js';
import type { Parsed } from './cli/program.js';
import { BaseError, type Code, entry as codeEntry, type Funds } from './core/base/Errors.js';
import { once } from './core/base/Once.js';
import type { Command } from './core/command/Command.js';
import type { CommandEvent } from './core/event/DisplayEvent.js';
import type { Place } from './core/text/Place.js';
import type { Style } from './core/text/TerminalStyle.js';
import { type Host, hasUtf8, type Output } from './io/terminal/host.js';

/** The operating systems on which ferry can tell whether another of its processes is alive, and keep files private. */
const supported: readonly string[] = ['linux', 'darwin'];

/** Runs one command line. Resolves to the exit code; never rejects. */
export async function run(argv: readonly string[], given: Host): Promise<number> {
  const host = hasUtf8(given.env) ? given : await inAscii(given, wantsJson(argv));
  const printed: Printed = {
    json: wantsJson(argv),
    quiet: false,
    color: undefined,
    utc: false,
    network: null,
    typed: undefined,
    pays: false,
    place: undefined,
    redact: (text) => text,
    announced: undefined,
    ended: undefined,
  };
  try {
    const { parse } = await import('./cli/program.js');
    const parsed = await parse(argv, version, { columns: host.stdout.columns || 80, hasColors: false });
    if (parsed.kind === 'text') {
      await printText(`${parsed.text}\n`, host);
      await assertWritten(host, {});
      return 0;
    }
    return await execute(parsed, host, printed);
  } catch (thrown) {
    return await fail(thrown, host, printed);
  } finally {
    await announce(printed, host);
  }
}

/** Prints help, in the pager if it is long. */
async function printText(text: string, host: Host): Promise<void> {
  if (host.env.PAGER && host.stdout.isTTY) {
    const { page, pages } = await import('./io/terminal/pager.js');
    if (pages(text, host) && (await page(text, host))) return;
  }
  host.stdout.write(text);
}

/** The same host, whose terminals get ASCII. A JSON document is written as it is. */
async function inAscii(given: Host, json: boolean): Promise<Host> {
  const asciiText = await import('./io/terminal/asciiText.js');
  const { asking, stdout, stderr } = given;
  const streams = {
    get input() {
      return asking?.input ?? process.stdin;
    },
    get output() {
      return asciiText.stream((asking?.output as NodeJS.WritableStream | undefined) ?? process.stderr);
    },
  };
  const shown = {
    asking: streams,
    stdout: json ? stdout : asciiText.output(stdout),
    stderr: asciiText.output(stderr),
  };
  // The real stdin is made when it is first read.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(given),
      ...Object.getOwnPropertyDescriptors(shown),
    },
  ) as Host;
}

/** What printing depends on, as far as it is known when something fails. */
type Printed = {
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

async function execute(
  { entry, command, options, globals }: Extract<Parsed, { kind: 'command' }>,
  host: Host,
  printed: Printed,
): Promise<number> {
  // The completion of a shell neither locks, signs nor starts anything.
  if (!supported.includes(host.platform) && !entry.name.startsWith('completion'))
    throw unsupportedSystem(host.platform);
  const { createRuntime } = await import('./cli/createContext.js');
  const { createProgress } = await import('./io/terminal/progress.js');
  printed.typed = { entry, options, globals };
  printed.pays = command.pays === true;
  printed.quiet = globals.quiet;
  printed.color = globals.color;
  printed.utc = globals.utc;
  const TerminalLine = await import('./core/text/TerminalLine.js');
  const { printable } = await import('./core/text/TerminalText.js');
  const { isColored } = await import('./io/terminal/style.js');
  const unlimited = Number.POSITIVE_INFINITY;
  const clean = (text: string, output: Output): string =>
    printable(printed.redact(text), isColored(output, host.env, printed.color));
  const fitted = (text: string, output: Output): string =>
    TerminalLine.fit(clean(text, output), output.columns || unlimited);
  const said = (text: string): string => fitted(text, host.stderr);
  const shown = (text: string): string => (command.verbatim ? clean(text, host.stdout) : fitted(text, host.stdout));
  const warnings: string[] = [];
  const progress = createProgress(host.stderr, { silent: globals.quiet || globals.json, env: host.env, now: host.now });
  let end = async (): Promise<void> => {};
  try {
    const pick = await picking(globals, command);
    const styleOfResult = once(() => createStyle(host.stdout, host, printed));
    const styleOfProgress = once(() => createStyle(host.stderr, host, printed));
    const made: Made = { run: undefined, isPaid: false };
    let isHeaded = false;
    /** The network, above a result that does not say it. */
    const head = async (data?: unknown): Promise<void> => {
      isHeaded = true;
      if (!command.placed || !printed.place) return;
      const Place = await import('./core/text/Place.js');
      const name = typeof command.placed === 'function' && data !== undefined ? command.placed(data) : undefined;
      const place = name === undefined ? printed.place : await placeOf(name, printed.place);
      host.stdout.write(`${clean(Place.heading(place, await styleOfResult()), host.stdout)}\n`);
    };
    const print = async (data: unknown): Promise<number> => {
      const JsonText = await import('./core/text/JsonText.js');
      progress.stop();
      const schema = `ferry.${entry.name.replaceAll(' ', '-')}/1`;
      const envelope = { schema, ok: true, network: printed.network, data, warnings };
      if (printed.announced) printed.ended = JsonText.line(envelope);
      const text = globals.json
        ? JsonText.line({ ...envelope, data: command.isWhole?.(data) ? data : pick(data) })
        : command.view(data, await styleOfResult(), options, printed.place);
      if (text && !globals.json && !isHeaded) await head(data);
      if (text) host.stdout.write(`${globals.json ? printed.redact(text) : shown(text)}\n`);
      const note = globals.json || printed.quiet ? undefined : command.note?.(data, options);
      if (note !== undefined) host.stderr.write(`${said(note)}\n`);
      const outcome = command.outcome?.(data);
      await assertWritten(host, { data, outcome, ...made });
      return outcome ? codeEntry(outcome).exit : (command.exit?.(data) ?? 0);
    };
    const runtime = await createRuntime(host, globals, options, {
      warn: (text) => {
        warnings.push(text);
        if (!printed.quiet) progress.say(said(`warning: ${text}`));
      },
      pause: () => progress.stop(),
      say: (text) => {
        if (!printed.quiet) progress.say(said(text));
      },
      waiting: (text) => {
        if (!printed.quiet && host.stderr.isTTY) progress.show(clean(text, host.stderr));
      },
      pick,
      version,
    }).catch((error: unknown) => {
      if (command.unconfigured && error instanceof BaseError && error.code.startsWith('config.')) return error;
      throw error;
    });
    if (runtime instanceof BaseError) {
      printed.network = globals.network ?? 'unknown';
      return await print(command.unconfigured?.(runtime, options));
    }
    const { context, redact } = runtime;
    end = runtime.end;
    printed.network = context.network.name;
    printed.place = context.place;
    printed.typed = {
      ...printed.typed,
      accountNamed: async (name) => (await import('./cli/addressNames.js')).accountNamed(name, context),
    };
    printed.redact = redact;
    printed.quiet = context.config.quiet.value;
    const { value: color } = context.config.color;
    const { notify, bell } = context.config;
    if (command.options.notify) printed.announced = { notify: notify.value, bell: bell.value, made };
    printed.color = color === 'auto' ? undefined : color === 'always';
    let parts = 0;
    /** What was typed, with addresses in place of the user's names for them. The address is said, whatever comes next. */
    const named = async (): Promise<typeof options> => {
      if (!context.place.addressNames) return options;
      const { resolve } = await import('./cli/addressNames.js');
      const { options: given, found } = await resolve(command, options, context);
      for (const { name, address } of printed.quiet ? [] : found) progress.say(said(`${name} is ${address}`));
      return given;
    };
    const ElapsedTime = await import('./core/view/ElapsedTime.js');
    const ProgressBar = await import('./core/view/ProgressBar.js');
    let timeline = ElapsedTime.none;
    const ended = await consume(command.run(await named(), context), async (event) => {
      if (event.type === 'run' || event.type === 'resuming') made.run = event.run;
      if (event.type === 'run' || (event.type === 'result' && event.command !== 'quote')) made.isPaid = true;
      const style = await styleOfProgress();
      const text = printed.quiet ? undefined : command.logLine?.(event, style, printed.place);
      timeline = ElapsedTime.reduce(timeline, event, host.now());
      const suffix = (): string => style.dim(ElapsedTime.format(timeline, host.now()));
      if (text !== undefined) progress.say(said(text), { passes: ElapsedTime.passes(event), suffix });
      const gauge = printed.quiet ? undefined : ProgressBar.format(event, style);
      if (gauge !== undefined) progress.show(clean(gauge, host.stderr));
      if (globals.json && command.streams) {
        const EventLine = await import('./core/event/EventLine.js');
        if (EventLine.isPrinted(event))
          host.stdout.write(`${printed.redact(EventLine.format(event, context.network.name))}\n`);
      } else if (!globals.json && command.resultLine) {
        const part = command.resultLine(event, await styleOfResult(), parts, options);
        if (part === undefined) return true;
        parts++;
        progress.stop();
        if (!isHeaded) await head();
        host.stdout.write(`${shown(part)}\n`);
      }
      // If events are not part of the result, a slow or closed reader must not delay or stop a transfer in flight.
      if (!command.resultLine) return true;
      await host.stdout.drained?.(host.signal);
      return !host.stdout.isClosed;
    });
    if (ended !== unread) return await print(ended.data);
    await assertWritten(host, made);
    return 0;
  } finally {
    progress.stop();
    await end();
  }
}

/** The network of that name, which a result is about. */
async function placeOf(name: string, place: Place): Promise<Place> {
  if (name === place.name) return place;
  const NetworkRegistry = await import('./core/network/NetworkRegistry.js');
  return { name, realMoney: NetworkRegistry.isShipped(name) && (await NetworkRegistry.load(name)).realMoney };
}

/** Returns a function that picks the requested fields. @throws usage.invalid if the result has no such field */
async function picking({ fields }: Globals, command: Command): Promise<(data: unknown) => unknown> {
  if (fields === undefined) return (data) => data;
  const FieldSelection = await import('./core/docs/FieldSelection.js');
  const selection = FieldSelection.read(fields, command.fields ?? command.output);
  return (data) => FieldSelection.pick(data, selection);
}

/** What a command has done by its events: the run that it began, and whether it may have paid. */
type Made = { run: string | undefined; isPaid: boolean };

/** Ends a command whose output is lost. @throws output.* · the outcome's code, if that says where the money is */
async function assertWritten(
  { stdout }: Pick<Host, 'stdout'>,
  made: Partial<Made> & { data?: unknown; outcome?: Code | undefined },
): Promise<void> {
  if (!stdout.failure) return;
  const { reasonOf } = await import('./io/files/fileError.js');
  throw new OutputError(reasonOf(stdout.failure), made);
}

/** The outcome of a command that was ended early because its reader is gone. */
const unread = Symbol('unread');

/** Runs a command to its result and reports each event. Ends it early once `report` returns false: stdout is closed. */
async function consume(
  running: Promise<unknown> | AsyncGenerator<CommandEvent, unknown>,
  report: (event: CommandEvent) => Promise<boolean>,
): Promise<{ data: unknown } | typeof unread> {
  if (!isGenerator(running)) return { data: await running };
  try {
    let step = await running.next();
    while (!step.done) {
      if (!(await report(step.value))) return unread;
      step = await running.next();
    }
    return { data: step.value };
  } finally {
    await running.return(undefined);
  }
}

async function fail(thrown: unknown, host: Host, printed: Printed): Promise<number> {
  const { toBaseError, stopped, toJson, format } = await import('./core/text/ErrorReport.js');
  // Lines of a batch are paid by others: its commands sign nothing themselves.
  const reads = printed.typed !== undefined && !printed.pays && !printed.typed.entry.name.startsWith('batch');
  const found = toBaseError(thrown, reads ? 'untouched' : 'unknown');
  if (printed.typed) {
    const { complete } = await import('./cli/nextCommand.js');
    await complete(found, printed.typed);
  }
  const error = host.signal.aborted ? stopped(found, host.signal.reason) : found;
  if (error.next !== undefined) {
    const { typedBy } = await import('./io/terminal/style.js');
    error.next = typedBy(host.env, error.next);
  }
  if (printed.json || printed.announced) {
    const JsonText = await import('./core/text/JsonText.js');
    const envelope = { schema: 'ferry.error/1', ok: false, network: printed.network, error: toJson(error) };
    printed.ended = JsonText.line(envelope);
    if (printed.json) host.stdout.write(`${printed.redact(printed.ended)}\n`);
  }
  const { failure } = host.stdout;
  if (!(printed.json && printed.quiet) || failure) {
    const style = await createStyle(host.stderr, host, printed);
    host.stderr.write(`${printed.redact(format(error, style, printed))}\n`);
    if (failure && !(error instanceof OutputError)) {
      const { reasonOf } = await import('./io/files/fileError.js');
      host.stderr.write(`warning: stdout cannot be written: ${reasonOf(failure)}\n`);
    }
    if (error.trace) {
      const { ofDetails } = await import('./core/view/TraceText.js');
      const { printable } = await import('./core/text/TerminalText.js');
      const { isColored } = await import('./io/terminal/style.js');
      const text = printable(
        printed.redact(ofDetails(error.trace, style)),
        isColored(host.stderr, host.env, printed.color),
      );
      host.stderr.write(`\n${text}\n`);
    }
  }
  return error.exit;
}

/** Tells the user that a run has ended. One that is interrupted has not. */
async function announce({ announced, ended, ...printed }: Printed, host: Host): Promise<void> {
  if (!announced || ended === undefined || host.signal.aborted) return;
  const { notify: command, bell, made } = announced;
  if (made.run === undefined && !made.isPaid) return;
  if (bell && host.stderr.isTTY && !printed.quiet) host.stderr.write('\u0007');
  if (command === undefined) return;
  const { notify } = await import('./io/terminal/notify.js');
  const reason = await notify(command, `${printed.redact(ended)}\n`, host);
  if (reason !== undefined && !printed.quiet)
    host.stderr.write(`warning: ${printed.redact(`The command to notify failed: ${reason}.`)}\n`);
}

async function createStyle(output: Output, { env, now }: Host, { color, utc }: Printed): Promise<Style> {
  const style = await import('./io/terminal/style.js');
  return style.createStyle(output, env, { color, utc, now });
}

/** Runs ferry in the real process: signals, the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  let died: NodeJS.Signals | undefined;
  let asking: AbortController | undefined;
  const stop = (reason: string): void => interrupt.abort(new BaseError('run.stopped', reason));
  const die = (signal: NodeJS.Signals): void => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of signals)
    process.on(signal, () => {
      if (died) die(signal);
      if (asking && !interrupt.signal.aborted) {
        if (asking.signal.aborted) stop(`Stopped by ${signal}.`);
        asking.abort();
        return;
      }
      died = signal;
      stop(`Stopped by ${signal}.`);
    });
  const { host } = await import('./io/terminal/host.js');
  const drain = (): ReturnType<NonNullable<Host['drain']>> => {
    asking ??= new AbortController();
    return { asked: asking.signal, abort: () => stop('The time to end in is over.') };
  };
  // A command that waits for what keeps no process would end as if it had succeeded, and say nothing.
  const abandon = (): void => {
    process.exitCode = codeEntry('internal.bug').exit;
    writeSync(2, 'error: Internal error: this is a bug in ferry. The command was abandoned. (internal.bug)\n');
  };
  process.once('exit', abandon);
  process.exitCode = await run(argv, host(interrupt.signal, drain));
  process.removeListener('exit', abandon);
  if (died) die(died);
  // Only a system call that nobody waits for can keep the process now: the next signal ends it.
  for (const signal of signals) process.removeAllListeners(signal);
}

/** The signals that interrupt a command. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The version in package.json, inlined by the build. */
const version = process.env.FERRY_VERSION ?? '0.0.0-dev';

/** Checked before parsing, so that usage errors are JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => /^--(json|fields(=.*)?)$/s.test(word));
}

function isGenerator<Data>(
  running: Promise<Data> | AsyncGenerator<CommandEvent, Data>,
): running is AsyncGenerator<CommandEvent, Data> {
  return Symbol.asyncIterator in running;
}

function unsupportedSystem(platform: string): BaseError {
  return new BaseError('system.unsupported', 'ferry does not run on this operating system.', {
    facts: [['system', platform]],
    hint: 'It runs on Linux and macOS, and on Windows in WSL.',
  });
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
        next: run === undefined ? undefined : `ferry runs show ${run}`,
        run,
        ...(isMade ? { funds: funds ?? 'unknown' } : {}),
      },
    );
  }
}
