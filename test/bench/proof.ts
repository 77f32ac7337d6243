/** Proves one recorded quote many times and prints the median in milliseconds; bundled and run by run.mjs. */
import { readFileSync } from 'node:fs';
import * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import { network } from '../../src/core/network/sandbox.js';
import * as Verification from '../../src/core/proof/Verification.js';
import * as Quote from '../../src/core/quote/Quote.js';

const answer = Quote.read(QuoteV2.response.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))));
const turns = Number(process.argv[3] ?? 600);
const samples: number[] = [];
for (let turn = 0; turn < turns; turn++) {
  const started = process.hrtime.bigint();
  const findings = await Verification.prove(answer, {}, { network, baseUrl: undefined, nowMs: undefined });
  if (findings.some(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify'))
    throw new Error('not proved');
  samples.push(Number(process.hrtime.bigint() - started) / 1e6);
}
const warm = samples.slice(turns >> 1).sort((a, b) => a - b);
process.stdout.write(JSON.stringify({ ok: true, data: { ms: warm[warm.length >> 1] } }));
