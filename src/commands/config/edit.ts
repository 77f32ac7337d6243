import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description:
    'Opens your configuration file in your editor: VISUAL, else EDITOR, else vi. What you save takes effect only if it is valid; until then the file stays as it is.',
  examples: [
    ['ferry config edit', 'your configuration file'],
    ["EDITOR='code --wait' ferry config edit", 'in another editor'],
  ],
  output: z.object({ path: z.string(), changed: z.boolean() }),
  needsNoConfig: true,
  async run(_, context) {
    const { configFiles, confirm, interactive, warn, edit } = context;
    const before = configFiles.text();
    let text = before === '' && configFiles.userPath.endsWith('.json') ? '{}\n' : before;
    for (;;) {
      const edited = await edit(text, configFiles.userPath);
      if (edited === before || edited === text) return { path: configFiles.userPath, changed: false };
      try {
        await configFiles.replace(edited);
        return { path: configFiles.userPath, changed: true };
      } catch (error) {
        if (!(error instanceof BaseError) || !interactive) throw error;
        warn(error.message);
        // What was typed is not lost.
        text = edited;
        await confirm('Edit it again?', 'yes');
      }
    }
  },
  view: ({ path, changed }, style) =>
    `${changed ? 'Saved.' : 'Nothing has changed.'}\n${style.dim(TerminalText.escape(path))}`,
});
