/**
/**
 * ferry as a library: the parts of the command-line tool, for use in other programs. The only barrel file.
 *
 * A transfer is a pipeline of plain values: `TransferIntent` (the request in the user's terms) → `Quote` (the
 * service's answer) → `Preparation` (proves the quote and makes the `Plan`) → `Execution` (signs, sends and follows
 * it, event by event). Amounts are `bigint` base units, dollars are `bigint` millionths, and times are Unix
 * milliseconds unless a name says otherwise. Every failure is a `BaseError` with a code from the table in `Errors`,
 * and says where the funds are.
 */

// A transfer, from intent to outcome.

export * as Event from './core/event/Event.js';
export * as Execution from './core/execution/Execution.js';
export * as Plan from './core/execution/Plan.js';
export * as Preparation from './core/execution/Preparation.js';
export * as RunOpening from './core/execution/RunOpening.js';
export * as GaslessExecution from './core/gasless/GaslessExecution.js';
export * as Expectation from './core/proof/Expectation.js';
export * as Verification from './core/proof/Verification.js';
export type { Finding, Verdict } from './core/quote/Finding.js';
export * as Quote from './core/quote/Quote.js';
export * as QuoteDocument from './core/quote/QuoteDocument.js';
export * as TransferIntent from './core/quote/TransferIntent.js';
export * as Journal from './core/tracking/Journal.js';
export * as JournalCodec from './core/tracking/JournalCodec.js';
export * as StatusPolling from './core/tracking/StatusPolling.js';
export * as TransferStatus from './core/tracking/TransferStatus.js';

// Values.

export * as Address from './core/base/Address.js';
export * as Amount from './core/base/Amount.js';
export * as Errors from './core/base/Errors.js';
export { BaseError } from './core/base/Errors.js';
export * as Usd from './core/base/Usd.js';
export * as FeeSchedule from './core/fees/FeeSchedule.js';
export * as RevenueShare from './core/fees/RevenueShare.js';
export * as TransactionType from './core/fees/TransactionType.js';
export * as ChainVm from './core/network/ChainVm.js';
export * as DevelopmentAccount from './core/network/DevelopmentAccount.js';
export * as Network from './core/network/Network.js';
export * as NetworkRegistry from './core/network/NetworkRegistry.js';
export * as OrderId from './core/order/OrderId.js';
export * as OrderStructHash from './core/order/OrderStructHash.js';
export * as Currency from './core/quote/Currency.js';
export * as FeeTotals from './core/quote/FeeTotals.js';

// The venue: accounts, signatures, withdrawals.

export * as VenueAccount from './core/accounts/VenueAccount.js';
export * as WithdrawalExecution from './core/withdrawal/WithdrawalExecution.js';
export * as WithdrawalFailure from './core/withdrawal/WithdrawalFailure.js';
export * as WithdrawalSigning from './core/withdrawal/WithdrawalSigning.js';
export * as AuthToken from './venue/AuthToken.js';
export * as PrivateKey from './venue/PrivateKey.js';
export * as Schnorr from './venue/Schnorr.js';
export * as Transfer from './venue/Transfer.js';

// Types of the ports the core requires, and of the service's wire format.

export type * as Chains from './core/api/catalog/Chains.js';
export type * as CurrenciesV2 from './core/api/catalog/CurrenciesV2.js';
export type * as Execute from './core/api/Execute.js';
export type * as ExecutePermits from './core/api/ExecutePermits.js';
export type * as QuoteReceived from './core/api/QuoteReceived.js';
export type * as QuoteV2 from './core/api/QuoteV2.js';
export type * as RequestsV3 from './core/api/RequestsV3.js';
export type * as StatusV3 from './core/api/StatusV3.js';
export type * as OrderData from './core/api/schema/OrderData.js';
export type * as Ports from './core/ports/Ports.js';
export type { Run, RunRecord, Runs } from './core/tracking/RunStore.js';

// Implementations that reach the network, the file system and the terminal.

export { type Connection, type ConnectOptions, connect, type WorldOptions } from './io/connect/connect.js';
export type { Fetch } from './io/http/httpClient.js';
export { createAccount, type Wallet } from './io/keys/localAccount.js';
export { createVenueSigner, type VenueWallet } from './io/keys/venueSigner.js';
export { createRuns } from './io/runs/runFolder.js';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './io/sandbox/startSandbox.js';
export { createNonces } from './io/state/nonceLocks.js';
export { type Host, host, type Input, type Output } from './io/terminal/host.js';

// The command-line tool itself, run in the caller's process.

export { run } from './main.js';
