import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import { isShell, type Shell, shells } from '../core/completion/Shell.js';
import * as ShellScript from '../core/completion/ShellScript.js';

export const command = define({
  description:
    'Prints the script by which a shell completes commands, options, chains, tokens, accounts, runs and requests. Nothing is asked over a network for it. The script asks ferry for the words, so that it need not be renewed.',
  args: [{ name: 'shell', description: 'the shell', choices: shells }],
  options: {},
  examples: [
    ['ferry completion install', 'put it where your shell finds it'],
    ['ferry completion bash > ferry.bash', 'to put it somewhere yourself'],
  ],
  output: z.object({ shell: z.enum(shells), script: z.string() }),
  run: async ({ args: [shell] }) => read(shell),
  view: ({ script }) => script.trimEnd(),
  // A start file may run it, and a shell should start whatever ferry's own configuration is like.
  unconfigured: (_error, { args: [shell] }) => read(shell),
});

function read(shell: string | undefined): { shell: Shell; script: string } {
  if (!isShell(shell)) throw new BaseError('usage.invalid', `ferry does not complete for ${shell}.`);
  return { shell, script: ShellScript.of(shell) };
}
