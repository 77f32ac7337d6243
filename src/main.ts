/** `run(argv, host)`: parse, run, print. The only place that catches errors and decides the exit code. */

import type { Globals } from './cli/globalFlags.js';
import type { Typed } from './cli/nextCommand.js';
import type { Parsed } from './cli/program.js';
import { BaseError, type Code, entry as codeEntry, type Funds } from './core/base/Errors.js';
import type { Command } from './core/command/Command.js';
import type { CommandEvent } from './core/event/DisplayEvent.js';
import type { Place } from './core/text/Place.js';
import type { Style } from './core/text/TerminalStyle.js';
import type { Host, Output } from './io/terminal/host.js';

/** The operating systems on which ferry can tell whether another of its processes is alive, and keep files private. */
const supported: readonly string[] = ['linux', 'darwin'];

/** Runs one command line. Resolves to the exit code; never rejects. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const printed: Printed = {
    json: wantsJson(argv),
    quiet: false,
    color: undefined,
    network: null,
    typed: undefined,
    place: undefined,
    redact: (text) => text,
  };
  try {
    const { parse } = await import('./cli/program.js');
    const parsed = await parse(argv, version, { columns: host.stdout.columns || 80, hasColors: false });
    if (parsed.kind === 'text') {
      host.stdout.write(`${parsed.text}\n`);
      await assertWritten(host, {});
      return 0;
    }
    return await execute(parsed, host, printed);
  } catch (thrown) {
    return fail(thrown, host, printed);
  }
}

/** What printing depends on, as far as it is known when something fails. */
type Printed = {
  json: boolean;
  quiet: boolean;
  color: boolean | undefined;
  network: string | null;
  /** The command line, once it is parsed. */
  typed: Typed | undefined;
  /** The network, once it is known. */
  place: Place | undefined;
  /** Masks secrets, however they got into the text. */
  redact(text: string): string;
};

