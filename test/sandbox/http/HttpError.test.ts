import { describe, expect, test } from 'vitest';
import * as ErrorBody from '../../../src/core/api/ErrorBody.js';
import {
  codedError,
  executeError,
  frameworkError,
  HttpError,
  messageError,
  routeNotFound,
} from '../../../src/sandbox/http/HttpError.js';

describe('codedError', () => {
  test('default: the schema parses it as a refusal', () => {
    const { status, body, message } = codedError(400, 'NO_QUOTES', 'Nothing found', { requestId: '0x01' });
    expect([status, message]).toEqual([400, 'Nothing found']);
    expect(ErrorBody.from(body)).toEqual({
      form: 'refusal',
      message: 'Nothing found',
      code: 'NO_QUOTES',
      requestId: '0x01',
    });
  });
});

describe('messageError', () => {
  test('default', () => {
    expect(messageError(429, 'Slow down').body).toEqual({ message: 'Slow down' });
  });
});

describe('executeError', () => {
  test('default: the schema parses it as an execution error', () => {
    expect(executeError(400, 'to is required')).toMatchObject({ status: 400, body: { error: 'to is required' } });
    expect(ErrorBody.from(executeError(400, 'to is required').body)).toEqual({
      form: 'bare',
      message: 'to is required',
    });
  });
});

describe('frameworkError', () => {
  test('default: the schema parses it as a validation error', () => {
    const { body } = frameworkError(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', 'Unsupported Media Type');
    expect(body).toMatchObject({ statusCode: 415, error: 'Unsupported Media Type' });
    expect(ErrorBody.from(body)).toMatchObject({ form: 'schema', code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });
  });
});

describe('routeNotFound', () => {
  test('default', () => {
    expect(routeNotFound('GET', '/x')).toMatchObject({ status: 404, body: { message: 'Route GET:/x not found' } });
  });
});

describe('HttpError', () => {
  test('behavior: a body without a message', () => {
    expect(new HttpError(401, { error: 'Unauthorized' }).message).toBe('HTTP 401');
  });
});
