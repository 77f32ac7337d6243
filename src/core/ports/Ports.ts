/** The interfaces through which core reaches the outside world. `io/` implements them. */

import type * as VenueAccount from '../accounts/VenueAccount.js';
import type { VenueTransaction } from '../accounts/VenueTransaction.js';
import type * as AppFeeClaims from '../api/AppFeeClaims.js';
import type * as Chains from '../api/catalog/Chains.js';
import type * as CurrenciesV2 from '../api/catalog/CurrenciesV2.js';
import type * as TokenPrice from '../api/catalog/TokenPrice.js';
import type * as Execute from '../api/Execute.js';
import type * as ExecutePermits from '../api/ExecutePermits.js';
import type * as QuoteV2 from '../api/QuoteV2.js';
import type * as RequestsV2 from '../api/RequestsV2.js';
import type * as RequestsV3 from '../api/RequestsV3.js';
import type * as StatusV3 from '../api/StatusV3.js';
import type * as Transactions from '../api/Transactions.js';
import type { Address } from '../base/Address.js';
import type { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Frame } from '../trace/Frame.js';

/** The client of the service that spec/service.md specifies. Every method throws `service.*` or `auth.refused`. */
export type Service = {
  readonly baseUrl: string;
  /** The service's clock in Unix milliseconds, to the second; undefined if it does not report the time. */
  time(): Promise<number | undefined>;
  /**
   * How far this machine's clock is ahead of the service's by its answers so far, and the uncertainty, both in milliseconds;
   * undefined if none had a date.
   */
  clockSkew?(): { aheadMs: number; marginMs: number } | undefined;
  quote(request: QuoteV2.Request): Promise<QuoteV2.Response>;
  status(requestId: string): Promise<StatusV3.Response>;
  requests(query: RequestsV3.Query): Promise<RequestsV3.Response>;
  /** The deprecated records, for a service without requests/v3 or a client without an API key. */
  requestsV2(query: RequestsV2.Query): Promise<RequestsV2.Response>;
  chains(): Promise<Chains.Response>;
  currencies(request: CurrenciesV2.Request): Promise<CurrenciesV2.Response>;
  /** Dollars per whole token, as the service prices it; undefined if it knows no price. */
  tokenPrice(query: TokenPrice.Query): Promise<number | undefined>;
  indexTransaction(request: Transactions.IndexRequest): Promise<void>;
  indexSingle(request: Transactions.SingleRequest): Promise<void>;
  /** Sent once, never retried. A lost response throws `service.*` with funds unknown: the service may have acted. */
  execute(request: Execute.Request): Promise<Execute.Response>;
  /** Submits a signed permit, with the same guarantees as `execute`. */
  executePermit(request: ExecutePermits.Request, signature: Hex): Promise<ExecutePermits.Response>;
  /** The app fees that a wallet can claim. */
  appFees(wallet: Address): Promise<AppFeeClaims.Balances>;
  /** The claims that the wallet has signed, latest first. */
  appFeeClaims(wallet: Address): Promise<AppFeeClaims.Claims>;
  /** Prepares a claim. Nothing is paid or reserved until it is signed. */
  prepareClaim(wallet: Address, request: AppFeeClaims.ClaimRequest): Promise<AppFeeClaims.ClaimResponse>;
};

/** The venue's client. Every method throws `venue.*`. Amounts are in base units, times in Unix milliseconds. */
export type Venue = {
  readonly baseUrl: string;
  /** Every account of a wallet, the master account first; empty if it has none. */
  accountsOf(wallet: Address): Promise<readonly VenueAccount.VenueAccount[]>;
  /** The first account of a wallet with its assets; undefined if it has none. */
  firstAccountOf(wallet: Address): Promise<VenueAccount.VenueAccount | undefined>;
  /** An account with its assets; undefined if there is none with that index. */
  account(index: number): Promise<VenueAccount.VenueAccount | undefined>;
  apiKeys(index: number): Promise<readonly VenueAccount.ApiKey[]>;
  nextNonce(index: number, apiKeyIndex: number): Promise<bigint>;
  /** The fee of a transfer, in millionths of USDC. `token` is the auth token of one of the accounts. */
  transferFee(from: number, to: number, token: string): Promise<bigint>;
  /** Submits a signed transfer once. Throws only on abort: the result decides what to do next. */
  send(txInfo: string): Promise<VenueSending>;
  /** The status of a transaction; undefined while the venue does not know it. */
  transaction(hash: string): Promise<VenueTransaction | undefined>;
};

