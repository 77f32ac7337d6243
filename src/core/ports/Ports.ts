/** What core needs of the world, as types. `io/` implements them; the sandbox and tests may too. */

import type * as VenueAccount from '../accounts/VenueAccount.js';
import type { VenueTransaction } from '../accounts/VenueTransaction.js';
import type * as Chains from '../api/Chains.js';
import type * as CurrenciesV2 from '../api/CurrenciesV2.js';
import type * as Execute from '../api/Execute.js';
import type * as ExecutePermits from '../api/ExecutePermits.js';
import type * as QuoteV2 from '../api/QuoteV2.js';
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as StatusV3 from '../api/StatusV3.js';
import type * as TransactionsIndex from '../api/TransactionsIndex.js';
import type * as TransactionsSingle from '../api/TransactionsSingle.js';
import type { Address } from '../base/Address.js';
import type { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Frame } from '../trace/Frame.js';

/** The service of spec/service.md. Every method throws `service.*` or `auth.refused`. */
export type Service = {
  readonly baseUrl: string;
  /** What its clock says, in Unix milliseconds and by the whole second; undefined where it does not tell. */
  time(): Promise<number | undefined>;
  quote(request: QuoteV2.Request): Promise<QuoteV2.Response>;
  status(requestId: string): Promise<StatusV3.Response>;
  requests(query: RequestsV3.Query): Promise<RequestsV3.Response>;
  /** The deprecated records, for a service without the present ones or a client without a key. */
  requestsV2(query: RequestsV2.Query): Promise<RequestsV2.Response>;
  chains(): Promise<Chains.Response>;
  currencies(request: CurrenciesV2.Request): Promise<CurrenciesV2.Response>;
  indexTransaction(request: TransactionsIndex.Request): Promise<void>;
  indexSingle(request: TransactionsSingle.Request): Promise<void>;
  /** Asks once. A lost answer is `service.*` with the funds unknown: it may have acted. */
  execute(request: Execute.Request): Promise<Execute.Response>;
  /** The like, for a permit that was signed. */
  executePermit(request: ExecutePermits.Request, signature: Hex): Promise<ExecutePermits.Response>;
};

/** The venue itself. Every method throws `venue.*`. Amounts in base units, times in Unix milliseconds. */
export type Venue = {
  readonly baseUrl: string;
  /** Every account of a wallet, its master account first; none where it has none. */
  accountsOf(wallet: Address): Promise<readonly VenueAccount.VenueAccount[]>;
  /** The first account of a wallet with what it has; undefined where it has none. */
  firstAccountOf(wallet: Address): Promise<VenueAccount.VenueAccount | undefined>;
  /** One account with what it has; undefined where there is none of that index. */
  account(index: number): Promise<VenueAccount.VenueAccount | undefined>;
  apiKeys(index: number): Promise<readonly VenueAccount.ApiKey[]>;
  nextNonce(index: number, apiKeyIndex: number): Promise<bigint>;
  /** Millionths of USDC that a transfer costs, for whoever shows the token of one of the accounts. */
  transferFee(from: number, to: number, token: string): Promise<bigint>;
  /** Hands in a signed transfer, once. Never throws but for an abort: what came of it decides what to do next. */
  send(txInfo: string): Promise<VenueSending>;
  /** What became of a transaction; undefined while the venue does not know it. */
  transaction(hash: string): Promise<VenueTransaction | undefined>;
};

/**
 * What came of handing a transfer in: `refused` says that the venue did nothing with it, `unsent` that it never came
 * there, `open` that it may have been accepted.
 */
export type VenueSending =
  | { verdict: 'accepted'; hash: string }
  | { verdict: 'refused' | 'unsent' | 'open'; error: BaseError; venueCode: number | undefined };

