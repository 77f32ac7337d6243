/** Lets the user edit a text in the editor of their choice. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BaseError } from '../../core/base/Errors.js';
import { foreignEnv, type Host } from './host.js';

type EditorHost = Pick<Host, 'env' | 'stdin' | 'run'> & { json: boolean };

/**
 * Opens a private copy of a text in `VISUAL`, else `EDITOR`, else vi, and returns it as it was saved. The copy has the
 * name of the file, by which editors choose a language.
 *
 * @throws usage.invalid if there is no terminal and no editor is named, or the editor fails
 */
export async function edit(text: string, path: string, { env, stdin, run, json }: EditorHost): Promise<string> {
  const named = env.VISUAL || env.EDITOR;
  if (!named && !stdin.isTTY) throw noEditorError('There is no terminal to edit on.');
  const editor = named || 'vi';
  const folder = mkdtempSync(join(env.TMPDIR || tmpdir(), 'ferry-edit-'));
  try {
    const copy = join(folder, basename(path));
    writeFileSync(copy, text, { mode: 0o600 });
    // The editor may have arguments: `code --wait`.
    const code = await run('/bin/sh', ['-c', `${editor} "$1"`, 'sh', copy], {
      env: foreignEnv(env),
      stdout: json ? 'stderr' : 'stdout',
    });
    if (code !== 0) throw noEditorError(`The editor ended with exit code ${code}.`, editor);
    return readFileSync(copy, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function noEditorError(message: string, editor?: string): BaseError {
  return new BaseError('usage.invalid', message, {
    facts: editor === undefined ? [] : [['editor', editor]],
    hint: 'Name one in EDITOR, or change a setting by its name. The file is as it was.',
    next: 'ferry config set <key> <value>',
  });
}
