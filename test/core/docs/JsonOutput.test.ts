import { describe, expect, test } from 'vitest';
import * as JsonOutput from '../../../src/core/docs/JsonOutput.js';
import { ferry } from '../../support/ferry.js';

const blocks = JsonOutput.document().flatMap((section) => section.filter((block) => typeof block === 'object'));
const lines = blocks.flatMap((block) => ('lines' in block ? [block.lines] : []));
const terms = blocks.flatMap((block) => ('terms' in block ? block.terms.map(([name]) => name) : []));

/** The keys of an example, whose ellipses are not JSON. */
const keys = (example: readonly string[]) => [...example.join('').matchAll(/"(\w+)":/g)].map(([, key]) => key);

describe('document', () => {
  test('default: the keys of an actual success', async () => {
    const { json } = await ferry(['config', 'get', 'network', '--json']);
    expect(keys(lines[0] ?? [])).toEqual(Object.keys(json()));
  });

  test('default: the keys of an actual failure', async () => {
    const { error, ...envelope } = (await ferry(['frob', '--json'])).json();
    expect(keys(lines[1] ?? [])).toEqual([...Object.keys(envelope), 'error', ...Object.keys(error)]);
    const named = terms.flatMap((term) => (term.startsWith('error.') ? [term.slice('error.'.length)] : []));
    expect(Object.keys(error)).toEqual(expect.arrayContaining(named));
  });
});
