/** The steps of ferry config init for the chains' RPC nodes and the venue. */

import type * as Chains from '../core/api/catalog/Chains.js';
import { BaseError } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import type { Context } from '../core/command/Context.js';
import * as NetworkSetup from '../core/config/NetworkSetup.js';
import * as SettingDefinitions from '../core/config/SettingDefinitions.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as Network from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { answered, asked, assertPassed, missingAnswer, type Typed, valid, type Work } from './chooseService.js';
import { checkChain, checkVenue } from './remoteChecks.js';

/** A chain and its name in the configuration file, with what the service says of its native currency. */
type Named = { name: string; id: number; currency?: Chains.ChainCurrency | null | undefined };

/** Sets the RPC nodes of the chains the user chooses, and checks that each serves its chain. */
export async function chooseChains(work: Work, typed: Typed, context: Context): Promise<Work> {
  const served = (work.service?.chains.chains ?? []).filter(isEvm);
  const { network } = await asked(work.setup, context);
  const resolve = (text: string): Named => named(text, network, served);
  const pairs = await typedNodes(typed, context);
  if (pairs.length > 0) {
    let done = work;
    for (const [chain, url] of pairs) done = await look(done, resolve(chain), url, context);
    return done;
  }
  const isBuiltIn = work.setup.name === 'sandbox' && !NetworkSetup.settings(work.setup)?.baseUrl;
  if (isBuiltIn) return lookAtAll(work, network, context);
  const isReached = network.chains.some((chain) => chain.vm === 'evm' && served.some(({ id }) => id === chain.id));
  if (!context.interactive) {
    if (isReached) return work;
    throw missingAnswer('--rpc-url');
  }
  const own = served.filter(({ id }) => !Network.chainById(network, id));
  const question = {
    text: isReached
      ? 'Chains to set an RPC URL for, separated by commas (Enter for none)'
      : `Chains to use, separated by commas: ${TerminalText.few(own.map(({ name }) => TerminalText.escape(name)))}`,
    flag: '--rpc-url',
    optional: isReached,
  };
  const chosen = await answered(question, async (text) => words(text).map(resolve), context);
  let done = work;
  for (const chain of chosen ?? []) done = await askNode(done, chain, context);
  return done;
}

/** Pairs of chain and RPC URL from the flags and the file. @throws usage.invalid */
async function typedNodes({ rpcUrl = [], rpcUrlFile }: Typed, { files }: Context): Promise<[string, string][]> {
  const hints = {
    missing: 'It must contain lines such as base=https://…',
    notPiped: 'Pipe lines of the form chain=url into it.',
  };
  const wanted = { what: 'list of RPC URLs', maxBytes: 65_536, code: 'config.unreadable', hints } as const;
  const lines = rpcUrlFile === undefined ? [] : (await files.read(rpcUrlFile, wanted)).split('\n');
  return [...rpcUrl, ...lines.map((line) => line.trim()).filter((line) => line !== '')].map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new BaseError('usage.invalid', 'An RPC URL must have the form chain=url, such as base=https://….');
    return [pair.slice(0, at), valid(SettingFormat.url, pair.slice(at + 1), `The RPC URL of ${pair.slice(0, at)}`)];
  });
}

/** Prompts for the node of one chain. If one is known already, Enter keeps it. */
async function askNode(work: Work, chain: Named, context: Context): Promise<Work> {
  const known = Network.chainById((await asked(work.setup, context)).network, chain.id)?.rpcUrl;
  const node = known ?? (await shipped(chain.id)).find(({ rpcUrl }) => rpcUrl !== undefined)?.rpcUrl;
  const question = {
    text: `RPC URL of ${chain.name} (${chain.id})${node === undefined ? '' : `, Enter for ${Url.redact(node)}`}`,
    flag: '--rpc-url',
    optional: node !== undefined,
  };
  const read = async (text: string): Promise<Work> => look(work, chain, valid(SettingFormat.url, text, 'It'), context);
  return (await answered(question, read, context)) ?? look(work, chain, undefined, context);
}

/** Checks that the node serves the chain. Without a URL, uses the known node. */
async function look(
  work: Work,
  { name, id, currency }: Named,
  url: string | undefined,
  context: Context,
): Promise<Work> {
  const isShipped = NetworkRegistry.isShipped(work.setup.name);
  const isKnown = Network.chainById((await asked(work.setup, context)).network, id) !== undefined;
  // The file of a custom network names its chains; a shipped network has its own.
  const withId = isShipped && isKnown ? work.setup : NetworkSetup.set(work.setup, `chains.${name}.id`, String(id));
  const whole =
    isKnown || (!isShipped && (await shipped(id)).length > 0)
      ? withId
      : describe(withId, `chains.${name}`, currency ?? undefined);
  const setup = url === undefined ? whole : NetworkSetup.set(whole, `chains.${name}.rpcUrl`, url);
  const at = await asked(setup, context, url === undefined ? undefined : id);
  const chain = Network.chainById(at.network, id);
  if (!chain) throw new Network.UnknownChainError(at.network, name);
  const { check } = await checkChain(chain, at);
  return { ...work, setup, checks: [...work.checks, assertPassed(check)] };
}

