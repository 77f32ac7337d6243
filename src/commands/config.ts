import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import * as Config from '../core/config/Config.js';
import * as ConfigFile from '../core/config/ConfigFile.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import type { Expected } from '../core/ports/UserFiles.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';

const setting = z.object({
  key: z.string(),
  /** The value as a user writes it; secrets are `***`, URLs are redacted. Null if not set. */
  value: z.nullable(z.string()),
  source: z.object({
    kind: z.enum(['flag', 'env', 'project', 'user', 'default']),
    /** The flag or the variable. */
    name: z.optional(z.string()),
    /** The file. */
    path: z.optional(z.string()),
  }),
});

const list = define({
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
    settings: z.array(setting),
  }),
  async run(_options, { config, configFiles }) {
    return { userFile: configFiles.userPath, settings: Config.list(config) };
  },
  view: ({ settings }, style) =>
    TerminalText.columns(
      // A name or value that the user chose may be long: it shifts only its own row.
      settings.map(({ key, value, source }) => [
        TerminalText.escape(key),
        value === null ? style.dim('-') : TerminalText.escape(value),
        style.dim(TerminalText.escape('name' in source ? source.name : 'path' in source ? source.path : source.kind)),
      ]),
      [],
      24,
    ),
});

const get = define({
  description: 'Prints the effective value of one setting. A secret is always printed as ***.',
  args: [{ name: 'key', names: 'setting', description: 'the setting, as ferry config list names it' }],
  examples: [
    ['ferry config get network', 'the network of every command'],
    ['ferry config get maxImpact --json', 'with its source'],
  ],
  output: setting,
  async run({ args: [key = ''] }, { config }) {
    return Config.get(config, key);
  },
  verbatim: true,
  view: ({ value }) => (value === null ? '' : TerminalText.escape(value)),
});

const set = define({
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

const unset = define({
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

const edit = define({
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

const path = define({
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

export const commands = { list, get, set, unset, edit, path };
