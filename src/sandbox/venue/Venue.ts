/** The venue's interface to the sandbox's service: accounts, and a sequencer that accepts transfers. */
import type { Address } from '../../core/base/Address.js';

/** 80 hexadecimal digits without a prefix. */
export type Hash = string;

export type Account = {
  index: number;
  /** The wallet that owns the account. */
  l1Address: Address;
  /** USDC balance on the perps route, in millionths. */
  usdc: bigint;
  /** Whether the account was ever credited: the first credit incurs the activation fee. */
  isActive: boolean;
};

/** A transfer accepted by the sequencer, with its outcome. */
export type Transfer = {
  hash: Hash;
  /** Position among all accepted transfers, starting at 1. */
  sequence: number;
  status: 'pending' | 'executed' | 'failed';
  /** The failure reason as the venue words it. */
  failReason: string | undefined;
  from: number;
  to: number;
  assetIndex: number;
  fromRouteType: number;
  toRouteType: number;
  /** Base units of the asset. */
  amount: bigint;
  /** Fees that the sender paid on top of the amount, in millionths of USDC. */
  usdcFee: bigint;
  activationFee: bigint;
  /** 32 bytes. */
  memo: `0x${string}`;
  /** Unix time in milliseconds. */
  queuedAtMs: number;
  executedAtMs: number | undefined;
};

export type Payment = { to: number; amount: bigint; memo: `0x${string}`; shouldFail?: boolean | undefined };

export type Venue = {
  /** The venue's HTTP API, as exposed at its base URL. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  account(index: number): Account | undefined;
  /** The service's account: receives deposits and makes payouts. */
  relayerIndex: number;
  /** Fee of a transfer, paid by the sender, in millionths of USDC. */
  transferFee(from: number, to: number): bigint;
  /** Fee for the first credit of an account, paid by the sender, in millionths of USDC; 0 if the account is active. */
  activationFee(to: number): bigint;
  transfer(hash: Hash): Transfer | undefined;
  /** Executed transfers to an account, oldest first. */
  transfersTo(index: number): readonly Transfer[];
  /**
   * Signs a transfer from the relayer's account with both signatures and submits it through the sequencer like any
   * other. `onSigned` receives the hash before submission. Rejects if the sequencer rejects the transfer. With
   * `shouldFail` the transfer is accepted but fails.
   */
  pay(payment: Payment, onSigned: (hash: Hash) => void): Promise<Hash>;
  /** Subscribes to transfers that have been executed or have failed. Returns an unsubscribe function. */
  onSettled(listener: (transfer: Transfer) => void): () => void;
  /** Unix time in milliseconds of the last accepted transaction; 0 before the first. */
  lastAcceptedMs(): number;
  /** Whether transactions await execution. */
  isBusy(): boolean;
  /** Stops the sequencer. Pending transactions stay pending, and resume at the next start. */
  stop(): Promise<void>;
};
