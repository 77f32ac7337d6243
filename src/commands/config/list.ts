import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import * as SettingListing from '../../core/config/SettingListing.js';

export const command = define({
  description:
    'Lists every setting with its value and its source. A flag overrides a FERRY_ variable, which overrides the project file, which overrides your own file, which overrides the default. Secrets are never shown.',
  examples: [
    ['ferry config list', 'the effective settings and their sources'],
    [
      'ferry config list --json | jq -r \'.data.settings[] | select(.source.kind != "default").key\'',
      'the settings that are not defaults',
    ],
  ],
  output: z.object({
    /** The path of the user file, whether or not it exists. */
    userFile: z.string(),
    settings: z.array(SettingListing.schema),
  }),
  async run(_options, { config, configFiles }) {
    return { userFile: configFiles.userPath, settings: Config.list(config) };
  },
  view: ({ settings }, style) => SettingListing.formatList(settings, style),
});
