import * as z from 'zod/mini';
import { OneInputError } from '../../core/accounts/KeyListing.js';
import { BaseError } from '../../core/base/Errors.js';
import * as HealthCheck from '../../core/checks/HealthCheck.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as NetworkSetup from '../../core/config/NetworkSetup.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import type { ConfigProposed } from '../../core/event/DisplayEvent.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';
import type { Style } from '../../core/text/TerminalStyle.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { answered, MissingAnswerError } from '../../setup/answers.js';
import { chooseChains, chooseVenue } from '../../setup/chooseNodes.js';
import {
  chooseKey,
  chooseMoney,
  chooseReferrer,
  chooseService,
  type Typed,
  type Work,
} from '../../setup/chooseService.js';

const steps: readonly ((work: Work, typed: Typed, context: Context) => Promise<Work>)[] = [
  chooseService,
  chooseMoney,
  chooseKey,
  chooseReferrer,
  chooseChains,
  chooseVenue,
];

export const command = define({
  description:
    'Sets a network up: the sandbox, testnet, mainnet or a service of your own, with its API key, RPC URLs and venue. It asks for what no flag says, looks at once whether each answer works, writes your configuration file at the end and says what to type next. What the file says besides stays; Ctrl-C leaves it as it is.',
  args: [
    {
      name: 'network',
      names: 'network',
      description: 'sandbox, testnet, mainnet or a name of your own',
      optional: true,
    },
  ],
  options: {
    serviceUrl: { type: 'string', value: 'url', description: 'where the service of a network of your own answers' },
    money: {
      type: 'string',
      value: 'kind',
      choices: ['real', 'test'],
      description: 'whether transfers on a network of your own move real money (default real)',
    },
    apiKeyFile: { type: 'string', value: 'file', description: 'a file that holds the API key, or - for stdin' },
    referrer: { type: 'string', value: 'name', description: 'the referrer that goes with the key' },
    rpcUrl: { type: 'strings', value: 'chain=url', description: 'your own node of a chain; may be repeated' },
    rpcUrlFile: { type: 'string', value: 'file', description: 'a file of such lines, for URLs with keys, or -' },
    venueUrl: { type: 'string', value: 'url', description: 'where the venue answers' },
    signingChainId: { type: 'string', value: 'id', description: 'what the venue’s signatures are bound to' },
    venueAccount: { type: 'string', value: 'index', description: 'your account there' },
    apiKeyIndex: { type: 'string', value: 'slot', description: 'the slot of the venue’s API key that signs' },
    default: { type: 'boolean', description: 'work on it from now on, where --network says nothing' },
    noDefault: { type: 'boolean', description: 'leave the network that is worked on as it is' },
  },
  examples: [
    ['ferry config init', 'asks for everything'],
    ['ferry config init sandbox', 'the service on this machine, without any question'],
    ['ferry config init testnet --api-key-file key.txt --default', 'for a script'],
    [
      'ferry config init mine --service-url https://api.example.org --rpc-url base=https://rpc.example.org --money test',
      'a service of your own',
    ],
  ],
  output: z.object({
    network: z.string(),
    /** Your configuration file. */
    path: z.string(),
    /** What was written; null for what was taken away. Secrets are `***`, URLs are cut short. */
    written: z.array(z.object({ key: z.string(), value: z.nullable(z.string()) })),
    /** Whether it is the network that is worked on from now on. */
    isDefault: z.boolean(),
    /** What was looked at. */
    checks: z.array(HealthCheck.schema),
    /** What to type next. */
    next: z.array(z.string()),
  }),
  async *run(options, context) {
    const { configFiles, interactive, confirm } = context;
    const { userPath: path } = configFiles;
    if ([options.apiKeyFile, options.rpcUrlFile].every((each) => each === '-'))
      throw new OneInputError(['--api-key-file', '--rpc-url-file']);
    configFiles.assertWritable();
    const { network } = context.config;
    const typed = options.args[0] ?? (network.source.kind === 'flag' ? network.value : undefined);
    const name = await chooseNetwork(typed, context);
    const file = { kind: 'user', path, content: await configFiles.content() } as const;
    let work: Work = { setup: { name, file, changes: [] }, service: undefined, checks: [] };
    for (const step of steps) {
      const done = await step(work, options, context);
      for (const check of done.checks.slice(work.checks.length)) yield { type: 'answer-checked', check };
      work = done;
    }
    const isDefault = await chooseDefault(name, options, context);
    const setup = isDefault ? NetworkSetup.setWhole(work.setup, 'network', name) : work.setup;
    const written = NetworkSetup.rows(setup);
    if (written.length > 0) {
      yield { type: 'config-proposed', path, written };
      if (interactive) await confirm('Write it?', 'yes');
      await configFiles.write(setup.changes);
    }
    return {
      network: name,
      path,
      written,
      isDefault,
      checks: [...work.checks],
      next: await nextOf(work, isDefault, context),
    };
  },
  logLine(event, style) {
    if (event.type === 'answer-checked') return HealthCheck.formatLine(event.check, style);
    return event.type === 'config-proposed' ? proposal(event, style) : undefined;
  },
  view: ({ network, path, written, next }, style) =>
    [
      written.length > 0
        ? `${style.green('✓')} ${style.bold(TerminalText.escape(network))} is set up in ${TerminalText.escape(path)}`
        : `${style.green('✓')} ${style.bold(TerminalText.escape(network))} works, and nothing had to be written.`,
      '',
      'Next:',
      ...next.map((line) => `  ${style.cyan(line)}`),
    ].join('\n'),
});