/**
 * The result of submitting a transfer: `refused` if the venue rejected it without effect, `unsent` if it never reached
 * the venue, `open` if it may have been accepted.
 */
export type VenueSending =
  | { verdict: 'accepted'; hash: string }
  | { verdict: 'refused' | 'unsent' | 'open'; error: BaseError; venueCode: number | undefined };

/** The last finalized block: its time in Unix seconds, and the hosts of the nodes that show what is read at it. */
export type Finalized = { timestamp: bigint; witnesses: readonly string[] };

/** The client of one EVM node. Every method throws `chain.*`. Amounts are in base units, gas prices in wei. */
export type Chain = {
  /** Whether a sandbox names the node as its own: then nobody else stands between. Undefined for several nodes. */
  isOwn?: (() => Promise<boolean>) | undefined;
  /** The chain id that the node reports. */
  chainId(): Promise<number>;
  /** The latest block, with its time in Unix seconds. */
  tip(): Promise<{ number: bigint; timestamp: bigint }>;
  /** The time of a block in Unix seconds. */
  blockTime(block: bigint): Promise<bigint>;
  /** The balance at a block, by default the latest. */
  balance(owner: Address, token: Address, block?: bigint): Promise<bigint>;
  allowance(token: Address, owner: Address, spender: Address): Promise<bigint>;
  /** Symbol, name and decimals as the token contract reports them. */
  token(token: Address): Promise<{ symbol: string; name: string; decimals: number }>;
  /** The latest round of a price feed (Chainlink's `latestRoundData`). Times in Unix seconds. */
  round(feed: Address): Promise<{ answer: bigint; startedAt: bigint; updatedAt: bigint }>;
  /** The code at an address; `0x` if there is no contract. */
  code(address: Address): Promise<Hex>;
  /** The account's next nonce sequence under key 0 in a batch executor, whether or not it delegates to it. */
  batchSequence(owner: Address, batchExecutor: Address): Promise<bigint>;
  /** The same at the last finalized block. */
  finalizedSequence(owner: Address, batchExecutor: Address): Promise<{ sequence: bigint } & Finalized>;
  /** What a contract returns. */
  read(call: { to: Address; data: Hex }): Promise<Hex>;
  /** The same at the last finalized block. */
  finalizedRead(call: { to: Address; data: Hex }): Promise<{ result: Hex } & Finalized>;
  /** The next nonce, including pending transactions. */
  nonce(owner: Address): Promise<number>;
  /** The number of mined transactions, which is the first unused nonce; at a block, by default the latest. */
  minedNonce(owner: Address, block?: bigint): Promise<number>;
  /** Whether the node knows the transaction, mined or pending. */
  knows(hash: Hex): Promise<boolean>;
  /** A transaction; undefined if the node does not know it. */
  transaction(hash: Hex): Promise<SentTransaction | undefined>;
  /** Whether a mined transaction used a nonce of the account, and which one. */
  usedNonce(owner: Address, nonce: number): Promise<UsedNonce>;
  /** The fees that the node suggests: one witness, which `GasBound` holds to bounds. */
  gasPrice(): Promise<GasOffer>;
  /** Estimates gas units. @throws submit.simulation with the revert reason if the call would revert */
  estimateGas(call: Call): Promise<bigint>;
  /**
   * Broadcasts a signed transaction and returns its hash.
   *
   * @throws submit.unknown if a node has it that does not show it, chain.unreachable if no node was reached
   */
  broadcast(signed: Hex): Promise<Hex>;
  /** The receipt of a transaction; undefined until it is mined, and until all nodes of the chain that answer have it. */
  receipt(hash: Hex): Promise<Receipt | undefined>;
  /**
   * Simulates calls in sequence on the latest state, with a gas price of zero, or as the transactions that would be sent
   * next. `reads` are read before the first call and after the last. Undefined if the node does not support
   * `eth_simulateV1`.
   *
   * @throws submit.insufficient-balance if a call sends more of the native asset than its sender has
   */
  simulate(calls: readonly Call[], reads: Reads, as?: Circumstances): Promise<Simulation | undefined>;
  /** Every call of a mined transaction, in call order. Undefined if the node does not support tracing. */
  trace(hash: Hex): Promise<readonly Frame[] | undefined>;
  /** The same for a simulated call on the latest state. Undefined if the node does not support tracing. */
  traceCall(call: Call & { authorizationList?: readonly Authorization[] }): Promise<readonly Frame[] | undefined>;
};

