/** A process that takes one place in a shared rate limit, and prints the time at which it did. */
import * as RateLimit from '../../src/core/network/RateLimit.js';
import { createRateFile } from '../../src/io/http/rateLimitState.js';
import { host } from '../../src/io/terminal/host.js';

const limits = { quote: 50 };
const own = host(new AbortController().signal);
const file = createRateFile({ host: own, random: () => 0.5, limits, origin: 'x', apiKey: undefined });
await file.change((state) => RateLimit.take(state, { limits, path: '/quote/v2', nowMs: file.now() }, 60_000));
process.stdout.write(`${(await file.written()).writtenMs}\n`);
