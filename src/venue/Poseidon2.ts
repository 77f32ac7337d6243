/**
 * The venue's hash: Poseidon2 over Goldilocks with width 12 and rate 8. Source: poseidon_crypto,
 * hash/poseidon2_goldilocks_plonky2.
 */
import * as Goldilocks from './Goldilocks.js';
import * as PoseidonConstants from './PoseidonConstants.js';

/** The sponge state: twelve Goldilocks elements. */
type State = readonly bigint[];

const width = 12;
const rate = 8;

/**
 * The hash: the first five lanes after absorbing the elements. The sponge overwrites its lanes with each block of up to
 * eight elements and does not pad, so the hash of no elements is zero, and a trailing zero may not change the hash.
 * Only hash inputs with a fixed number of elements.
 *
 * @param elements non-negative integers, each reduced modulo p
 */
export function hash(elements: readonly bigint[]): bigint[] {
  let state: State = Array.from({ length: width }, () => 0n);
  for (let at = 0; at < elements.length; at += rate) {
    const block = elements.slice(at, at + rate).map(Goldilocks.from);
    state = permute([...block, ...state.slice(block.length)]);
  }
  return state.slice(0, 5);
}

/** The permutation: an initial mixing, then four full, 22 partial and four full rounds. */
function permute(state: State): State {
  const { external, internal } = PoseidonConstants;
  let lanes = mixExternally(state);
  for (const constants of external.slice(0, 4)) lanes = fullRound(lanes, constants);
  for (const constant of internal) lanes = partialRound(lanes, constant);
  for (const constants of external.slice(4)) lanes = fullRound(lanes, constants);
  return lanes;
}

function fullRound(lanes: State, constants: readonly bigint[]): State {
  return mixExternally(lanes.map((lane, index) => seventhPower(lane + (constants[index] as bigint))));
}

function partialRound([first = 0n, ...others]: State, constant: bigint): State {
  const lanes = [seventhPower(first + constant), ...others];
  const sum = lanes.reduce((total, lane) => total + lane);
  return lanes.map((lane, index) => (sum + lane * (PoseidonConstants.diagonal[index] as bigint)) % Goldilocks.p);
}

function seventhPower(lane: bigint): bigint {
  const square = (lane * lane) % Goldilocks.p;
  const fourth = (square * square) % Goldilocks.p;
  return (((fourth * square) % Goldilocks.p) * lane) % Goldilocks.p;
}

/** The external matrix: multiplies each group of four lanes by circ(2, 3, 1, 1), then adds the column sums. */
function mixExternally(lanes: State): State {
  const mixed: bigint[] = [];
  const columns = [0n, 0n, 0n, 0n];
  for (let at = 0; at < width; at += 4) {
    const a = lanes[at] as bigint;
    const b = lanes[at + 1] as bigint;
    const c = lanes[at + 2] as bigint;
    const d = lanes[at + 3] as bigint;
    const sum = a + b + c + d;
    mixed.push(sum + a + 2n * b, sum + b + 2n * c, sum + c + 2n * d, sum + d + 2n * a);
    for (let column = 0; column < 4; column++)
      columns[column] = (columns[column] as bigint) + (mixed[at + column] as bigint);
  }
  return mixed.map((lane, index) => (lane + (columns[index % 4] as bigint)) % Goldilocks.p);
}
