import { describe, expect, test } from 'vitest';
import * as BatchLine from '../../../src/core/batch/BatchLine.js';

const line = (changed: Record<string, unknown> = {}): string =>
  JSON.stringify({ id: 'a', amount: '1', from: 'alpha/usdc', to: 'beta/usdc', ...changed });

function read(...texts: string[]) {
  const reader = BatchLine.createReader('execute', 'batch.ndjson');
  return texts.map((text, index) => reader({ number: index + 1, text }));
}

describe('createReader', () => {
  test('default: a transfer with its id, line number and digest', () => {
    const [first, second] = read(line(), line({ id: 7, slippage: 1, maxIn: '2' }));
    expect(first).toEqual({
      number: 1,
      id: 'a',
      amount: '1',
      from: 'alpha/usdc',
      to: 'beta/usdc',
      options: {},
      digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(second).toMatchObject({ number: 2, id: '7', options: { slippage: 1, maxIn: '2' } });
  });

  test('behavior: the digest depends only on the transfer, not on formatting or id', () => {
    const [one, same, other] = read(
      line(),
      '{"to":"beta/usdc", "from":"alpha/usdc", "amount":"1", "id":"b"}',
      line({ id: 'c', amount: '2' }),
    );
    expect(one?.digest).toBe(same?.digest);
    expect(one?.digest).not.toBe(other?.digest);
  });

  test.each([
    ['no JSON', '{"id":"a"', [], 'A line looks like this'],
    ['no id', line({ id: undefined }), [['id', expect.stringMatching(/^missing/)]], 'A line looks like this'],
    ['an amount as a number', line({ amount: 1 }), [['amount', 'expected a string']], 'Put the amount in quotes'],
    ['an id with a NUL', line({ id: 'a\0' }), [['id', 'expected whole characters, none of them NUL']], 'A line looks'],
    [
      'an id with half an emoji',
      line({ id: '😀'.slice(1) }),
      [['id', 'expected whole characters, none of them NUL']],
      'A',
    ],
    ['an unknown option', line({ slipage: '1' }), [['slipage', 'unknown field']], 'Did you mean slippage?'],
    [
      'a key twice',
      line().replace('}', ',"\\u0061mount":"5"}'),
      [['amount', 'expected the key once']],
      'A line looks like',
    ],
  ])('error: %s', (_, text, facts, hint) => {
    const reader = BatchLine.createReader('execute', 'batch.ndjson');
    expect(() => reader({ number: 3, text })).toThrow(
      expect.objectContaining({
        code: 'batch.unreadable',
        message: expect.stringContaining('Line 3 of the batch'),
        facts: [...facts, ['file', 'batch.ndjson']],
        hint: expect.stringContaining(hint),
      }),
    );
  });

  test.each(['accountSigner', 'signer', 'keyFile', 'passwordFile'])('error: a line cannot name a %s', (key) => {
    const facts = expect.arrayContaining([[key, 'unknown field']]);
    expect(() => read(line({ [key]: 'touch stolen' }))).toThrow(
      expect.objectContaining({ code: 'batch.unreadable', facts }),
    );
  });

  test('error: an option of executions in a batch of quotes', () => {
    const reader = BatchLine.createReader('quote', 'batch.ndjson');
    const facts = expect.arrayContaining([['maxIn', 'expected no value: it applies to executions only']]);
    expect(() => reader({ number: 1, text: line({ maxIn: '1' }) })).toThrow(expect.objectContaining({ facts }));
  });

  test('error: two lines with the same id, as a string or a number', () => {
    expect(() => read(line({ id: 'x\u001b[2J' }), line({ id: 'x\u001b[2J' }))).toThrow(
      'Line 2 of the batch has the same id "x\\x1b[2J" as line 1.',
    );
    expect(() => read(line({ id: 1 }), line({ id: '1' }))).toThrow('as line 1.');
  });
});

describe('again', () => {
  test('default: the line that was read before', () => {
    const texts = [line(), line({ id: 7, slippage: 1, maxIn: '2', allow: ['price'] })];
    expect(texts.map((text, index) => BatchLine.again({ number: index + 1, text }))).toEqual(read(...texts));
  });
});
