/** A command is data: what it takes, what it gives, how it runs, how its result reads. */
import type * as z from 'zod/mini';
import type { BaseError, Code } from '../base/Errors.js';
import type { Kind } from '../docs/CommandCatalog.js';
import type { CommandEvent } from '../event/DisplayEvent.js';
import type { Style } from '../text/TerminalStyle.js';
import type { Context } from './Context.js';

export type Argument = {
  name: string;
  description: string;
  /** May be left out. */
  optional?: boolean;
  /** Takes all that follow; only for the last one. */
  variadic?: boolean;
  /** What the shell completes it with, where its name does not say so: `catalog.ts` knows the usual ones. */
  names?: Kind;
  /** The only values it may have. */
  choices?: readonly string[];
};

/** One flag. Its key in `options` is its camelCase name: `refundTo` is typed `--refund-to`. */
export type Flag = {
  type: 'boolean' | 'string' | 'strings';
  description: string;
  /** What stands for the value in help: `--recipient <address>`. */
  value?: string;
  /** A one-letter form: `o` for -o. */
  short?: string;
  /** The only values it may have. */
  choices?: readonly string[];
  /** What the shell completes its value with, where `value` does not say so. */
  names?: Kind;
};

export type Flags = Readonly<Record<string, Flag>>;

/** What the user typed, by the types that the flags declare. Absent flags are undefined. */
export type Typed<F extends Flags> = {
  [K in keyof F]?: F[K]['type'] extends 'boolean' ? boolean : F[K]['type'] extends 'strings' ? string[] : string;
};

export type Options<F extends Flags = Record<never, Flag>> = Typed<F> & {
  /** The positional arguments, in order. */
  args: readonly string[];
};

export type Command<F extends Flags = Flags, Data = unknown> = {
  /** A sentence or two, for help. */
  description: string;
  args: readonly Argument[];
  options: F;
  /** Lines as typed, each with what it does. */
  examples: readonly (readonly [line: string, what: string])[];
  /** The result's shape, as it stands in the envelope's `data`; `ferry schema` prints it. */
  output: z.ZodMiniType;
  /** What `--fields` chooses from, where that is not the output; the command then chooses with `context.pick`. */
  fields?: z.ZodMiniType;
  /** Whether `--json` prints events as JSON lines before the envelope. */
  streams?: boolean;
  run(options: Options<F>, context: Context): Promise<Data> | AsyncGenerator<CommandEvent, Data>;
  /** The result as text for stdout, without a final newline; empty prints nothing. */
  view(data: Data, style: Style, options?: Options<F>): string;
  /**
   * The text on stdout for an event that is part of the result, without a final newline, so that a long result is never
   * held in memory; undefined for other events. `index` counts from 0. Such a command ends when its reader closes stdout.
   */
  resultLine?(event: CommandEvent, style: Style, index: number, options: Options<F>): string | undefined;
  /** A line for a person after the result, on stderr; undefined shows nothing. */
  note?(data: Data): string | undefined;
  /** The code whose exit code ends the process although there is a result, such as a refunded request's status. */
  outcome?(data: Data): Code | undefined;
  /** The exit code where it is another program's and not ferry's own. */
  exit?(data: Data): number;
  /** The result where the configuration cannot be used; without it, that error ends the command. */
  unconfigured?(error: BaseError, options: Options<F>): Data;
  /** The line on stderr for an event; undefined prints nothing. */
  logLine?(event: CommandEvent, style: Style): string | undefined;
  /** Replaces the previous progress on a terminal; elsewhere it is printed as a line now and then. Undefined changes nothing. */
  progressLine?(event: CommandEvent, style: Style): string | undefined;
};

/** A command in the table of all commands: where help lists it, and how to load it. */
export type CommandEntry = {
  /** As typed: `quote`, `config list`. */
  name: string;
  group: string;
  /** One line for the list of commands. */
  summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: a command's own types end where the table begins
  load(): Promise<Command<any, any>>;
};

/** Keeps the types of a command literal. */
export function define<const F extends Flags, Data>(command: Command<F, Data>): Command<F, Data> {
  return command;
}
