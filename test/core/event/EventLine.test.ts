import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { eventSchema } from '../../../src/core/command/OutputSchema.js';
import * as EventLine from '../../../src/core/event/EventLine.js';
import { printed, specimens } from '../../support/events.js';

const validate = new Ajv2020().compile(eventSchema());

describe('format', () => {
  test('default: schema, network and type come first, quantities are digits', () => {
    const { checked } = specimens;
    expect(EventLine.format(checked, 'sandbox')).toBe(
      '{"schema":"ferry.event/1","network":"sandbox","type":"checked","chainId":1,"balance":"18446744073709551617","gasBalance":"0"}',
    );
  });

  test.each(printed.map((event) => [event.type, event] as const))(
    'default: %s fits what ferry schema event prints',
    (_, event) => {
      validate(JSON.parse(EventLine.format(event, 'sandbox')));
      expect(validate.errors).toBeNull();
    },
  );
});

test('isPrinted: display alone is what the other commands show', () => {
  const shown = Object.values(specimens).filter((event) => !EventLine.isPrinted(event));
  expect(shown.map(({ type }) => type)).toEqual([
    ...['progress', 'checking', 'answer-checked', 'config-proposed', 'contracts-proposed'],
    ...['case-begun', 'case-again', 'case-ended', 'attack-ended'],
  ]);
});
