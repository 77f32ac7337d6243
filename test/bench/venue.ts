/**
 * Times a signature for the venue and, beside it, one plain multiplication of a point; bundled and run by run.mjs. With
 * `cold-sign` or `cold-plain` the first call of the process alone, else the medians of many turns.
 */
import * as Curve from '../../src/venue/Curve.js';
import * as QuinticField from '../../src/venue/QuinticField.js';
import * as Scalar from '../../src/venue/Scalar.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import * as foreign from '../support/venueCrypto/Curve.js';

const turns = 150;
/** As random as need be for the time to be a usual one, and the same in each run. */
const some = (seed: bigint) => Scalar.from(seed ** 60n);
/** As an instance of its own, so that no table of multiples is at hand. */
const generator = { ...foreign.generator };
const privateKey = Scalar.toBytes(some(123_457n));
const message = QuinticField.toBytes(QuinticField.from([1n, 2n, 3n, 4n, 5n]));

const calls = {
  sign: (turn: number) =>
    Schnorr.sign({ privateKey, message, random: () => Scalar.toBytes(some(BigInt(654_321 + turn))) }).length === 80,
  plain: (turn: number) => foreign.multiply(some(BigInt(654_321 + turn)), generator).U.length === 5,
};

const [mode = 'warm'] = process.argv.slice(2);
const data = mode === 'warm' ? warm() : { ms: timed(mode === 'cold-sign' ? calls.sign : calls.plain, 0) };
process.stdout.write(JSON.stringify({ ok: true, data }));

/** In turns, so that whatever else the machine does meets both. */
function warm() {
  const samples = { sign: [] as number[], plain: [] as number[] };
  assertEqual();
  for (let turn = 0; turn < turns; turn++) {
    samples.sign.push(timed(calls.sign, turn));
    samples.plain.push(timed(calls.plain, turn));
  }
  return { sign: median(samples.sign), plain: median(samples.plain) };
}

/** What is measured against does the same. */
function assertEqual() {
  const scalar = some(77n);
  const plain = foreign.multiply(scalar, generator);
  const { u, t } = Curve.combine([{ scalar, point: Curve.generator() }]);
  const { create, from, multiply, subtract } = QuinticField;
  const [left, right] = [multiply(create(), u, from(plain.T)), multiply(create(), t, from(plain.U))];
  if (!QuinticField.isZero(subtract(create(), left, right))) throw new Error('not the same point');
}

function timed(call: (turn: number) => boolean, turn: number): number {
  const started = process.hrtime.bigint();
  if (!call(turn)) throw new Error('no result');
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/** Of the later two thirds, when the engine has compiled what it will. */
function median(samples: number[]): number {
  const warm = samples.slice(turns / 3).sort((a, b) => a - b);
  return warm[warm.length >> 1] ?? 0;
}