function proposal({ path, written }: ConfigProposed, style: Style): string {
  const rows = written.map(({ key, value }) => [
    `  ${TerminalText.escape(key)}`,
    value === null ? style.red('taken away') : TerminalText.escape(value),
  ]);
  return `\n${style.dim(TerminalText.escape(path))}\n${TerminalText.columns(rows)}`;
}

/** @throws usage.missing · usage.invalid */
async function chooseNetwork(
  typed: string | undefined,
  { config, interactive, prompt, ...rest }: Context,
): Promise<string> {
  const read = async (text: string): Promise<string> => {
    if (!SettingFormat.name.read(text))
      throw new BaseError('usage.invalid', `A network must be ${SettingFormat.name.expects}.`);
    return text;
  };
  if (typed !== undefined) return read(typed);
  if (!interactive) throw new MissingAnswerError('The network');
  const own = [...config.networks.keys()].filter((name) => !NetworkRegistry.isShipped(name));
  const other = 'another one';
  const chosen = await prompt.choose('Which network?', [
    { value: 'sandbox', description: 'The whole service on this machine: no funds, no keys, nothing to set up.' },
    { value: 'testnet', description: 'The test deployment of the service, without real money.' },
    { value: 'mainnet', description: 'The service itself, with real money.' },
    ...own.map((value) => ({ value, description: 'A network of your own, set up before.' })),
    { value: other, description: 'A service of your own, by its URL.' },
  ]);
  if (chosen !== other) return chosen;
  const question = { text: 'Name of the network', flag: 'The network', typed: undefined, optional: false };
  return (await answered(question, read, { interactive, prompt, ...rest })) ?? other;
}

type Default = { default?: boolean | undefined; noDefault?: boolean | undefined };

/** Whether to work on it from now on. What moves real money is chosen on purpose. */
async function chooseDefault(name: string, typed: Default, { config, interactive, prompt }: Context): Promise<boolean> {
  if (typed.default || typed.noDefault) return typed.default === true;
  const { value, source } = config.network;
  if (name === 'sandbox' || (value === name && source.kind === 'user')) return true;
  if (!interactive) return false;
  return prompt.confirm(
    `Work on ${name} from now on, where --network says nothing?`,
    name === 'mainnet' ? 'no' : 'yes',
  );
}

/** What leads to the first transfer from here. */
async function nextOf({ setup }: Work, isDefault: boolean, context: Context): Promise<string[]> {
  const { config, keystore } = context;
  const { name, chains } = await NetworkSetup.network(setup);
  const on = isDefault ? '' : ` --network ${name}`;
  const evm = chains.filter(({ vm }) => vm === 'evm');
  const [from, to = from] = evm.map((chain) => `${chain.name}/${chain.native.symbol.toLowerCase()}`);
  const quote = name === 'sandbox' ? '100 alpha/usdc beta/usdc' : `0.01 ${from} ${to}`;
  if (name === 'sandbox') return [`ferry quote ${quote}${on}`, `ferry execute ${quote}${on}`];
  const isNamed = [config.account, config.keyFile, config.privateKey].some(({ value }) => value !== undefined);
  const [key] = isNamed ? [] : await keystore.list();
  const unknown = evm.find(({ contracts }) => contracts.depository === undefined);
  return [
    ...(isNamed || key ? [] : ['ferry key new main']),
    ...(isNamed ? [] : [`ferry config set account ${key?.name ?? 'main'}`]),
    ...(unknown && !NetworkRegistry.isShipped(name) ? [`ferry contracts accept ${unknown.name}${on}`] : []),
    `ferry doctor${on}`,
    `ferry quote ${quote}${on}`,
  ];
}
