import { describe, expect, test } from 'vitest';
import * as Secret from '../../../src/core/base/Secret.js';
import { toKey as ofKey } from '../../../src/io/keys/secretFile.js';
import * as walletWords from '../../../src/io/keys/walletWords.js';
import { cast } from '../../support/cast.js';
import { answering, failure } from '../../support/workbench.js';

const development = 'test test test test test test test test test test test junk';

describe('toKey', () => {
  test.each([
    [development, 0],
    [development, 7],
    [`  ${development.toUpperCase().replaceAll(' ', '\n')}\n`, 1],
    ['letter advice cage absurd amount doctor acoustic avoid letter advice cage above', 3],
    [`${'abandon '.repeat(23)}art`, 0],
  ])('default: %j at %i, as cast derives it', async (words, index) => {
    const clean = words.trim().toLowerCase().split(/\s+/).join(' ');
    const expected = await cast('wallet', 'private-key', clean, String(index));
    expect((await walletWords.toKey(words, { index }, 'stdin')).reveal()).toBe(expected.trim());
  });

  test.each([
    ['a word too few', development.slice(5), 'there are 11'],
    ['a mistyped word', development.replace('junk', 'junc'), 'word 12 is not in the English list'],
    ['another order', `junk ${development.slice(0, -5)}`, 'their checksum is wrong'],
    ['another word of the list', development.replace('junk', 'zoo'), 'their checksum is wrong'],
    ['nothing', '', 'there are 0'],
    ['a private key', `0x${'1'.repeat(64)}`, 'there are 1'],
  ])('error: %s', async (_, words, reason) => {
    const error = await failure('auth.keystore', () => walletWords.toKey(words, { index: 0 }, 'stdin'));
    expect(JSON.stringify(error.facts)).toContain(reason);
    expect(`${error.message}${error.hint}${JSON.stringify(error.facts)}`).not.toMatch(/junk|junc|zoo|1111/);
  });
});

test.each([12, 24] as const)('create: %i words, others each time', async (count) => {
  const [one, other] = await Promise.all([walletWords.create(count), walletWords.create(count)]);
  expect(one.reveal().split(' ')).toHaveLength(count);
  expect(one.reveal()).not.toBe(other.reveal());
  const key = await walletWords.toKey(one.reveal(), { index: 0 }, 'ferry');
  expect(ofKey(key.reveal(), '').reveal()).toBe(key.reveal());
});

describe('show', () => {
  const words = Secret.from(`${'abandon '.repeat(11)}about`);

  test('default: all of them once, and two of them typed', async () => {
    const prompt = answering(['y', 'zoo', 'abandon', 'About ']);
    await walletWords.show(words, { prompt, interactive: true, host: undefined as never }, (below) => below - 1);
    expect(prompt.asked[0]).toContain(' 1 abandon    2 abandon    3 abandon    4 abandon');
    expect(prompt.asked[0]).toContain('12 about');
    expect(prompt.asked.slice(1)).toEqual(['Word 11', 'That is not word 11.', 'Word 11', 'Word 12']);
  });

  test('error: not written down, or no terminal', async () => {
    const declined = { prompt: answering(['n']), interactive: true, host: undefined as never };
    await failure('prompt.declined', () => walletWords.show(words, declined, () => 0));
    const nobody = { prompt: answering([]), interactive: false, host: undefined as never };
    await failure('prompt.unavailable', () => walletWords.show(words, nobody, () => 0));
  });
});
