/** The curve of accounts, tuned for a process that signs or recovers once or twice. */

import { hashMessage, recoverAddress, recoverMessageAddress, recoverPublicKey } from 'viem/utils';
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

/**
 * viem's `recoverMessageAddress` on the prepared curve. A signer that was found often is tried first: whether a signature is
 * theirs is known with two tables, which takes a third of the time of a recovery.
 *
 * @throws if there is no such signer
 */
export async function recoverMessage(signed: Signed): Promise<Address> {
  await prepare();
  for (const signer of frequent) if (await isOf(signer, signed)) return signer.address;
  const address = await recoverMessageAddress(signed);
  await count(address, signed);
  return address;
}

type Signed = Parameters<typeof recoverMessageAddress>[0];
type Curve = typeof import('@noble/curves/secp256k1').secp256k1;
type Signer = { address: Address; point: Curve['ProjectivePoint']['BASE'] };

/** Signers that are tried first, and how often each of the last ones was recovered. */
const frequent: Signer[] = [];
const counts = new Map<Address, number>();

/** From so many recoveries on, the tables of a signer are worth their computation. */
const often = 32;

/** Others are not remembered, as each one costs a try; nor are many counted. */
const [mostFrequent, mostCounted] = [2, 16];

/** Counts a recovery, and prepares for a signer that comes often. */
async function count(address: Address, { message, signature }: Signed): Promise<void> {
  if (frequent.length >= mostFrequent || counts.size > mostCounted) return;
  const found = (counts.get(address) ?? 0) + 1;
  counts.set(address, found);
  if (found !== often) return;
  const { secp256k1 } = await import('@noble/curves/secp256k1');
  const { ProjectivePoint } = secp256k1;
  const key = await recoverPublicKey({ hash: hashMessage(message), signature });
  const point = ProjectivePoint.fromHex(key.slice(2));
  for (const each of [ProjectivePoint.BASE, point]) each._setWindowSize(windowBitsOften);
  frequent.push({ address, point });
}

/**
 * Whether recovery would find this signer: the signature's point is R = (h·G + r·P) / s of SEC 1 section 4.1.4, and both its
 * x and its parity are those that the signature names.
 */
async function isOf({ point }: Signer, { message, signature }: Signed): Promise<boolean> {
  const [, first, second, last] = (typeof signature === 'string' && form.exec(signature)) || [];
  const parity = parities[last?.toLowerCase() ?? ''];
  if (parity === undefined) return false;
  const [{ secp256k1 }, { invert }] = await Promise.all([
    import('@noble/curves/secp256k1'),
    import('@noble/curves/abstract/modular'),
  ]);
  const { ProjectivePoint, CURVE } = secp256k1;
  const [r, s] = [BigInt(`0x${first}`), BigInt(`0x${second}`)];
  if (r === 0n || r >= CURVE.n || s === 0n || s >= CURVE.n) return false;
  const inverse = invert(s, CURVE.n);
  const scalars = [BigInt(hashMessage(message)), r].map((each) => (each * inverse) % CURVE.n);
  const [ofBase = 0n, ofSigner = 0n] = scalars;
  if (ofBase === 0n) return false;
  const { x, y } = ProjectivePoint.BASE.multiply(ofBase).add(point.multiply(ofSigner)).toAffine();
  // An x above the curve's order is named by other parities, and as rare as a collision.
  return x === r && y % 2n === parity;
}

const form = /^0x([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{2})$/i;
const parities: Readonly<Record<string, bigint>> = { '00': 0n, '01': 1n, '1b': 0n, '1c': 1n };

/** 264 points instead of 2,176. */
const windowBits = 4;

/** 2,176 points. */
const windowBitsOften = 8;
