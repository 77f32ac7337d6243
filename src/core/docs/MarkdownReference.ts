/** Renders the manual as Markdown: an index, a page for each command and for each help topic. */
import { lowerFirst } from '../text/TerminalText.js';
import type { Argument, Catalog, Command, Flag } from './CommandCatalog.js';
import type { Block, Document } from './HelpPages.js';

export type Contents = {
  catalog: Catalog;
  topics: readonly (readonly [name: string, document: Document])[];
};

/** The pages that are written by hand, in the order in which they are read. */
export const guides: readonly (readonly [name: string, title: string])[] = [
  ['install', 'Install and uninstall'],
  ['first-run', 'First run'],
  ['proof', 'The proof'],
  ['trust', 'Trust and releases'],
  ['journal', 'Interrupted and concurrent runs'],
  ['configuration', 'Networks, accounts, configuration'],
  ['signers', 'Wallets that sign elsewhere'],
  ['costs', 'What it costs'],
  ['calls', 'Calls on arrival'],
  ['deposit-addresses', 'Deposit addresses'],
  ['batches', 'Batches'],
  ['many-machines', 'Many machines'],
  ['workers', 'Batches and workers'],
  ['automation', 'Scripts and CI'],
  ['habits', 'Coming from gh, cast and kubectl'],
  ['venue', 'The venue'],
  ['sandbox', 'The sandbox'],
  ['library', 'The library'],
];

/** The generated pages by their path in the folder of the manual. They contain no date and no version. */
export function pages({ catalog, topics }: Contents): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', page(index({ catalog, topics }))],
    ...catalog.commands.map((each) => [commandPath(each.name), page(command(each))] as const),
    ...topics.map(([name, document]) => [`topics/${name}.md`, page(topic(document))] as const),
  ]);
}

function page(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

function index({ catalog, topics }: Contents): string[] {
  return [
    '# The manual of ferry',
    'The lists of this page and the pages of commands and topics are generated from the command table.',
    guides.map(([name, title]) => `- [${title}](guide/${name}.md)`).join('\n'),
    ...groupsOf(catalog).flatMap(([title, commands]) => [
      `## ${text(title)}`,
      commands
        .map(({ name, summary }) => `- [ferry ${name}](${commandPath(name)}): ${text(lowerFirst(summary))}`)
        .join('\n'),
    ]),
    '## Help topics',
    topics
      .map(([name, [first]]) => `- [ferry help ${name}](topics/${name}.md): ${text(lowerFirst(first?.[0] ?? ''))}`)
      .join('\n'),
    '## Global options',
    flags(catalog.globals),
  ];
}

function commandPath(name: string): string {
  return `commands/${name.replaceAll(' ', '-')}.md`;
}

/** The groups in table order, each with its commands. */
export function groupsOf({ commands }: Catalog): (readonly [title: string, commands: readonly Command[]])[] {
  const titles = [...new Set(commands.map(({ group }) => group))];
  return titles.map((title) => [title, commands.filter(({ group }) => group === title)] as const);
}

/** The syntax of a command: `ferry config set <key> [value]`. */
export function syntaxOf({ name, args }: Pick<Command, 'name' | 'args'>): string {
  return ['ferry', name, ...args.map(argumentSyntax)].join(' ');
}

function argumentSyntax({ name, optional, variadic }: Argument): string {
  const word = `${name}${variadic ? '...' : ''}`;
  return optional ? `[${word}]` : `<${word}>`;
}

function command({ name, description, args, flags: options, examples }: Command): string[] {
  return [
    `# ferry ${name}`,
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
    'Every command also takes the [global options](../README.md#global-options).',
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

export function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices ? `${description}: ${choices.join(', ')}` : description;
}

function topic(sections: Document): string[] {
  return sections.flatMap(([title, ...blocks], index) => [
    `${index === 0 ? '#' : '##'} ${text(title)}`,
    ...blocks.map(block),
  ]);
}

function block(each: Block): string {
  if (typeof each === 'string') return text(each);
  return 'lines' in each ? fenced(each.lines) : table('', each.terms);
}

/** A table of two columns, the first as code. */
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

function text(content: string): string {
  return content.replace(/[\\`*_<>[\]]/g, (character) => `\\${character}`);
}
