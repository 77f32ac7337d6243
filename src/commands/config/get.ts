import * as Config from '../../core/Config.js';
import * as Text from '../../core/render/Text.js';
import * as SettingRow from '../../core/SettingRow.js';
import { define } from '../Command.js';

export const command = define({
  description: 'The value of one setting, as it holds here. A secret is shown as ***, whatever it is.',
  args: [{ name: 'key', names: 'setting', description: 'as ferry config list names it' }],
  options: {},
  examples: [
    ['ferry config get network', 'the network of every command'],
    ['ferry config get maxImpact --json', 'with its source'],
  ],
  output: SettingRow.schema,
  async run({ args: [key = ''] }, { config }) {
    return SettingRow.from(Config.get(config, key));
  },
  view: ({ value }) => (value === null ? '' : Text.escape(value)),
});
