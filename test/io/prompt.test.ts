import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createPrompt } from '../../src/io/prompt.js';

type Terminal = { input: PassThrough; output: PassThrough; shown: () => string; signal: AbortSignal };

function terminal(signal = new AbortController().signal): Terminal {
  const input = new PassThrough();
  const output = new PassThrough();
  // As with the process's own streams, nothing that is piped into it ends it.
  output.end = () => output;
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { input, output, shown: () => text, signal };
}

describe('confirm', () => {
  test.each([
    ['y\n', true],
    ['yes\n', true],
    ['n\n', false],
    ['\n', false],
  ])('behavior: %j is %s', async (typed, answer) => {
    const { input, shown, ...rest } = terminal();
    const asked = createPrompt({ interactive: true, input, ...rest }).confirm('Send 100 USDC?');
    await expect.poll(shown).toContain('Send 100 USDC?');
    input.write(typed);
    expect(await asked).toBe(answer);
  });

  test('behavior: one question after the other', async () => {
    const { input, shown, ...rest } = terminal();
    const prompt = createPrompt({ interactive: true, input, ...rest });
    const first = prompt.confirm('First?');
    await expect.poll(shown).toContain('First?');
    input.write('y\n');
    expect(await first).toBe(true);
    const second = prompt.confirm('Second?');
    await expect.poll(shown).toContain('Second?');
    input.write('n\n');
    expect(await second).toBe(false);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('error: %s', async (_, key) => {
    const { input, shown, ...rest } = terminal();
    const asked = createPrompt({ interactive: true, input, ...rest }).confirm('Send?');
    const failed = expect(asked).rejects.toMatchObject({ code: 'prompt.declined', exit: 11, funds: 'untouched' });
    await expect.poll(shown).toContain('Send?');
    input.write(key);
    await failed;
  });

  test('error: the input ends', async () => {
    const { input, shown, ...rest } = terminal();
    const asked = createPrompt({ interactive: true, input, ...rest }).confirm('Send?');
    const failed = expect(asked).rejects.toMatchObject({ code: 'prompt.declined' });
    await expect.poll(shown).toContain('Send?');
    input.end();
    await failed;
  });

  test('error: the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('SIGTERM');
    const { input, shown, ...rest } = terminal(controller.signal);
    const asked = createPrompt({ interactive: true, input, ...rest }).confirm('Send?');
    const failed = expect(asked).rejects.toBe(reason);
    await expect.poll(shown).toContain('Send?');
    controller.abort(reason);
    await failed;
  });

  test('error: nobody can be asked', async () => {
    const { shown, ...rest } = terminal();
    await expect(createPrompt({ interactive: false, ...rest }).confirm('Send?')).rejects.toMatchObject({
      code: 'prompt.unavailable',
      exit: 2,
    });
    expect(shown()).toBe('');
  });
});

describe('password', () => {
  test('default', async () => {
    const { input, shown, ...rest } = terminal();
    const asked = createPrompt({ interactive: true, input, ...rest }).password('Password of main?');
    await expect.poll(shown).toContain('Password of main?');
    input.write('correct horse\n');
    expect(await asked).toBe('correct horse');
    expect(shown()).not.toContain('correct');
  });

  test('behavior: it may be empty', async () => {
    const { input, shown, ...rest } = terminal();
    const asked = createPrompt({ interactive: true, input, ...rest }).password('Password?');
    await expect.poll(shown).toContain('Password?');
    input.write('\n');
    expect(await asked).toBe('');
  });

  test('error: nobody can be asked', async () => {
    const { shown: _, ...rest } = terminal();
    await expect(createPrompt({ interactive: false, ...rest }).password('Password?')).rejects.toMatchObject({
      code: 'prompt.unavailable',
    });
  });
});
