/**
 * `ferry __complete`, which a shell runs on TAB. It must answer instantly, so it loads neither the commands nor any
 * package, and it never prints an error into the line being typed.
 */

import { readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as Candidates from './core/completion/Candidates.js';
import type { Tree } from './core/completion/CommandTree.js';
import * as CursorContext from './core/completion/CursorContext.js';
import * as PartialCommand from './core/completion/PartialCommand.js';
import { isShell } from './core/completion/ShellQuoting.js';
import type { Environment } from './io/state/paths.js';
import { createKnown } from './io/state/readLocalNames.js';

/** Answers in the real process. Prints nothing on failure: the text would end up in the line being typed. */
export async function answer(argv: readonly string[]): Promise<void> {
  try {
    writeSync(1, await complete(argv, { env: process.env, cwd: process.cwd(), home: homedir() }));
  } catch {
    // The shell continues without candidates.
  }
}

/**
 * Answers `__complete bash <break characters> <line up to the cursor>`, `__complete zsh <words…>` and
 * `__complete fish <words…>`, where the last word is the one at the cursor. Empty if there are no candidates.
 */
export async function complete([shell, ...given]: readonly string[], place: Environment): Promise<string> {
  if (!isShell(shell)) return '';
  const line =
    shell === 'bash' ? PartialCommand.fromBash(given[1] ?? '', given[0] ?? '') : PartialCommand.fromWords(given, shell);
  const tree = await loadTree();
  const position = CursorContext.from(tree, line.words, line.typed);
  return Candidates.format(await Candidates.from(position, tree, createKnown(place)), line, shell);
}

/** Loads the command tree, which the build writes out. When run from source, it is derived from the commands. */
async function loadTree(): Promise<Tree> {
  // A single expression, so that the bundler drops the other branch before it resolves its imports.
  return process.env.FERRY_TREE
    ? (JSON.parse(readFileSync(join(__dirname, process.env.FERRY_TREE), 'utf8')) as Tree)
    : (await import('./core/completion/CommandTree.js')).from(
        await (await import('./cli/loadCatalog.js')).loadCatalog(),
        (await import('./core/docs/HelpTopic.js')).topics,
      );
}
