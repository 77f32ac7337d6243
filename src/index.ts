/**
 * ferry as a library: the parts of the command-line tool, for use in other programs. The only barrel file.
 *
 * A transfer is a pipeline of plain values: an `Intent` (the request in the user's terms) → a `Quote` (the
 * service's answer) → `prepare` (proves the quote and makes the `Plan`) → `execute` (signs, sends and follows it, event
 * by event). Amounts are `bigint` base units, dollars are `bigint` millionths, and times are Unix milliseconds unless a
 * name says otherwise. Every failure is a `BaseError` with a code, and says where the funds are.
 */

// A transfer, from intent to outcome.

export { type Event, fromLine as readEvent } from './core/event/Event.js';
export { run as execute } from './core/execution/Execution.js';
export type { Outcome, Patience } from './core/execution/Following.js';
export type { Plan, VenuePlan } from './core/execution/Plan.js';
export { type Prepared, type Proposal, run as prepare } from './core/execution/Preparation.js';
export { from as toOpening } from './core/execution/RunOpening.js';
export { run as executeGasless } from './core/gasless/GaslessExecution.js';
export type { Finding } from './core/quote/Finding.js';
export { ask as askQuote, type Quote } from './core/quote/Quote.js';
export { type Caps, from as toIntent, type Intent, type Typed as IntentOptions } from './core/quote/TransferIntent.js';
export type { Entry as JournalEntry, JournalWriter } from './core/tracking/Journal.js';
export { run as executeWithdrawal } from './core/withdrawal/WithdrawalExecution.js';
export {
  type Signed as SignedTransfer,
  sign as signTransfer,
  slotOf,
  transferOf,
} from './core/withdrawal/WithdrawalSigning.js';

// Values.

export type { VenueAccount } from './core/accounts/VenueAccount.js';
export { format as formatAmount, from as parseAmount } from './core/base/Amount.js';
export { BaseError, type Code as ErrorCode, type Funds } from './core/base/Errors.js';
export type { Hex } from './core/base/Hex.js';
export { key as developmentKey, venueKey as developmentVenueKey } from './core/network/DevelopmentAccount.js';
export type { Chain, Network } from './core/network/Network.js';
export { load as loadNetwork, type Name as NetworkName } from './core/network/NetworkRegistry.js';
export type { Currency } from './core/quote/Currency.js';

// Types of the ports that a program may implement itself.

export type { VenueSigner } from './core/accounts/KeyStores.js';
export type { Account, Nonces, Service, Turn, Venue } from './core/ports/Ports.js';
export type { Run, Runs } from './core/tracking/RunStore.js';

// Implementations that reach the network, the file system and the terminal.

export { type Connection, type ConnectOptions, connect, type ExecutionOptions } from './io/connect/connect.js';
export { createAccount, type Wallet } from './io/keys/localAccount.js';
export { createVenueSigner, type VenueWallet } from './io/keys/venueSigner.js';
export { createRuns } from './io/runs/runFolder.js';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './io/sandbox/startSandbox.js';
export { createNonces } from './io/state/nonceLocks.js';
export { type Host, host } from './io/terminal/host.js';

// The command-line tool itself, run in the caller's process.

export { run } from './main.js';