/**
 * Reads what reached accounts on a chain that is neither an EVM chain nor the venue. Every method throws `chain.*`.
 */
export type PaymentReader = {
  /** The latest block; on Solana its slot. */
  tip(): Promise<{ number: bigint }>;
  /**
   * What a transaction paid an account, in the chain's form of currency and account; undefined while the node does not
   * show the transaction in a block, or if it failed.
   */
  payments(id: string, to: string, currency: string): Promise<PaidAccount | undefined>;
};

/** What a transaction paid an account: its block, the block's time in Unix seconds, and each payment in base units. */
export type PaidAccount = { block: bigint; timestamp: bigint; payments: readonly { id: string; amount: bigint }[] };

/** `free`: not used yet. `used`: by a transaction that the node could not find. `found`: by this transaction. */
export type UsedNonce =
  | { state: 'free' | 'used' }
  | { state: 'found'; hash: Hex; to: Address | undefined; data: Hex; value: bigint };

/** What a transaction asks of the chain. */
export type SentTransaction = { from: Address; to: Address | undefined; data: Hex; value: bigint };

/** The fee caps per unit of gas, in wei. */
export type GasPrice = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** The fees that a node suggests, and the base fee of its latest block, in wei per unit of gas, with its time in Unix seconds. */
export type GasOffer = GasPrice & { baseFeePerGas: bigint; timestamp: bigint };

/** A contract call or a plain payment. `value` is in wei. */
export type Call = { from: Address; to: Address; data: Hex; value: bigint };

/** A complete EIP-1559 transaction, or an EIP-7702 transaction if it has an authorization list. */
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

/** The receipt of a mined transaction. */
export type Receipt = {
  hash: Hex;
  from: Address;
  status: 'success' | 'reverted';
  blockNumber: bigint;
  gasUsed: bigint;
  /** In wei per unit of gas. */
  effectiveGasPrice: bigint;
  /** What the sender paid for it in wei: its gas, and on some rollups the fee for its data. */
  fee: bigint;
  logs: readonly Log[];
  /** The nodes that show it, by host. */
  witnesses: readonly string[];
};

/** An event that a contract emitted. */
export type Log = { address: string; topics: readonly string[]; data: Hex };

/**
 * What the transactions of a simulation have in common with real ones: the fees, the sender's nonce, and the block that
 * would be next. A contract cannot tell by these that it is simulated.
 */
export type Circumstances = GasPrice & {
  /** Of the first call; by default the sender's next. */
  nonce?: number | undefined;
  /** The gas limits of the calls, in their order. */
  gas: readonly bigint[];
  /** What the sender has more than its balance, in wei, so that a gas limit that is no estimate yet can be paid. */
  credit?: bigint | undefined;
  /** An account that is to be delegated, and the contract. */
  delegation?: { account: Address; delegate: Address } | undefined;
};

/** The balances and allowances that a simulation reads. */
export type Reads = { balances: readonly Holding[]; allowances: readonly Allowance[] };

/** An owner's balance of a token. The zero address denotes the native asset. */
export type Holding = { owner: Address; token: Address };

/** A spender's allowance over an owner's tokens. */
export type Allowance = { owner: Address; token: Address; spender: Address };

/** The result of a simulation; calls and reads are in the requested order. */
export type Simulation = {
  calls: readonly SimulatedCall[];
  balances: readonly (Holding & Change)[];
  allowances: readonly (Allowance & Change)[];
};

/** The result of a simulated call. */
export type SimulatedCall =
  | { status: 'success'; gasUsed: bigint; logs: readonly Log[] }
  /** `reason` is the contract's own message if there is one. A reverted call emits no logs. */
  | { status: 'reverted'; gasUsed: bigint; reason: string };

/** Base units before the first call and after the last; undefined if the contract does not respond as a token. */
export type Change = { before: bigint | undefined; after: bigint | undefined };

/** The clients of the service, the chains and the venue, each created on first use. */
export type Reach = {
  /** Opens connections to the service, and to what answers for these chains, ahead of their use. Starts nothing, never fails. */
  open(chains: readonly Network.Chain[]): void;
  service(): Promise<Service>;
  /** @throws chain.no-rpc */
  chain(chain: Pick<Network.Chain, 'id'>): Promise<Chain>;
  /** The reader of arrivals on a chain that only pays out; undefined if ferry has none for its kind. @throws chain.no-rpc */
  payments(chain: Pick<Network.Chain, 'id'>): Promise<PaymentReader | undefined>;
  /** @throws venue.unconfigured */
  venue(): Promise<Venue>;
};

