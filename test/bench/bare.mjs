/** The least that a quote can be: one POST with undici, its answer printed. What `ferry quote --json` is measured against. */
import { request } from 'undici';

const [url = '', body = ''] = process.argv.slice(2);
const { statusCode, body: answer } = await request(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' },
  body,
});
process.stdout.write(`${JSON.stringify(await answer.json())}\n`);
if (statusCode !== 200) process.exitCode = 1;
