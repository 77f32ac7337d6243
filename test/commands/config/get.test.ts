import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/config/get.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const found = await run(command, { args: ['maxImpact'] }, await context(workbench()));
    expect(found).toEqual({ key: 'maxImpact', value: '5%', source: { kind: 'default' } });
  });

  test('behavior: a secret is shown as ***', async () => {
    const bench = workbench();
    const path = bench.write('home/.config/ferry/config.json', '{ "networks": { "mainnet": { "apiKey": "hush" } } }');
    const found = await run(command, { args: ['networks.mainnet.apiKey'] }, await context(bench));
    expect(found).toEqual({ key: 'networks.mainnet.apiKey', value: '***', source: { kind: 'user', path } });
  });

  test('error: no such setting', async () => {
    const parts = await context(workbench());
    const error = await failure('usage.invalid', () => run(command, { args: ['slipage'] }, parts));
    expect(error.hint).toBe('Did you mean slippage?');
  });
});
