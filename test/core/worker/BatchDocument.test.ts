import { expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as BatchDocument from '../../../src/core/worker/BatchDocument.js';
import type { Batch, BatchStatus } from '../../../src/core/worker/BatchStore.js';

const forged = 'x\n✓ forged\u202e';

const batch: Batch = {
  name: forged,
  network: 'sandbox',
  instance: null,
  store: null,
  lines: 2,
  digest: '0x00',
  submitter: forged,
  signature: '0x',
  state: String(forged) as 'ready',
  priority: 0,
  submittedAt: 0,
};

const found: BatchStatus = {
  batch,
  states: { waiting: 1, refused: 1 },
  funds: { [forged]: 1 },
  accounts: [{ account: forged, states: { waiting: 1, refused: 1 }, oldestMs: null }],
  stuck: [
    {
      ...{ batch: forged, id: forged, account: forged, state: String(forged) as 'refused', run: null },
      ...{ code: forged, message: forged, next: forged },
    },
  ],
  codes: [],
};

test('a batch as text: behavior: what others wrote into the database is text, and no line of its own', () => {
  const summary = BatchDocument.toSummary(batch, found.states);
  for (const text of [
    BatchDocument.formatStatus(BatchDocument.from(found, [], 0), plain),
    BatchDocument.formatList({ batches: [summary] }, plain),
  ]) {
    expect(text).toContain('x\\x0a✓ forged\\u{202e}');
    expect(text.split('\n').filter((line) => line.startsWith('✓'))).toEqual([]);
    expect(text).not.toContain('\u202e');
  }
});
