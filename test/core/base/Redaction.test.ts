import { describe, expect, test } from 'vitest';
import * as Redaction from '../../../src/core/base/Redaction.js';
import { formsOf } from '../../support/secretForms.js';

const key = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';

describe('of', () => {
  describe.each([
    'hush-hush',
    'p@ss w+rd/=?',
    'käse "und" \\ \'Brot\' <&>',
    '🚢-ferry-🔑',
    `0x${key}`,
    key.toUpperCase(),
    'sk_live_51Habcdefghijklmnop',
  ])('behavior: %s', (secret) => {
    test.each(formsOf(secret))('%s', (_, form) => {
      for (const text of [form, `<${form}>`, `"${form}"`, `a ${form} b`, `k=${form}&b`])
        expect(Redaction.of([secret])(text)).toBe(text.replace(form, '***'));
    });
  });

  test('behavior: base64 inside a longer text, wherever it begins', () => {
    for (const [before, after] of [
      ['', ''],
      ['a', 'b'],
      ['ab', 'bc'],
      ['ada:', '@'],
      [':', ''],
      ['{"password":"', '"}'],
    ])
      for (const encoding of ['base64', 'base64url'] as const) {
        const shown = Redaction.of(['hush-hush'])(Buffer.from(`${before}hush-hush${after}`).toString(encoding));
        expect(shown).toContain('***');
        expect(Buffer.from(shown.replaceAll('***', ''), encoding).toString()).not.toMatch(/hush|sh-hu/);
      }
  });

  test('behavior: several secrets, one inside another', () => {
    expect(Redaction.of(['hush-hush', 'ada:hush-hush'])('ada:hush-hush and hush-hush')).toBe('*** and ***');
  });

  test('behavior: a short secret and a number are shown, one of a few letters is masked as a word', () => {
    const redact = Redaction.of(['a', 'abc', 'alpha', '100000', '123456789']);
    for (const text of ['alphabet', 'alpha/usdc 100000', '{"amount":123456789}']) expect(redact(text)).toBe(text);
    const word = Redaction.of(['abcdef']);
    expect(word('0x00abcdef00, abcdefg, abcdef.')).toBe('0x00abcdef00, abcdefg, ***.');
    expect(word('%20abcdef, {"a":"\\nabcdef"}, \\x0aabcdef')).toBe('%20***, {"a":"\\n***"}, \\x0a***');
  });

  test('behavior: a large text and many secrets', () => {
    const secrets = Array.from({ length: 20 }, (_, index) => `${key.slice(index)}${index}`);
    const redact = Redaction.of(secrets);
    const text = `${'0123456789abcdef{"gas":"0x5208"} '.repeat(30_000)}${secrets[3]}`;
    expect(redact(text).endsWith('***')).toBe(true);
  });

  test('attack: a long text of backslashes is no work without an end', () => {
    const redact = Redaction.of([':hush-hush-hush', '+/hush-hush+']);
    expect(redact(`${'\\'.repeat(150_000)} :hush-hush-hush`).endsWith('\\ ***')).toBe(true);
  });
});

test('ofKeyLike: long words with digits, and nothing else', () => {
  expect(Redaction.ofKeyLike('networks.mine.k3y-of-the-service: https://a.example/v2/4f9a81c7d2e6b035')).toBe(
    'networks.mine.***: https://a.example/v2/***',
  );
  const text = 'networks.base-sepolia.chains.alpha.rpcUrl must be a URL, 1234567890123456';
  expect(Redaction.ofKeyLike(text)).toBe(text);
});
