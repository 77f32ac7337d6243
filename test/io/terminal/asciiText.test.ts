import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import * as asciiText from '../../../src/io/terminal/asciiText.js';
import { createPrompt } from '../../../src/io/terminal/prompt.js';
import { ferry } from '../../support/ferry.js';

describe('from', () => {
  test('default: as wide as before, and nothing but ASCII', () => {
    const text = 'ferry’s “quote” · 0x7099…79C8 → ✓ ✗ ━━── └ ⠋⠙ 日';
    const shown = asciiText.from(text);
    expect(shown).toBe('ferry\'s "quote" - 0x7099.79C8 > + x ==-- ` \\/ ?');
    expect(shown).toHaveLength(text.length);
    const plain = '\u001b[31merror: a\tb\u001b[39m\n';
    expect(asciiText.from(plain)).toBe(plain);
  });
});

describe('output', () => {
  test.each([
    [true, '->>\n'],
    [false, '-→>\n'],
  ])('default: of a terminal (%j)', (isTTY, written) => {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const output = asciiText.output({ isTTY, columns: 40, write });
    output.write('-→>\n');
    expect([text, output.columns, output.isTTY]).toEqual([written, 40, isTTY]);
  });

  test.each([['quote --help'], ['execute'], ['chains'], ['fees schedule']])('behavior: ferry %s', async (line) => {
    const shown = { columns: 80, env: { LC_ALL: 'C' }, terminals: { stdout: true, stderr: true } };
    const { stdout, stderr } = await ferry(line.split(' '), shown);
    expect(`${stdout}${stderr}`).toMatch(/^[\0-\x7f]+$/);
    const json = await ferry([...line.split(' '), '--json'], shown);
    expect(asciiText.from(json.stdout).length).toBe(json.stdout.length);
  });
});

describe('stream', () => {
  test('default: what a question writes', async () => {
    const terminal = Object.assign(new PassThrough(), { columns: 40 });
    const stream = asciiText.stream(terminal) as NodeJS.WriteStream;
    stream.write('✔ From which? ❯ a…');
    expect([String(terminal.read()), stream.columns, stream.isTTY]).toEqual(['+ From which? > a.', 40, true]);
    terminal.columns = 100;
    expect(stream.columns).toBe(100);
  });

  test('behavior: it survives a question, after which another is asked on it', async () => {
    let shown = '';
    const input = new PassThrough();
    const terminal = new Writable({
      write(chunk, _, done) {
        shown += chunk;
        done();
      },
    });
    // Like standard error, it is not closed by a prompt that ends.
    terminal.end = () => terminal;
    const output = asciiText.stream(terminal);
    const prompt = createPrompt({ interactive: true, signal: new AbortController().signal, input, output });
    for (const answer of ['first', 'second']) {
      setImmediate(() => input.write(`${answer}\n`));
      expect(await prompt.text(`The ${answer}…`)).toBe(answer);
    }
    expect(shown).toContain('The first. first\n');
    expect(shown).toContain('The second. second\n');
  });
});
