import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as lockSocket from '../../../src/io/locks/lockSocket.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('ask', () => {
  test('default', async () => {
    const path = join(temporaryFolder(), 's.sock');
    expect(await lockSocket.ask(path)).toBe('silent');
    const socket = await lockSocket.listen(path);
    expect(await lockSocket.ask(path)).toBe('accepts');
    socket?.close();
    expect(await lockSocket.ask(path)).toBe('silent');
    expect(existsSync(path)).toBe(false);
  });

  test('behavior: a frozen process accepts, even with a full queue; a killed one refuses', async () => {
    const path = join(temporaryFolder(), 's.sock');
    const script = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 2 }, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    for (let i = 0; i < 8; i++) expect(await lockSocket.ask(path)).toBe('accepts');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lockSocket.ask(path)).toBe('refuses');
  });
});

describe('listen', () => {
  test('error: no folder', async () => {
    expect(await lockSocket.listen(join(temporaryFolder(), 'absent', 's.sock'))).toBeUndefined();
  });
});
