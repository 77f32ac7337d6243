import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';

export const command = define({
  description:
    'Gives a key another name. Its file, its password and its address stay the same. A name that a key has is not taken.',
  args: [
    { name: 'name', names: 'key', description: 'the key' },
    { name: 'new-name', description: 'its new name' },
  ],
  examples: [
    ['ferry key rename main savings', 'main is savings from now on'],
    ['ferry key rename main savings --json | jq -r .data.path', 'the path of its file'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = '', to = ''] }, { keystore, venueKeys, config, warn }) {
    const apiKey = await (await venueKeys()).rename(name, to);
    const key = apiKey ? KeyListing.fromVenue(apiKey) : KeyListing.from(await keystore.rename(name, to));
    const setting = apiKey ? config.venueKey : config.account;
    if (setting.value === name)
      warn(
        `Your settings name the old one: ${ShellCommand.from('config set', [apiKey ? 'venueKey' : 'account', to], {})}`,
      );
    return key;
  },
  view: (key, style) => KeyListing.format(key, 'Renamed', style),
});
