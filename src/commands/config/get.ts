import { define } from '../../core/command/Command.js';
import * as Config from '../../core/config/Config.js';
import * as SettingListing from '../../core/config/SettingListing.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description: 'Prints the effective value of one setting. A secret is always printed as ***.',
  args: [{ name: 'key', names: 'setting', description: 'the setting, as ferry config list names it' }],
  examples: [
    ['ferry config get network', 'the network of every command'],
    ['ferry config get maxImpact --json', 'with its source'],
  ],
  output: SettingListing.schema,
  async run({ args: [key = ''] }, { config }) {
    return Config.get(config, key);
  },
  verbatim: true,
  view: ({ value }) => (value === null ? '' : TerminalText.escape(value)),
});
