import { describe, expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import * as Event from '../../../src/core/event/Event.js';
import * as EventLine from '../../../src/core/event/EventLine.js';
import type { Waiting } from '../../../src/core/ports/Ports.js';
import type * as StatusPolling from '../../../src/core/tracking/StatusPolling.js';
import { printed, specimens } from '../../support/events.js';

describe('Event', () => {
  test('default: what lower modules yield are members of the union, with quantities as bigint', () => {
    expectTypeOf<Waiting>().toEqualTypeOf<Event.Of<'waiting'>>();
    expectTypeOf<StatusPolling.Update>().toEqualTypeOf<Event.Of<'status' | 'superseded'>>();
    expectTypeOf<Event.Of<'mined'>['gasUsed']>().toEqualTypeOf<bigint>();
    type Wire = Extract<z.input<typeof Event.schema>, { type: 'mined' }>;
    expectTypeOf<Wire['gasUsed']>().toEqualTypeOf<string>();
  });
});

test('schema: it has the types that are printed, and no others', () => {
  const types = Event.schema.def.options.map((option) => option.shape.type.def.values[0]);
  expect(types.toSorted()).toEqual(printed.map(({ type }) => type).toSorted());
});

describe('fromLine', () => {
  test.each(printed.map((event) => [event.type, event] as const))('default: %s as it was printed', (_, event) => {
    expect(Event.fromLine(EventLine.format(event, 'sandbox'))).toEqual({ network: 'sandbox', event });
  });

  test.each<readonly [why: string, changed: object]>([
    ['a float', { gasUsed: 21_000 }],
    ['a negative quantity', { gasUsed: '-1' }],
    ['an unknown type', { type: 'minted' }],
    ['another schema', { schema: 'ferry.quote/1' }],
    ['no network', { network: null }],
  ])('error: %s', (_, changed) => {
    const line = JSON.parse(EventLine.format(specimens.mined, 'sandbox'));
    expect(() => Event.fromLine(JSON.stringify({ ...line, ...changed }))).toThrow();
  });
});
