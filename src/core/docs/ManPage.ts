/** The manual page: roff for man(1), in the macros that groff and mandoc both know. */
import type { Argument, Catalog, Command, Flag } from './CommandCatalog.js';
import type { Block, Document } from './HelpDocument.js';
import { groupsOf, syntaxOf } from './MarkdownReference.js';

export type Parts = {
  catalog: Catalog;
  /** The help topics, in the order in which they are to stand. */
  topics: readonly Document[];
  version: string;
};

/** Carries no date, so that the same sources make the same page. */
export function format({ catalog, topics, version }: Parts): string {
  return `${[
    '.\\" Written by the build from the command table.',
    `.TH FERRY 1 "" "ferry ${text(version)}" ""`,
    '.SH NAME',
    'ferry \\- quote, prove, sign and follow cross\\-chain swaps, bridges and venue transfers',
    '.SH SYNOPSIS',
    '.B ferry',
    '.RI [ options ]',
    '.I command',
    '.RI [ arguments ]',
    '.PP',
    '.B ferry help',
    '.RI [ command | topic ]',
    '.SH DESCRIPTION',
    ...paragraphs(introduction),
    '.SH GLOBAL OPTIONS',
    ...paragraphs(['Before or after the command:']),
    ...catalog.globals.flatMap(flag),
    ...groupsOf(catalog).flatMap(([title, commands]) => [
      `.SH ${text(title.toUpperCase())}`,
      ...commands.flatMap(command),
    ]),
    ...topics.flatMap(document),
    '.SH FILES',
    ...files.flatMap(([path, what]) => term(path, what)),
    '.SH SEE ALSO',
    'The same as a page of Markdown is',
    '.I dist/reference.md',
    'of the package.',
  ].join('\n')}\n`;
}

const introduction = [
  'A currency is written chain/token: base/usdc, 8453/0x8335…. An amount is a decimal in units of the input token (of the output token under --exact-output and --expected-output), or max.',
  'With nothing configured every command works on the sandbox: the whole service on this machine, on two EVM chains and a venue, with no funds and no network needed.',
  'stdout is the result and nothing else; progress, warnings, questions and errors go to stderr.',
];

const files: readonly (readonly [string, string])[] = [
  ['~/.config/ferry/config.json', 'your settings; YAML as config.yaml is read as well'],
  ['~/.config/ferry/pins.json', 'the contracts and tokens that you accepted'],
  ['~/.config/ferry/keys', 'encrypted keys'],
  ['.ferryrc.json', 'settings of a project: a test network, output preferences, lower caps'],
  ['~/.local/state/ferry', 'the journals of runs, and the sandbox'],
];

function command({ name, description, args, flags, examples }: Command): string[] {
  return [
    `.SS "${quoted(syntaxOf({ name, args }))}"`,
    ...paragraphs([description]),
    ...args.flatMap(argument),
    ...flags.flatMap(flag),
    ...examples.flatMap(([line, what]) => [
      '.PP',
      escaped(`${what.charAt(0).toUpperCase()}${what.slice(1)}:`),
      ...code([line]),
    ]),
  ];
}

function argument({ name, description, choices }: Argument): string[] {
  return ['.TP', `.I ${text(name)}`, escaped(withChoices(description, choices))];
}

function flag({ long, short, value, description, choices }: Flag): string[] {
  const names = [...(short ? [short] : []), long].map((each) => `\\fB${text(each)}\\fR`).join(', ');
  return [
    '.TP',
    `${names}${value === undefined ? '' : ` \\fI${text(value)}\\fR`}`,
    escaped(withChoices(description, choices)),
  ];
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices ? `${description}: ${choices.join(', ')}` : description;
}

/** A topic: its first section makes the heading. */
function document(sections: Document): string[] {
  return sections.flatMap(({ title, blocks }, index) => [
    index === 0 ? `.SH ${text(title.toUpperCase())}` : `.SS "${quoted(title)}"`,
    ...blocks.flatMap(block),
  ]);
}

function block(each: Block): string[] {
  if ('text' in each) return paragraphs([each.text]);
  if ('lines' in each) return code(each.lines);
  return each.terms.flatMap(([name, meaning]) => term(name, meaning));
}

function term(name: string, meaning: string): string[] {
  return ['.TP', `\\fB${text(name)}\\fR`, escaped(meaning)];
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((each) => ['.PP', escaped(each)]);
}

function code(lines: readonly string[]): string[] {
  return ['.PP', '.RS 4', '.nf', ...lines.map(escaped), '.fi', '.RE'];
}

/** A line of text: never taken for a request, whatever it begins with. */
function escaped(line: string): string {
  return `\\&${text(line)}`;
}

/** Text within a quoted argument of a macro. */
function quoted(line: string): string {
  return text(line).replaceAll('"', '\\(dq');
}

const characters: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Every character as it is: no dash becomes a hyphen and no quote a curly one, so that commands can be copied. */
function text(line: string): string {
  return line
    .replace(/[\\\-'`^~]/g, (character) => characters[character] ?? character)
    .replace(/\P{ASCII}/gu, (character) => `\\[u${unicode(character)}]`);
}

function unicode(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
