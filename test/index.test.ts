import { describe, expect, test } from 'vitest';
import * as ferry from '../src/index.js';
import { bundle, packageOf } from './build/build.mjs';

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

describe('the entry', () => {
  test('behavior: it loads nothing of the command line, no HTTP client and no sandbox before they are needed', async () => {
    const { outputs } = (await bundle()).metafile;
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
        if (kind === 'import-statement' && !external) load(next);
    };
    load('dist/index.js');
    const inputs = [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    expect(inputs).toContain('src/core/proof/Verification.ts');
    expect(inputs.filter((path) => /^src\/(sandbox|commands|program|context)\b/.test(path))).toEqual([]);
    const packages = new Set(inputs.flatMap((path) => packageOf(path) ?? []));
    expect(
      [...packages].filter((name) => !/^(viem|ox|abitype|zod|get-east-asian-width|@noble\/\w+)$/.test(name)),
    ).toEqual([]);
  });
});
