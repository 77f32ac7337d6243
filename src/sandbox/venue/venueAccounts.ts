/**
 * The initial accounts of the venue: the development accounts', the relayer's and the treasury's. API keys are derived
 * from the owners' private keys (see `privateKeyOf`); public keys are listed here because computing them takes longer
 * than starting the venue.
 */
import { hexToBytes, keccak256 } from 'viem/utils';
import type { Address } from '../../core/base/Address.js';
import * as dev from '../values/devAccounts.js';

export type Account = {
  index: number;
  /** The wallet that owns the account. */
  l1Address: Address;
  /** USDC balance on the perps route, in millionths. */
  usdc: bigint;
  /** Whether the account was ever credited: the first credit incurs the activation fee. */
  isActive: boolean;
};

export type ApiKey = {
  accountIndex: number;
  apiKeyIndex: number;
  /** 80 hexadecimal digits. */
  publicKey: string;
};

/** The chain id in the venue's signatures; no public venue uses it. */
export const signingChainId = 313373;

/** The API key index in every account. */
export const apiKeyIndex = 4;

/** Collects the fees. */
export const treasuryIndex = 0;

/** The service's account: receives deposits and makes payouts. */
export const relayerIndex = 7;

/** Public keys of the owners that have an API key. */
export const publicKeys = {
  dev0: 'f15e85a15e2b55404e0bcbefa31368b5efe7dae2c3cda225ff6f6d76606c296474a8a515db14fff9',
  dev1: '50e67f647288949b7678d2831da276ef81d68749bb88e984ca4ac30a00a98dff7e142403d2f47565',
  dev2: '4ee08c935e4e0d9688d2d1f88172fcef5651a7ce7928cf47e0907aae86342c3b62ba24ab595372f2',
  dev3: 'b7b15cf19a80c484f26f76ea924ccb795be39dd58e69561ed5d012a8a2b3e3f015fa60b8df1c7370',
  dev4: '16c200309ee0909771af6dc4db12aac929d751be056a4a405cc4fc2d25fa1762fa91de4760a7d2d3',
  solver: '7135ce90c76f227d082804f81cf6477069c6c820013e5cc95d41609cfedbd31e3c6a5b6041624527',
} as const satisfies Partial<Record<dev.Name, string>>;

type Row = readonly [index: number, owner: dev.Name, wholeUsdc: bigint];

const rows: readonly Row[] = [
  [treasuryIndex, 'feeCollector', 0n],
  [relayerIndex, 'solver', 100_000_000n],
  [100, 'dev0', 10_000n],
  [101, 'dev1', 10_000n],
  [102, 'dev2', 10_000n],
  [103, 'dev3', 10_000n],
  [104, 'dev4', 10_000n],
  [106, 'dev6', 0n],
  // Second account of dev1: sub-account indexes count down from here.
  [281474976710654, 'dev1', 0n],
];

const inactive: readonly number[] = [106];

export const accounts: readonly Account[] = rows.map(([index, owner, wholeUsdc]) => ({
  index,
  l1Address: dev.accounts[owner].address,
  usdc: wholeUsdc * 1_000_000n,
  isActive: !inactive.includes(index),
}));

export const apiKeys: readonly ApiKey[] = rows.flatMap(([accountIndex, owner]) =>
  owner in publicKeys ? [{ accountIndex, apiKeyIndex, publicKey: publicKeys[owner as keyof typeof publicKeys] }] : [],
);

/** The 40 bytes of an owner's API key: the first of keccak256(k) ‖ keccak256(keccak256(k)), k being the wallet's key. */
export function privateKeyOf({ privateKey }: { privateKey: `0x${string}` }): Uint8Array {
  const hashed = keccak256(hexToBytes(privateKey), 'bytes');
  return Buffer.concat([hashed, keccak256(hashed, 'bytes')]).subarray(0, 40);
}

/** Transfer fee between accounts of different owners: 3 USDC. */
const feeBetweenOwners = 3_000_000n;

/** Activation fee, charged on the first credit of an account: 1 USDC. */
const feeOfActivation = 1_000_000n;

/** Minimum transfer to another owner: 1 USDC. */
export const minAmount = 1_000_000n;

export function isSameOwner(from: Account, to: Account): boolean {
  return from.l1Address.toLowerCase() === to.l1Address.toLowerCase();
}

/**
 * Transfers between accounts of one owner are free, and the relayer is exempt.
 *
 * @param to undefined for any other owner
 */
export function transferFee(from: Account, to: Account | undefined): bigint {
  return (to && isSameOwner(from, to)) || from.index === relayerIndex ? 0n : feeBetweenOwners;
}

export function activationFee(to: Account | undefined): bigint {
  return !to || to.isActive ? 0n : feeOfActivation;
}
