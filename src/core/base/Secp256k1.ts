/** The curve of accounts, tuned for a process that signs or recovers once or twice. */

import { recoverAddress, recoverMessageAddress } from 'viem/utils';
import type { Address } from './Address.js';

let prepared: Promise<void> | undefined;

/**
 * Gives the curve a small precomputed table of the generator's multiples, before the first use makes one. Computing the
 * default table takes longer than everything else that a signature or a recovery needs, and a warm process is hardly
 * faster with it.
 */
export function prepare(): Promise<void> {
  prepared ??= import('@noble/curves/secp256k1').then(({ secp256k1 }) => {
    secp256k1.ProjectivePoint.BASE._setWindowSize(windowBits);
  });
  return prepared;
}

let computed: Promise<void> | undefined;

/** Computes that table ahead of the first signature or recovery. It keeps the processor for some milliseconds. */
export function compute(): Promise<void> {
  computed ??= Promise.all([prepare(), import('@noble/curves/secp256k1')]).then(([, { secp256k1 }]) => {
    // Any multiple of the generator has it computed.
    secp256k1.ProjectivePoint.BASE.multiply(3n);
  });
  return computed;
}

/** viem's `recoverAddress` on the prepared curve. @throws if there is no such signer */
export async function recover(signed: Parameters<typeof recoverAddress>[0]): Promise<Address> {
  await prepare();
  return recoverAddress(signed);
}

/** viem's `recoverMessageAddress` on the prepared curve. @throws if there is no such signer */
export async function recoverMessage(signed: Parameters<typeof recoverMessageAddress>[0]): Promise<Address> {
  await prepare();
  return recoverMessageAddress(signed);
}

/** 264 points instead of 2,176. */
const windowBits = 4;
