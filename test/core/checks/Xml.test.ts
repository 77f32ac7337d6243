import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as Xml from '../../../src/core/checks/Xml.js';
import { anyText } from '../../support/anyText.js';
import { parse } from '../../support/xml.js';

test('element', () => {
  const text = Xml.element('text', { x: 1.2345, class: 'ink' }, 'a < b');
  expect(Xml.element('g', {}, [text])).toBe('<g><text x="1.23" class="ink">a &lt; b</text></g>');
});

test('escape: behavior: any text survives a parser, except for characters that XML forbids', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const { text: inner, attributes } = parse(Xml.element('t', { a: text }, text));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these characters
      const kept = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');
      expect([inner, attributes.a]).toEqual([kept, kept]);
    }),
  );
});
