import { expect, test } from 'vitest';
import type { Event, Of } from '../../../src/core/event/Event.js';
import * as ElapsedTime from '../../../src/core/view/ElapsedTime.js';
import { specimens } from '../../support/events.js';

type At = [atMs: number, Event];

const over = (...events: At[]) =>
  events.reduce((timeline, [at, event]) => ElapsedTime.reduce(timeline, event, at), ElapsedTime.none);

const { quoted, status, submitted, 'venue-sent': venueSent } = specimens;
const sent = (action: Of<'sent'>['action']): Event => ({ ...specimens.sent, action });

test('default: from what pays on, against the estimate', () => {
  const timeline = over([0, quoted], [500, sent('approve')], [1_000, sent('deposit')], [3_000, status]);
  expect(ElapsedTime.format(timeline, 9_900)).toBe('8 s of about 12 s');
});

test.each<[string, At[], string]>([
  ['nothing was sent', [[0, quoted]], ''],
  ['an approval alone', [[0, sent('approve')]], ''],
  ['a cancellation alone', [[0, sent('cancel')]], ''],
  ['no estimate', [[1_000, status]], '4 s'],
  [
    'an estimate of less than a second',
    [
      [0, { ...quoted, timeEstimateSeconds: 0.2 }],
      [1_000, submitted],
    ],
    '4 s of about 1 s',
  ],
  [
    'a service that estimates nothing',
    [
      [0, { ...quoted, timeEstimateSeconds: null }],
      [1_000, venueSent],
    ],
    '4 s',
  ],
])('behavior: %s', (_, events, expected) => {
  expect(ElapsedTime.format(over(...events), 5_000)).toBe(expected);
});
