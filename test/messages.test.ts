/** The table of messages is read as a whole when one is added: they should sound like one program. */
import { expect, test } from 'vitest';
import { entries } from '../src/core/base/Errors.js';
import { format, readMessages } from './support/messages.js';

const messages = readMessages();

test('the committed table has every message', async () => {
  await expect(format(messages)).toMatchFileSnapshot('recorded/messages.txt');
});

test('every code has a message', () => {
  const missing = entries()
    .map(([code]) => code)
    .filter((code) => !messages.some(({ codes }) => codes.includes(code)));
  // Its message is the parser's.
  expect(missing).toEqual(['usage.unknown-option']);
});

test('a message is a sentence that begins with a capital letter or a name, and ends', () => {
  const errors = messages.filter(({ codes }) => codes[0]?.includes('.'));
  const odd = errors.filter(({ text }) => !/^(?:[A-Z"{]|ferry |max |--)[\s\S]*[.?}]$/.test(text));
  expect(odd.map(({ text, from }) => `${from}: ${text}`)).toEqual([]);
});

test('a hint is a sentence, and a next command can be typed', () => {
  const hints = messages.filter(({ hint }) => hint !== '' && !/[.?}']$/.test(hint));
  expect(hints.map(({ hint, from }) => `${from}: ${hint}`)).toEqual([]);
  const commands = messages.filter(
    ({ next }) => next !== '' && !/^(?:ferry |npm |chmod |sudo |unset |export |\{)/.test(next),
  );
  expect(commands.map(({ next, from }) => `${from}: ${next}`)).toEqual([]);
});

test('no message blames by another word than reason', () => {
  const labels = messages.flatMap(({ facts }) => facts.split(', '));
  expect(labels.filter((label) => label === 'why' || label === 'cause')).toEqual([]);
});
