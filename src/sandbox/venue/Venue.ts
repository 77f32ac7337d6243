/** The sandbox's venue as the service beside it sees it: a book of accounts, and a sequencer that takes transfers. */
import type { Address } from '../../core/base/Address.js';
import type { JsonValue } from '../values/BigintJson.js';

/** 80 hexadecimal digits without a prefix. */
export type Hash = string;

export type Account = {
  index: number;
  /** The wallet that owns it. */
  l1Address: Address;
  /** Millionths of USDC on the perps route. */
  usdc: bigint;
  /** Whether it was ever credited: the first credit costs the activation fee. */
  isActive: boolean;
};

/** A transfer that the sequencer accepted, and what became of it. */
export type Transfer = {
  hash: Hash;
  /** Its place among all that were accepted, from 1. */
  sequence: number;
  status: 'pending' | 'executed' | 'failed';
  /** Why it failed, in the venue's word. */
  failReason: string | undefined;
  from: number;
  to: number;
  assetIndex: number;
  fromRouteType: number;
  toRouteType: number;
  /** Base units of the asset. */
  amount: bigint;
  /** Millionths of USDC that the sender paid on top: the fee, and where it was the first credit the activation. */
  usdcFee: bigint;
  activationFee: bigint;
  /** 32 bytes. */
  memo: `0x${string}`;
  /** Unix time in milliseconds. */
  queuedAtMs: number;
  executedAtMs: number | undefined;
};

export type Payment = { to: number; amount: bigint; memo: `0x${string}`; isInVain?: boolean | undefined };

export type Venue = {
  /** The venue's own API, as on its base URL. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  account(index: number): Account | undefined;
  /** The account that pays and is paid for the service. */
  relayerIndex: number;
  /** Millionths of USDC that a transfer between two accounts costs its sender. */
  transferFee(from: number, to: number): bigint;
  /** Millionths of USDC that a first credit costs whoever pays it; 0 for an account that is active. */
  activationFee(to: number): bigint;
  transfer(hash: Hash): Transfer | undefined;
  /** Every transfer to an account that was executed, oldest first. */
  transfersTo(index: number): readonly Transfer[];
  /**
   * Signs a transfer out of the relayer's account, with both signatures, and hands it in as anybody would.
   * `onSigned` hears of the hash before it goes in. Rejects where the sequencer refuses it. In vain it is taken in and
   * fails.
   */
  pay(payment: Payment, onSigned: (hash: Hash) => void): Promise<Hash>;
  /** Called with every transfer that reaches its end, executed or failed. Returns what ends the calls. */
  onSettled(listener: (transfer: Transfer) => void): () => void;
  /** Accounts, keys, nonces and transactions as plain JSON. */
  saved(): JsonValue;
  /** Unix time in milliseconds of the last transaction that was accepted; 0 before the first. */
  lastMoveMs(): number;
  /** Whether the sequencer has something to execute. */
  isBusy(): boolean;
  /** Ends the sequencer's waiting. What is pending stays pending, and is taken up by the next start. */
  stop(): Promise<void>;
};
