/**
 * Finds, reads and writes the configuration files.
 *
 * Uses only the two text loaders of cosmiconfig and never creates an explorer: an explorer runs `.config/config.js`
 * from the working directory as soon as it is created, and its search follows `$import`.
 */

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { BaseError, type Fact } from '../../core/base/Errors.js';
import type { ConfigFiles } from '../../core/config/ConfigFile.js';
import * as ConfigFile from '../../core/config/ConfigFile.js';
import * as JsonDepth from '../../core/text/JsonDepth.js';
import * as JsonKeys from '../../core/text/JsonKeys.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as atomicWrite from '../files/atomicWrite.js';
import { attempt } from '../files/attempt.js';
import { reasonOf } from '../files/fileError.js';
import { assertOursIfThere } from '../files/fileOwner.js';
import { decode } from '../files/textDecoding.js';
import type { Host } from '../terminal/host.js';

export type ConfigDocument = { path: string; content: unknown };

const userNames = ['config.json', 'config.yaml', 'config.yml'];
const signaturesName = 'signatures.txt';
const projectNames = ['.ferryrc.json', '.ferryrc.yaml', '.ferryrc.yml'];

/** The way out if the folder of the configuration cannot be written. */
export const folderHint = 'Set FERRY_CONFIG_DIR to another directory.';
/** The same if others can write to it. */
export const instead = 'set FERRY_CONFIG_DIR to a folder of your own';

/** A configuration of this size is a mistake, or a trap for the parser. */
const maxBytes = 1_000_000;

type Environment = Pick<Host, 'env' | 'cwd' | 'home'>;

/** `FERRY_CONFIG_DIR`, else `$XDG_CONFIG_HOME/ferry`, else `~/.config/ferry`. */
export function folder(place: Environment): string {
  const { FERRY_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg } = place.env;
  if (own) return resolve(place.cwd, own);
  return join(xdg && isAbsolute(xdg) ? xdg : join(place.home, '.config'), 'ferry');
}

/**
 * Reads the user file and the project file, if they exist. Loads the parser only if one does. The user file names nodes,
 * accounts and what may rest on one witness, so nobody else may write it.
 *
 * @throws config.unreadable · config.invalid if a folder has two of them · state.untrusted
 */
export async function read(
  place: Environment,
): Promise<{ user: ConfigDocument | undefined; project: ConfigDocument | undefined }> {
  const { user, project } = find(place);
  if (user !== undefined) for (const path of [folder(place), user]) assertOursIfThere(path, { instead });
  return {
    user: user === undefined ? undefined : await load(user),
    project: project === undefined ? undefined : await load(project),
  };
}

/** Paths of the user file and the project file, if they exist. @throws config.invalid if a folder has two of them */
export function find(place: Environment): { user: string | undefined; project: string | undefined } {
  return { user: only(folder(place), userNames), project: findProject(place) };
}

export function createConfigFiles(place: Environment): ConfigFiles {
  const userPath = only(folder(place), userNames) ?? join(folder(place), 'config.json');
  const content = async (): Promise<unknown> => (exists(userPath) ? (await load(userPath)).content : {});
  const put = (text: string): void => {
    try {
      atomicWrite.replace(userPath, text);
    } catch (error) {
      throw unwritableConfigError(userPath, error as NodeJS.ErrnoException, folderHint);
    }
  };
  const assertWritable = (): void => {
    // Rewriting YAML would lose its comments.
    if (language(userPath) !== 'JSON')
      throw new BaseError('config.unwritable', 'The user file is YAML, which ferry can read but not write.', {
        facts: [['file', userPath]],
        hint: 'Edit it yourself: rewriting it would lose its comments.',
      });
  };
  return {
    userPath,
    async signatures() {
      const path = join(folder(place), signaturesName);
      return exists(path) ? { path, text: readText(path) } : undefined;
    },
    content,
    assertWritable,
    async write(changes) {
      const after = ConfigFile.change({ kind: 'user', path: userPath, content: await content() }, changes);
      assertWritable();
      put(`${JSON.stringify(after, null, 2)}\n`);
    },
    text: () => (exists(userPath) ? readText(userPath) : ''),
    async replace(text) {
      ConfigFile.read({ kind: 'user', path: userPath, content: (await contentOf(userPath, text)).content });
      put(text);
    },
    projectPath: () => findProject(place),
  };
}

/** Searches from the working directory up to the repository root, the home directory or the file system root. */
function findProject(place: Environment): string | undefined {
  const home = attempt(() => place.home);
  for (let at = resolve(place.cwd); at !== home; at = dirname(at)) {
    const found = only(at, projectNames);
    if (found || exists(join(at, '.git')) || at === dirname(at)) return found;
  }
  return undefined;
}

