/** `run(argv, host)`: parse, run, print. The only place that catches errors and decides the exit code. */

import { writeSync } from 'node:fs';
import type { Globals } from './cli/globalFlags.js';
import type { Parsed } from './cli/program.js';
import { BaseError, entry as codeEntry } from './core/base/Errors.js';
import type { Command } from './core/command/Command.js';
import type { CommandEvent } from './core/event/DisplayEvent.js';
import type { Style } from './core/text/TerminalStyle.js';
import type { Host, Output } from './io/terminal/host.js';

/** Runs one command line. Resolves to the exit code; never rejects. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const printed: Printed = {
    json: wantsJson(argv),
    quiet: false,
    color: undefined,
    network: null,
    redact: (text) => text,
  };
  try {
    const { parse } = await import('./cli/program.js');
    const parsed = await parse(argv, version, { columns: host.stdout.columns || 80, hasColors: false });
    if (parsed.kind === 'text') {
      host.stdout.write(`${parsed.text}\n`);
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
  /** Masks secrets, however they got into the text. */
  redact(text: string): string;
};

async function execute(
  { entry, command, options, globals }: Extract<Parsed, { kind: 'command' }>,
  host: Host,
  printed: Printed,
): Promise<number> {
  const { createRuntime } = await import('./cli/createContext.js');
  const { createProgress } = await import('./io/terminal/progress.js');
  printed.quiet = globals.quiet;
  printed.color = globals.color;
  const warnings: string[] = [];
  const progress = createProgress(host.stderr, { silent: globals.quiet || globals.json, env: host.env, now: host.now });
  try {
    const pick = await picking(globals, command);
    const styleOfResult = once(() => createStyle(host.stdout, host.env, printed.color));
    const styleOfProgress = once(() => createStyle(host.stderr, host.env, printed.color));
    const print = async (data: unknown): Promise<number> => {
      const JsonText = await import('./core/text/JsonText.js');
      progress.stop();
      const schema = `ferry.${entry.name.replaceAll(' ', '-')}/1`;
      const text = globals.json
        ? JsonText.line({
            schema,
            ok: true,
            network: printed.network,
            data: command.fields ? data : pick(data),
            warnings,
          })
        : command.view(data, await styleOfResult(), options);
      if (text) host.stdout.write(`${printed.redact(text)}\n`);
      const note = globals.json || printed.quiet ? undefined : command.note?.(data);
      if (note !== undefined) host.stderr.write(`${printed.redact(note)}\n`);
      const outcome = command.outcome?.(data);
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
    printed.redact = redact;
    printed.quiet = context.config.quiet.value;
    const { value: color } = context.config.color;
    printed.color = color === 'auto' ? undefined : color === 'always';
    let parts = 0;
    const ElapsedTime = await import('./core/view/ElapsedTime.js');
    let timeline = ElapsedTime.none;
    const ended = await consume(command.run(options, context), async (event) => {
      const style = await styleOfProgress();
      const text = printed.quiet ? undefined : command.logLine?.(event, style);
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
    return ended === unread ? 0 : await print(ended.data);
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
  if (printed.json) {
    const JsonText = await import('./core/text/JsonText.js');
    const envelope = { schema: 'ferry.error/1', ok: false, network: printed.network, error: toJson(error) };
    host.stdout.write(`${printed.redact(JsonText.line(envelope))}\n`);
  }
  if (!(printed.json && printed.quiet)) {
    const style = await createStyle(host.stderr, host.env, printed.color);
    host.stderr.write(`${printed.redact(format(error, style))}\n`);
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

/** Starts ferry in the real process: the fast path for the version, signals, the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    writeSync(1, `${version}\n`);
    return;
  }
  const interrupt = new AbortController();
  let died: NodeJS.Signals | undefined;
  const die = (signal: NodeJS.Signals): void => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (died) die(signal);
      died = signal;
      interrupt.abort(new BaseError('prompt.declined', `Stopped by ${signal}.`));
    });
  const { host } = await import('./io/terminal/host.js');
  process.exitCode = await run(argv, host(interrupt.signal));
  if (died) die(died);
}

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
