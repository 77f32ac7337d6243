/**
 * ferry as a library: what the command-line tool is made of, for programs of one's own. The only barrel.
 *
 * A transfer is a pipeline of plain values: `Intent` (what is wanted) → `Quote` (what the service answers) →
 * `Verification` (what of it is proved) → `Plan` (what will be done) → `Execution` (doing it, told step by step).
 * Amounts are `bigint` base units, dollars `bigint` millionths, times Unix milliseconds unless a name says otherwise.
 * Whatever goes wrong is a `BaseError` with a code of the one table in `Errors`, which also says where the money is.
 */

// A transfer, from the wish to its end.

export * as Execution from './core/Execution.js';
export * as Follow from './core/Follow.js';
export * as GaslessExecution from './core/GaslessExecution.js';
export * as Intent from './core/Intent.js';
export * as Journal from './core/Journal.js';
export * as JournalCaps from './core/JournalCaps.js';
export * as JournalLine from './core/JournalLine.js';
export * as Opening from './core/Opening.js';
export * as Plan from './core/Plan.js';
export * as Progress from './core/Progress.js';
export * as Expectation from './core/proof/Expectation.js';
export type { Finding, Verdict } from './core/proof/Finding.js';
export * as Quote from './core/Quote.js';
export * as QuoteDocument from './core/QuoteDocument.js';
export * as Verification from './core/Verification.js';

// Values.

export * as Address from './core/Address.js';
export * as Amount from './core/Amount.js';
export * as Currency from './core/Currency.js';
export * as DevelopmentAccount from './core/DevelopmentAccount.js';
export * as Errors from './core/Errors.js';
export { BaseError } from './core/Errors.js';
export * as Fees from './core/Fees.js';
export * as Classification from './core/fees/Classification.js';
export * as RevenueShare from './core/fees/RevenueShare.js';
export * as Schedule from './core/fees/Schedule.js';
export * as Network from './core/Network.js';
export * as Networks from './core/Networks.js';
export * as Order from './core/Order.js';
export * as OrderHash from './core/OrderHash.js';
export * as Usd from './core/Usd.js';
export * as Vm from './core/Vm.js';

// The venue: its accounts, its signatures, a withdrawal from it.

export * as VenueAccount from './core/VenueAccount.js';
export * as VenueExecution from './core/VenueExecution.js';
export * as VenueFailure from './core/VenueFailure.js';
export * as VenueSigning from './core/VenueSigning.js';
export * as AuthToken from './venue/AuthToken.js';
export * as PrivateKey from './venue/PrivateKey.js';
export * as Schnorr from './venue/Schnorr.js';
export * as Transfer from './venue/Transfer.js';

// What the core needs of the world, and what the service speaks, as types.

export type * as Chains from './core/contract/Chains.js';
export type * as CurrenciesV2 from './core/contract/CurrenciesV2.js';
export type * as Execute from './core/contract/Execute.js';
export type * as ExecutePermits from './core/contract/ExecutePermits.js';
export type * as OrderData from './core/contract/OrderData.js';
export type * as QuoteV2 from './core/contract/QuoteV2.js';
export type * as RequestsV3 from './core/contract/RequestsV3.js';
export type * as StatusV3 from './core/contract/StatusV3.js';
export type * as Ports from './core/Ports.js';
export type { Run, RunRecord, Runs } from './core/Run.js';

// What touches the world.

export { type Connection, type ConnectOptions, connect, type WorldOptions } from './io/connect.js';
export { type Host, host, type Input, type Output } from './io/host.js';
export type { Fetch } from './io/http.js';
export { createAccount, type Wallet } from './io/localAccount.js';
export { createNonces } from './io/nonces.js';
export { createRuns } from './io/runs.js';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './io/startSandbox.js';
export { createVenueSigner, type VenueWallet } from './io/venueSigner.js';

// The command-line tool itself, in the caller's own process.

export { run } from './main.js';
