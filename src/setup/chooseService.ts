/**
 * The steps of ferry config init for the service: its URL, the API key, the referrer, whether money is real. Answers come from
 * flags or from prompts, each validated as soon as it is given.
 */

import { BaseError, type Code, entries } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import type * as HealthCheck from '../core/checks/HealthCheck.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as EffectiveNetwork from '../core/config/EffectiveNetwork.js';
import * as NetworkSetup from '../core/config/NetworkSetup.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { Network } from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { askService, type CheckedNetwork, checkApiKey, checkService, type Service } from './remoteChecks.js';

/** The flags of the command. */
export const initFlags = {
  serviceUrl: { value: 'url', description: 'base URL of the service, for a network of your own' },
  money: {
    value: 'kind',
    choices: ['real', 'test'],
    description: 'whether a network of your own moves real money (default: real)',
  },
  apiKeyFile: { value: 'file', description: 'a file with the API key, or - for stdin' },
  referrer: { value: 'name', description: 'the referrer that belongs to the API key' },
  rpcUrl: { value: 'chain=url', repeats: true, description: 'your own RPC node for a chain; may be repeated' },
  rpcUrlFile: { value: 'file', description: 'a file of chain=url lines, for URLs that hold keys, or - for stdin' },
  venueUrl: { value: 'url', description: 'base URL of the venue' },
  signingChainId: { value: 'id', description: 'the chain id that the venue’s signatures are bound to' },
  venueAccount: { value: 'index', description: 'the index of your venue account' },
  apiKeyIndex: { value: 'slot', description: 'the slot of the venue API key that signs' },
  default: { description: 'make this the default network' },
  noDefault: { description: 'keep the current default network' },
} as const satisfies Flags;

export type Typed = Options<typeof initFlags>;

/** The setup so far. */
export type Work = {
  setup: NetworkSetup.NetworkSetup;
  /** The service's response, once it has been queried. */
  service: Service | undefined;
  /** The checks made so far. */
  checks: readonly HealthCheck.Check[];
};

/** Time limit for each response. */
const limitMs = 10_000;

/**
 * The resulting network, with the API key from the environment, and clients for it.
 *
 * @param typed the chain whose node a flag has named
 */
export async function asked(
  setup: NetworkSetup.NetworkSetup,
  context: Context,
  typed?: number | undefined,
): Promise<CheckedNetwork> {
  const { config, sandbox, clock } = context;
  const network = await NetworkSetup.network(setup);
  const isBuiltIn = network.name === 'sandbox' && network.baseUrl === undefined;
  const located = isBuiltIn ? EffectiveNetwork.atInstance(network, await sandbox.ensure()) : network;
  const chains = located.chains.map((each) => (each.id === typed ? { ...each, urlVariable: '--rpc-url' } : each));
  const full: Network = {
    ...located,
    chains,
    apiKey: config.apiKey.value?.reveal() ?? located.apiKey,
    apiKeys: undefined,
  };
  return { network: full, reach: context.within(limitMs, full), clock };
}

/** Sets the service's URL, and checks that the service responds. */
export async function chooseService(work: Work, { serviceUrl }: Typed, context: Context): Promise<Work> {
  const { setup } = work;
  const before = NetworkSetup.settings(setup);
  const isShipped = NetworkRegistry.isShipped(setup.name);
  const look = async (next: NetworkSetup.NetworkSetup): Promise<Work> => {
    const { network, ...rest } = await asked(next, context);
    // The chains are checked one by one when they are chosen.
    const bare = { ...rest, network: network.name === 'sandbox' ? network : { ...network, chains: [] } };
    const asking = askService(bare);
    const check = assertPassed(await checkService(bare, asking));
    return { setup: next, service: await asking, checks: [...work.checks, check] };
  };
  if (isShipped && serviceUrl === undefined) return look(setup);
  const known = before?.baseUrl && ` (Enter for ${Url.redact(before.baseUrl.value)})`;
  const question = {
    text: `URL of the service of ${setup.name}${known ?? ''}`,
    flag: '--service-url',
    typed: serviceUrl,
    optional: known !== undefined,
  };
  const chosen = await answered(
    question,
    (text) => look(withUrl(setup, valid(SettingFormat.url, text, '--service-url'))),
    context,
  );
  return chosen ?? look(setup);
}

/** Sets the URL. If its origin changes, the API keys of the old origin are removed. */
function withUrl(setup: NetworkSetup.NetworkSetup, url: string): NetworkSetup.NetworkSetup {
  const { baseUrl, apiKey, apiKeys } = NetworkSetup.settings(setup) ?? {};
  const next = NetworkSetup.set(setup, 'baseUrl', url);
  const isOther = (apiKey ?? apiKeys) && baseUrl && new URL(baseUrl.value).origin !== new URL(url).origin;
  return isOther ? NetworkSetup.set(NetworkSetup.set(next, 'apiKey', undefined), 'apiKeys', undefined) : next;
}

/** Sets whether transfers cost real money, which is fixed for the networks that ship with ferry. */
export async function chooseMoney(work: Work, { money }: Typed, { interactive, prompt }: Context): Promise<Work> {
  const { setup } = work;
  const { name } = setup;
  const known = NetworkSetup.settings(setup)?.realMoney?.value;
  if (NetworkRegistry.isShipped(name)) {
    if (money === undefined) return work;
    throw new BaseError('usage.invalid', `--money is only for a network of your own. ${name} ships with ferry.`);
  }
  const asking = (): Promise<boolean> => prompt.confirm(`Does ${name} use real money?`, known === false ? 'no' : 'yes');
  // Real money is the safe default: every transfer is confirmed.
  const isReal = money !== undefined ? money === 'real' : interactive ? await asking() : (known ?? true);
  return { ...work, setup: NetworkSetup.set(setup, 'realMoney', String(isReal)) };
}

