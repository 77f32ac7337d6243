/** The table of contents: every command, where help lists it, and how to load it. */
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
    summary: 'Price a transfer: fees, route, minimum received',
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
    summary: 'Have the service submit a raw call',
    load: async () => (await import('../commands/execute/call.js')).command,
  },
  {
    name: 'venue deposit',
    group: transfers,
    summary: 'Deposit to an account of the venue',
    load: async () => (await import('../commands/venue/deposit.js')).command,
  },
  {
    name: 'venue withdraw',
    group: transfers,
    summary: 'Withdraw from an account of the venue',
    load: async () => (await import('../commands/venue/withdraw.js')).command,
  },
  {
    name: 'venue account',
    group: transfers,
    summary: 'Accounts of the venue: what they hold, who may sign for them',
    load: async () => (await import('../commands/venue/account.js')).command,
  },
  {
    name: 'verify',
    group: transfers,
    summary: 'Prove a saved quote, offline',
    load: async () => (await import('../commands/verify.js')).command,
  },
  {
    name: 'status',
    group: transfers,
    summary: 'Where a transfer is, and where its money is',
    load: async () => (await import('../commands/status.js')).command,
  },
  {
    name: 'resume',
    group: transfers,
    summary: 'Finish a transfer that was interrupted',
    load: async () => (await import('../commands/resume.js')).command,
  },
  {
    name: 'runs list',
    group: transfers,
    summary: 'The transfers that were begun on this machine',
    load: async () => (await import('../commands/runs/list.js')).command,
  },
  {
    name: 'runs show',
    group: transfers,
    summary: 'One of them with its journal',
    load: async () => (await import('../commands/runs/show.js')).command,
  },
  {
    name: 'runs speed-up',
    group: transfers,
    summary: 'Offer more for a transaction that waits to be mined',
    load: async () => (await import('../commands/runs/speedUp.js')).command,
  },
  {
    name: 'runs cancel',
    group: transfers,
    summary: 'Take a run back whose payment is not mined',
    load: async () => (await import('../commands/runs/cancel.js')).command,
  },
  {
    name: 'runs prune',
    group: transfers,
    summary: 'Delete the journals of those that are over',
    load: async () => (await import('../commands/runs/prune.js')).command,
  },
  {
    name: 'requests list',
    group: transfers,
    summary: 'The transfers of an account, from the service’s records',
    load: async () => (await import('../commands/requests/list.js')).command,
  },
  {
    name: 'requests show',
    group: transfers,
    summary: 'One request with everything that is known of it',
    load: async () => (await import('../commands/requests/show.js')).command,
  },
  {
    name: 'trace',
    group: transfers,
    summary: 'Every call of a transaction or a failed simulation, and why it failed',
    load: async () => (await import('../commands/trace.js')).command,
  },
  {
    name: 'fees explain',
    group: fees,
    summary: 'What each part of a price is, who gets it, quoted against charged',
    load: async () => (await import('../commands/fees/explain.js')).command,
  },
  {
    name: 'fees schedule',
    group: fees,
    summary: 'The platform fee by type of transaction, and of a pair',
    load: async () => (await import('../commands/fees/schedule.js')).command,
  },
  {
    name: 'fees share',
    group: fees,
    summary: 'The integrator’s share of the platform fee',
    load: async () => (await import('../commands/fees/share.js')).command,
  },
  {
    name: 'fees compare',
    group: fees,
    summary: 'The cost over amounts and destinations, as a curve',
    load: async () => (await import('../commands/fees/compare.js')).command,
  },
  {
    name: 'chains',
    group: network,
    summary: 'The chains of the network',
    load: async () => (await import('../commands/chains.js')).command,
  },
  {
    name: 'tokens',
    group: network,
    summary: 'The well-known tokens of a chain, or a search at the service',
    load: async () => (await import('../commands/tokens.js')).command,
  },
  {
    name: 'contracts list',
    group: network,
    summary: 'The contracts that may hold funds, and where each is known from',
    load: async () => (await import('../commands/contracts/list.js')).command,
  },
  {
    name: 'contracts accept',
    group: network,
    summary: 'Trust what the service uses now, after looking at it',
    load: async () => (await import('../commands/contracts/accept.js')).command,
  },
  {
    name: 'delegation show',
    group: setup,
    summary: 'By whose code an account acts',
    load: async () => (await import('../commands/delegation/show.js')).command,
  },
  {
    name: 'delegation revoke',
    group: setup,
    summary: 'Make it a plain account again',
    load: async () => (await import('../commands/delegation/revoke.js')).command,
  },
  {
    name: 'allowance show',
    group: setup,
    summary: 'Who may take how much of a token from an account',
    load: async () => (await import('../commands/allowance/show.js')).command,
  },
  {
    name: 'allowance revoke',
    group: setup,
    summary: 'Let nobody take it any more',
    load: async () => (await import('../commands/allowance/revoke.js')).command,
  },
  {
    name: 'key new',
    group: setup,
    summary: 'Make a key and keep it in an encrypted file',
    load: async () => (await import('../commands/key/new.js')).command,
  },
  {
    name: 'key import',
    group: setup,
    summary: 'Keep an existing key in an encrypted file',
    load: async () => (await import('../commands/key/import.js')).command,
  },
  {
    name: 'key list',
    group: setup,
    summary: 'The accounts that can sign',
    load: async () => (await import('../commands/key/list.js')).command,
  },
  {
    name: 'key show',
    group: setup,
    summary: 'One key: its address, its file, its kind',
    load: async () => (await import('../commands/key/show.js')).command,
  },
  {
    name: 'key export',
    group: setup,
    summary: 'Copy an encrypted key file out',
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
    summary: 'Set a network up, with a question for each part',
    load: async () => (await import('../commands/config/init.js')).command,
  },
  {
    name: 'config list',
    group: setup,
    summary: 'Every setting with its value and where it comes from',
    load: async () => (await import('../commands/config/list.js')).command,
  },
  {
    name: 'config get',
    group: setup,
    summary: 'One setting',
    load: async () => (await import('../commands/config/get.js')).command,
  },
  {
    name: 'config set',
    group: setup,
    summary: 'Write a setting to the user file',
    load: async () => (await import('../commands/config/set.js')).command,
  },
  {
    name: 'doctor',
    group: setup,
    summary: 'Whether everything is in order, and what mends it',
    load: async () => (await import('../commands/doctor.js')).command,
  },
  {
    name: 'sandbox start',
    group: sandbox,
    summary: 'Start the whole service in the background',
    load: async () => (await import('../commands/sandbox/start.js')).command,
  },
  {
    name: 'sandbox stop',
    group: sandbox,
    summary: 'Stop it and keep its chains and ledger',
    load: async () => (await import('../commands/sandbox/stop.js')).command,
  },
  {
    name: 'sandbox status',
    group: sandbox,
    summary: 'Whether it runs, and its URLs',
    load: async () => (await import('../commands/sandbox/status.js')).command,
  },
  {
    name: 'sandbox exec',
    group: sandbox,
    summary: 'Run a command against it',
    load: async () => (await import('../commands/sandbox/exec.js')).command,
  },
  {
    name: 'sandbox reset',
    group: sandbox,
    summary: 'Throw its state away',
    load: async () => (await import('../commands/sandbox/reset.js')).command,
  },
  {
    name: 'smoke',
    group: transfers,
    summary: 'Run a list of transfers and hold them against what is expected, for CI',
    load: async () => (await import('../commands/smoke.js')).command,
  },
  {
    name: 'demo',
    group: sandbox,
    summary: 'See a bridge, swaps and a refund happen on the sandbox',
    load: async () => (await import('../commands/demo.js')).command,
  },
  {
    name: 'completion',
    group: reference,
    summary: 'What bash, zsh or fish needs to complete ferry’s words',
    load: async () => (await import('../commands/completion.js')).command,
  },
  {
    name: 'completion install',
    group: reference,
    summary: 'Put it where the shell finds it',
    load: async () => (await import('../commands/completion/install.js')).command,
  },
  {
    name: 'schema',
    group: reference,
    summary: 'The JSON Schema of a command’s --json output',
    load: async () => (await import('../commands/schema.js')).command,
  },
];
