/** The least that many quotes can be: POSTs with undici, so many at a time. What `ferry quote --batch` is measured against. */
import { request } from 'undici';

const [url = '', body = '', count, concurrency] = process.argv.slice(2);
const asked = JSON.parse(body);
let next = 0;

async function ask() {
  while (next < Number(count)) {
    const amount = String(100_000_000 + next++);
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' },
      body: JSON.stringify({ ...asked, amount }),
    });
    const { steps } = /** @type {{ steps?: unknown }} */ (await answer.json());
    if (statusCode !== 200 || !steps) throw new Error(`answered ${statusCode}`);
  }
}

const startedAt = process.hrtime.bigint();
await Promise.all(Array.from({ length: Number(concurrency) }, ask));
const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
process.stdout.write(`${JSON.stringify({ ok: true, data: { seconds } })}\n`);
