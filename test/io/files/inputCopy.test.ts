import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { copyInput } from '../../../src/io/files/inputCopy.js';
import { temporaryFolder } from '../../support/ferry.js';

const never = new AbortController().signal;

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('copyInput: can be read again and again, and leaves nothing behind', async () => {
  vi.stubEnv('TMPDIR', temporaryFolder());
  const whole = 'ä\n'.repeat(50_000);
  const copy = await copyInput(Readable.from([whole, Buffer.from('end')]), never);
  expect(readdirSync(tmpdir())).toEqual([]);
  expect(await text(copy.read())).toBe(`${whole}end`);
  expect(await text(copy.read())).toBe(`${whole}end`);
  copy.close();
});

test('copyInput: ends with the signal while the input stays silent', async () => {
  const interrupt = new AbortController();
  const copying = copyInput(new Readable({ read() {} }), interrupt.signal);
  setImmediate(() => interrupt.abort(new Error('stopped')));
  await expect(copying).rejects.toThrow('stopped');
});

test('copyInput: an input that fails is an error', async () => {
  const input = new Readable({ read() {} });
  setImmediate(() => input.destroy(new Error('broken')));
  await expect(copyInput(input, never)).rejects.toThrow('broken');
});
