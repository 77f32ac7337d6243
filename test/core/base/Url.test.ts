import { describe, expect, test } from 'vitest';
import * as Url from '../../../src/core/base/Url.js';

test.each([
  ['https://rpc.example.org/v3/0123456789abcdef', 'https://rpc.example.org/…'],
  ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
  ['http://127.0.0.1:8545/', 'http://127.0.0.1:8545'],
  ['https://user:secret@rpc.example.org', 'https://rpc.example.org/…'],
  ['https://rpc.example.org/?key=secret', 'https://rpc.example.org/…'],
  ['data:text/plain,secret', 'data:…'],
  ['secret', '(not a URL)'],
])('redact: behavior: %s', (url, shown) => {
  expect(Url.redact(url)).toBe(shown);
});

test.each([
  ['https://api.example.org', 'https://api.example.org/'],
  ['https://user:secret@api.example.org/v1?key=secret#x', 'https://api.example.org/v1'],
  ['secret', 'secret'],
])('place: %s', (url, expected) => {
  expect(Url.place(url)).toBe(expected);
});

test.each([
  ['http://127.0.0.1:1', true],
  ['http://127.8.9.1', true],
  ['http://[::1]:1', true],
  ['http://localhost:3000', true],
  ['http://api.localhost', true],
  ['http://localhost.example.org', false],
  ['http://127.0.0.1.example.org', false],
  ['http://10.0.0.1', false],
])('isLoopback: %s is %s', (url, loopback) => {
  expect(Url.isLoopback(new URL(url))).toBe(loopback);
});

test.each([
  ['https://api.example.org', 'https://api.example.org/quote/v2'],
  ['https://api.example.org/', 'https://api.example.org/quote/v2'],
  ['https://api.example.org/base/?a=b#c', 'https://api.example.org/base/quote/v2'],
])('join: %s', (base, url) => {
  expect(Url.join(base, '/quote/v2').href).toBe(url);
});

test.each<[string, string[]]>([
  ['https://ada:hush@h.example/v3/x', ['ada:hush', 'Basic YWRhOmh1c2g=', 'hush']],
  ['https://ada:a%20b%25@h.example', ['ada:a b%', 'Basic YWRhOmEgYiU=', 'a b%']],
  ['https://the-key@h.example', ['the-key:', 'Basic dGhlLWtleTo=', 'the-key']],
  ['ada:hush@proxy.example:3128', ['ada:hush', 'Basic YWRhOmh1c2g=', 'hush']],
  ['https://h.example/v2/abcdef0123456789/rpc?k=0123456789abcdef&v=1', ['abcdef0123456789', '0123456789abcdef']],
  ['https://api.example.org/a-long-name-of-a-path/2', []],
  ['', []],
])('secrets: %s', (url, secrets) => {
  expect(Url.secrets(url)).toEqual(secrets);
});

describe('conceal', () => {
  const url = 'https://user99:passwd@rpc.example.org/v3/0123456789?key=abcdef';

  test.each([
    ['project 0123456789 of user99: passwd, abcdef', 'project *** of ***: ***, ***'],
    ['v3 of rpc.example.org', 'v3 of rpc.example.org'],
  ])('behavior: %s', (text, shown) => {
    expect(Url.conceal(text, url)).toBe(shown);
  });

  test('behavior: a query that is a key alone', () => {
    const key = '0123456789abcdef0123456789abcdef';
    for (const url of [`https://rpc.example.org/?${key}`, `https://rpc.example.org/?chain=1&${key}&x=2`]) {
      expect(Url.conceal(`no such key: ${key}`, url)).toBe('no such key: ***');
      expect(Url.secrets(url)).toEqual([key]);
    }
  });

  test('behavior: the header that the user information is sent in', () => {
    const basic = Buffer.from('user99:passwd').toString('base64');
    expect(Url.conceal(`authorization: Basic ${basic}`, url)).toBe('authorization: ***');
    expect(Url.conceal('text', 'not a URL')).toBe('text');
  });
});

test('webSocket: the same place by WebSocket', () => {
  expect(Url.webSocket('http://127.0.0.1:1')).toBe('ws://127.0.0.1:1/');
  expect(Url.webSocket('https://api.example/v2')).toBe('wss://api.example/v2');
});
