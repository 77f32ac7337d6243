import * as z from 'zod/mini';
import { oneInput } from '../../core/accounts/KeyListing.js';
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
import { chooseChains, chooseVenue } from '../../setup/chooseNodes.js';
import {
  answered,
  chooseKey,
  chooseMoney,
  chooseReferrer,
  chooseService,
  initFlags,
  missingAnswer,
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
    'Sets up a network: the sandbox, testnet, mainnet or a service of your own, with its API key, RPC URLs and venue. It asks for what no flag gives, checks each answer right away, writes your configuration file at the end and prints the next commands. Other settings in the file are kept; Ctrl-C leaves the file unchanged.',
  args: [
    {
      name: 'network',
      names: 'network',
      description: 'sandbox, testnet, mainnet or a name of your own',
      optional: true,
    },
  ],
  options: initFlags,
  examples: [
    ['ferry config init', 'answer questions for everything'],
    ['ferry config init sandbox', 'the service on this machine; asks nothing'],
    ['ferry config init testnet --api-key-file key.txt --default', 'in a script'],
    [
      'ferry config init mine --service-url https://api.example.org --rpc-url base=https://rpc.example.org --money test',
      'a service of your own',
    ],
  ],
  output: z.object({
    network: z.string(),
    /** Your configuration file. */
    path: z.string(),
    /** The settings written; a null value was removed. Secrets are `***`, URLs are shortened. */
    written: z.array(z.object({ key: z.string(), value: z.nullable(z.string()) })),
    /** Whether it is the default network now. */
    isDefault: z.boolean(),
    /** The checks of the answers. */
    checks: z.array(HealthCheck.schema),
    /** The commands to run next. */
    next: z.array(z.string()),
  }),
  async *run(options, context) {
    const { configFiles, interactive, confirm } = context;
    const { userPath: path } = configFiles;
    if ([options.apiKeyFile, options.rpcUrlFile].every((each) => each === '-'))
      throw oneInput(['--api-key-file', '--rpc-url-file']);
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
        : `${style.green('✓')} ${style.bold(TerminalText.escape(network))} works; nothing had to be written.`,
      '',
      'Next:',
      ...next.map((line) => `  ${style.command(line)}`),
    ].join('\n'),
});

function proposal({ path, written }: ConfigProposed, style: Style): string {
  const rows = written.map(({ key, value }) => [
    `  ${TerminalText.escape(key)}`,
    value === null ? style.red('removed') : TerminalText.escape(value),
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
  if (!interactive) throw missingAnswer('The network');
  const configured = [...config.networks.keys()].filter((name) => !NetworkRegistry.isShipped(name));
  const other = 'another one';
  const chosen = await prompt.choose('Which network?', [
    { value: 'sandbox', description: 'The whole service on this machine: no funds, no keys, nothing to set up.' },
    { value: 'testnet', description: 'The test deployment of the service, without real money.' },
    { value: 'mainnet', description: 'The service itself, with real money.' },
    ...configured.map((value) => ({ value, description: 'A network of your own, set up before.' })),
    { value: other, description: 'A service of your own, by its URL.' },
  ]);
  if (chosen !== other) return chosen;
  const question = { text: 'Name of the network', flag: 'The network', optional: false };
  return (await answered(question, read, { interactive, prompt, ...rest })) ?? other;
}

/** Whether to make it the default network. On mainnet the answer defaults to no: real money is chosen on purpose. */
async function chooseDefault(name: string, typed: Typed, { config, interactive, prompt }: Context): Promise<boolean> {
  if (typed.default || typed.noDefault) return typed.default === true;
  const { value, source } = config.network;
  if (name === 'sandbox' || (value === name && source.kind === 'user')) return true;
  if (!interactive) return false;
  return prompt.confirm(`Make ${name} the default network?`, name === 'mainnet' ? 'no' : 'yes');
}

/** The commands that lead to the first transfer. */
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
    ...(isNamed ? [] : [`ferry config set account ${key?.name ?? 'main'} --network ${name}`]),
    ...(unknown && !NetworkRegistry.isShipped(name) ? [`ferry contracts accept ${unknown.name}${on}`] : []),
    `ferry doctor${on}`,
    `ferry quote ${quote}${on}`,
  ];
}
