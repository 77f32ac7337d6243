/** `run(argv, host)`: parse, run, print. The only place that catches errors and decides the exit code. */

import { writeSync } from 'node:fs';
import {
  assertWritten,
  type CommandOutput,
  cleaner,
  createStyle,
  OutputError,
  openOutput,
  type Printed,
  printEvent,
  printResult,
  reporterOf,
  withAddresses,
} from './cli/commandOutput.js';
import type { Runtime } from './cli/createContext.js';
import type { Parsed } from './cli/program.js';
import { BaseError, entry as codeEntry } from './core/base/Errors.js';
import type { CommandEvent } from './core/event/DisplayEvent.js';
import { type Host, hasUtf8 } from './io/terminal/host.js';

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
    const { page, pages } = await import('./io/terminal/programs.js');
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

async function execute(parsed: Extract<Parsed, { kind: 'command' }>, host: Host, printed: Printed): Promise<number> {
  const { entry, command, options, globals } = parsed;
  // The completion of a shell neither locks, signs nor starts anything.
  if (!supported.includes(host.platform) && !entry.name.startsWith('completion'))
    throw unsupportedSystem(host.platform);
  const { quiet, color, utc } = globals;
  Object.assign(printed, { typed: { entry, options, globals }, pays: command.pays === true, quiet, color, utc });
  const { createRuntime } = await import('./cli/createContext.js');
  const out = await openOutput(parsed, host, printed);
  let end = async (): Promise<void> => {};
  try {
    const reporter = reporterOf(out, version);
    const runtime = await createRuntime(host, globals, options, reporter).catch(async (error: unknown) => {
      if (!(error instanceof BaseError) || !/^(config|state)\./.test(error.code)) throw error;
      if (command.unconfigured && error.code.startsWith('config.')) return error;
      if (!command.needsNoConfig) throw error;
      return createRuntime(host, globals, options, reporter, true).catch(() => {
        throw error;
      });
    });
    if (runtime instanceof BaseError) {
      printed.network = globals.network ?? 'unknown';
      return await printResult(out, command.unconfigured?.(runtime, options));
    }
    end = runtime.end;
    configure(out, runtime);
    const given = await withAddresses(out, runtime.context);
    const ended = await consume(command.run(given, runtime.context), (event) => printEvent(out, event));
    if (ended) return await printResult(out, ended.data);
    await assertWritten(host, out.made);
    return 0;
  } finally {
    out.progress.stop();
    await end();
  }
}

/** Has what is printed follow the configuration, now that it is read. */
function configure({ printed, parsed, made }: CommandOutput, { context, redact }: Runtime): void {
  const { color, quiet, notify, bell } = context.config;
  printed.network = context.network.name;
  printed.place = context.place;
  const { entry, options, globals } = parsed;
  const accountNamed = async (name: string) => (await import('./cli/addressNames.js')).accountNamed(name, context);
  printed.typed = { entry, options, globals, accountNamed };
  printed.redact = redact;
  printed.quiet = quiet.value;
  printed.color = color.value === 'auto' ? undefined : color.value === 'always';
  if (parsed.command.options.notify) printed.announced = { notify: notify.value, bell: bell.value, made };
}

/**
 * Runs a command to its result and reports each event. Ends it early, without one, once `report` returns false: stdout is closed.
 */
async function consume(
  running: Promise<unknown> | AsyncGenerator<CommandEvent, unknown>,
  report: (event: CommandEvent) => Promise<boolean>,
): Promise<{ data: unknown } | undefined> {
  if (!(Symbol.asyncIterator in running)) return { data: await running };
  try {
    let step = await running.next();
    while (!step.done) {
      if (!(await report(step.value))) return undefined;
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
  let error = toBaseError(thrown, reads ? 'untouched' : 'unknown');
  if (printed.typed) {
    const { completed } = await import('./cli/nextCommand.js');
    error = await completed(error, printed.typed);
  }
  if (host.signal.aborted) error = stopped(error, host.signal.reason);
  if (error.next !== undefined) {
    const { typedBy } = await import('./io/terminal/style.js');
    error = error.with({ next: typedBy(host.env, error.next) });
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
      const clean = await cleaner(host, printed);
      host.stderr.write(`\n${clean(ofDetails(error.trace, style), host.stderr)}\n`);
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
  const { notify } = await import('./io/terminal/programs.js');
  const reason = await notify(command, `${printed.redact(ended)}\n`, host);
  if (reason !== undefined && !printed.quiet)
    host.stderr.write(`warning: ${printed.redact(`The command to notify failed: ${reason}.`)}\n`);
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
  // All is written and closed when Node says so. It would then free the heap piece by piece, longer than a proof takes.
  // biome-ignore lint/nursery/noProcessExit lint/plugin: it ends what has ended
  process.once('exit', () => process.exit());
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

function unsupportedSystem(platform: string): BaseError {
  return new BaseError('system.unsupported', 'ferry does not run on this operating system.', {
    facts: [['system', platform]],
    hint: 'It runs on Linux and macOS, and on Windows in WSL.',
  });
}
