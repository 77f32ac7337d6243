import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ErrorBody from '../../../src/core/api/ErrorBody.js';
import * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import { describePublished, read as readPublished } from '../../support/published.js';
import { read } from '../../support/recorded.js';

type Answer = { status: number; body: Record<string, unknown> };

const service = read('service-errors') as Record<string, Answer>;
const execute = read('execute-errors') as Record<string, Answer>;

describe('from', () => {
  test.each<[name: string, form: ErrorBody.ErrorBody['form'], code: string | undefined]>([
    ['no route', 'refusal', 'NO_SWAP_ROUTES_FOUND'],
    ['failed destination call', 'refusal', 'DESTINATION_TX_FAILED'],
    ['referrer without a key', 'refusal', 'UNAUTHORIZED_QUOTE'],
    ['rate limit', 'refusal', undefined],
    ['schema', 'schema', 'FST_ERR_VALIDATION'],
    ['missing key header', 'schema', 'FST_ERR_VALIDATION'],
    ['no such path', 'schema', undefined],
    ['permit', 'refusal', undefined],
  ])('default: %s', (name, form, code) => {
    const body = service[name]?.body;
    const said = ErrorBody.from(body);
    expect({ form: said.form, code: said.code, message: said.message, requestId: said.requestId }).toEqual({
      form,
      code,
      message: body?.message,
      requestId: body?.requestId,
    });
  });

  test('behavior: errorData becomes the detail', () => {
    expect(ErrorBody.from(service['failed destination call']?.body).detail).toBe('execution reverted: paused');
    expect(ErrorBody.from({ message: 'a', errorData: { reason: 'b' } }).detail).toBe('{"reason":"b"}');
    expect(ErrorBody.from({ message: 'a', errorData: null }).detail).toBeUndefined();
  });

  test.each([
    [{ statusCode: 400, error: 'Bad Request', message: ['no amount', 'no user'] }, 'schema', 'no amount; no user'],
    [
      { type: 'about:blank', title: 'Out of solvers', status: 500, detail: 'None is free.' },
      'none',
      'Out of solvers; None is free.',
    ],
    [{ error: { code: 'LOW', message: 'The minimum is 5 USDC' } }, 'none', 'The minimum is 5 USDC'],
    [{ errors: [{ message: 'Maintenance until 14:00 UTC' }, {}] }, 'none', 'Maintenance until 14:00 UTC'],
    [{ errors: 'none', error: {}, message: [1] }, 'none', undefined],
  ])('behavior: what other frameworks say is not lost: %j', (body, form, message) => {
    expect(ErrorBody.from(body)).toMatchObject({ form, message });
  });

  test.each(SimulationFailure.revertTypes)('behavior: simulation: %s', (type) => {
    const { body } = execute[type] as Answer;
    const { error: code, message, requestId, details: simulation } = body;
    expect(ErrorBody.from(body)).toEqual({ form: 'simulation', code, message, requestId, simulation });
  });

  test.each([
    [{ message: 'a', errorCode: 7 }, 'refusal', 'a'],
    [{ message: 7, error: 'b' }, 'bare', 'b'],
    [{ statusCode: 400, error: 'Bad Request' }, 'schema', 'Bad Request'],
    [{ statusCode: '400', message: 'a' }, 'refusal', 'a'],
  ])('behavior: a field of the wrong type counts as absent: %j', (body, form, message) => {
    expect(ErrorBody.from(body)).toMatchObject({ form, message });
    expect(ErrorBody.from(body).code).toBeUndefined();
  });

  test('behavior: never throws: an unreadable body has the form none', () => {
    for (const body of [undefined, null, '', '<html>', 5, [], {}, { steps: [] }, [{ message: 'a' }]])
      expect(ErrorBody.from(body)).toEqual({ form: 'none' });
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof ErrorBody.from(value).form === 'string'));
  });
});

describePublished('published error', () => {
  test('default', () => {
    expect(ErrorBody.from(readPublished('execute-400-simulation.json'))).toMatchObject({
      form: 'simulation',
      simulation: { revert: { type: 'customError' } },
    });
  });
});
