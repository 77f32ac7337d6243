/** The command table: every command's help group, name and summary, and how to load it. */
import type { Command, CommandEntry } from '../core/command/Command.js';

// biome-ignore lint/suspicious/noExplicitAny: a command's own types end where the table begins
type AnyCommand = Command<any, any>;

/** A file has one command, or those of a group, each under the last word of its name. */
type Module = { command: AnyCommand } | { commands: Readonly<Record<string, AnyCommand>> };

type Rows = Readonly<Record<string, readonly [summary: string, load: () => Promise<Module>]>>;

const requests = () => import('../commands/requests.js');
const contracts = () => import('../commands/contracts.js');
const runs = () => import('../commands/runs.js');
const delegation = () => import('../commands/delegation.js');
const allowance = () => import('../commands/allowance.js');
const address = () => import('../commands/address.js');
const key = () => import('../commands/key.js');
const config = () => import('../commands/config.js');
const store = () => import('../commands/store.js');
const sandbox = () => import('../commands/sandbox.js');
const batch = () => import('../commands/batch.js');

/** In the order of the reference. */
export const table: readonly CommandEntry[] = [
  ...group('Transfers', {
    quote: ['Quote a transfer: fees, route, minimum received', () => import('../commands/quote.js')],
    execute: ['Verify, sign, submit and follow a transfer', () => import('../commands/execute.js')],
    'execute call': ['Submit a raw gasless call through the service', () => import('../commands/execute/call.js')],
    'venue deposit': ['Deposit to a venue account', () => import('../commands/venue/deposit.js')],
    'venue withdraw': ['Withdraw from a venue account', () => import('../commands/venue/withdraw.js')],
    'venue account': ['Show venue accounts: balances and API keys', () => import('../commands/venue/account.js')],
    verify: ['Verify a saved quote offline', () => import('../commands/verify.js')],
    receipt: ['Make a receipt that whoever is paid can check', () => import('../commands/receipt.js')],
    status: ['Show the state of a transfer and where its funds are', () => import('../commands/status.js')],
    resume: ['Finish an interrupted transfer', () => import('../commands/resume.js')],
    'runs list': ['List transfers started on this machine', runs],
    'runs show': ['Show one transfer and its journal', runs],
    'runs speed-up': ['Replace a pending transaction with one at a higher gas price', runs],
    'runs cancel': ['Cancel a run whose payment is not mined yet', () => import('../commands/runs/cancel.js')],
    'runs reconcile': [
      'Show and adopt transactions that ferry did not send',
      () => import('../commands/runs/reconcile.js'),
    ],
    'runs close': ['Close a run that cannot be finished', runs],
    'runs prune': ['Delete the journals of finished transfers', runs],
    'requests list': ['List an account’s requests from the service’s records', requests],
    'requests show': ['Show everything known about one request', requests],
    open: ['Open the explorer’s page of a request or transaction', () => import('../commands/open.js')],
    trace: ['Trace every call of a transaction or a failed simulation', () => import('../commands/trace.js')],
  }),
  ...group('Fees', {
    'fees explain': [
      'Break a price down: each fee, who receives it, quoted and charged',
      () => import('../commands/fees/explain.js'),
    ],
    'fees schedule': [
      'Show the platform fee by transaction type, or for a pair',
      () => import('../commands/fees/schedule.js'),
    ],
    'fees share': ['Show the integrator’s share of the platform fee', () => import('../commands/fees/share.js')],
    'fees compare': ['Compare the cost across amounts and destinations', () => import('../commands/fees/compare.js')],
    'fees balance': ['Show the app fees that a wallet has earned', () => import('../commands/fees/balance.js')],
    'fees claim': ['Show what a claim of app fees would have you sign', () => import('../commands/fees/claim.js')],
  }),
  ...group('The network', {
    balance: ['Show what an account holds on every chain', () => import('../commands/balance.js')],
    chains: ['List the chains of the network', () => import('../commands/chains.js')],
    tokens: ['List the well-known tokens of a chain, or search the service', () => import('../commands/tokens.js')],
    'contracts list': ['List the contracts trusted to hold funds, and why each is trusted', contracts],
    'contracts accept': ['Review and trust the contracts the service uses now', contracts],
  }),
  ...group('Keys and configuration', {
    'delegation show': ['Show an account’s EIP-7702 delegation', delegation],
    'delegation revoke': ['Remove an account’s EIP-7702 delegation', delegation],
    'allowance show': ['Show an account’s token allowances', allowance],
    'allowance revoke': ['Revoke an account’s token allowances', allowance],
    'address add': ['Give an address a name of yours', address],
    'address list': ['List your names for addresses', address],
    'address remove': ['Remove a name of an address', address],
    'key new': ['Generate a key in an encrypted file', key],
    'key import': ['Import an existing key into an encrypted file', key],
    'key list': ['List the accounts that can sign', key],
    'key show': ['Show a key’s address, file and kind', key],
    'key export': ['Export a copy of an encrypted key file', key],
    'key password': ['Change the password of a key', key],
    'key rename': ['Give a key another name', key],
    'key remove': ['Delete an encrypted key file', key],
    'config init': ['Set up a network step by step', () => import('../commands/config/init.js')],
    'config list': ['List every setting with its value and source', config],
    'config get': ['Print one setting', config],
    'config set': ['Write a setting to the user configuration file', config],
    'config unset': ['Remove a setting from the user configuration file', config],
    'config edit': ['Edit the user configuration file in your editor', config],
    'config path': ['Print the path of the user configuration file', config],
    'store init': ['Make the tables of the store for many machines', store],
    'store check': ['Check whether the store can be trusted with payments', store],
    'store migrate': ['Add to the store what this version needs', store],
    'store import': ['Move the runs of this machine into the store', store],
    'store export': ['Print the journal of a run in the store', store],
    doctor: ['Check the setup and show how to fix what is wrong', () => import('../commands/doctor.js')],
  }),
  ...group('The sandbox', {
    'sandbox start': ['Start the sandbox in the background', sandbox],
    'sandbox stop': ['Stop the sandbox, keeping its chains and ledger', sandbox],
    'sandbox status': ['Show whether the sandbox is running, and its URLs', sandbox],
    'sandbox fund': ['Pay money of the sandbox to an address', () => import('../commands/sandbox/fund.js')],
    'sandbox fault': ['Make the sandbox fail or lie', () => import('../commands/sandbox/fault.js')],
    'sandbox logs': ['Show the log of the sandbox', sandbox],
    'sandbox exec': ['Run a command against the sandbox', sandbox],
    'sandbox reset': ['Delete the state of the sandbox', sandbox],
  }),
  ...group('Transfers', {
    'batch submit': ['Give a batch to the workers', batch],
    'batch list': ['List the batches in the store', batch],
    'batch status': ['Show how far a batch is', batch],
    'batch results': ['Print the results of a batch', batch],
    'batch pause': ['Begin no more lines of a batch', batch],
    'batch resume': ['Go on with a batch that is paused', batch],
    'batch cancel': ['Cancel the lines that nobody has begun', batch],
    'batch retry': ['Try again what failed with funds untouched', batch],
    worker: ['Carry out batches, beside other workers', () => import('../commands/worker.js')],
    smoke: [
      'Run a list of transfers and check each against its expectations, for CI',
      () => import('../commands/smoke.js'),
    ],
  }),
  ...group('The sandbox', {
    demo: ['Watch a bridge, swaps and a refund on the sandbox', () => import('../commands/demo.js')],
    'demo attack': ['Watch liars try to rob an account of the sandbox', () => import('../commands/demo/attack.js')],
  }),
  ...group('Reference', {
    completion: ['Print the completion script for bash, zsh or fish', () => import('../commands/completion.js')],
    'completion install': [
      'Install the completion script for your shell',
      () => import('../commands/completion/install.js'),
    ],
    version: ['Print the version', () => import('../commands/version.js')],
    schema: ['Print the JSON Schema of a command’s --json output', () => import('../commands/schema.js')],
  }),
];

