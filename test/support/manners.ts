/** Rules for every command, whatever it does and however it ends: what goes to stdout and stderr, what has color. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from '../../src/cli/program.js';
import { type Code, entries, entry as entryOf } from '../../src/core/base/Errors.js';
import type { Command } from '../../src/core/command/Command.js';
import type { Surrounding } from './surroundings.js';

/** How a command line must end. */
export type Expected = {
  /** Undefined for success. Several if it is not defined which one comes first. */
  codes?: readonly Code[] | undefined;
  /** Whether the failure may be reported by a result instead of an error. */
  reports?: boolean | undefined;
  /** Whether nothing else is printed, such as a warning about an unreachable server. */
  isSilent?: boolean;
};

export type Told = {
  /** `runs list`. */
  name: string;
  command: Command;
  json: boolean;
  surrounding: Surrounding;
  ended: { code: number | null; stdout: string; stderr: string };
};

const esc = '\u001b';
const colors = new RegExp(`${esc}\\[[\\d;]*m`, 'g');

/** Every violation in how a command line ended; empty if there is none. */
export async function breaches(told: Told, expected: Expected): Promise<string[]> {
  return [...ending(told, expected), ...streams(told), ...(told.json ? await documents(told, expected) : words(told))];
}

/** Checks the exit code against the table. */
function ending({ ended: { code, stderr } }: Told, { codes }: Expected): string[] {
  const exits = codes?.map((each) => entryOf(each).exit) ?? [0];
  const first = stripVTControlCharacters(stderr).trim().split('\n')[0];
  return code !== null && exits.includes(code)
    ? []
    : [`it ended with ${code} and not ${[...new Set(exits)].join(' or ')}: ${first}`];
}

/** Checks what is on which stream, and that there is color only where expected. */
function streams({ json, surrounding: { colored, terminals }, ended: { stdout, stderr } }: Told): string[] {
  const plain = stderr.replace(colors, '');
  const found: [boolean, string][] = [
    [json && stdout.includes(esc), 'a control sequence in JSON'],
    [!colored.stdout && stdout.includes(esc), 'colour on stdout'],
    [stdout.replace(colors, '').includes(esc), 'more than colour on stdout'],
    [!colored.stderr && plain !== stderr, 'colour on stderr'],
    [!terminals.stderr && plain.includes(esc), 'a terminal’s sequences on stderr, which is none'],
    [colored.stderr && plain === stderr && codeIn(stderr) !== undefined, 'an error without colour'],
    [/\(node:\d+\)/.test(plain), 'a warning of Node’s'],
    [[plain, ...plain.split('\n')].some(isJson), 'JSON on stderr'],
  ];
  return found.flatMap(([isSo, what]) =>
    isSo ? [`${what}: ${JSON.stringify({ stdout, stderr }).slice(0, 600)}`] : [],
  );
}

/** Without --json: a result on stdout, or an error on stderr. */
function words({ command, ended: { code, stdout, stderr } }: Told): string[] {
  const said = codeIn(stderr);
  if (said === undefined) return stdout === '' && command.view.length > 0 ? ['nothing on stdout'] : [];
  if (entryOf(said)?.exit !== code) return [`${said} with exit code ${code}`];
  return stdout !== '' && !command.resultLine
    ? [`an error, and on stdout ${JSON.stringify(stdout.slice(0, 200))}`]
    : [];
}

/** The error code at the end of an error's message, which a terminal folds. Cleared terminal output may precede it. */
function codeIn(stderr: string): Code | undefined {
  return /error: [\s\S]*?\((\w+\.[\w-]+)\)$/m.exec(stripVTControlCharacters(stderr))?.[1] as Code | undefined;
}

/** With --json: one document, or lines that end with it, each matching its schema. */
async function documents(told: Told, expected: Expected): Promise<string[]> {
  const { name, command, ended } = told;
  const { code, stdout, stderr } = ended;
  const lines = stdout.split('\n');
  if (lines.pop() !== '') return [`no newline at the end of stdout: ${JSON.stringify(stdout.slice(-200))}`];
  const values = lines.map(toJson);
  if (values.length === 0 || values.includes(undefined)) return [`stdout is not JSON: ${stdout.slice(0, 300)}`];
  const last = values.pop() ?? {};
  const found: string[] = [];
  if (expected.isSilent && `${stderr}${String(last.warnings ?? '')}` !== '') found.push(`something besides: ${stderr}`);
  if (values.length > 0 && !command.streams) found.push(`${values.length} lines before the document`);
  for (const { schema, type, network } of values as Json[])
    if (schema !== 'ferry.event/1' || typeof type !== 'string' || typeof network !== 'string')
      found.push(`a line that is no event: ${JSON.stringify({ schema, type, network })}`);
  return [...found, ...(await envelope(name, last, code, expected))];
}

async function envelope(
  name: string,
  last: Json,
  code: number | null,
  { codes, reports = false }: Expected,
): Promise<string[]> {
  const schema = `ferry.${name.replaceAll(' ', '-')}/1`;
  if (last.schema === schema) {
    if (codes && !reports) return [`a result where ${codes.join(' or ')} is due`];
    return problems(name.replaceAll(' ', '-'), last);
  }
  if (last.schema !== 'ferry.error/1') return [`a document of the schema ${last.schema}`];
  const { error } = last as { error: { code: Code; exit: number; next: string | null } };
  const found = problems('error', last);
  if (!entries().some(([each]) => each === error.code)) found.push(`the code ${error.code} is in no table`);
  if (error.exit !== code) found.push(`exit ${error.exit} in the document of a process that ended with ${code}`);
  if (!codes?.includes(error.code)) found.push(`${error.code} and not ${codes?.join(' or ') ?? 'a result'}`);
  return [...found, ...(await untypable(error.next))];
}

/** Checks that ferry would accept the suggested next command. */
async function untypable(next: string | null): Promise<string[]> {
  const [program, ...argv] = next?.split(' ') ?? [];
  if (program !== 'ferry') return [];
  return parse(argv, 'test', { columns: 80, hasColors: false }).then(
    () => [],
    (error: Error) => [`"${next}" is to be typed next: ${error.message}`],
  );
}

const validators = new Map<string, ValidateFunction>();

/** Violations of the approved schema in a document. */
function problems(name: string, document: Json): string[] {
  const path = new URL(`../recorded/schemas/${name}.json`, import.meta.url);
  const validate = validators.get(name) ?? new Ajv2020().compile(JSON.parse(readFileSync(path, 'utf8')));
  validators.set(name, validate);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

type Json = Record<string, unknown>;

function toJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  return toJson(text) !== undefined;
}
