import { describe, expect, test } from 'vitest';
import { command, output, toOutput } from '../../../src/commands/sandbox/start.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { ferry } from '../../support/ferry.js';
import { foreground, stateDir } from '../../support/foreground.js';

const instance = {
  instance: 'c044f8070dc31fc0',
  lost: null,
  pid: 8834,
  baseUrl: 'http://127.0.0.1:42921',
  venueUrl: 'http://127.0.0.1:38677',
  rpcUrls: { alpha: 'http://127.0.0.1:45433', beta: 'http://127.0.0.1:32785' },
  startedAt: 1_700_000_000_000,
};

describe('run', () => {
  test('behavior: shows the one that runs', async () => {
    const { env } = await foreground();
    const { code, json } = await ferry(['sandbox', 'start', '--json'], { env });
    expect(code).toBe(0);
    expect(output.parse(json().data)).toMatchObject({ running: true, started: false, pid: process.pid });
  });

  test('behavior: in the foreground, an event when it is ready and a result when it has ended', async () => {
    const { end, ended } = await foreground('--json');
    end();
    const [ready, result, ...rest] = (await ended).lines();
    expect(ready).toMatchObject({ type: 'ready', running: true, started: true, pid: process.pid });
    expect(result?.data).toMatchObject({ running: false, started: true, instance: ready?.instance });
    expect(rest).toEqual([]);
  });

  test('error: another one runs in the foreground', async () => {
    const { env } = await foreground();
    const { code, json } = await ferry(['sandbox', 'start', '--port', '1', '--json'], { env });
    expect(code).toBe(3);
    expect(json().error).toMatchObject({ code: 'sandbox.start', next: 'ferry sandbox stop' });
  });

  test.each([
    ['--port', '70000', '--port 70000 is not a port number.'],
    ['--port', '1.5', '--port 1.5 is not a port number.'],
    ['--idle', 'soon', '--idle soon is not a number of minutes.'],
    ['--idle', '1e3', '--idle 1e3 is not a number of minutes.'],
  ])('error: %s %s', async (flag, value, message) => {
    const { code, json } = await ferry(['sandbox', 'start', flag, value, '--json'], { env: stateDir() });
    expect(code).toBe(2);
    expect(json().error).toMatchObject({ code: 'usage.invalid', message });
  });

  test('error: ended before it was ready', async () => {
    const signal = AbortSignal.abort(new Error('Stopped.'));
    const { code } = await ferry(['sandbox', 'start', '--foreground', '--json'], { env: stateDir(), signal });
    expect(code).not.toBe(0);
  });
});

describe('view', () => {
  test('default', () => {
    expect(command.view(toOutput(instance, { running: true, started: true }), plain)).toMatchInlineSnapshot(`
      "● The sandbox is running.

      service   http://127.0.0.1:42921
      venue     http://127.0.0.1:38677
      alpha     http://127.0.0.1:45433
      beta      http://127.0.0.1:32785
      instance  c044f8070dc31fc0
      process   8834"
    `);
  });

  test('behavior: it was running already', () => {
    const text = command.view(toOutput(instance, { running: true, started: false }), plain);
    expect(text.split('\n')[0]).toBe('● The sandbox was running already.');
  });

  test('behavior: it has ended', () => {
    const text = command.view(toOutput(instance, { running: false, started: true }), plain);
    expect(text).toBe('The sandbox has stopped; its state is kept.');
  });
});

describe('logLine', () => {
  test('default', () => {
    const event = { type: 'ready', ...toOutput(instance, { running: true, started: true }) } as const;
    expect(command.logLine?.(event, plain)).toBe('● The sandbox is ready at http://127.0.0.1:42921. Ctrl-C ends it.');
  });
});
