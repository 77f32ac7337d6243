/** The reference of all commands: a page of Markdown. */
import type { Argument, Catalog, Command, Flag } from './CommandCatalog.js';
import type { Block, Document } from './HelpDocument.js';

export type Parts = {
  catalog: Catalog;
  /** The help topics, in the order in which they are to stand. */
  topics: readonly Document[];
  version: string;
};

/** Carries no date, so that the same sources make the same page. */
export function format({ catalog, topics, version }: Parts): string {
  return `${[
    `# ferry ${version}: reference`,
    'Written by the build from the command table; `ferry help <command>` says the same.',
    groupsOf(catalog)
      .flatMap(([, commands]) => commands)
      .map(({ name, summary }) => `- [ferry ${name}](#${anchor(`ferry ${name}`)}): ${text(lowerFirst(summary))}`)
      .join('\n'),
    '## Options of every command',
    flags(catalog.globals),
    ...groupsOf(catalog).flatMap(([title, commands]) => [`## ${text(title)}`, ...commands.flatMap(command)]),
    ...topics.flatMap(document),
  ].join('\n\n')}\n`;
}

/** The groups in the order of the table, each with its commands. */
export function groupsOf({ commands }: Catalog): (readonly [title: string, commands: readonly Command[]])[] {
  const titles = [...new Set(commands.map(({ group }) => group))];
  return titles.map((title) => [title, commands.filter(({ group }) => group === title)] as const);
}

/** How a command is typed: `ferry config set <key> [value]`. */
export function syntaxOf({ name, args }: Pick<Command, 'name' | 'args'>): string {
  return ['ferry', name, ...args.map(argumentSyntax)].join(' ');
}

function argumentSyntax({ name, optional, variadic }: Argument): string {
  const word = `${name}${variadic ? '...' : ''}`;
  return optional ? `[${word}]` : `<${word}>`;
}

function command({ name, description, args, flags: options, examples }: Command): string[] {
  return [
    `### ferry ${name}`,
    text(description),
    fenced([syntaxOf({ name, args })]),
    ...(args.length > 0
      ? [
          table(
            'Argument',
            args.map(({ name: word, description: what, choices }) => [word, withChoices(what, choices)]),
          ),
        ]
      : []),
    ...(options.length > 0 ? [flags(options)] : []),
    fenced(examples.flatMap(([line, what]) => [`# ${what}`, line])),
  ];
}

function flags(options: readonly Flag[]): string {
  return table(
    'Option',
    options.map(({ long, short, value, description, choices }) => [
      `${short ? `${short}, ` : ''}${long}${value === undefined ? '' : ` <${value}>`}`,
      withChoices(description, choices),
    ]),
  );
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices ? `${description}: ${choices.join(', ')}` : description;
}

function document(sections: Document): string[] {
  return sections.flatMap(({ title, blocks }, index) => [
    `${index === 0 ? '##' : '###'} ${text(title)}`,
    ...blocks.map(block),
  ]);
}

function block(each: Block): string {
  if ('text' in each) return text(each.text);
  return 'lines' in each ? fenced(each.lines) : table('', each.terms);
}

/** Two columns, the first one as code. */
function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, meaning]) => `| \`${cell(name)}\` | ${cell(text(meaning))} |`);
  return [`| ${title} | |`, '| --- | --- |', ...lines].join('\n');
}

function cell(content: string): string {
  return content.replaceAll('|', '\\|');
}

function fenced(lines: readonly string[]): string {
  return ['```', ...lines, '```'].join('\n');
}

/** Text that is no markup. */
function text(content: string): string {
  return content.replace(/[\\`*_<>[\]]/g, (character) => `\\${character}`);
}

/** As GitHub makes it of a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}

function lowerFirst(line: string): string {
  return line.charAt(0).toLowerCase() + line.slice(1);
}