async function lookAtAll(work: Work, { chains }: Network.Network, context: Context): Promise<Work> {
  const at = await asked(work.setup, context);
  const looked = chains.filter(({ vm }) => vm === 'evm').map((chain) => checkChain(chain, at));
  const checks = (await Promise.all(looked)).map(({ check }) => assertPassed(check));
  return { ...work, checks: [...work.checks, ...checks] };
}

/** Finds a chain of the network, or one that the service serves. The node must later confirm its id. */
function named(text: string, network: Network.Network, served: readonly Chains.Chain[]): Named {
  const wanted = text.toLowerCase();
  const known = network.chains.find(({ name, id, vm }) => vm === 'evm' && (name === wanted || String(id) === wanted));
  if (known) return { name: known.name, id: known.id };
  const found = served.find(({ name, id }) => name.toLowerCase() === wanted || String(id) === wanted);
  if (!found) throw new Network.UnknownChainError(network, text);
  const name = SettingFormat.name.read(found.name) ? found.name.toLowerCase() : String(found.id);
  return { name, id: found.id, currency: found.currency };
}

/** Sets what ferry must know of a chain that it does not ship, as the service states it; the user sees it in the file. */
function describe(
  setup: NetworkSetup.NetworkSetup,
  at: string,
  currency: Chains.ChainCurrency | undefined,
): NetworkSetup.NetworkSetup {
  const facts = { vm: 'evm', nativeSymbol: currency?.symbol, nativeDecimals: currency?.decimals };
  return Object.entries(facts).reduce((done, [key, said]) => {
    const isUsable = SettingDefinitions.chainFormats[key as keyof typeof facts].read(said) !== undefined;
    return isUsable ? NetworkSetup.set(done, `${at}.${key}`, String(said)) : done;
  }, setup);
}

/** A chain in the tables that ship with ferry. */
async function shipped(id: number): Promise<Network.Chain[]> {
  return (await NetworkRegistry.all()).flatMap((table) => Network.chainById(table, id) ?? []);
}

/** The chain id that the service uses for the venue. */
const venueChainId = 3_586_256;

/** The flags of the venue's settings. */
const venueFlags = {
  baseUrl: '--venue-url',
  signingChainId: '--signing-chain-id',
  accountIndex: '--venue-account',
  apiKeyIndex: '--api-key-index',
} as const;

/** Sets the venue's URL and signing chain id, and checks that the venue responds. */
export async function chooseVenue(work: Work, typed: Typed, context: Context): Promise<Work> {
  const { interactive } = context;
  const { venueUrl, signingChainId, venueAccount, apiKeyIndex } = typed;
  const isTyped = [venueUrl, signingChainId, venueAccount, apiKeyIndex].some((each) => each !== undefined);
  const isServed = work.service?.chains.chains.some(({ id, vmType }) => id === venueChainId || vmType === 'lvm');
  const isOwn = !NetworkRegistry.isShipped(work.setup.name);
  if (!isTyped && work.setup.name === 'sandbox') return lookAtVenue(work, context);
  if (!isTyped && !(isOwn && isServed && interactive)) return work;
  let { setup } = work;
  const before = NetworkSetup.settings(setup)?.venue;
  const put = (key: keyof typeof venueFlags) => async (text: string) =>
    NetworkSetup.set(setup, `venue.${key}`, valid(SettingDefinitions.venueFormats[key], text, venueFlags[key]));
  if (isOwn) {
    const known = before?.baseUrl;
    const url = {
      text: `URL of the venue (Enter for ${known ? Url.redact(known.value) : 'none'})`,
      flag: venueFlags.baseUrl,
      typed: venueUrl,
      optional: known !== undefined || !isTyped,
    };
    const withUrl = await answered(url, put('baseUrl'), context);
    if (!withUrl && !known) return work;
    setup = withUrl ?? setup;
    const bound = before?.signingChainId;
    const id = {
      text: `Signing chain id of the venue${bound ? ` (Enter for ${bound.value})` : ''}`,
      flag: venueFlags.signingChainId,
      typed: signingChainId,
      optional: bound !== undefined,
    };
    setup = (await answered(id, put('signingChainId'), context)) ?? setup;
    const { network } = await asked(setup, context);
    if (!network.chains.some(({ vm }) => vm === 'lvm'))
      setup = NetworkSetup.set(setup, 'chains.lighter.id', String(venueChainId));
  }
  const unasked = isOwn ? {} : { baseUrl: venueUrl, signingChainId };
  for (const [key, text] of Object.entries({ ...unasked, accountIndex: venueAccount, apiKeyIndex }))
    if (text !== undefined) setup = await put(key as keyof typeof venueFlags)(text);
  return lookAtVenue({ ...work, setup }, context);
}

async function lookAtVenue(work: Work, context: Context): Promise<Work> {
  const checks = (await checkVenue(undefined, await asked(work.setup, context))).map(assertPassed);
  return { ...work, checks: [...work.checks, ...checks] };
}

function isEvm({ id, vmType, disabled }: Chains.Chain): boolean {
  return id !== venueChainId && (vmType ?? 'evm') === 'evm' && disabled !== true;
}

function words(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
