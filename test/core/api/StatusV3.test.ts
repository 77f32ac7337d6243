import { expect, test } from 'vitest';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';

const read = (answer: Record<string, unknown>) => Decode.from(StatusV3.response, { status: 'success', ...answer });

test.each(['inTxHashes', 'txHashes'])('error: %s that no chain has', (field) => {
  expect(read({ [field]: ['a'.repeat(201)] }).ok).toBe(false);
  expect(read({ [field]: Array(101).fill('0x00') }).ok).toBe(false);
});

test('behavior: a status that is no word is none, an explanation without end counts as absent', () => {
  expect(read({ status: 'a'.repeat(101) }).ok).toBe(false);
  expect(read({ details: 'a'.repeat(10_001) })).toMatchObject({ ok: true, value: { details: undefined } });
});
