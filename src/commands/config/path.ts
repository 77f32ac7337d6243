import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description: 'Prints the path of your configuration file, whether or not it exists.',
  examples: [
    ['cat "$(ferry config path)"', 'the file of ferry config path as it is'],
    ['ferry config path --json', 'with the project file, if there is one'],
  ],
  output: z.object({
    userFile: z.string(),
    exists: z.boolean(),
    /** The project file in effect, from the working directory up; null if there is none. */
    projectFile: z.nullable(z.string()),
  }),
  async run(_, { configFiles, files }) {
    const { userPath } = configFiles;
    return {
      userFile: userPath,
      exists: await files.exists(userPath),
      projectFile: configFiles.projectPath() ?? null,
    };
  },
  needsNoConfig: true,
  verbatim: true,
  view: ({ userFile }) => TerminalText.escape(userFile),
});
