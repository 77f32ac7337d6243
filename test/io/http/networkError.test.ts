import { expect, test } from 'vitest';
import { type Circumstances, unreachable } from '../../../src/io/http/networkError.js';

const circumstances: Circumstances = {
  url: new URL('https://rpc.example.org/secret'),
  proxy: undefined,
  began: false,
  beginning: '',
};

function coded(code: string, extra: object = {}): Error {
  return Object.assign(new Error('at https://rpc.example.org/secret'), { code, ...extra });
}

test.each([
  ['ENOTFOUND', { syscall: 'getaddrinfo' }, 'name', 'no'],
  ['EAI_AGAIN', { syscall: 'getaddrinfo' }, 'name', 'no'],
  ['ENETUNREACH', { syscall: 'connect' }, 'route', 'no'],
  ['UND_ERR_CONNECT_TIMEOUT', {}, 'timeout', 'no'],
  ['CERT_HAS_EXPIRED', {}, 'tls', 'no'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', {}, 'tls', 'no'],
  ['SELF_SIGNED_CERT_IN_CHAIN', {}, 'tls', 'no'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, 'tls', 'no'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', {}, 'tls', 'maybe'],
  ['EPROTO', {}, 'tls', 'maybe'],
  ['ETIMEDOUT', { syscall: 'read' }, 'timeout', 'maybe'],
  ['EHOSTUNREACH', { syscall: 'write' }, 'route', 'maybe'],
  ['ECONNRESET', {}, 'broken', 'maybe'],
  ['UND_ERR_SOCKET', {}, 'broken', 'maybe'],
  ['SOMETHING_NEW', {}, 'broken', 'maybe'],
])('behavior: %s %j is %s and arrived: %s', (code, extra, reason, arrived) => {
  const error = unreachable(coded(code, extra), circumstances);
  expect(error).toMatchObject({ reason, arrived });
  expect(error.message).toContain(code);
  expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain('secret');
  expect(error.cause).toBeUndefined();
});

const refused = { syscall: 'connect' };
test.each<[what: string, thrown: unknown, expected: object]>([
  [
    'one error of both address families',
    new AggregateError([coded('ECONNREFUSED', refused), coded('ECONNREFUSED')]),
    { reason: 'refused', arrived: 'no' },
  ],
  ['the code of the cause', new Error('failed', { cause: coded('CERT_HAS_EXPIRED') }), { reason: 'tls' }],
  ['a thrown value that is not an error', 'secret', { reason: 'broken', arrived: 'maybe' }],
])('behavior: %s', (_, thrown, expected) => {
  expect(unreachable(thrown, circumstances)).toMatchObject(expected);
});
