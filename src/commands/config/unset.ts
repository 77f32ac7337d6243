import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as ConfigFile from '../../core/config/ConfigFile.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description:
    'Removes a setting from your configuration file, so that its default, or that of the network, is in effect again. With --network, it is that of one network. One that is not set stays so, and what is no setting is removed too.',
  args: [{ name: 'key', names: 'setting', description: 'the setting, as ferry config list names it' }],
  examples: [
    ['ferry config unset maxFeeUsd', 'no cap on the fees any more'],
    ['ferry config unset account --network mainnet', 'the account of every network pays there again'],
    ['ferry config unset networks.mainnet.chains.base.rpcUrl', 'no node of your own any more'],
  ],
  output: z.object({
    key: z.string(),
    /** Whether the file had it. */
    wasSet: z.boolean(),
    path: z.string(),
  }),
  needsNoConfig: true,
  async run({ args: [named = ''] }, { config, configFiles }) {
    const key = ConfigFile.keyOn(config, named);
    const wasSet = ConfigFile.valueAt(await configFiles.content(), key) !== undefined;
    if (!wasSet && !ConfigFile.formatOf(key)) throw ConfigFile.unknownSetting(key);
    if (wasSet) await configFiles.write([[key, undefined]]);
    return { key, wasSet, path: configFiles.userPath };
  },
  view: ({ key, wasSet, path }, style) =>
    `${TerminalText.escape(key)} ${wasSet ? 'is no longer set' : 'was not set'}\n${style.dim(TerminalText.escape(path))}`,
});