/** The one file of these names that exists. Two would be ambiguous. */
function only(directory: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(directory, name)).filter(exists);
  if (found.length > 1)
    throw new BaseError('config.invalid', 'There are two configuration files in one folder.', {
      facts: found.map((path) => ['file', path] as const),
      hint: 'Only one can be in effect. Remove the other.',
    });
  return found[0];
}

function exists(path: string): boolean {
  // An inaccessible folder, or a file in place of a folder, counts as empty.
  return attempt(() => statSync(path, { throwIfNoEntry: false })) !== undefined;
}

/** A text that could not be parsed, and the line of the error. */
export type Unparsed = {
  language: 'JSON' | 'YAML';
  line: number | undefined;
  /** A key that one of its objects has twice. */
  twice?: string;
};

/** Parses a text as JSON or YAML by its file extension. Empty text is an empty mapping. Nothing is executed. */
export async function parse(path: string, text: string): Promise<{ content: unknown } | Unparsed> {
  if (text.trim() === '') return { content: {} };
  if (JsonDepth.isTooDeep(text)) return { language: language(path), line: undefined };
  // Imported lazily: without a file, nothing waits for the parsers.
  const { defaultLoaders } = await import('cosmiconfig');
  try {
    const content: unknown = defaultLoaders[language(path) === 'JSON' ? '.json' : '.yaml'](path, text);
    if (isBoundless(content)) return { language: language(path), line: undefined };
    // The parser of YAML refuses one itself.
    const twice = language(path) === 'JSON' ? JsonKeys.repeated(text) : undefined;
    return twice === undefined ? { content } : { language: 'JSON', line: undefined, twice };
  } catch (error) {
    return { language: language(path), line: lineOf(error, text) };
  }
}

/** How much an alias of YAML may make of a text: what reads the content visits a part as often as it is named. */
const maxContent = 10 * maxBytes;

/** Whether a content has no end, as that of an alias within its own anchor, or more than ever stood in a file. */
function isBoundless(content: unknown): boolean {
  const left = [content];
  for (let size = 0; left.length > 0 && size <= maxContent; ) {
    const value = left.pop();
    if (typeof value === 'string') size += value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      size += key.length + 1;
      left.push(inner);
    }
  }
  return left.length > 0;
}

async function load(path: string): Promise<ConfigDocument> {
  return contentOf(path, readText(path));
}

async function contentOf(path: string, text: string): Promise<ConfigDocument> {
  const parsed = await parse(path, text);
  if ('content' in parsed) return { path, content: parsed.content };
  throw new BaseError('config.unreadable', `The configuration file is not valid ${parsed.language}.`, {
    facts: [['file', path], ...whereIn(parsed)],
    hint: 'Correct it in an editor.',
    next: userNames.includes(basename(path)) ? 'ferry config edit' : undefined,
  });
}

function readText(path: string): string {
  let reason: string;
  let code: string | undefined;
  try {
    const stat = statSync(path);
    if (stat.isFile() && stat.size <= maxBytes) return decode(readFileSync(path));
    reason = stat.isFile() ? `it is larger than ${maxBytes} bytes` : 'it is not a file';
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code;
    reason = reasonOf(error as NodeJS.ErrnoException);
  }
  throw unreadableError(path, reason, code);
}

function language(path: string): 'JSON' | 'YAML' {
  return extname(path) === '.json' ? 'JSON' : 'YAML';
}

/** The line of a parse error. The parser's message is dropped, because it quotes the file, which may contain a key. */
function lineOf(error: unknown, text: string): number | undefined {
  const { mark, message = '' } = error as { mark?: { line?: number }; message?: string };
  if (typeof mark?.line === 'number') return mark.line + 1;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
}

export function whereIn({ line, twice }: Unparsed): Fact[] {
  return [
    ...(line === undefined ? [] : [['line', String(line)] as const]),
    ...(twice === undefined ? [] : [['twice in one object', TerminalText.escape(twice)] as const]),
  ];
}

export function unreadableError(path: string, reason: string, code?: string): BaseError {
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  return new BaseError('config.unreadable', 'The configuration file cannot be read.', {
    facts: [
      ['file', path],
      ['reason', reason],
    ],
    ...(isForbidden && { hint: folderHint, next: 'export FERRY_CONFIG_DIR="$(mktemp -d)"' }),
  });
}

export function unwritableConfigError(path: string, cause: NodeJS.ErrnoException, hint?: string): BaseError {
  return new BaseError('config.unwritable', 'The file cannot be written.', {
    facts: [
      ['file', path],
      ['reason', reasonOf(cause)],
    ],
    hint,
    cause,
  });
}
