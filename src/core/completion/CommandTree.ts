/** The part of the command table that completion needs. The build embeds it in the program. */
import type * as CommandCatalog from '../docs/CommandCatalog.js';

export type Tree = {
  commands: readonly Command[];
  /** First words of several commands: `config`. */
  groups: readonly Word[];
  topics: readonly Word[];
  globals: readonly Flag[];
};

export type Word = { name: string; summary: string };

export type Command = Word & {
  args: readonly Argument[];
  flags: readonly Flag[];
};

/** The possible values; empty if any value is valid. */
export type Value = { names?: CommandCatalog.Kind | undefined; choices?: readonly string[] | undefined };

export type Argument = Value & { variadic: boolean };

export type Flag = Value & {
  long: string;
  short?: string | undefined;
  takesValue: boolean;
  repeatable: boolean;
  description: string;
};

/** Builds the tree from the command table and adds `ferry help`, which is not in the table. */
export function from({ commands, groups, globals }: CommandCatalog.Catalog, topics: readonly Word[]): Tree {
  return {
    commands: [
      ...commands.map(({ name, summary, args, flags }) => ({
        name,
        summary,
        args: args.map(({ variadic, names, choices }) => ({ variadic, names, choices })),
        flags: flags.map(toFlag),
      })),
      {
        name: 'help',
        summary: 'Help for a command or a topic',
        args: [{ variadic: true, names: 'topic' }],
        flags: [],
      },
    ],
    groups: Object.entries(groups).map(([name, summary]) => ({ name, summary })),
    topics: topics.map(({ name, summary }) => ({ name, summary })),
    globals: globals.map(toFlag),
  };
}

/** The next words of the commands whose names start with `path`. */
export function wordsAfter({ commands, groups }: Tree, path: readonly string[]): readonly Word[] {
  const begun = path.map((word) => `${word} `).join('');
  const found = new Map<string, Word>();
  for (const { name, summary } of commands) {
    if (!name.startsWith(begun)) continue;
    const [word = '', ...more] = name.slice(begun.length).split(' ');
    const group = more.length > 0 ? groups.find((each) => each.name === `${begun}${word}`) : undefined;
    if (!found.has(word)) found.set(word, { name: word, summary: group?.summary ?? summary });
  }
  return [...found.values()];
}

function toFlag({ long, short, value, repeatable, description, names, choices }: CommandCatalog.Flag): Flag {
  return { long, short, takesValue: value !== undefined, repeatable, description, names, choices };
}
