import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';

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
