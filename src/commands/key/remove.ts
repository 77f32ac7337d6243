import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description: 'Deletes the file of an encrypted key. Without a copy of it, what the key holds is lost for good.',
  args: [{ name: 'name', names: 'key', description: 'the account' }],
  options: {},
  examples: [
    ['ferry key remove old', 'asks first'],
    ['ferry key remove old --yes', 'does not ask'],
  ],
  output: KeyListing.schema,
  async run({ args: [name = ''] }, { keystore, venueKeys, confirm }) {
    const apiKeys = await venueKeys();
    const apiKey = (await apiKeys.list()).find((each) => each.name === name);
    if (apiKey) {
      await confirm(`Delete the API key ${name} of the venue account ${apiKey.accountIndex}?`);
      await apiKeys.remove(name);
      return KeyListing.fromVenue(apiKey);
    }
    const key = (await keystore.list()).find((each) => each.name === name);
    // A name that is not there is said before anything is asked.
    if (key) await confirm(`Delete the key ${name} (${key.address ?? TerminalText.escape(key.path)}) for good?`);
    return KeyListing.from(await keystore.remove(name));
  },
  view: (key, style) => KeyListing.format(key, 'Removed', style),
});
