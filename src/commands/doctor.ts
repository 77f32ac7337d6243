import * as z from 'zod/mini';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as Network from '../core/network/Network.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import { anotherState, inspect } from '../setup/localChecks.js';
import { checkNodes } from '../setup/nodeChecks.js';
import { askService, type CheckedNetwork, checkApiKeys, checkService, checkVenue } from '../setup/remoteChecks.js';
import { checkClock, checkPins } from '../setup/trustChecks.js';

export const command = define({
  description:
    'Checks that ferry can work here: configuration, keys, state directory, service, chains, contracts, venue and clock. Each check gets a verdict, and a problem the command that fixes it. Exits 12 if a check fails. It never prompts, unlocks or sends anything, and waits a few seconds for each answer.',
  args: [
    {
      name: 'chains',
      names: 'chain',
      description: 'the chains to check (default: all)',
      optional: true,
      variadic: true,
    },
  ],
  options: {
    account: {
      value: 'account',
      description: 'the account to check: a key’s name, an address, or dev0 to dev9 on the sandbox',
    },
    timeout: { value: 'time', description: 'how long to wait for each answer (default: 5s)' },
  },
  examples: [
    ['ferry doctor', 'everything, on the network in use'],
    ['ferry doctor base arbitrum --network mainnet', 'two of its chains'],
    ['ferry doctor --account main', 'for the account that will pay'],
    ['ferry doctor --json | jq \'.data.checks[] | select(.verdict != "ok")\'', 'the problems, in a script'],
  ],
  output: z.object({
    verdict: z.enum(HealthCheck.verdicts),
    checks: z.array(HealthCheck.schema),
  }),
  async *run({ args, timeout = '5s' }, context) {
    const limitMs = SettingFormat.duration.read(timeout)?.value ?? 5_000;
    const { network, signal } = context;
    for (const name of args) Network.chain(network, name);
    yield { type: 'checking', network: network.name };
    const [local, remote] = await Promise.all([inspect(context), ask(args, limitMs, context)]);
    signal.throwIfAborted();
    const all = [...local, ...remote.filter((each) => !isSame(each, local))];
    const checks = HealthCheck.explainOffline(HealthCheck.sort(all));
    return { verdict: HealthCheck.worst(checks), checks };
  },
  placed: true,
  view: ({ checks }, style) => HealthCheck.format(checks, style),
  outcome: ({ verdict }) => (verdict === 'fail' ? 'expect.unmet' : undefined),
  unconfigured(error) {
    const check = HealthCheck.fromError('configuration', error);
    const { file } = check.facts;
    const fix = check.fix ?? (file === undefined ? null : `"\${EDITOR:-vi}" ${ShellCommand.word(file)}`);
    return { verdict: check.verdict, checks: [{ ...check, fix }] };
  },
});

/** Whether a check of the sandbox failed for the state directory, which has a check of its own. */
function isSame({ check, code }: HealthCheck.Check, local: readonly HealthCheck.Check[]): boolean {
  const isUnwritable = local.some((each) => each.check === 'state' && each.verdict === 'fail');
  return isUnwritable && check === 'sandbox' && code === 'config.unwritable';
}

/** The network with its URLs; starts the sandbox if they are not known yet. */
async function locate(
  context: Context,
): Promise<{ network: Network.Network | undefined; checks: HealthCheck.Check[] }> {
  const { network, sandbox } = context;
  if (network.name !== 'sandbox' || network.baseUrl !== undefined) return { network, checks: [] };
  try {
    const how = (await sandbox.find()) ? 'was running already' : 'was started';
    return { network: await context.located(), checks: [HealthCheck.ok('sandbox', `The sandbox ${how}.`)] };
  } catch (error) {
    const check = HealthCheck.fromError('sandbox', error);
    // It would fail in the foreground as well.
    const fix = check.code === 'config.unwritable' ? anotherState : 'ferry sandbox start --foreground';
    return { network: undefined, checks: [{ ...check, fix: check.fix ?? fix }] };
  }
}

/** Runs the remote checks concurrently, each within the time limit. */
async function ask(names: readonly string[], limitMs: number, context: Context): Promise<readonly HealthCheck.Check[]> {
  const { network, checks: started } = await locate(context);
  if (!network) return started;
  const named = names.map((name) => Network.chain(network, name));
  const chains = (named.length > 0 ? named : network.chains).filter(({ vm }) => vm === 'evm');
  const at = (of: Network.Network): CheckedNetwork => ({
    network: of,
    reach: context.within(limitMs, of),
    clock: context.clock,
  });
  const within = (): CheckedNetwork => at(network);
  /** The network with one node of a chain. */
  const withOnly = (chain: Network.Chain): CheckedNetwork =>
    at({ ...network, chains: network.chains.map((each) => (each.id === chain.id ? chain : each)) });
  const service = askService(within());
  const answered = service.catch(() => undefined);
  const nodes = checkNodes(chains, { network: network.name, isNamed: named.length > 0, within: withOnly });
  const wallet = context.signer().then(
    ({ address }) => address,
    () => undefined,
  );
  const checks = await Promise.all([
    checkService({ network }, service).then((check) => [check]),
    checkApiKeys(network, at),
    nodes.then(({ checks: found }) => found),
    answered.then((answer) => [checkPins(chains, answer, context)]),
    wallet.then((address) => checkVenue(address, within())),
    Promise.all([answered, nodes]).then(([answer, { times }]) => [checkClock(answer, times, context)]),
  ]);
  return [...started, ...checks.flat()];
}