async function execute(
  { entry, command, options, globals }: Extract<Parsed, { kind: 'command' }>,
  host: Host,
  printed: Printed,
): Promise<number> {
  // The completion of a shell neither locks, signs nor starts anything.
  if (!supported.includes(host.platform) && !entry.name.startsWith('completion'))
    throw new UnsupportedSystemError(host.platform);
  const { createRuntime } = await import('./cli/createContext.js');
  const { createProgress } = await import('./io/terminal/progress.js');
  printed.typed = { entry, options, globals };
  printed.quiet = globals.quiet;
  printed.color = globals.color;
  const warnings: string[] = [];
  const progress = createProgress(host.stderr, { silent: globals.quiet || globals.json, env: host.env, now: host.now });
  try {
    const pick = await picking(globals, command);
    const styleOfResult = once(() => createStyle(host.stdout, host.env, printed.color));
    const styleOfProgress = once(() => createStyle(host.stderr, host.env, printed.color));
    const made: Made = { run: undefined, isPaid: false };
    const print = async (data: unknown): Promise<number> => {
      const JsonText = await import('./core/text/JsonText.js');
      progress.stop();
      const schema = `ferry.${entry.name.replaceAll(' ', '-')}/1`;
      const text = globals.json
        ? JsonText.line({
            schema,
            ok: true,
            network: printed.network,
            data: command.isWhole?.(data) ? data : pick(data),
            warnings,
          })
        : command.view(data, await styleOfResult(), options, printed.place);
      if (text) host.stdout.write(`${printed.redact(text)}\n`);
      const note = globals.json || printed.quiet ? undefined : command.note?.(data);
      if (note !== undefined) host.stderr.write(`${printed.redact(note)}\n`);
      const outcome = command.outcome?.(data);
      await assertWritten(host, { data, outcome, ...made });
      return outcome ? codeEntry(outcome).exit : (command.exit?.(data) ?? 0);
    };
    const runtime = await createRuntime(host, globals, options, {
      warn: (text) => {
        warnings.push(text);
        if (!printed.quiet) progress.say(printed.redact(`warning: ${text}`));
      },
      pause: () => progress.stop(),
      say: (text) => {
        if (!printed.quiet) progress.say(printed.redact(text));
      },
      waiting: (text) => {
        if (!printed.quiet && host.stderr.isTTY) progress.show(printed.redact(text));
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
    printed.network = context.network.name;
    printed.place = context.network;
    printed.redact = redact;
    printed.quiet = context.config.quiet.value;
    const { value: color } = context.config.color;
    printed.color = color === 'auto' ? undefined : color === 'always';
    let parts = 0;
    const ElapsedTime = await import('./core/view/ElapsedTime.js');
    let timeline = ElapsedTime.none;
    const ended = await consume(command.run(options, context), async (event) => {
      if (event.type === 'run') made.run = event.run;
      if (event.type === 'run' || (event.type === 'result' && event.command !== 'quote')) made.isPaid = true;
      const style = await styleOfProgress();
      const text = printed.quiet ? undefined : command.logLine?.(event, style, printed.place);
      timeline = ElapsedTime.reduce(timeline, event, host.now());
      const suffix = (): string => style.dim(ElapsedTime.format(timeline, host.now()));
      if (text !== undefined) progress.say(printed.redact(text), { passes: ElapsedTime.passes(event), suffix });
      const gauge = printed.quiet ? undefined : command.progressLine?.(event, style);
      if (gauge !== undefined) progress.show(printed.redact(gauge));
      if (globals.json && command.streams) {
        const EventLine = await import('./core/event/EventLine.js');
        if (EventLine.isPrinted(event))
          host.stdout.write(`${printed.redact(EventLine.format(event, context.network.name))}\n`);
      } else if (!globals.json && command.resultLine) {
        const part = command.resultLine(event, await styleOfResult(), parts, options);
        if (part === undefined) return true;
        parts++;
        progress.stop();
        host.stdout.write(`${printed.redact(part)}\n`);
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
  }
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
  const { toBaseError, toJson, format } = await import('./core/text/ErrorReport.js');
  const error = toBaseError(thrown);
  if (printed.typed) {
    const { complete } = await import('./cli/nextCommand.js');
    await complete(error, printed.typed);
  }
  if (printed.json) {
    const JsonText = await import('./core/text/JsonText.js');
    const envelope = { schema: 'ferry.error/1', ok: false, network: printed.network, error: toJson(error) };
    host.stdout.write(`${printed.redact(JsonText.line(envelope))}\n`);
  }
  const { failure } = host.stdout;
  if (!(printed.json && printed.quiet) || failure) {
    const style = await createStyle(host.stderr, host.env, printed.color);
    host.stderr.write(`${printed.redact(format(error, style, printed.place))}\n`);
    if (failure && !(error instanceof OutputError)) {
      const { reasonOf } = await import('./io/files/fileError.js');
      host.stderr.write(`warning: stdout cannot be written: ${reasonOf(failure)}\n`);
    }
    if (error.trace) {
      const { ofDetails } = await import('./core/view/TraceText.js');
      host.stderr.write(`\n${printed.redact(ofDetails(error.trace, style))}\n`);
    }
  }
  return error.exit;
}

/** Creates a value on first use and caches it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function createStyle(output: Output, env: Host['env'], color: boolean | undefined): Promise<Style> {
  const style = await import('./io/terminal/style.js');
  return style.createStyle(output, env, color);
}

/** Runs ferry in the real process: signals, the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  let died: NodeJS.Signals | undefined;
  const die = (signal: NodeJS.Signals): void => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of signals)
    process.on(signal, () => {
      if (died) die(signal);
      died = signal;
      interrupt.abort(new BaseError('run.stopped', `Stopped by ${signal}.`));
    });
  const { host } = await import('./io/terminal/host.js');
  process.exitCode = await run(argv, host(interrupt.signal));
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

export class UnsupportedSystemError extends BaseError {
  override name = 'UnsupportedSystemError';
  constructor(platform: string) {
    super('system.unsupported', 'ferry does not run on this operating system.', {
      facts: [['system', platform]],
      hint: 'It runs on Linux and macOS, and on Windows in WSL.',
    });
  }
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
