/** The secrets a command is given and must not print. The tests search all of its output for them. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as SettingDefinitions from '../../src/core/config/SettingDefinitions.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { formsOf } from './secretForms.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The parts of a command's surroundings that may contain secrets. */
export type Place = { env: Env; home?: string; cwd?: string };

/** Shorter texts could match by chance, and so could one of few different characters, such as a key of zeros. */
const shortest = 8;
const fewest = 3;

/** @throws if one of the secrets was printed in any form, even broken across lines or colored */
export function assertSilent(printed: string, secrets: readonly string[]): void {
  const text = stripVTControlCharacters(printed).toLowerCase();
  const joined = text.replace(/\s+/g, '');
  const holds = (form: string): boolean => text.includes(form) || (form.length >= 32 && joined.includes(form));
  const found = secrets.find((secret) => derived(secret).some(holds));
  if (found === undefined) return;
  throw new Error(`A secret was printed: ${found.slice(0, 4)}… of ${found.length} characters, in\n${printed}`);
}

/** Every secret a command line is given: in variables, in files named by variables or options, in the user file. */
export function secretsOf(argv: readonly string[], place: Place): string[] {
  const given = [
    ...known,
    ...Object.entries(place.env).flatMap(([name, value]) => (value ? ofVariable(name, value, place) : [])),
    ...argv.flatMap((word, index) => (/^--[a-z-]+-file$/.test(word) ? ofFile(argv[index + 1], place) : [])),
    ...ofUserFile(place),
  ];
  return [...new Set(given.flatMap(forms))].filter(
    (secret) => secret.length >= shortest && new Set(secret).size >= fewest,
  );
}

/** Keys in the sources. They are not secret, but nothing should print them. */
const known: readonly string[] = [
  ...Object.values(accounts).map(({ privateKey }) => privateKey),
  ...Array.from({ length: 5 }, (_, index) => DevelopmentAccount.venueKey(index)),
];

/** A private key is the same with and without its prefix. */
function forms(secret: string): string[] {
  return /^0x([0-9a-f]{2})+$/i.test(secret) ? [secret.slice(2)] : [secret];
}

const derivedForms = new Map<string, readonly string[]>();

/** Every form of a secret, in lower case. */
function derived(secret: string): readonly string[] {
  const known = derivedForms.get(secret);
  if (known) return known;
  const forms = [...new Set(formsOf(secret).map(([, form]) => form.toLowerCase()))];
  derivedForms.set(secret, forms);
  return forms;
}

function ofVariable(name: string, value: string, place: Place): string[] {
  const definition = Object.values(SettingDefinitions.definitions).find(({ env }) => env === name);
  if (definition?.format.privacy === 'secret') return [value];
  const isUrl = definition?.format.privacy === 'redacted' || name.startsWith(SettingDefinitions.rpcUrlPrefix);
  if (isUrl || /^https?_proxy$/i.test(name)) return ofUrl(value);
  return /^FERRY_\w+_FILE$/.test(name) ? ofFile(value, place) : [];
}

/** The part of a URL after its origin, and its password, both encoded and decoded. */
function ofUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const pair = [username, password].map(decoded).join(':');
  const basic = username === '' ? [] : [Buffer.from(pair).toString('base64')];
  const encoded = [password, ...pathname.split('/')];
  return [...encoded, ...encoded.map(decoded), ...basic, ...searchParams.values()];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The secrets in a file that holds one, or lines of `chain=url`. */
function ofFile(path: string | undefined, { cwd = '.' }: Place): string[] {
  if (path === undefined || path === '-') return [];
  const lines = read(resolve(cwd, path)).trim().split('\n');
  return lines.flatMap((line) => (line.includes('://') ? ofUrl(line.replace(/^[\w-]+=/, '')) : [line.trim()]));
}

function ofUserFile({ env, home = env.HOME ?? '' }: Place): string[] {
  const folder = env.FERRY_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'ferry');
  const text = ['config.json', 'config.yaml', 'config.yml'].map((name) => read(join(folder, name))).join('\n');
  const values = [...text.matchAll(/\b(apiKey|\w*[uU]rl)"?\s*:\s*["']?([^\s"',}]+)/g)];
  return values.flatMap(([, key, value = '']) => (key === 'apiKey' ? [value] : ofUrl(value)));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
