/** The command table: every command's name, help group and summary, and how to load it. */
import type { CommandEntry } from '../core/command/Command.js';

const transfers = 'Transfers';
const fees = 'Fees';
const network = 'The network';
const setup = 'Keys and configuration';
const sandbox = 'The sandbox';
const reference = 'Reference';

export const table: readonly CommandEntry[] = [
  {
    name: 'quote',
    group: transfers,
    summary: 'Quote a transfer: fees, route, minimum received',
    load: async () => (await import('../commands/quote.js')).command,
  },
  {
    name: 'execute',
    group: transfers,
    summary: 'Verify, sign, submit and follow a transfer',
    load: async () => (await import('../commands/execute.js')).command,
  },
  {
    name: 'execute call',
    group: transfers,
    summary: 'Submit a raw gasless call through the service',
    load: async () => (await import('../commands/execute/call.js')).command,
  },
  {
    name: 'venue deposit',
    group: transfers,
    summary: 'Deposit to a venue account',
    load: async () => (await import('../commands/venue/deposit.js')).command,
  },
  {
    name: 'venue withdraw',
    group: transfers,
    summary: 'Withdraw from a venue account',
    load: async () => (await import('../commands/venue/withdraw.js')).command,
  },
  {
    name: 'venue account',
    group: transfers,
    summary: 'Show venue accounts: balances and API keys',
    load: async () => (await import('../commands/venue/account.js')).command,
  },
  {
    name: 'verify',
    group: transfers,
    summary: 'Verify a saved quote offline',
    load: async () => (await import('../commands/verify.js')).command,
  },
  {
    name: 'status',
    group: transfers,
    summary: 'Show the state of a transfer and where its funds are',
    load: async () => (await import('../commands/status.js')).command,
  },
  {
    name: 'resume',
    group: transfers,
    summary: 'Finish an interrupted transfer',
    load: async () => (await import('../commands/resume.js')).command,
  },
  {
    name: 'runs list',
    group: transfers,
    summary: 'List transfers started on this machine',
    load: async () => (await import('../commands/runs/list.js')).command,
  },
  {
    name: 'runs show',
    group: transfers,
    summary: 'Show one transfer and its journal',
    load: async () => (await import('../commands/runs/show.js')).command,
  },
  {
    name: 'runs speed-up',
    group: transfers,
    summary: 'Replace a pending transaction with one at a higher gas price',
    load: async () => (await import('../commands/runs/speedUp.js')).command,
  },
  {
    name: 'runs cancel',
    group: transfers,
    summary: 'Cancel a run whose payment is not mined yet',
    load: async () => (await import('../commands/runs/cancel.js')).command,
  },
  {
    name: 'runs close',
    group: transfers,
    summary: 'Close a raw call whose outcome cannot be looked up',
    load: async () => (await import('../commands/runs/close.js')).command,
  },
  {
    name: 'runs prune',
    group: transfers,
    summary: 'Delete the journals of finished transfers',
    load: async () => (await import('../commands/runs/prune.js')).command,
  },
  {
    name: 'requests list',
    group: transfers,
    summary: 'List an account’s requests from the service’s records',
    load: async () => (await import('../commands/requests/list.js')).command,
  },
  {
    name: 'requests show',
    group: transfers,
    summary: 'Show everything known about one request',
    load: async () => (await import('../commands/requests/show.js')).command,
  },
  {
    name: 'trace',
    group: transfers,
    summary: 'Trace every call of a transaction or a failed simulation',
    load: async () => (await import('../commands/trace.js')).command,
  },
  {
    name: 'fees explain',
    group: fees,
    summary: 'Break a price down: each fee, who receives it, quoted and charged',
    load: async () => (await import('../commands/fees/explain.js')).command,
  },
  {
    name: 'fees schedule',
    group: fees,
    summary: 'Show the platform fee by transaction type, or for a pair',
    load: async () => (await import('../commands/fees/schedule.js')).command,
  },
  {
    name: 'fees share',
    group: fees,
    summary: 'Show the integrator’s share of the platform fee',
    load: async () => (await import('../commands/fees/share.js')).command,
  },
  {
    name: 'fees compare',
    group: fees,
    summary: 'Compare the cost across amounts and destinations',
    load: async () => (await import('../commands/fees/compare.js')).command,
  },
  {
    name: 'chains',
    group: network,
    summary: 'List the chains of the network',
    load: async () => (await import('../commands/chains.js')).command,
  },
  {
    name: 'tokens',
    group: network,
    summary: 'List the well-known tokens of a chain, or search the service',
    load: async () => (await import('../commands/tokens.js')).command,
  },
  {
    name: 'contracts list',
    group: network,
    summary: 'List the contracts trusted to hold funds, and why each is trusted',
    load: async () => (await import('../commands/contracts/list.js')).command,
  },
  {
    name: 'contracts accept',
    group: network,
    summary: 'Review and trust the contracts the service uses now',
    load: async () => (await import('../commands/contracts/accept.js')).command,
  },
  {
    name: 'delegation show',
    group: setup,
    summary: 'Show an account’s EIP-7702 delegation',
    load: async () => (await import('../commands/delegation/show.js')).command,
  },
  {
    name: 'delegation revoke',
    group: setup,
    summary: 'Remove an account’s EIP-7702 delegation',
    load: async () => (await import('../commands/delegation/revoke.js')).command,
  },
  {
    name: 'allowance show',
    group: setup,
    summary: 'Show an account’s token allowances',
    load: async () => (await import('../commands/allowance/show.js')).command,
  },
  {
    name: 'allowance revoke',
    group: setup,
    summary: 'Revoke an account’s token allowances',
    load: async () => (await import('../commands/allowance/revoke.js')).command,
  },
  {
    name: 'key new',
    group: setup,
    summary: 'Generate a key in an encrypted file',
    load: async () => (await import('../commands/key/new.js')).command,
  },
  {
    name: 'key import',
    group: setup,
    summary: 'Import an existing key into an encrypted file',
    load: async () => (await import('../commands/key/import.js')).command,
  },
  {
    name: 'key list',
    group: setup,
    summary: 'List the accounts that can sign',
    load: async () => (await import('../commands/key/list.js')).command,
  },
  {
    name: 'key show',
    group: setup,
    summary: 'Show a key’s address, file and kind',
    load: async () => (await import('../commands/key/show.js')).command,
  },
  {
    name: 'key export',
    group: setup,
    summary: 'Export a copy of an encrypted key file',
    load: async () => (await import('../commands/key/export.js')).command,
  },
  {
    name: 'key password',
    group: setup,
    summary: 'Change the password of a key',
    load: async () => (await import('../commands/key/password.js')).command,
  },
  {
    name: 'key remove',
    group: setup,
    summary: 'Delete an encrypted key file',
    load: async () => (await import('../commands/key/remove.js')).command,
  },
  {
    name: 'config init',
    group: setup,
    summary: 'Set up a network step by step',
    load: async () => (await import('../commands/config/init.js')).command,
  },
  {
    name: 'config list',
    group: setup,
    summary: 'List every setting with its value and source',
    load: async () => (await import('../commands/config/list.js')).command,
  },
  {
    name: 'config get',
    group: setup,
    summary: 'Print one setting',
    load: async () => (await import('../commands/config/get.js')).command,
  },
  {
    name: 'config set',
    group: setup,
    summary: 'Write a setting to the user configuration file',
    load: async () => (await import('../commands/config/set.js')).command,
  },
  {
    name: 'doctor',
    group: setup,
    summary: 'Check the setup and show how to fix what is wrong',
    load: async () => (await import('../commands/doctor.js')).command,
  },
  {
    name: 'sandbox start',
    group: sandbox,
    summary: 'Start the sandbox in the background',
    load: async () => (await import('../commands/sandbox/start.js')).command,
  },
  {
    name: 'sandbox stop',
    group: sandbox,
    summary: 'Stop the sandbox, keeping its chains and ledger',
    load: async () => (await import('../commands/sandbox/stop.js')).command,
  },
  {
    name: 'sandbox status',
    group: sandbox,
    summary: 'Show whether the sandbox is running, and its URLs',
    load: async () => (await import('../commands/sandbox/status.js')).command,
  },
  {
    name: 'sandbox exec',
    group: sandbox,
    summary: 'Run a command against the sandbox',
    load: async () => (await import('../commands/sandbox/exec.js')).command,
  },
  {
    name: 'sandbox reset',
    group: sandbox,
    summary: 'Delete the state of the sandbox',
    load: async () => (await import('../commands/sandbox/reset.js')).command,
  },
  {
    name: 'smoke',
    group: transfers,
    summary: 'Run a list of transfers and check each against its expectations, for CI',
    load: async () => (await import('../commands/smoke.js')).command,
  },
  {
    name: 'demo',
    group: sandbox,
    summary: 'Watch a bridge, swaps and a refund on the sandbox',
    load: async () => (await import('../commands/demo.js')).command,
  },
  {
    name: 'completion',
    group: reference,
    summary: 'Print the completion script for bash, zsh or fish',
    load: async () => (await import('../commands/completion.js')).command,
  },
  {
    name: 'completion install',
    group: reference,
    summary: 'Install the completion script for your shell',
    load: async () => (await import('../commands/completion/install.js')).command,
  },
  {
    name: 'schema',
    group: reference,
    summary: 'Print the JSON Schema of a command’s --json output',
    load: async () => (await import('../commands/schema.js')).command,
  },
];
