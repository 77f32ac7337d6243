/** A command is data: its arguments and flags, its output schema, how it runs and how its result is displayed. */
import type * as z from 'zod/mini';
import type { BaseError, Code } from '../base/Errors.js';
import type * as CommandCatalog from '../docs/CommandCatalog.js';
import type { CommandEvent } from '../event/DisplayEvent.js';
import type { Place } from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import type { Context } from './Context.js';

/** `names` is the kind of value that shells complete, if `name` does not imply it; only the last may be variadic. */
export type Argument = Pick<CommandCatalog.Argument, 'name' | 'description'> & Partial<CommandCatalog.Argument>;

/** One flag. Its key in `options` is its camelCase name: `refundTo` is typed `--refund-to`. */
export type Flag = {
  description: string;
  /** Placeholder for the value in help: `--recipient <address>`. A flag without one is a switch. */
  value?: string;
  /** Whether it may be given several times, for a list of values. */
  repeats?: true;
  /** A one-letter form: `o` for -o. */
  short?: string;
  choices?: readonly string[];
  /** The kind of value that shells complete, if `value` does not imply it. */
  names?: CommandCatalog.Kind;
};

export type Flags = Readonly<Record<string, Flag>>;

/** The parsed values of flags. Absent flags are undefined. */
export type Typed<F extends Flags> = {
  [K in keyof F]?: F[K] extends { value: string } ? (F[K] extends { repeats: true } ? string[] : string) : boolean;
};

export type Options<F extends Flags = Record<never, Flag>> = Typed<F> & {
  args: readonly string[];
};

export type Command<F extends Flags = Flags, Data = unknown> = {
  description: string;
  args: readonly Argument[];
  options: F;
  /** Command lines, each with an explanation. */
  examples: readonly (readonly [line: string, what: string])[];
  /** The schema of the envelope's `data`; `ferry schema` prints it. */
  output: z.ZodMiniType;
  /** The schema that `--fields` selects from, if it is not `output`. */
  fields?: z.ZodMiniType;
  /** Whether a result has no fields to select, as the totals of a batch, whose lines have them: `context.pick`. */
  isWhole?(data: Data): boolean;
  /** Whether `--json` prints events as JSON lines before the envelope. */
  streams?: boolean;
  run(options: Options<F>, context: Context): Promise<Data> | AsyncGenerator<CommandEvent, Data>;
  /** Whether its result is for other programs, so that no line of it is broken to fit the terminal. */
  verbatim?: true;
  /** Whether it can move money, or change who may: its errors say where the money is, even if nothing was sent. */
  pays?: true;
  /**
   * Whether the network stands above the text of the result, for a view that does not say it itself. A function gives
   * the name of the network that the result is about.
   */
  placed?: true | ((data: Data) => string);
  /** The result as text for stdout, without a final newline; empty prints nothing. */
  view(data: Data, style: Style, options?: Options<F>, place?: Place): string;
  /**
   * The text on stdout for an event that is part of the result, without a final newline, so that a long result is never
   * held in memory; undefined for other events. `index` counts from 0. Such a command ends when its reader closes stdout.
   */
  resultLine?(event: CommandEvent, style: Style, index: number, options: Options<F>): string | undefined;
  /** A line printed to stderr after the text result; undefined prints nothing. */
  note?(data: Data, options: Options<F>): string | undefined;
  /** The code whose exit code the process ends with in spite of a result, such as the status of a refunded request. */
  outcome?(data: Data): Code | undefined;
  /** The exit code, if it is that of another program. */
  exit?(data: Data): number;
  /** Whether it runs although the configuration is invalid, as if there were none: it mends it, or has no use for it. */
  needsNoConfig?: true;
  /** The result if the configuration is invalid; without this function the configuration error ends the command. */
  unconfigured?(error: BaseError, options: Options<F>): Data;
  /** The line on stderr for an event, if it is not that of `EventText.ts`; undefined prints nothing. */
  logLine?(event: CommandEvent, style: Style, place?: Place): string | undefined;
};

/** An entry of the command table: the command's name, its place in help, and how to load it. */
export type CommandEntry = {
  /** As typed: `quote`, `config list`. */
  name: string;
  group: string;
  summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: a command's own types end where the table begins
  load(): Promise<Command<any, any>>;
};

/** A command from its literal, whose types are inferred. It need not say that it takes no arguments or no flags. */
export function define<Data, const F extends Flags = Record<never, Flag>>(
  command: Omit<Command<F, Data>, 'args' | 'options'> & Partial<Pick<Command<F, Data>, 'args' | 'options'>>,
): Command<F, Data> {
  return { args: [], options: {} as F, ...command };
}