/** An account that can sign. Every method throws `sign.failed`. */
export type Account = {
  address: Address;
  /** The account's name: `dev0`, or the name of a keystore. */
  name: string;
  /** Returns the raw signed transaction. */
  signTransaction(transaction: Transaction): Promise<Hex>;
  /** Signs EIP-712 typed data. */
  signTypedData(typed: TypedData): Promise<Hex>;
  /**
   * Signs a text of ferry's own making (EIP-191) that is bound to a chain id; for a message of the venue, its signing chain
   * id. Nothing signs bytes that somebody else names: they could be the hash of anything.
   */
  signMessage(message: string, chainId: number): Promise<Hex>;
  /** Signs an EIP-7702 authorization. */
  signAuthorization(wanted: { chainId: number; address: Address; nonce: number }): Promise<Authorization>;
};

/** EIP-712 typed data in viem's form. */
export type TypedData = {
  domain: Readonly<Record<string, unknown>>;
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: string;
  message: Readonly<Record<string, unknown>>;
};

/** A signed EIP-7702 authorization, in the form that the service accepts. */
export type Authorization = {
  chainId: number;
  address: Address;
  nonce: number;
  yParity: number;
  r: Hex;
  s: Hex;
};

/** The owner of a nonce sequence: an account on a chain, or an API key of a venue account. */
export type NonceCounter =
  | {
      chainId: number;
      chain: string;
      address: Address;
      /** The id of the sandbox's instance; undefined on other networks. */
      instance?: string | undefined;
    }
  | { signingChainId: number; chain: string; accountIndex: number; apiKeyIndex: number };

/** Held from reading a nonce until it is used, so no other process of this store signs with the same one. */
export type Turn = {
  /** The next nonce after those that ferry has used; undefined if it has used none. `sequence` names another sequence. */
  known(sequence?: string): bigint | undefined;
  /**
   * Records that ferry uses the nonces below `next`. Called before anything is sent. It is durable once the journal's entry
   * about it is, or after `commit`.
   *
   * @throws config.unwritable
   */
  use(next: bigint, sequence?: string): void;
  /** Makes durable what no entry of a journal announces. @throws store.* */
  commit(): Promise<void>;
  /** Releases the nonce. Idempotent. */
  release(): void;
};

/** Another process holds the nonce. A member of the union in `Event`. */
export type Waiting = { type: 'waiting'; summary: string; pid: number | null };

/** Serializes the use of nonces across processes. */
export type Nonces = {
  /**
   * Waits until no other process on this machine holds the counter, and yields an event if that takes a while. A
   * counter held by a dead process is free.
   *
   * @param held called as soon as the counter is held; resolves to the counter with its instance, if that is asked for then
   *
   * @throws config.unwritable · submit.busy if the others did not finish in time · the signal's reason
   */
  take(counter: NonceCounter, held?: () => Promise<NonceCounter>): AsyncGenerator<Waiting, Turn>;
};

/** The payments that the transfers of this machine have counted as theirs. A payment is counted once. */
export type Counted = {
  /**
   * Counts what an id names for an owner; resolves to whether it is the owner's, now or before.
   *
   * @throws config.unwritable
   */
  count(id: string, owner: string): Promise<boolean>;
  /** Whose an id is; undefined if nobody has counted it. */
  ownerOf(id: string): Promise<string | undefined>;
};

/** Access to time. */
export type Clock = {
  /** Unix time in milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason on abort. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Interactive prompts. All methods throw `prompt.unavailable` if ferry cannot prompt, and `prompt.declined` on Ctrl-C.
 */
export type Prompt = {
  /**
   * Asks a yes-or-no question. `enter` is the answer on Enter alone, by default no. A secret is shown above the question until
   * it is answered, and is cleared then.
   */
  confirm(question: string, enter?: 'yes' | 'no', secret?: string): Promise<boolean>;
  password(question: string, object?: Objection): Promise<string>;
  /** Reads a line and trims it. */
  text(question: string, object?: Objection): Promise<string>;
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Selects one of the choices that match the typed term. */
  search(
    question: string,
    find: (term: string) => Promise<readonly Choice<string>[]>,
    object?: Objection,
  ): Promise<string>;
};

/** Validates an answer: returns what is wrong with it in one sentence, or undefined if it is valid. */
export type Objection = (answer: string) => Promise<string | undefined>;

/** One of several answers, with its meaning. */
export type Choice<T extends string> = { value: T; description: string };
