import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as TerminalLine from '../../../src/core/text/TerminalLine.js';
import { createProgress, createSpinner, type ProgressOptions } from '../../../src/io/terminal/progress.js';

function recording(isTTY: boolean) {
  let text = '';
  return { written: () => text, output: { isTTY, write: (more: string) => (text += more) } };
}

function started(isTTY: boolean, options: Partial<ProgressOptions> = {}) {
  const { output, written } = recording(isTTY);
  return { progress: createProgress(output, { silent: false, ...options }), written };
}

describe('createProgress', () => {
  test('behavior: silent', () => {
    const { progress, written } = started(true, { silent: true });
    progress.say('Checked');
    progress.stop();
    expect(written()).toBe('');
  });

  test('behavior: plain lines on a dumb terminal', async () => {
    const { output, written } = recording(true);
    const progress = createProgress(output, { silent: false, env: { TERM: 'dumb' } });
    progress.say('Checked');
    // Once it is loaded, a spinner is drawn at once.
    await import('ora');
    await new Promise((resolve) => setImmediate(resolve));
    progress.stop();
    expect(written()).toBe('Checked\n');
  });

  test('behavior: a spinner on a terminal, and each line stays', async () => {
    const { progress, written } = started(true);
    progress.say('Checked');
    await expect.poll(written).toMatch(/ Checked/);
    progress.say('Sent');
    await expect.poll(written).toMatch(/ Sent/);
    progress.stop();
    expect(written()).toContain('\u001b[2KChecked\n');
    expect(written().endsWith('\u001b[2KSent\n')).toBe(true);
  });

  test('behavior: loses nothing if it ends before the spinner is loaded', () => {
    const { progress, written } = started(true);
    progress.say('Checked');
    progress.say('Sent');
    progress.stop();
    progress.stop();
    expect(written()).toBe('Checked\nSent\n');
  });

  test('behavior: continues after a stop', async () => {
    const { progress, written } = started(true);
    progress.say('Checked');
    progress.stop();
    progress.say('Sent');
    await expect.poll(written).toMatch(/ Sent/);
    progress.stop();
    expect(written().endsWith('Sent\n')).toBe(true);
  });

  test('behavior: a gauge replaces itself and leaves nothing behind', async () => {
    const { progress, written } = started(true);
    progress.say('Asking');
    progress.show('1 of 3');
    await expect.poll(written).toMatch(/ 1 of 3/);
    progress.show('2 of 3');
    await expect.poll(written).toMatch(/ 2 of 3/);
    progress.say('Done');
    progress.stop();
    expect(written()).toContain('Asking\n');
    expect(written()).not.toMatch(/of 3\n/);
    expect(written().endsWith('Done\n')).toBe(true);
  });

  test('behavior: the next line replaces a transient one, which shows its elapsed time', async () => {
    let seconds = 1;
    const { progress, written } = started(true);
    progress.say('Sent', { passes: true, suffix: () => `${seconds} s` });
    await expect.poll(written).toMatch(/ Sent {2}1 s/);
    seconds = 2;
    await expect.poll(written).toMatch(/ Sent {2}2 s/);
    progress.say('Mined');
    progress.stop();
    expect(written()).not.toMatch(/2 s\n|Sent\n/);
    expect(written().endsWith('Mined\n')).toBe(true);
  });

  test.each([24, 40, 60, 80])('behavior: the terminal of %i columns breaks no line of it', async (columns) => {
    const { output, written } = recording(true);
    const progress = createProgress({ ...output, columns }, { silent: false });
    const text = 'The service has the deposit and prepares the fill (pending)';
    progress.say(TerminalLine.fit(text, columns), { passes: true, suffix: () => '7 s of about 12 s' });
    await expect.poll(written).toContain('7 s of about 12 s');
    progress.show(`Asking the nodes of ${text}`);
    await expect.poll(written).toContain('Asking');
    progress.stop();
    // Each frame begins where the one before it was cleared.
    const lines = stripVTControlCharacters(written().replaceAll('\u001b[2K', '\n')).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  test('default: off a terminal, each step is a line, a transient one too', () => {
    const { progress, written } = started(false);
    progress.say('Sent', { passes: true, suffix: () => '1 s' });
    progress.say('Mined');
    progress.stop();
    expect(written()).toBe('Sent\nMined\n');
  });

  test('behavior: off a terminal, a gauge line every half minute', () => {
    let now = 0;
    const { progress, written } = started(false, { now: () => now });
    for (; now <= 65_000; now += 5_000) progress.show(`${now / 1000} s`);
    expect(written()).toBe('30 s\n60 s\n');
  });
});

describe('createSpinner', () => {
  afterEach(() => void vi.useRealTimers());

  test('default', async () => {
    let text = '';
    const spinner = await createSpinner({ isTTY: true, columns: 40, write: (more) => (text += more) });
    vi.useFakeTimers();
    spinner.start(() => 'Sending');
    vi.advanceTimersByTime(250);
    spinner.stop();
    expect(new Set(text.match(/\S Sending/g)).size).toBeGreaterThan(1);
    expect(text.endsWith('\u001b[1G\u001b[2K')).toBe(true);
    // It never hides the cursor, and leaves color to the text.
    expect(text).not.toMatch(/\[\?25l|\[3\dm/);
    const { length } = text;
    vi.advanceTimersByTime(150);
    expect(text).toHaveLength(length);
  });

  test.each([
    ['all lines of a text', 10, 'x'.repeat(25), '\u001b[1G\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K'],
    ['that of a terminal that does not know its width yet', 0, 'Sending', '\u001b[1G\u001b[2K'],
  ])('behavior: clears %s', async (_, columns, shown, cleared) => {
    let text = '';
    const spinner = await createSpinner({ isTTY: true, columns, write: (more) => (text += more) });
    spinner.start(() => shown);
    text = '';
    spinner.stop();
    expect(text).toBe(cleared);
  });
});