/** Sets the API key, and checks that the service accepts it. */
export async function chooseKey(work: Work, { apiKeyFile }: Typed, context: Context): Promise<Work> {
  const { setup } = work;
  const { config, files, interactive } = context;
  const look = async (next: NetworkSetup.NetworkSetup): Promise<Work> => {
    const check = assertPassed(await checkApiKey(await asked(next, context)));
    return { ...work, setup: next, checks: [...work.checks, check] };
  };
  if (apiKeyFile !== undefined) {
    const hints = { missing: 'It must contain only the API key.', notPiped: 'Pipe the API key into it.' };
    const wanted = { what: 'API key', maxBytes: 65_536, code: 'config.unreadable', hints } as const;
    return look(withKey(setup, (await files.read(apiKeyFile, wanted)).trim()));
  }
  const { apiKey } = (await asked(setup, context)).network;
  // ferry ships the sandbox's key, and a key from the environment takes precedence anyway.
  if (setup.name === 'sandbox' || config.apiKey.value) return apiKey === undefined ? work : look(setup);
  const question = {
    text: `API key of ${setup.name} (Enter ${apiKey === undefined ? 'for none' : 'to keep the current one'})`,
    flag: '--api-key-file',
    optional: true,
    isSecret: true,
  };
  const chosen = interactive ? await answered(question, (text) => look(withKey(setup, text)), context) : undefined;
  return chosen ?? (apiKey === undefined ? work : look(setup));
}

function withKey(setup: NetworkSetup.NetworkSetup, text: string): NetworkSetup.NetworkSetup {
  return NetworkSetup.set(setup, 'apiKey', valid(SettingFormat.secret, text, 'The API key') && text);
}

/** Sets the referrer, the name of the integrating app, which belongs to an API key. */
export async function chooseReferrer(work: Work, { referrer }: Typed, context: Context): Promise<Work> {
  const { setup } = work;
  const { network } = await asked(setup, context);
  if (referrer !== undefined && network.apiKey === undefined)
    throw new BaseError('usage.missing', 'A referrer requires an API key: the service rejects it without one.', {
      hint: 'Pass the key with --api-key-file.',
    });
  if (referrer === undefined && (network.apiKey === undefined || setup.name === 'sandbox')) return work;
  const known = NetworkSetup.settings(setup)?.referrer?.value;
  const question = {
    text: `Referrer that belongs to the API key (Enter for ${known ?? 'none'})`,
    flag: '--referrer',
    typed: referrer,
    optional: true,
  };
  const read = async (text: string): Promise<NetworkSetup.NetworkSetup> =>
    NetworkSetup.set(setup, 'referrer', valid(SettingFormat.text, text, '--referrer'));
  return { ...work, setup: (await answered(question, read, context)) ?? setup };
}

/** @throws usage.invalid */
export function valid(format: SettingFormat.Format<unknown>, text: string, what: string): string {
  SettingFormat.option(format, text, what);
  return text;
}

type Question = {
  text: string;
  /** The flag that answers the question. */
  flag: string;
  /** The value of that flag. */
  typed?: string | undefined;
  /** Whether the answer may be omitted: by Enter alone, or without a terminal. */
  optional: boolean;
  /** Whether the input is masked. */
  isSecret?: boolean;
};

/**
 * Reads an answer; undefined if it was omitted. If `read` rejects the answer, a prompt asks again, and a flag is an
 * error.
 *
 * @throws usage.missing · prompt.declined · whatever `read` throws
 */
export async function answered<T>(
  { text, flag, typed, optional, isSecret }: Question,
  read: (answer: string) => Promise<T>,
  { interactive, prompt }: Pick<Context, 'interactive' | 'prompt'>,
): Promise<T | undefined> {
  if (typed !== undefined) return read(typed);
  if (!interactive) {
    if (optional) return undefined;
    throw missingAnswer(flag);
  }
  let found: T | undefined;
  const object = async (answer: string): Promise<string | undefined> => {
    if (answer === '' && optional) return undefined;
    try {
      found = await read(answer);
      return undefined;
    } catch (error) {
      // A prompt shows the problem as text below the question.
      return error instanceof BaseError ? inWords(error) : String(error);
    }
  };
  await (isSecret ? prompt.password(text, object) : prompt.text(text, object));
  return found;
}

/** Returns the check unless it failed. @throws the failure of the check */
export function assertPassed(check: HealthCheck.Check): HealthCheck.Check {
  if (check.verdict === 'fail') {
    const known = entries().find(([each]) => each === check.code)?.[0];
    throw new BaseError((known ?? 'expect.unmet') satisfies Code, check.summary, {
      facts: Object.entries(check.facts),
      hint: ['Nothing was written.', check.hint].filter((part) => part).join(' '),
    });
  }
  return check;
}

/** The error and its reason in one line. */
function inWords({ message, facts }: BaseError): string {
  const why = facts.find(([label]) => label === 'reason')?.[1];
  // At a prompt, no flag was typed.
  const what = message.replace(/^--[a-z-]+ must/, 'It must');
  return TerminalText.escape(why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}.`);
}

export function missingAnswer(flag: string): BaseError {
  return new BaseError('usage.missing', `${flag} is missing, and there is no terminal to prompt for it.`, {
    hint: 'Nothing was written.',
    next: 'ferry config init --help',
  });
}
