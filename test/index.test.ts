import { describe, expect, test } from 'vitest';
import * as ferry from '../src/index.js';

describe('run', () => {
  test('default: a command line in the caller’s own process', async () => {
    let stdout = '';
    const host = ferry.host(new AbortController().signal);
    const code = await ferry.run(['chains', '--json'], {
      ...host,
      env: {},
      stdout: { write: (text) => (stdout += text) },
    });
    expect([code, JSON.parse(stdout).schema]).toEqual([0, 'ferry.chains/1']);
  });
});
