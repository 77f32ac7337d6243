/** Whether the app takes no more than was asked for. */

import * as Usd from '../base/Usd.js';
import { collect, type Finding } from '../quote/Finding.js';
import type { Answer } from '../quote/Quote.js';
import type { Expectation } from './Expectation.js';

/** Nothing where no app fee is asked for and none is taken. What is not collected at all is no loss of the user's. */
export function check({ fees, inputUsd }: Answer, { appFees }: Expectation): Finding[] {
  if (appFees === undefined || (appFees.length === 0 && fees.app === 0n)) return [];
  const findings = collect();
  const bps = appFees.reduce((sum, fee) => sum + BigInt(fee.bps), 0n);
  // One printed digit for each fee, and one for the input.
  const most = (inputUsd * bps) / 10_000n + BigInt(appFees.length) + 1n;
  findings.say(
    'app-fees',
    -fees.app <= (bps === 0n ? 0n : most),
    bps === 0n ? 'none' : `at most ${bps} basis points of ${Usd.format(inputUsd)}`,
    Usd.format(-fees.app),
  );
  return [...findings.list];
}
