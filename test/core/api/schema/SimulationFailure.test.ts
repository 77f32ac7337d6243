import { describe, expect, test } from 'vitest';
import * as Execute from '../../../../src/core/api/Execute.js';
import * as SimulationFailure from '../../../../src/core/api/schema/SimulationFailure.js';
import { decode, problems, without, withUnknownFields } from '../../../support/problems.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';
import * as Shape from '../../../support/shape.js';

const bodies = read('execute-errors') as Record<string, { status: number; body: Execute.SimulationError }>;

function details(type: SimulationFailure.RevertType): SimulationFailure.Details {
  const found = bodies[type]?.body.details;
  if (!found) throw new Error(`no recorded details of ${type}`);
  return found;
}

describe('details', () => {
  test.each(SimulationFailure.revertTypes)('default: %s', (type) => {
    expect(decode(SimulationFailure.details, details(type))).toEqual(details(type));
    expect(details(type).revert.type).toBe(type);
  });

  test.each(['topLevel', 'innermost', 'path', 'revert'] as const)('error: no %s', (key) => {
    expect(problems(SimulationFailure.details, without(details('panic'), key))).toEqual([
      `${key}: missing, expected an ${key === 'path' ? 'array' : 'object'}`,
    ]);
  });

  test('error: an additional property', () => {
    expect(problems(SimulationFailure.details, { ...details('empty'), trace: [] })).toEqual(['trace: unknown field']);
  });

  test('error: an unknown type of revert', () => {
    const revert = { ...details('empty').revert, type: 'outOfGas' };
    expect(problems(SimulationFailure.details, { ...details('empty'), revert })).toEqual([
      `revert.type: expected one of ${SimulationFailure.revertTypes.join(', ')}`,
    ]);
  });

  test('error: a frame without its type', () => {
    expect(problems(SimulationFailure.details, { ...details('empty'), path: [{ selector: '0x' }] })).toEqual([
      'path[0].type: missing, expected a string',
    ]);
  });
});

describe('tolerant', () => {
  test('behavior: keeps unknown fields', () => {
    const later = withUnknownFields(details('unknownCustomError'));
    expect(decode(SimulationFailure.tolerant, later)).toEqual(later);
  });
});

describe('simulation error', () => {
  test.each([...SimulationFailure.revertTypes, 'simulation without details'])('default: %s', (name) => {
    expect(bodies[name]?.status).toBe(400);
    expect(decode(Execute.simulationError, bodies[name]?.body)).toEqual(bodies[name]?.body);
  });

  test.each(['error', 'message', 'requestId'] as const)('error: no %s', (key) => {
    const body = bodies.panic?.body;
    expect(body && problems(Execute.simulationError, without(body, key))).toEqual([
      `${key}: missing, expected a string`,
    ]);
  });
});

describePublished('published simulation error', () => {
  test('default', () => {
    const published = readPublished('execute-400-simulation.json');
    expect(decode(Execute.simulationError, published)).toEqual(published);
    expect(Shape.differences(Shape.from(bodies.customError?.body), Shape.from(published))).toEqual([]);
  });
});
