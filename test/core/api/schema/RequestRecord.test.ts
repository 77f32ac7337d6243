import { describe, expect, test } from 'vitest';
import * as RequestsV2 from '../../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../../src/core/api/RequestsV3.js';
import * as Decode from '../../../../src/core/api/schema/Decode.js';
import * as RequestRecord from '../../../../src/core/api/schema/RequestRecord.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { describePublished, read as readPublished, withoutElisions } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
type Path = readonly (string | number)[];

const versions = [
  ['v3', RequestsV3.record, RequestsV3.response],
  ['v2', RequestsV2.record, RequestsV2.response],
] as const;

function recorded(version: 'v2' | 'v3'): Json[] {
  return (read(`requests-${version}`) as { requests: Json[] }).requests;
}

/** The path of every key of an object, at any depth. */
function keys(value: Json, above: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, part]) => [
    ...(Array.isArray(value) ? [] : [[...above, key]]),
    ...keys(part, [...above, key]),
  ]);
}

type Change = (old: Json) => Json | undefined;

/** A copy in which values are others; undefined removes a key. */
function changed(value: Json, paths: readonly Path[], change: Change): Json {
  const copy = structuredClone(value);
  for (const path of paths) {
    const last = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce<Json>((at, key) => (at as Record<string, Json>)[key] as Json, copy);
    const by = change((parent as Record<string, Json>)[last] as Json);
    if (by === undefined) delete (parent as Record<string, Json>)[last];
    else (parent as Record<string, Json>)[last] = by;
  }
  return copy;
}

/** Changes every field, those of a depth at once: a problem names its field. Returns how many fields there are. */
function assertTolerant(schema: (typeof versions)[number][1], records: readonly Json[]): number {
  const seen = new Set<string>();
  for (const record of records) {
    const paths = keys(record).filter((path) => !['id', 'status'].includes(path.join('.')));
    for (const path of paths) seen.add(path.map((key) => (typeof key === 'number' ? '#' : key)).join('.'));
    for (const depth of new Set(paths.map((path) => path.length))) {
      const those = paths.filter((path) => path.length === depth);
      for (const change of [() => undefined, () => null, inAnotherType])
        expect(problems(schema, changed(record, those, change))).toEqual([]);
    }
  }
  return seen.size;
}

/** A number as text, a text that is a number as one. */
function inAnotherType(old: Json): Json {
  if (typeof old === 'number') return String(old);
  return typeof old === 'string' && old !== '' && Number.isFinite(Number(old)) ? Number(old) : old;
}

describe.each(versions)('records of %s', (version, schema, response) => {
  test('behavior: any field but id and status may be absent, null, or another type; unknown ones stay', () => {
    expect(assertTolerant(schema, recorded(version))).toBeGreaterThan(100);
    const later = withUnknownFields(recorded(version)[0], ['components']);
    expect(problems(schema, later)).toEqual([]);
    expect(decode(schema, later)).toHaveProperty('aFieldOfTomorrow');
  });

  test.each([['id'], ['status']])('error: no %s', (name) => {
    const [record = null] = recorded(version);
    const without = changed(record, [[name]], () => undefined);
    expect(problems(schema, without)).toEqual([`${name}: missing, expected a string`]);
  });

  test('behavior: an odd record of a page is named, the others are read', () => {
    const [record = null] = recorded(version);
    const odd = [null, 'text', changed(record, [['data']], () => 7), changed(record, [['id']], () => 7)];
    const page = decode(response, { requests: [record, ...odd, record], continuation: 'next' });
    expect(page.requests).toHaveLength(2);
    expect(page.continuation).toBe('next');
    expect(page.odd.map(({ index, problems: [problem] }) => [index, problem && Decode.format(problem)])).toEqual([
      [1, 'expected an object'],
      [2, 'expected an object'],
      [3, 'data: expected an object'],
      [4, 'id: expected a string'],
    ]);
    expect(page.odd[0]?.value).toBeNull();
  });
});

test.each([[-1], [1.5], [256], ['300'], ['six']])('a currency: error: %j decimals', (decimals) => {
  const record = { id: '0x1', status: 'success', data: { feeCurrencyObject: { decimals } } };
  expect(problems(RequestsV2.record, record)).toEqual([
    expect.stringContaining('data.feeCurrencyObject.decimals: expected'),
  ]);
});

const breakdown = { swap: { usd: '-1' }, execution: { usd: '-2' } };

test.each([
  ['as quoted and as charged', { quoted: breakdown, actual: breakdown }, breakdown, breakdown],
  ['as quoted alone', { quoted: breakdown, actual: null }, breakdown, null],
  ['the breakdown itself', breakdown, breakdown, undefined],
  ['nothing', {}, undefined, undefined],
  ['none', null, undefined, undefined],
])('phases: %s', (_, stated, quoted, actual) => {
  const phases = RequestRecord.phases(stated);
  expect([phases.quoted, phases.actual]).toEqual([quoted, actual]);
});

describePublished('published records', () => {
  test.each([
    ['request-v2-record.json', RequestsV2.record],
    ['live/requests-v2-record-1.json', RequestsV2.record],
    ['request-v3-record.json', RequestsV3.record],
  ])('behavior: any field of %s may be absent, null, or a number for a text', (file, schema) => {
    expect(assertTolerant(schema, [withoutElisions(readPublished(file)) as Json])).toBeGreaterThan(100);
  });
});
