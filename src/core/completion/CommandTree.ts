/** The part of the command table that completion needs. The build embeds it in the program. */
import type * as CommandCatalog from '../docs/CommandCatalog.js';

export type Tree = Pick<CommandCatalog.Catalog, 'groups' | 'globals'> & {
  commands: readonly Command[];
  topics: readonly Word[];
};

export type Word = { name: string; summary: string };

export type Command = Pick<CommandCatalog.Command, 'name' | 'summary' | 'flags'> & { args: readonly Argument[] };

export type Argument = Value & Pick<CommandCatalog.Argument, 'variadic'>;

/** The possible values; empty if any value is valid. */
export type Value = Pick<CommandCatalog.Argument, 'names' | 'choices'>;

/** Builds the tree from the command table and adds `ferry help`, which is not in the table. */
export function from({ commands, groups, globals }: CommandCatalog.Catalog, topics: readonly Word[]): Tree {
  const topic = { variadic: true, names: 'topic' } as const;
  const help = { name: 'help', summary: 'Help for a command or a topic', args: [topic], flags: [] };
  return {
    commands: [...commands.map(({ name, summary, args, flags }) => ({ name, summary, args, flags })), help],
    groups,
    topics: topics.map(({ name, summary }) => ({ name, summary })),
    globals,
  };
}

/** The next words of the commands whose names start with `path`. */
export function wordsAfter({ commands, groups }: Tree, path: readonly string[]): readonly Word[] {
  const begun = path.map((word) => `${word} `).join('');
  const found = new Map<string, Word>();
  for (const { name, summary } of commands) {
    if (!name.startsWith(begun)) continue;
    const [word = '', ...more] = name.slice(begun.length).split(' ');
    const group = more.length > 0 ? groups[`${begun}${word}`] : undefined;
    if (!found.has(word)) found.set(word, { name: word, summary: group ?? summary });
  }
  return [...found.values()];
}
