import { describe, expect, test } from 'vitest';
import * as JournalPreview from '../../../src/core/completion/JournalPreview.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import * as journals from '../../support/journals.js';

describe('from', () => {
  const all = Object.entries(journals).flatMap(([name, entries]) =>
    Array.isArray(entries)
      ? entries.map((_, at): [string, readonly Journal.Entry[]] => [`${name} ${at}`, entries.slice(0, at + 1)])
      : [],
  );

  test.each(all)('default: agrees with the journal: %s', (_, entries) => {
    const state = Journal.from(entries);
    expect(JournalPreview.from(journals.textOf(entries))).toMatchObject({
      summary: state.summary,
      isUnfinished: Journal.isUnfinished(state),
    });
  });

  test('behavior: the request of the last quote', () => {
    const id = `0x${'a'.repeat(64)}`;
    const entries: Journal.Entry[] = [
      journals.intent,
      { type: 'quote', requestId: `0x${'b'.repeat(64)}`, document: {} },
      { type: 'quote', requestId: id, document: {} },
    ];
    expect(JournalPreview.from(journals.textOf(entries))?.requestId).toBe(id);
    expect(
      JournalPreview.from(journals.textOf([journals.intent, { type: 'quote', requestId: '$(touch x)', document: {} }]))
        ?.requestId,
    ).toBeUndefined();
  });

  test.each([
    '',
    'null',
    '{"entry":null}',
    '{"entry":{"type":"quote"}}',
    '\u0000\u0001',
    '{"entry":{"type":"intent","summary":7}}',
  ])('behavior: %j is not a journal', (text) => {
    expect(JournalPreview.from(text)).toBeUndefined();
  });
});
