import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/commands/config/set.js';
import { context, failure, run, type Workbench, workbench } from '../../support/workbench.js';

const written = (bench: Workbench) => JSON.parse(readFileSync(join(bench.home, '.config/ferry/config.json'), 'utf8'));

describe('run', () => {
  test('default', async () => {
    const bench = workbench();
    const done = await run(command, { args: ['maxImpact', '3'] }, await context(bench));
    expect(done).toEqual({ key: 'maxImpact', value: '3%', path: join(bench.home, '.config/ferry/config.json') });
    expect((await context(bench)).config.maxImpactBps.value).toBe(300);
  });

  test('behavior: a secret is asked', async () => {
    const bench = workbench();
    const parts = await context(bench, { answers: ['hush'] });
    const done = await run(command, { args: ['networks.mainnet.apiKey'] }, parts);
    expect(done.value).toBe('***');
    expect(written(bench)).toEqual({ networks: { mainnet: { apiKey: 'hush' } } });
  });

  test('behavior: a secret is read from stdin', async () => {
    const bench = workbench({ stdin: 'hush\n' });
    await run(command, { args: ['networks.mainnet.apiKey', '-'] }, await context(bench));
    expect(written(bench)).toEqual({ networks: { mainnet: { apiKey: 'hush' } } });
  });

  test('error: a secret as an argument is neither kept nor repeated', async () => {
    const bench = workbench();
    const parts = await context(bench);
    const error = await failure('usage.invalid', () =>
      run(command, { args: ['networks.mainnet.apiKey', 'hush'] }, parts),
    );
    expect(`${error.stack} ${JSON.stringify(error.facts)} ${error.next}`).not.toContain('hush');
    expect(existsSync(join(bench.home, '.config'))).toBe(false);
  });

  test.each([
    ['a key that does not exist', ['slipage', '1'], 'usage.invalid'],
    ['a value it cannot have', ['slippage', 'lots'], 'usage.invalid'],
    ['no value', ['slippage'], 'usage.missing'],
    ['no value and nobody to ask', ['networks.mainnet.apiKey'], 'usage.missing'],
    ['a network that does not exist', ['network', 'mainnt'], 'config.unknown-network'],
    ['a private key', ['privateKey', '-'], 'usage.invalid'],
  ])('error: %s writes nothing', async (_, args, code) => {
    const bench = workbench();
    const parts = await context(bench);
    await failure(code, () => run(command, { args }, parts));
    expect(existsSync(join(bench.home, '.config'))).toBe(false);
  });
});
