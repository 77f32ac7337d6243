/** Validates JUnit XML against the two schemas in use, with libxml2's validator. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validateXML } from 'xmllint-wasm';
import { all, type Element, parse } from './xml.js';

const schemas = ['jenkins', 'ant'] as const;

/** The violations of each schema; empty if the document is valid for both. */
export async function problems(document: string): Promise<string[]> {
  const [found = []] = await problemsOfEach([document]);
  return found;
}

/** The same of several documents. The validator takes longer to start than to read them all. */
export async function problemsOfEach(documents: readonly string[]): Promise<string[][]> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const found = documents.map((): string[] => []);
  for (const name of schemas) {
    const schema = readFileSync(fileURLToPath(new URL(`../recorded/junit/${name}.xsd`, import.meta.url)), 'utf8');
    const { errors, valid } = await validateXML({ xml, schema });
    for (const { message, loc } of errors) found[Number.parseInt(loc?.fileName ?? '', 10)]?.push(`${name}: ${message}`);
    if (!valid && errors.length === 0) found[0]?.push(`${name}: not valid`);
  }
  return found;
}

/** The one suite of a document. */
export function suiteOf(document: string): Element {
  const [suite] = all(parse(document.replace(/^<\?xml [^>]*\?>/, '')), 'testsuite');
  if (!suite) throw new Error('There is no suite.');
  return suite;
}

/** How each case ended: the name of its result element, or `passed`. */
export function outcomes(document: string): Record<string, string> {
  const cases = all(suiteOf(document), 'testcase');
  return Object.fromEntries(cases.map(({ attributes, children }) => [attributes.name, children[0]?.name ?? 'passed']));
}
