import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as HealthCheck from '../../../src/core/checks/HealthCheck.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const good = HealthCheck.ok('service', 'The service answers.', { facts: [['latency', '3 ms']] });
const bad = HealthCheck.fail('chain', 'The node does not answer.', {
  name: 'base',
  facts: [['node', 'https://rpc.example.org/…']],
  hint: 'Is it up?',
  fix: 'ferry config list',
});
const doubtful = HealthCheck.warn('clock', 'The clock is unknown.');

describe('fromError', () => {
  const error = new BaseError('chain.unreachable', 'No answer.', {
    facts: [['reason', 'nothing listens']],
    hint: 'Start it.',
    next: 'ferry chains',
  });

  test('default: the error’s message, facts and code', () => {
    expect(HealthCheck.fromError('chain', error, { name: 'base', facts: [['node', 'x']] })).toMatchObject({
      ...{ verdict: 'fail', summary: 'No answer.', hint: 'Start it.', fix: 'ferry chains', code: 'chain.unreachable' },
      facts: { reason: 'nothing listens', node: 'x' },
    });
  });

  test('error: rethrows a bug', () => {
    expect(() => HealthCheck.fromError('chain', new TypeError('x'))).toThrow(TypeError);
  });
});

test.each([
  [[good], 'ok'],
  [[good, doubtful], 'warn'],
  [[bad, doubtful, good], 'fail'],
  [[], 'ok'],
])('worst: %#', (checks, verdict) => {
  expect(HealthCheck.worst(checks)).toBe(verdict);
});

test('sort: by subject, stable within one', () => {
  const other = { ...bad, name: 'arbitrum' };
  expect(HealthCheck.sort([doubtful, bad, other, good])).toEqual([good, bad, other, doubtful]);
});

describe('format', () => {
  test('default', () => {
    expect(HealthCheck.format([good, bad, doubtful], plain)).toMatchInlineSnapshot(`
      "✓ service     The service answers.
      ✗ chain base  The node does not answer.
                    node  https://rpc.example.org/…
                    Is it up?
                    ferry config list
      ! clock       The clock is unknown.

      1 failure, 1 warning."
    `);
  });

  test('behavior: external text cannot move the cursor', () => {
    const hostile = HealthCheck.fail('service', 'a\u001b[2Jb', { facts: [['c\r', 'd\u202e']], fix: 'e\u0007' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(HealthCheck.format([hostile], plain)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('explainOffline', () => {
  const lost = (check: HealthCheck.Subject, reason: string) =>
    HealthCheck.fail(check, 'It does not answer.', {
      facts: [['reason', reason]],
      hint: 'Check the spelling of the URL.',
      fix: 'ferry config set networks.mainnet.baseUrl <url>',
    });
  const nobody = 'there is no host named api.example.org (ENOTFOUND)';

  test('default: where no server is found, that is the advice, and no URL is to be set', () => {
    const checks = HealthCheck.explainOffline([lost('service', nobody), lost('chain', nobody), lost('venue', nobody)]);
    for (const { hint, fix } of checks) expect([hint, fix]).toEqual([expect.stringContaining('online'), null]);
  });

  test('behavior: one that answers, or is refused, is a matter of its own', () => {
    const one = [lost('service', nobody), lost('chain', nobody), HealthCheck.ok('chain', 'It answers.')];
    expect(HealthCheck.explainOffline(one)).toEqual(one);
    const refused = [lost('service', 'nothing listens (ECONNREFUSED)'), lost('chain', nobody)];
    expect(HealthCheck.explainOffline(refused)).toEqual(refused);
  });

  test('behavior: no check sends to the doctor that made it', () => {
    expect(HealthCheck.fail('service', 'It does not answer.', { fix: 'ferry doctor' }).fix).toBeNull();
  });
});
