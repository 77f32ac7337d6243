import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import * as SettingListing from '../../core/config/SettingListing.js';

export const command = define({
  description:
    'Every setting with its value and where it comes from. A flag beats a FERRY_ variable, that the project file, that your own file, and that the default. Secrets are never shown.',
  args: [],
  options: {},
  examples: [
    ['ferry config list', 'what holds here, and why'],
    ['ferry config list --json | jq -r \'.data.settings[] | select(.source.kind != "default").key\'', 'what is set'],
  ],
  output: z.object({
    /** The user file, whether it is there or not. */
    userFile: z.string(),
    settings: z.array(SettingListing.schema),
  }),
  async run(_options, { config, configFiles }) {
    return { userFile: configFiles.userPath, settings: Config.list(config).map(SettingListing.from) };
  },
  view: ({ settings }, style) => SettingListing.formatList(settings, style),
});
