import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSpinner } from '../../../src/io/terminal/spinner.js';

afterEach(() => void vi.useRealTimers());

describe('createSpinner', () => {
  test('default', () => {
    vi.useFakeTimers();
    let text = '';
    const spinner = createSpinner({ isTTY: true, columns: 40, write: (more) => (text += more) });
    spinner.start(() => 'Sending');
    vi.advanceTimersByTime(250);
    spinner.stop();
    expect(new Set(text.match(/\S Sending/g)).size).toBeGreaterThan(1);
    expect(text.endsWith('\u001b[1G\u001b[2K')).toBe(true);
    const { length } = text;
    vi.advanceTimersByTime(150);
    expect(text).toHaveLength(length);
  });

  test('behavior: clears all lines of a text', () => {
    let text = '';
    const spinner = createSpinner({ isTTY: true, columns: 10, write: (more) => (text += more) });
    spinner.start(() => 'x'.repeat(25));
    text = '';
    spinner.stop();
    expect(text).toBe('\u001b[1G\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K');
  });

  test('behavior: never hides the cursor, and leaves color to the text', () => {
    let text = '';
    const spinner = createSpinner({ isTTY: true, write: (more) => (text += more) });
    spinner.start(() => 'Sending');
    spinner.stop();
    expect(text).not.toContain('[?25l');
    expect(text).not.toMatch(/\[3\dm/);
  });

  test('behavior: a terminal that does not know its width yet', () => {
    let text = '';
    const spinner = createSpinner({ isTTY: true, columns: 0, write: (more) => (text += more) });
    spinner.start(() => 'Sending');
    text = '';
    spinner.stop();
    expect(text).toBe('\u001b[1G\u001b[2K');
  });
});
