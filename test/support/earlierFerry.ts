/** ferry as it was at another revision of this repository, built beside this one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltFerry, buildFerry } from './builtFerry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The commit before this one, or the one that the variable names; undefined without a history, or if that commit lacks a
 * file.
 */
export function earlierRevision(having: string, named = process.env.VERSIONS): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', `${named ?? 'HEAD~1'}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const revision = status === 0 ? stdout.trim() : undefined;
  if (revision && spawnSync('git', ['cat-file', '-e', `${revision}:${having}`], { cwd: root }).status === 0)
    return revision;
  if (named !== undefined) throw new Error(`There is no revision ${named} that has ${having}.`);
  return undefined;
}

/** The program alone, without its types and its manual. */
const bundling = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { basename } from 'node:path';
  const { bundle } = await import(process.cwd() + '/test/build/build.mjs');
  mkdirSync('dist');
  for (const { path, contents } of (await bundle()).outputFiles) writeFileSync('dist/' + basename(path), contents);`;

/** The ferry of a revision, built with the packages that are installed here. */
export async function buildEarlier(revision: string): Promise<BuiltFerry> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-earlier-'));
  const own = join(folder, 'ferry');
  mkdirSync(own);
  const archive = execFileSync('git', ['archive', '--format=tar', revision], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', own], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));
  execFileSync(process.execPath, ['--input-type=module', '--eval', bundling], { cwd: own });
  const ferry = await buildFerry(own);
  const remove = (): void => {
    ferry.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...ferry, remove };
}
