import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import { isShell, type Shell, shells } from '../core/completion/ShellQuoting.js';
import * as ShellScript from '../core/completion/ShellScript.js';

export const command = define({
  description:
    'Prints a script that completes commands, options, chains, tokens, accounts, runs and requests in a shell. Completion uses no network. The script asks ferry for its suggestions, so it need not be updated with ferry.',
  args: [{ name: 'shell', description: 'the shell', choices: shells }],
  examples: [
    ['ferry completion install', 'install it where your shell finds it'],
    ['ferry completion bash > ferry.bash', 'save the script yourself'],
  ],
  output: z.object({ shell: z.enum(shells), script: z.string() }),
  run: async ({ args: [shell] }) => read(shell),
  verbatim: true,
  view: ({ script }) => script.trimEnd(),
  // A shell's startup file may run this, and the shell should start even if ferry's configuration is broken.
  unconfigured: (_error, { args: [shell] }) => read(shell),
});

function read(shell: string | undefined): { shell: Shell; script: string } {
  if (!isShell(shell)) throw new BaseError('usage.invalid', `ferry has no completion for ${shell}.`);
  return { shell, script: ShellScript.of(shell) };
}
