/** The venue's hash over base field elements: a Poseidon2 overwrite-mode sponge of width 12 and rate 8. */
// Shares only constants with the product; the computation is independent.
import * as constants from '../../../src/venue/PoseidonConstants.js';
import * as Fp from './Fp.js';
import type { Fp5 } from './Fp5.js';

const width = 12;
const rate = 8;

/** Hashes any number of elements to five. */
export function hash(elements: readonly bigint[]): Fp5 {
  let state: readonly bigint[] = Array<bigint>(width).fill(0n);
  for (let at = 0; at < elements.length; at += rate) {
    const block = elements.slice(at, at + rate).map(Fp.from);
    state = permute([...block, ...state.slice(block.length)]);
  }
  const [e0 = 0n, e1 = 0n, e2 = 0n, e3 = 0n, e4 = 0n] = state;
  return [e0, e1, e2, e3, e4];
}

/** The permutation: a linear layer, four full rounds, 22 partial rounds and four full rounds. */
function permute(start: readonly bigint[]): readonly bigint[] {
  let state = external(start);
  for (const round of constants.external.slice(0, 4)) state = fullRound(state, round);
  for (const constant of constants.internal) state = partialRound(state, constant);
  for (const round of constants.external.slice(4)) state = fullRound(state, round);
  return state;
}

function fullRound(state: readonly bigint[], round: readonly bigint[]): readonly bigint[] {
  return external(state.map((lane, index) => seventh(lane + (round[index] ?? 0n))));
}

/** Adds the constant and applies the S-box in the first lane only. */
function partialRound([first = 0n, ...others]: readonly bigint[], constant: bigint): readonly bigint[] {
  const state = [seventh(first + constant), ...others];
  const sum = state.reduce((total, lane) => total + lane, 0n);
  return state.map((lane, index) => (sum + lane * (constants.diagonal[index] ?? 0n)) % Fp.p);
}

function seventh(lane: bigint): bigint {
  const square = (lane * lane) % Fp.p;
  return (((square * square) % Fp.p) * ((square * lane) % Fp.p)) % Fp.p;
}

/** External linear layer: mixes each block of four lanes, then adds the column sums. */
function external(state: readonly bigint[]): readonly bigint[] {
  const mixed = [0, 4, 8].flatMap((at) => {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = state.slice(at, at + 4);
    const total = a + b + c + d;
    return [total + a + 2n * b, total + b + 2n * c, total + c + 2n * d, total + d + 2n * a];
  });
  return mixed.map((lane, index) => {
    const column = [0, 4, 8].reduce((total, at) => total + (mixed[at + (index % 4)] ?? 0n), 0n);
    return (lane + column) % Fp.p;
  });
}
