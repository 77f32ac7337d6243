/** The command table with every command loaded, as plain data. */

import type { Flags } from '../core/command/Command.js';
import * as CommandCatalog from '../core/docs/CommandCatalog.js';
import { flagName } from '../core/text/ShellCommand.js';
import { groups, table } from './commandTable.js';
import { globals } from './globalFlags.js';

/** Loads every command. Meant for the build and for tests: it is too slow for start-up. */
export async function loadCatalog(): Promise<CommandCatalog.Catalog> {
  const commands = await Promise.all(
    table.map(async ({ name, group, summary, load }): Promise<CommandCatalog.Command> => {
      const { description, args, options, examples } = await load();
      const words = args.map((each) => ({
        ...{ optional: false, variadic: false, ...each },
        names: CommandCatalog.kindOfArgument(each),
      }));
      return { name, group, summary, description, args: words, flags: toFlags(options), examples };
    }),
  );
  return { commands, groups, globals: toFlags(globals) };
}

function toFlags(flags: Flags): CommandCatalog.Flag[] {
  return Object.entries(flags).map(([key, { value, short, description, choices, names, repeats = false }]) => ({
    long: flagName(key),
    short: short === undefined ? undefined : `-${short}`,
    value,
    repeatable: repeats,
    description,
    names: value === undefined ? undefined : CommandCatalog.kindOfFlag(key, { value, names }),
    choices,
  }));
}
