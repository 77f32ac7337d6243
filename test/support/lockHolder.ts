/**
 * A process that repeatedly takes a lock and logs when it held it: `lockHolder.mjs <lock> <log> <times>`. With `die`,
 * it exits without releasing the lock; with `hold`, it says so and keeps it.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as fileLock from '../../src/io/locks/fileLock.js';

const [path = '', log = '', times = '1', end] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  await fileLock.acquire(path);
  appendFileSync(log, `in ${process.pid}\n`);
  if (end === 'hold') {
    process.stdout.write('holding\n');
    await delay(60_000);
  }
  await delay(2);
  appendFileSync(log, `out ${process.pid}\n`);
  if (end === 'die' && i === Number(times) - 1) {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a namespace cannot kill itself: it just ends.
    break;
  }
  fileLock.release(path);
}
