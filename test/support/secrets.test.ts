import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { ferry, temporaryFolder } from './ferry.js';
import { assertSilent, secretsOf } from './secrets.js';

const key = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';

describe('secretsOf', () => {
  const given = (argv: readonly string[], env: Record<string, string>, home?: string): string[] => {
    const none = secretsOf([], { env: {} });
    return secretsOf(argv, { env, ...(home !== undefined && { home }) }).filter((each) => !none.includes(each));
  };

  test('default: keys in variables, with and without a prefix', () => {
    expect(given([], { FERRY_PRIVATE_KEY: `0x${key}`, FERRY_API_KEY: 'the-api-key' })).toEqual([key, 'the-api-key']);
  });

  test('behavior: what a URL says beyond its origin', () => {
    const basic = Buffer.from('ada:a password').toString('base64');
    const url = 'https://ada:a%20password@h.example/v3/path-key?k=query-key';
    expect(given([], { FERRY_RPC_URL_BASE: url }).sort()).toEqual(
      ['a password', 'a%20password', basic, 'path-key', 'query-key'].sort(),
    );
    expect(given([], { FERRY_BASE_URL: 'https://ada:hush-hush@h.example' })).toContain('hush-hush');
  });

  test('behavior: files that variables and options name, and the configuration of the user', () => {
    const home = temporaryFolder();
    const file = (name: string, text: string): string => {
      writeFileSync(join(home, name), text);
      return join(home, name);
    };
    const env = { FERRY_PASSWORD_FILE: file('password', 'a password\n') };
    expect(given(['key', 'new', 'a', '--rpc-url-file', file('urls', 'base=http://h/path-key')], env)).toEqual([
      ...['a password', 'path-key'],
    ]);
    mkdirSync(join(home, '.config', 'ferry'), { recursive: true });
    const networks = { a: { apiKey: 'the-api-key', chains: { b: { rpcUrl: 'http://h/path-key' } } } };
    file('.config/ferry/config.json', JSON.stringify({ networks }, null, 2));
    expect(given([], {}, home)).toEqual(['the-api-key', 'path-key']);
  });

  test('behavior: what may stand anywhere is no secret', () => {
    expect(given([], { FERRY_API_KEY: 'short', FERRY_BASE_URL: 'http://h/v1', FERRY_ACCOUNT: 'main-account' })).toEqual(
      [],
    );
  });
});

describe('assertSilent', () => {
  test('error: a secret in other letters, in colour, over several lines, and a key of the sandbox', () => {
    for (const text of [
      `x${key.toUpperCase()}`,
      `${key.slice(0, 9)}\u001b[1m${key.slice(9)}`,
      key.replace('57', '57\n  '),
      Buffer.from(key, 'hex').toString('base64'),
      Buffer.from(key).toString('base64url'),
      encodeURIComponent(`0x${key}`),
    ])
      expect(() => assertSilent(text, [key])).toThrow('A secret was printed');
    const { privateKey } = accounts.solver;
    expect(() => assertSilent(privateKey, secretsOf([], { env: {} }))).toThrow('A secret was printed');
    expect(() => assertSilent(key.slice(1), [key])).not.toThrow();
  });
});

describe('ferry', () => {
  test('error: a command that prints what stands in the path of an RPC URL', async () => {
    const env = { FERRY_RPC_URL_ALPHA: 'http://127.0.0.1:9/additionalProperties' };
    await expect(ferry(['schema', 'quote'], { env })).rejects.toThrow('A secret was printed');
  });
});
