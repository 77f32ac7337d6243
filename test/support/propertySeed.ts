/**
 * Set up before each test file: every property is tried with the same values in every run, so that a change is judged and not
 * chance. `SEED=7 npm test` tries others, `SEED=random npm test` ones that nobody has tried; a failure prints its seed.
 */
import fc from 'fast-check';

const wanted = process.env.SEED ?? '1';
const seed = wanted === 'random' ? Date.now() % 2 ** 31 : Number(wanted);
if (!Number.isSafeInteger(seed)) throw new Error(`SEED is ${wanted}, which is no whole number.`);
/** The same values again find nothing new, so the fixed ones are fewer. */
const numRuns = process.env.SEED === undefined && process.env.WHOLE === undefined ? 40 : 100;
fc.configureGlobal({ seed, numRuns });
