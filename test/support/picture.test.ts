import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { draw, wording } from './picture.js';

const texts = (svg: string): string[] => [...svg.matchAll(/<text [^>]*>[^<]*/g)].map(([all]) => all);

describe('draw', () => {
  test('default: rows of text, each in its place, with its looks', () => {
    const svg = draw('\u001b[1mfer\u001b[22mry\u001b[0m\n\n  \u001b[2;32mok\u001b[39m\u001b[0m', 40, 'a & b');
    expect(texts(svg)).toEqual([
      expect.stringMatching(
        /^<text x="20" y="35" textLength="25\.2\d*" lengthAdjust="spacingAndGlyphs" class="bold">fer$/,
      ),
      expect.stringMatching(/^<text x="45\.2\d*" y="35" textLength="16\.8" lengthAdjust="spacingAndGlyphs">ry$/),
      expect.stringMatching(/^<text x="36\.8" y="75" .*class="dim green">ok$/),
    ]);
    expect(svg).toContain('<title id="title">a &amp; b</title>');
  });

  test('behavior: what could be markup or a link is text, and what is wide takes two columns', () => {
    const svg = draw('<b>\u001b]8;;https://example.org\u001b\\船x\u001b]8;;\u001b\\', 40, 't');
    expect(texts(svg).map((text) => text.replace(/^.*>/, ''))).toEqual(['&lt;b&gt;', '船', 'x']);
    expect(svg).toMatch(/x="45\.2\d*" [^>]*textLength="16\.8"[^>]*>船/);
    expect(svg).not.toContain('example.org');
  });

  test('behavior: what is longer than the columns goes on in the next row', () => {
    expect(wording(draw('abcdefgh', 5, 't'))).toEqual(['abcde', 'fgh']);
  });

  test('error: what a picture could not show', () => {
    expect(() => draw('\u001b[5mblink', 10, 't')).toThrow('no picture of the code 5');
    expect(() => draw('a\u0007', 10, 't')).toThrow('no picture of');
  });
});

describe('wording', () => {
  test('default: the same for other numbers, hashes and times', () => {
    const one = draw('Run 20261122-000556-becb50 at 0xAb12…c3 in 5 ms', 60, 't');
    const other = draw('Run 20271122-120556-aaaaaa at 0xc4…ffff in 1,234.5 ms', 60, 't');
    expect(wording(one)).toEqual(['Run 0 at # in 0 ms']);
    expect(wording(other)).toEqual(wording(one));
  });
});

describe('the pictures of the README and the manual', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const guides = join(root, '.github/docs/guide');
  const shown = [join(root, 'README.md'), ...readdirSync(guides).map((name) => join(guides, name))]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const pictures = readdirSync(join(root, '.github')).filter((name) => name.endsWith('.svg'));

  test('default: there are some, and each is shown', () => {
    expect(pictures.length).toBeGreaterThan(2);
    for (const name of pictures)
      expect(shown).toMatch(new RegExp(`(\\.github|\\.\\./\\.\\.)/${name.replace('.', '\\.')}\\b`));
  });

  test.each(pictures)('behavior: %s is well-formed, loads nothing, and shows nobody’s folders', async (name) => {
    const svg = readFileSync(join(root, '.github', name), 'utf8');
    const { valid } = await validateXML({
      xml: [{ fileName: name, contents: svg }],
      schema: [{ fileName: 'any.xsd', contents: any }],
    });
    expect(valid).toBe(true);
    expect(svg).not.toMatch(/<script|<image|href=|url\(|@import/);
    expect(svg).not.toMatch(/\/(tmp|home|root|Users|work)\b/);
  });
});

/** A DTD that accepts any well-formed document. */
const any = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg"><xs:complexType mixed="true"><xs:sequence>
    <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/>
  </xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>
</xs:schema>`;
