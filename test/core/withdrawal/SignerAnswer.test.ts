import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as SignerAnswer from '../../../src/core/withdrawal/SignerAnswer.js';
import * as Transfer from '../../../src/venue/Transfer.js';
import { l1Signature, signature, text, transfer } from '../../support/venueTransfers.js';
import { failure } from '../../support/workbench.js';

const signed = { transfer, signature, l1Signature: undefined };
const owned = Transfer.toTxInfo({ transfer, signature, l1Signature });
const other = Transfer.toTxInfo({ transfer: { ...transfer, amount: transfer.amount + 1n }, signature, l1Signature });
const later = Transfer.toTxInfo({
  transfer: { ...transfer, expiredAtMs: transfer.expiredAtMs + 1 },
  signature,
  l1Signature,
});

describe('from', () => {
  test.each([
    ['alone', text],
    ['with spaces around it', `\n  ${text} \r\n`],
    ['on several lines', JSON.stringify(JSON.parse(text), null, 2)],
    ['after a greeting', `Webassembly Started\n${text}\n`],
    ['after a greeting on the same line', `signing ... ${text}`],
    ['after a greeting with braces', `Hello {name}, {} and {"name"\n${text}`],
    ['after a greeting with an open brace', `Hello { there\n${text}`],
    ['after a greeting with a quote that is not closed', `say "{ it's\n${text}`],
    ['after a greeting with a quote and a brace', `{"\n${text}`],
    ['after lines of a log in JSON', `{"level":"info","at":{"file":"a"},"ok":true,"took":1.5}\n${text}`],
    ['before other text', `${text}\nDone.\n`],
    ['after terminal colours', `\u001b[32mReady\u001b[0m\n${text}`],
    ['after many braces', `${'{'.repeat(20_000)}${'{"a":'.repeat(5_000)}${text}`],
  ])('default: a transfer %s', (_, stdout) => {
    expect(SignerAnswer.from(stdout)).toEqual(signed);
  });

  test('behavior: any text without braces may come first', () => {
    const greeting = fc.string({ unit: 'grapheme' }).filter((each) => !/[{}]/.test(each));
    fc.assert(
      fc.property(greeting, (each) => {
        expect(SignerAnswer.from(`${each}${text}`)).toEqual(signed);
      }),
    );
  });

  test('behavior: the last object is the answer; the same transfer may come before, without the owner’s signature', () => {
    expect(SignerAnswer.from(`${text}\n${owned}`)).toEqual({ ...signed, l1Signature });
    expect(SignerAnswer.from(`${owned}${text}`)).toEqual(signed);
  });

  test.each([
    ['another amount', other],
    ['another expiry', later],
    ['another kind of transaction', '{"MarketIndex":1,"Sig":"AAAA"}'],
  ])('error: two signed transfers, one with %s', async (_, first) => {
    for (const stdout of [`${first}\n${text}`, `${first}${owned}${text}`, `${text}${first}${owned}`]) {
      const error = await failure('auth.signer', () => SignerAnswer.from(stdout));
      expect(error).toMatchObject({ exit: 4, funds: 'untouched' });
    }
    const { message } = await failure('auth.signer', () => SignerAnswer.from(`${other}${text}`));
    expect(message).toContain('two different signed transfers');
  });

  test.each([
    ['nothing', ''],
    ['words', 'hush'],
    ['a list', '[]'],
    ['a list of a transfer that is cut off', `[${text.slice(0, -1)}`],
    ['a transfer that is cut off', text.slice(0, -1)],
    ['braces that do not match', '}{{a}{b'],
  ])('error: %s is no object', async (_, stdout) => {
    const error = await failure('auth.signer', () => SignerAnswer.from(stdout));
    expect(error.facts).toEqual([['answer', 'it contains no complete JSON object']]);
  });

  test.each([
    ['a field is missing', text.replace(/"Nonce":\d+,/, ''), ['field', 'Nonce'], ['found', 'nothing']],
    ['a field is twice there', text.replace('{', '{"Nonce":1,'), ['field', 'Nonce'], ['reason', 'it is duplicated']],
    [
      'a field is unknown',
      text.replace('{', '{"MessageToSign":"x",'),
      ['field', 'MessageToSign'],
      ['found', 'present'],
    ],
    [
      'a field is a fraction',
      text.replace(/"Amount":\d+/, '"Amount":1.5'),
      ['field', 'Amount'],
      ['reason', 'its value is not a string, an integer, a list of integers or null'],
    ],
    [
      'the memo is text',
      text.replace(/"Memo":\[[^\]]*\]/, '"Memo":"0x5f"'),
      ['field', 'Memo'],
      ['expected', 'a list of 32 bytes'],
    ],
    ['another object comes last', `${text}{"ok":true}`, ['field', 'ok'], ['reason', /not a string/]],
  ] as const)('error: %s, and the error says which', async (_, stdout, field, why) => {
    const error = await failure('auth.signer', () => SignerAnswer.from(stdout));
    expect(error.facts[0]?.[0]).toBe('answer');
    expect(error.facts).toContainEqual(field);
    const found = error.facts.find(([name]) => name === why[0])?.[1];
    expect(found).toMatch(why[1]);
  });

  test('error: what the tool says is shown', async () => {
    for (const stdout of [
      '{"error":"client is not created"}',
      `started\n{"err":"client is not created","txInfo":null}`,
    ]) {
      const error = await failure('auth.signer', () => SignerAnswer.from(stdout));
      expect(error.facts).toEqual([['error', 'client is not created']]);
    }
  });

  test('error: a transfer is not taken from before an error', async () => {
    const error = await failure('auth.signer', () => SignerAnswer.from(`${text}{"error":"declined"}`));
    expect(error.facts).toEqual([['error', 'declined']]);
  });

  test('behavior: braces without end are given up', () => {
    for (const part of ['{', '{"', '{"a":', '{"a":{},', '"{', '{}', '{a}', '{"a":"{'])
      expect(() => SignerAnswer.from(part.repeat(65_536 / part.length))).toThrow();
  });
});
