/** JSON values held to TypeScript types by the compiler. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Claim = {
  value: unknown;
  /** The type that it is to have, as TypeScript. */
  type: string;
};

/** A place in a claim's value where the compiler objects: `steps[0].kind`. */
export type Objection = { claim: number; at: string; message: string };

const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: 'es2022',
  module: 'nodenext',
  pretty: false,
};

/**
 * What the compiler objects to. Each value is written as a literal, so that a field that its type does not have is an
 * objection as well.
 *
 * @param preamble the imports
 */
export async function objections(preamble: string, claims: readonly Claim[]): Promise<Objection[]> {
  const lines = preamble.split('\n');
  const places: ({ claim: number; at: string } | undefined)[] = lines.map(() => undefined);
  for (const [claim, { value, type }] of claims.entries()) {
    const literal = print(value, '');
    lines.push(`export const claim${claim} = (`, ...literal.map(([text]) => text), `) satisfies ${type};`);
    places.push(...[['', ''] as const, ...literal, ['', ''] as const].map(([, at]) => ({ claim, at })));
  }
  const folder = mkdtempSync(join(tmpdir(), 'ferry-compiled-'));
  try {
    writeFileSync(join(folder, 'claims.ts'), lines.join('\n'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['claims.ts'] }));
    return (await compile(folder)).split('\n').flatMap((line) => {
      const [, at = '', message = ''] = /^.*claims\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
      if (at === '' && /error/.test(line) && !line.startsWith(' ')) throw new Error(line);
      if (at === '') return [];
      const place = places[Number(at) - 1];
      if (!place) throw new Error(line);
      return [{ ...place, message }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One property or element a line, each with its place in the value. */
function print(value: unknown, at: string): [text: string, at: string][] {
  if (typeof value !== 'object' || value === null) return [[JSON.stringify(value), at]];
  const parts: (readonly [prefix: string, part: unknown, at: string])[] = Array.isArray(value)
    ? value.map((part, index) => ['', part, `${at}[${index}]`])
    : Object.entries(value).map(([key, part]) => [`${JSON.stringify(key)}: `, part, at ? `${at}.${key}` : key]);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = parts.flatMap(([prefix, part, place]) => {
    const [first, ...rest] = print(part, place);
    const all: [string, string][] = [[`${prefix}${first?.[0]}`, place], ...rest];
    return all.with(-1, [`${all.at(-1)?.[0]},`, all.at(-1)?.[1] ?? place]);
  });
  return [[open, at], ...lines, [close, at]];
}

function compile(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [compiler, '-p', folder], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      // It ends with 1 or 2 if it objects to something.
      if (error && ![1, 2].includes(Number(error.code))) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout);
    });
  });
}
