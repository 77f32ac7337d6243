/**
 * `ferry __complete`: what a shell asks when somebody presses TAB. It has to be there at once, so it loads neither the
 * commands nor any package; and whatever goes wrong, nothing of it appears in the line that is being typed.
 */
import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import * as Candidates from './core/completion/Candidates.js';
import type { Tree } from './core/completion/CommandTree.js';
import * as CompletionReply from './core/completion/CompletionReply.js';
import * as CursorContext from './core/completion/CursorContext.js';
import * as PartialCommand from './core/completion/PartialCommand.js';
import { isShell } from './core/completion/Shell.js';
import type { Place } from './io/state/paths.js';
import { createKnown } from './io/state/readLocalNames.js';

/** Answers in the real process. Says nothing where it cannot help: it would stand in the line that somebody types. */
export async function answer(argv: readonly string[]): Promise<void> {
  try {
    writeSync(1, await complete(argv, { env: process.env, cwd: process.cwd(), home: homedir() }));
  } catch {
    // The shell goes on without candidates.
  }
}

/**
 * The answer to `__complete bash <break characters> <line up to the cursor>`, or to `__complete zsh <words…>` and
 * `__complete fish <words…>`, whose last word is that at the cursor. Empty where there is nothing to say.
 */
export async function complete([shell, ...given]: readonly string[], place: Place): Promise<string> {
  if (!isShell(shell)) return '';
  const line =
    shell === 'bash' ? PartialCommand.fromBash(given[1] ?? '', given[0] ?? '') : PartialCommand.fromWords(given, shell);
  const tree = await loadTree();
  const position = CursorContext.from(tree, line.words, line.typed);
  return CompletionReply.format(await Candidates.from(position, tree, createKnown(place)), line, shell);
}

/** The build puts the words of the command table here; from the sources they are read off the commands themselves. */
async function loadTree(): Promise<Tree> {
  // In one statement: of what stands after it the build would know too late that it is never reached.
  return process.env.FERRY_TREE
    ? (JSON.parse(process.env.FERRY_TREE) as Tree)
    : (await import('./core/completion/CommandTree.js')).from(
        await (await import('./cli/loadCatalog.js')).loadCatalog(),
        (await import('./core/docs/HelpTopic.js')).topics,
      );
}