/** One EVM node. Every method throws `chain.*`. Amounts in base units, gas in units, prices in wei. */
export type Chain = {
  /** What the node itself says. */
  chainId(): Promise<number>;
  /** The latest block, its time in Unix seconds. */
  tip(): Promise<{ number: bigint; timestamp: bigint }>;
  /** At a block, or now. */
  balance(owner: Address, token: Address, block?: bigint): Promise<bigint>;
  allowance(token: Address, owner: Address, spender: Address): Promise<bigint>;
  /** Symbol, name and decimals as the token contract says them. */
  token(token: Address): Promise<{ symbol: string; name: string; decimals: number }>;
  /** The code at an address; `0x` where there is no contract. */
  code(address: Address): Promise<Hex>;
  /** The account's next sequence under key 0 in a batch executor, whether it is delegated to it or not. */
  batchSequence(owner: Address, batchExecutor: Address): Promise<bigint>;
  /** The same at the last finalized block, whose time is given in Unix seconds. */
  finalizedSequence(owner: Address, batchExecutor: Address): Promise<{ sequence: bigint; timestamp: bigint }>;
  /** The next nonce, pending transactions counted. */
  nonce(owner: Address): Promise<number>;
  /** How many of its transactions are mined: the first nonce that is free. */
  minedNonce(owner: Address): Promise<number>;
  /** Whether the node has the transaction, mined or waiting. */
  knows(hash: Hex): Promise<boolean>;
  /** What has become of a nonce of the account, by the mined transactions. */
  usedNonce(owner: Address, nonce: number): Promise<UsedNonce>;
  gasPrice(): Promise<GasPrice>;
  /** Gas units. @throws submit.simulation with the revert reason where the call would revert. */
  estimateGas(call: Call): Promise<bigint>;
  /** Sends signed bytes once and returns their hash. @throws submit.unknown where it may have been sent. */
  broadcast(signed: Hex): Promise<Hex>;
  /** Undefined until it is mined. */
  receipt(hash: Hex): Promise<Receipt | undefined>;
  /**
   * Runs the calls one after another on the latest state, without a price for gas, and changes nothing. What is to be
   * read is read in the same state before the first call and after the last. Undefined where the node cannot do it.
   *
   * @throws submit.insufficient-balance where a call sends more of the native asset than its sender has
   */
  simulate(calls: readonly Call[], reads: Reads): Promise<Simulation | undefined>;
  /** Every call within a mined transaction, in order. Undefined where the node does not trace. */
  trace(hash: Hex): Promise<readonly Frame[] | undefined>;
  /** The same of a call that is not sent, on the latest state. Undefined where the node does not trace. */
  traceCall(call: Call & { authorizationList?: readonly Authorization[] }): Promise<readonly Frame[] | undefined>;
};

/** Nothing took it yet, or a transaction did, which a node without history cannot name. */
export type UsedNonce =
  | { state: 'free' | 'used' }
  | { state: 'found'; hash: Hex; to: Address | undefined; data: Hex; value: bigint };

/** What a unit of gas may cost, in wei. */
export type GasPrice = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** A call of a contract, or a plain payment. The value in wei. */
export type Call = { from: Address; to: Address; data: Hex; value: bigint };

/** An EIP-1559 transaction, whole; an EIP-7702 one where it carries authorizations. */
export type Transaction = GasPrice & {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  value: bigint;
  gas: bigint;
  /** Makes it an EIP-7702 transaction. */
  authorizationList?: readonly Authorization[];
};

/** What became of a mined transaction. */
export type Receipt = {
  hash: Hex;
  status: 'success' | 'reverted';
  blockNumber: bigint;
  gasUsed: bigint;
  /** wei per unit of gas. */
  effectiveGasPrice: bigint;
  logs: readonly Log[];
};

/** An event that a contract told. */
export type Log = { address: string; topics: readonly string[]; data: Hex };

/** What a simulation reads beside the calls. */
export type Reads = { balances: readonly Holding[]; allowances: readonly Allowance[] };

/** What somebody has of a token; the native asset is the zero address. */
export type Holding = { owner: Address; token: Address };

/** What somebody lets a spender take of a token. */
export type Allowance = { owner: Address; token: Address; spender: Address };

