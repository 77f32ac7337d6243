/** Checks that the app takes no more than the requested app fees. */

import * as Usd from '../base/Usd.js';
import { collect, type Finding } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import type { Expectation } from './Expectation.js';

/** No finding if no app fee is requested and none is taken. Taking less than requested is not a loss to the user. */
export function check({ fees, inputUsd }: Answer, { appFees }: Expectation): Finding[] {
  // Without prices the proof does not pass anyway.
  if (!fees || inputUsd === undefined) return [];
  if (appFees === undefined || (appFees.length === 0 && fees.app === 0n)) return [];
  const findings = collect();
  const bps = appFees.reduce((sum, fee) => sum + BigInt(fee.bps), 0n);
  // Rounding: one unit of the last printed digit for each fee, and one for the input.
  const most = (inputUsd * bps) / 10_000n + BigInt(appFees.length) + 1n;
  findings.say(
    'app-fees',
    -fees.app <= (bps === 0n ? 0n : most),
    bps === 0n ? 'none' : `at most ${bps} basis points of ${Usd.format(inputUsd)}`,
    Usd.format(-fees.app),
  );
  return [...findings.list];
}
