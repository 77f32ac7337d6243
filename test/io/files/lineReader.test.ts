import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, lines } from '../../../src/io/files/lineReader.js';
import { collect } from '../../support/collect.js';

async function read(chunks: readonly (string | Uint8Array)[]): Promise<Line[]> {
  async function* source() {
    yield* chunks;
  }
  return collect(lines(source(), 1000));
}

test('default: each line with its number and offset; empty lines are counted and skipped', async () => {
  expect(await read(['ä\n\n  \r\nb\r\n', 'c'])).toEqual([
    { number: 1, text: 'ä', start: 0, isWhole: true },
    { number: 4, text: 'b', start: 8, isWhole: true },
    { number: 5, text: 'c', start: 11, isWhole: false },
  ]);
});

test('behavior: the same wherever the chunks are cut, even within a character', async () => {
  const text = fc.array(fc.constantFrom('a', '船', '🛳', '\n', ' ', '{"x":1}\n'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (parts, size) => {
      const bytes = Buffer.from(parts.join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await read(chunks)).toEqual(await read([bytes]));
      const texts = parts
        .join('')
        .split('\n')
        .map((each) => each.trim());
      expect((await read(chunks)).map((line) => line.text)).toEqual(texts.filter((each) => each !== ''));
    }),
  );
});

test('error: fails as soon as a line is too long', async () => {
  let asked = 0;
  async function* source() {
    yield 'ok\n';
    for (;;) {
      asked++;
      yield 'x'.repeat(100);
    }
  }
  const found: string[] = [];
  const reading = (async () => {
    for await (const { text } of lines(source(), 1000)) found.push(text);
  })();
  await expect(reading).rejects.toThrow('Line 2 is longer than 1000 bytes.');
  expect([found, asked]).toEqual([['ok'], 11]);
});
