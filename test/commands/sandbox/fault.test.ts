import { afterEach, describe, expect, test } from 'vitest';
import { command, kinds } from '../../../src/commands/sandbox/fault.js';
import { schema } from '../../../src/sandbox/http/faults.js';
import { at, ferry } from '../../support/ferry.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

afterEach(async () => void (await run('sandbox fault --clear')));

const run = (line: string) => ferry([...line.split(' '), '--json'], { env: at(sandbox) });

describe('sandbox fault', () => {
  test('default: adds, lists and clears', async () => {
    const { data } = (await run('sandbox fault status status=503 match.path=/quote times=0')).json();
    expect(data.added).toMatchObject({
      on: 'service',
      kind: 'status',
      status: 503,
      match: { path: '/quote' },
      times: 0,
    });
    expect(data.faults).toEqual([data.added]);
    expect((await run('quote 1 alpha/usdc beta/usdc')).json().error.code).toBe('service.unavailable');
    const [fault] = (await run('sandbox fault')).json().data.faults;
    expect([fault.id, fault.struck > 0]).toEqual([data.added.id, true]);
    expect((await run('sandbox fault --clear')).json().data).toEqual({ cleared: 1, added: null, faults: [] });
    expect((await run('quote 1 alpha/usdc beta/usdc')).code).toBe(0);
  });

  test('behavior: what has struck as often as it was to is not in effect any more', async () => {
    await run('sandbox fault status status=503 match.path=/quote');
    expect((await run('sandbox fault')).json().data.faults).toHaveLength(1);
    await run('quote 1 alpha/usdc beta/usdc');
    expect((await run('sandbox fault')).json().data.faults).toEqual([]);
  });

  test('behavior: on a chain and the venue; each place is cleared alone', async () => {
    await run('sandbox fault delay delayMs=1 times=0 --on alpha');
    await run('sandbox fault sequencer does=fail --on venue');
    const { faults } = (await run('sandbox fault')).json().data;
    expect(faults.map(({ on, kind }: { on: string; kind: string }) => [on, kind])).toEqual([
      ['venue', 'sequencer'],
      ['alpha', 'delay'],
    ]);
    expect((await run('sandbox fault --clear --on alpha')).json().data).toMatchObject({ cleared: 1, faults: [] });
    expect((await run('sandbox fault')).json().data.faults).toHaveLength(1);
  });

  test('behavior: a limit refuses what is beyond it, and says when the next passes if it is to', async () => {
    const quote = 'quote 1 alpha/usdc beta/usdc';
    await run('sandbox fault limit requests=1 windowMs=60000 retryAfter=true');
    expect((await run(quote)).code).toBe(0);
    const { error } = (await run(quote)).json();
    expect(error).toMatchObject({
      code: 'service.rate-limited',
      facts: { 'retry after': expect.stringMatching(/ s$/) },
    });
    await run('sandbox fault --clear');
    await run('sandbox fault limit requests=1');
    expect((await run(quote)).code).toBe(0);
    const refused = (await run(quote)).json().error;
    expect(refused.code).toBe('service.rate-limited');
    expect(refused.facts).not.toHaveProperty('retry after');
  });

  test('behavior: the kinds are those of the sandbox', () => {
    const known = schema.def.options.map(({ def }) => {
      const { kind } = def.shape;
      return kind.def.values[0];
    });
    expect([...kinds].sort()).toEqual([...known].sort());
  });

  test('behavior: what a fault can do is said by kind', () => {
    for (const { shape } of schema.def.options.map(({ def }) => def)) {
      if (!('does' in shape)) continue;
      const words = Object.values(shape.does.def.entries);
      expect(command.description).toContain(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
    }
  });

  test.each([
    ['chain does=evict', 'service', 'ferry sandbox fault chain does=evict --on alpha'],
    ['chain does=evict --on venue', 'venue', 'ferry sandbox fault chain does=evict --on alpha'],
    ['sequencer does=fail', 'service', 'ferry sandbox fault sequencer does=fail --on venue'],
    ['solver does=refund --on beta', 'beta', 'ferry sandbox fault solver does=refund --on service'],
  ])('error: %s names the place that it is of', async (line, place, next) => {
    const { error } = (await run(`sandbox fault ${line}`)).json();
    expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(place), next });
  });

  test('error: what there is instead of a wrong word is named', async () => {
    const { error } = (await run('sandbox fault tamper recipe=wrong')).json();
    expect(error.facts.reason).toContain('wrong-recipient');
    const none = (await run('sandbox fault limit requests=0')).json().error;
    expect(none.facts.reason).toBe('body/requests must be >= 1');
  });

  test('behavior: every example is taken', async () => {
    for (const [line] of command.examples) {
      const { code, stdout } = await run(line.replace(/^ferry /, ''));
      expect([line, code, code === 0 ? '' : stdout]).toEqual([line, 0, '']);
    }
  });

  test.each([
    ['what the sandbox does not take', 'sandbox fault status status=9000', 'usage.invalid'],
    ['a kind that there is not', 'sandbox fault earthquake', 'usage.invalid'],
    ['no pair', 'sandbox fault delay 2s', 'usage.invalid'],
    ['a place that there is not', 'sandbox fault drop --on gamma', 'usage.invalid'],
    ['both at once', 'sandbox fault drop --clear', 'usage.invalid'],
    ['another network', 'sandbox fault drop --network testnet', 'request.unsupported'],
  ])('error: %s', async (_, line, code) => {
    expect((await run(line)).json().error.code).toBe(code);
    expect((await run('sandbox fault')).json().data.faults).toEqual([]);
  });
});
