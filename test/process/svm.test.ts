/** The sandbox's chain of Solana's kind where the optional package is not installed: beside a copy in another folder. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';

let built: BuiltFerry;
beforeAll(async () => {
  built = await buildFerry();
});
afterAll(async () => {
  await built.run(['sandbox', 'stop']);
  built.remove();
});

const json = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

test('behavior: the sandbox starts without it, says so, and everything else works', async () => {
  const started = await built.run(['sandbox', 'start', '--json']);
  expect(started.code).toBe(0);
  expect(Object.keys(json(started.stdout).data.rpcUrls)).toEqual(['alpha', 'beta']);
  const { chains } = json((await built.run(['sandbox', 'status', '--json'])).stdout).data;
  expect(chains.map(({ name, rpcUrl }: { name: string; rpcUrl: string | null }) => [name, rpcUrl !== null])).toEqual([
    ['alpha', true],
    ['beta', true],
    ['lighter', false],
  ]);
  const { stdout: variables } = await built.run(['sandbox', 'exec', '--', 'env']);
  expect([variables.includes('ALPHA_KELP='), variables.includes('SVM_')]).toEqual([true, false]);
  const logs = await built.run(['sandbox', 'logs']);
  expect(logs.stdout).toContain('starts without the chain svm: the optional package litesvm is not installed');
  const to = ['--recipient', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'];
  const refused = await built.run(['quote', '100', 'alpha/usdc', 'svm/usdc', ...to, '--json']);
  expect([refused.code, JSON.stringify(json(refused.stdout).error)]).toEqual([
    3,
    expect.stringContaining('npm install litesvm'),
  ]);
  expect((await built.run(['execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'])).code).toBe(0);
});
