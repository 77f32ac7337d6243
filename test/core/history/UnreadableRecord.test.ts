import { expect, test } from 'vitest';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as UnreadableRecord from '../../../src/core/history/UnreadableRecord.js';
import { decode } from '../../support/problems.js';

function read(value: unknown): UnreadableRecord.UnreadableRecord {
  const good = { id: '0x01', status: 'success' };
  const [odd] = decode(RequestsV2.response, { requests: [good, good, good, value] }).odd;
  if (!odd) throw new Error('it can be read');
  return UnreadableRecord.from(odd);
}

test.each([
  [
    { id: '0x02', status: 'success', data: { fees: { gas: [] } } },
    'requests[3].data.fees.gas',
    'expected a string or a number or an object',
    '0x02',
  ],
  [{ id: '0x02' }, 'requests[3].status', 'missing, expected a string', '0x02'],
  [{ id: 7, status: 'success' }, 'requests[3].id', 'expected a string', null],
  [null, 'requests[3]', 'expected an object', null],
])('from: %j', (value, path, problem, requestId) => {
  expect(read(value)).toEqual({ path, problem, requestId });
});

test('unreadableRecord: names the place and the status, and puts an id that is none into no command', () => {
  const error = UnreadableRecord.unreadableRecord(read({ id: `0x${'17'.repeat(32)}` }));
  expect(error).toMatchObject({ code: 'service.malformed', next: `ferry status 0x${'17'.repeat(32)}` });
  const facts = { at: 'requests[3].status', problem: 'missing, expected a string' };
  expect(Object.fromEntries(error.facts)).toEqual(facts);
  expect(UnreadableRecord.unreadableRecord(read({ id: '0x1; rm -rf ~' })).next).toBeUndefined();
});
