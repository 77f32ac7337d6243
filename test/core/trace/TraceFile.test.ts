import { expect, test } from 'vitest';
import * as CallTrace from '../../../src/core/trace/CallTrace.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as TraceFile from '../../../src/core/trace/TraceFile.js';
import { read } from '../../support/recorded.js';
import { failure } from '../../support/workbench.js';

const bodies = read('execute-errors') as Record<string, { body: Record<string, unknown> }>;
const body = bodies.panic?.body ?? {};
const frame = { type: 'CALL', from: '0x01', to: '0x02', input: '0x', error: 'out of gas', calls: [] };
const envelope = (error: object) => ({ schema: 'ferry.error/1', ok: false, network: 'sandbox', error });
const key = { signatures: KnownSignatures.signatures(), names: new Map<string, string>() };

test.each([
  ['the body of the service', body],
  ['an envelope with the body as its trace', envelope({ code: 'submit.simulation', trace: body })],
  ['an envelope with the details', envelope({ trace: body.details, requestId: body.requestId })],
  ['the body, kept with its status', { status: 400, body }],
])('default: %s', (_, value) => {
  const { source, requestId } = TraceFile.from(JSON.stringify(value), '-');
  expect([source.by, source.frames.length, requestId]).toEqual(['service', 2, body.requestId]);
});

test.each([
  ['a frame', frame],
  ['the answer of a node', { jsonrpc: '2.0', id: 1, result: frame }],
])('behavior: %s', (_, value) => {
  expect(TraceFile.from(JSON.stringify(value), '-').source).toMatchObject({
    by: 'node',
    frames: [{ error: 'out of gas' }],
  });
});

test.each([
  ['service', TraceFile.from(JSON.stringify(body), '-').source],
  ['node', TraceFile.from(JSON.stringify(frame), '-').source],
])('behavior: the output of ferry trace --json for a %s', (_, source) => {
  const trace = CallTrace.from(source, key);
  const document = JSON.stringify({ schema: 'ferry.trace/1', ok: true, data: { transaction: null, trace } });
  expect(CallTrace.from(TraceFile.from(document, '-').source, key)).toEqual(trace);
});

test('behavior: the last of several JSON lines that contains a trace', () => {
  const lines = [{ schema: 'ferry.event/1', type: 'status' }, envelope({ trace: body })];
  expect(TraceFile.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), '-').source.by).toBe('service');
});

test.each([
  ['', 'it is not JSON'],
  ['gibberish', 'it is not JSON'],
  ['{}', 'it contains no calls'],
  ['{"frames":[{"depth":3,"type":"CALL"}]}', 'it contains no calls'],
  ['{"failed":false,"structLogs":[]}', 'it contains no calls'],
])('error: %j', async (text, reason) => {
  const error = await failure('trace.unreadable', () => TraceFile.from(text, 'a.json'));
  expect(error.message).toBe(`a.json does not contain a trace: ${reason}.`);
});

test.each([
  ['to is required', 'to is required'],
  ['simulation without details', 'SIMULATION_FAILED'],
])('error: the body "%s" has no details', async (name, said) => {
  const error = await failure('trace.unreadable', () => TraceFile.from(JSON.stringify(bodies[name]?.body), '-'));
  expect(error.message).toBe('Standard input does not contain a trace: it is an error without details.');
  expect(error.facts).toEqual([['error', said]]);
});

test('error: nested too deeply', async () => {
  let value: unknown = body;
  for (let depth = 0; depth < 20; depth++) value = { error: value };
  await failure('trace.unreadable', () => TraceFile.from(JSON.stringify(value), '-'));
});
