import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import * as ConfigFile from '../../core/config/ConfigFile.js';
import * as EffectiveNetwork from '../../core/config/EffectiveNetwork.js';
import type { Expected } from '../../core/ports/UserFiles.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';

export const command = define({
  description:
    'Writes a setting to your configuration file. With --network, it is that of one network, where the setting can be. A secret is prompted for, or read from stdin with -; it is never an argument, which other users could see.',
  args: [
    { name: 'key', names: 'setting', description: 'network, account, maxImpact, networks.<name>.apiKey, …' },
    { name: 'value', names: 'setting-value', description: 'the value, or - for stdin', optional: true },
  ],
  examples: [
    ['ferry config set network testnet', 'use the test deployment by default'],
    ['ferry config set maxFeeUsd 5', 'refuse transfers that cost more'],
    ['ferry config set account main --network mainnet', 'who pays there; elsewhere nothing changes'],
    ['ferry config set networks.mainnet.apiKey', 'prompts for the key'],
    ['ferry config set networks.mainnet.rateLimit 600', 'requests per minute that your API key allows'],
    ['ferry config set networks.mainnet.chains.base.rpcUrl https://rpc.example.org', 'your own node'],
  ],
  output: z.object({ key: z.string(), value: z.string(), path: z.string() }),
  async run({ args: [named = '', typed] }, { config, configFiles, files, prompt, interactive, warn }) {
    const key = ConfigFile.keyOn(config, named);
    const format = ConfigFile.formatOf(key);
    if (!format) throw ConfigFile.unknownSetting(key);
    if (key.startsWith('aliases.'))
      // The address book has its own command, which also holds a name against chains, keys and the names that look like it.
      throw new BaseError('usage.invalid', 'The address book has a command of its own.', {
        next: ShellCommand.from('address add', [key.slice('aliases.'.length), typed ?? '<address>'], {}),
      });
    const isSecret = format.privacy === 'secret';
    if (isSecret && typed !== undefined && typed !== '-')
      throw new BaseError('usage.invalid', `${key} is a secret, and other users can see arguments.`, {
        hint: 'The shell keeps it in its history too: consider it leaked and get a new one.',
        next: ShellCommand.line`ferry config set ${key} -`,
      });
    if (typed === undefined && !(isSecret && interactive))
      throw new BaseError('usage.missing', `ferry config set ${key} needs a value.`, {
        hint: isSecret ? 'There is no terminal to prompt on. Pass it on stdin.' : undefined,
        next: `${ShellCommand.line`ferry config set ${key}`} ${isSecret ? '-' : '<value>'}`,
      });
    const promptForValue = async () => prompt.password(`Value of ${key}`);
    const text =
      typed === undefined ? await promptForValue() : typed === '-' ? (await files.read('-', piped(key))).trim() : typed;
    // A network that does not exist would make every later command fail.
    if (key === 'network') EffectiveNetwork.assertKnown(config, text);
    await configFiles.write([[key, text]]);
    if (key === 'account' && config.network.value === 'sandbox' && !/^dev\d$/.test(text))
      warn(
        `${text} is now the account of every network, and of the sandbox too, where dev0 has funds. For one network: ${ShellCommand.line`ferry config set account ${text} --network mainnet`}`,
      );
    return { key, value: format.show(format.read(text)?.value) ?? text, path: configFiles.userPath };
  },
  view: ({ key, value, path }, style) =>
    `${TerminalText.escape(key)} is ${style.bold(TerminalText.escape(value))}\n${style.dim(TerminalText.escape(path))}`,
});

/** A value on standard input. */
function piped(key: string): Expected {
  const notPiped = `printf %s <value> | ${ShellCommand.line`ferry config set ${key} -`}`;
  return { what: 'value', code: 'usage.invalid', maxBytes: 65_536, hints: { missing: '', notPiped } };
}