/** What calls would do; calls and reads in the order in which they were asked for. */
export type Simulation = {
  calls: readonly SimulatedCall[];
  balances: readonly (Holding & Change)[];
  allowances: readonly (Allowance & Change)[];
};

/** What a call would come to. Gas in units. */
export type SimulatedCall =
  | { status: 'success'; gasUsed: bigint; logs: readonly Log[] }
  /** The reason is the contract's own words where it gave any. A call that reverts leaves no logs. */
  | { status: 'reverted'; gasUsed: bigint; reason: string };

/** Base units before the first call and after the last; undefined where the contract does not answer as a token. */
export type Change = { before: bigint | undefined; after: bigint | undefined };

/** Everybody that is asked over the network, each made on first use. */
export type Reach = {
  service(): Promise<Service>;
  /** @throws chain.no-rpc */
  chain(chain: Pick<Network.Chain, 'id'>): Promise<Chain>;
  /** @throws venue.unconfigured */
  venue(): Promise<Venue>;
};

/** Somebody who can sign. Every method throws `sign.failed`. */
export type Account = {
  address: Address;
  /** The name it is known by: `dev0`, a keystore's name. */
  name: string;
  /** The raw signed transaction. */
  signTransaction(transaction: Transaction): Promise<Hex>;
  /** EIP-712. */
  signTypedData(typed: TypedData): Promise<Hex>;
  /** EIP-191, over a text that is bound to a chain id: the venue's, where it is the venue's message. */
  signMessage(message: string, chainId: number): Promise<Hex>;
  /** EIP-7702. */
  signAuthorization(wanted: { chainId: number; address: Address; nonce: number }): Promise<Authorization>;
};

/** As viem takes it. */
export type TypedData = {
  domain: Readonly<Record<string, unknown>>;
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: string;
  message: Readonly<Record<string, unknown>>;
};

/** A signed authorization to act by a contract's code, as the service takes it. */
export type Authorization = {
  chainId: number;
  address: Address;
  nonce: number;
  yParity: number;
  r: Hex;
  s: Hex;
};

/** What gives out nonces: an account on a chain, or an API key of an account on the venue. */
export type NonceCounter =
  | { chainId: number; chain: string; address: Address }
  | { signingChainId: number; accountIndex: number; apiKeyIndex: number };

/** Held from reading a nonce until it is used up, so that nobody else on this machine signs with the same one. */
export type Turn = {
  /** Lets the next one have it. May be called again. */
  release(): void;
};

/** Another process has held the nonce counter for a moment. A member of the union in `Event`. */
export type Waiting = { type: 'waiting'; summary: string; pid: number | null };

/** Who may sign with the next nonce. */
export type Nonces = {
  /**
   * Waits until no other process of this machine uses the counter, and says so where it takes a moment. What was held by
   * a process that died is free.
   *
   * @throws config.unwritable · submit.busy where the others did not end in time · the signal's reason
   */
  take(counter: NonceCounter): AsyncGenerator<Waiting, Turn>;
};

/** Time, as far as it is needed. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
  /** Resolves after that long; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** The only questions ferry asks. All throw `prompt.unavailable` where nobody can be asked, `prompt.declined` on Ctrl-C. */
export type Prompt = {
  /** Enter alone means no, unless it means yes. */
  confirm(question: string, enter?: 'yes' | 'no'): Promise<boolean>;
  password(question: string, object?: Objection): Promise<string>;
  /** A line, without the blanks at its ends. */
  text(question: string, object?: Objection): Promise<string>;
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** One of those that are found by what is typed. */
  search(question: string, find: (term: string) => Promise<readonly Choice<string>[]>): Promise<string>;
};

/** What is wrong with an answer, in a sentence: then it can be put right. Undefined where nothing is. */
export type Objection = (answer: string) => Promise<string | undefined>;

/** One of several answers, and what it means. */
export type Choice<T extends string> = { value: T; description: string };
