import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as lockRecord from '../../../src/io/locks/lockRecord.js';
import { temporaryFolder } from '../../support/ferry.js';
import { lockElsewhere, lockOf } from '../../support/locks.js';

describe('read', () => {
  test('default', () => {
    const own = lockRecord.own('0123456789ab', true);
    expect(lockRecord.read(JSON.stringify(own))).toEqual(own);
    expect(lockRecord.isOwn(own)).toBe(true);
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"pid":1,"startTime":"1"}',
    lockOf().replace('0123456789ab', '../../etc'),
    lockElsewhere().replace('web-2', '\\u001b[2Jweb'),
  ])('behavior: invalid: %s', (text) => {
    expect(lockRecord.read(text)).toBeUndefined();
  });
});

describe('ask', () => {
  test('default', async () => {
    const path = join(temporaryFolder(), 's.sock');
    expect(await lockRecord.ask(path)).toBe('silent');
    const socket = await lockRecord.listen(path);
    expect(await lockRecord.ask(path)).toBe('accepts');
    socket?.close();
    expect(await lockRecord.ask(path)).toBe('silent');
    expect(existsSync(path)).toBe(false);
  });

  test('behavior: a frozen process accepts, even with a full queue; a killed one refuses', async () => {
    const path = join(temporaryFolder(), 's.sock');
    const script = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 2 }, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    for (let i = 0; i < 8; i++) expect(await lockRecord.ask(path)).toBe('accepts');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lockRecord.ask(path)).toBe('refuses');
  });
});

describe('listen', () => {
  test('error: no folder', async () => {
    expect(await lockRecord.listen(join(temporaryFolder(), 'absent', 's.sock'))).toBeUndefined();
  });
});
