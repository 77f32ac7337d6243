/** Keccak-256 straight from its definition, slow and simple: a check on the library that the product uses. */

/** The hash of bytes, 32 bytes long. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rate) * rate);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const words = new BigUint64Array(padded.buffer);
  const state = Array<bigint>(25).fill(0n);
  for (let block = 0; block < words.length; block += rate / 8) {
    for (let lane = 0; lane < rate / 8; lane += 1) state[lane] = at(state, lane) ^ (words[block + lane] ?? 0n);
    permute(state);
  }
  return new Uint8Array(BigUint64Array.from(state.slice(0, 4)).buffer);
}

/** Bytes that a round of the sponge absorbs. */
const rate = 136;

/** The lane of column x and row y is at index x + 5y. */
function permute(state: bigint[]): void {
  let lfsr = 1;
  const nextBit = (): boolean => {
    const bit = lfsr & 1;
    lfsr = lfsr & 0x80 ? ((lfsr << 1) ^ 0x171) & 0xff : lfsr << 1;
    return bit === 1;
  };
  for (let round = 0; round < 24; round += 1) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, row) => sum ^ at(state, x + row), 0n));
    for (let lane = 0; lane < 25; lane += 1)
      state[lane] = at(state, lane) ^ at(columns, (lane + 4) % 5) ^ rotate(at(columns, (lane + 1) % 5), 1);

    let [x, y] = [1, 0];
    let moving = at(state, 1);
    for (let step = 0; step < 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = at(state, x + 5 * y);
      state[x + 5 * y] = rotate(moving, ((step + 1) * (step + 2)) / 2);
      moving = next;
    }

    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5);
      for (let column = 0; column < 5; column += 1)
        state[row + column] = at(lanes, column) ^ (~at(lanes, (column + 1) % 5) & mask & at(lanes, (column + 2) % 5));
    }

    for (let power = 0; power < 7; power += 1) if (nextBit()) state[0] = at(state, 0) ^ (1n << BigInt(2 ** power - 1));
  }
}

const mask = 2n ** 64n - 1n;

function rotate(lane: bigint, by: number): bigint {
  const bits = BigInt(by % 64);
  return ((lane << bits) | (lane >> (64n - bits))) & mask;
}

function at(lanes: readonly bigint[], index: number): bigint {
  return lanes[index] ?? 0n;
}