/** The command that words begin with. */
export function entryOf([first = '', second]: readonly (string | undefined)[]): CommandEntry | undefined {
  return table.find(({ name }) => name === `${first} ${second}`) ?? table.find(({ name }) => name === first);
}

/** One-line description of each command group, such as `config`. */
export const groups: Readonly<Record<string, string>> = {
  venue: 'Deposits to and withdrawals from the venue',
  fees: 'What a transfer costs, and what app fees have earned',
  runs: 'Transfers started on this machine and their journals',
  batch: 'Batches that workers on many machines carry out',
  requests: 'Requests in the service’s records',
  contracts: 'Contracts trusted to hold funds',
  delegation: 'EIP-7702 delegations of an account',
  allowance: 'ERC-20 allowances granted by an account',
  address: 'Your names for addresses',
  key: 'Encrypted key files',
  config: 'Settings and their sources',
  store: 'A database that keeps the runs of many machines',
  sandbox: 'The complete service, run on this machine',
};

/** The commands of one group of help. */
function group(name: string, commands: Rows): CommandEntry[] {
  return Object.entries(commands).map(([typed, [summary, load]]) => ({
    name: typed,
    group: name,
    summary,
    load: async () => {
      const module = await load();
      return 'command' in module ? module.command : (module.commands[typed.split(' ')[1] ?? ''] as AnyCommand);
    },
  }));
}
