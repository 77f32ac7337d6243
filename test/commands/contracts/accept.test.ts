import { afterAll, beforeAll, test } from 'vitest';
import { at, ferry } from '../../support/ferry.js';
import { ownNetwork } from '../../support/ownNetwork.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
test('x', async () => {
  const { env } = ownNetwork(sandbox);
  const show = async (...argv: string[]) => {
    const e = await ferry(argv, { env });
    console.log(`$ ferry ${argv.join(' ')} → ${e.code}\n${e.stderr}---\n${e.stdout}`);
  };
  await show('contracts', 'list', '--live');
  await show('contracts', 'accept', 'alpha');
  await show('contracts', 'accept', 'alpha', '--yes');
  await show('contracts', 'accept', 'alpha', '--yes');
  await show(
    'contracts',
    'accept',
    'alpha',
    '--token',
    'SEAGULL=0xB40a90fdB0163cA5C82D1959dB7e56B50A0dC016',
    '--token',
    'USDC=0x920bE130B50Dc729e778C8b4DcFE5A94D733AbF6',
    '--yes',
  );
  await show('contracts', 'list', '--check');
  await show('tokens', 'alpha');
  await show('contracts', 'accept', 'alpha', 'router=0x0000000000000000000000000000000000001234', '--yes');
  await show('contracts', 'accept', 'alpha', 'router=0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9');
  await show('contracts', 'accept', 'alpha', 'approval-proxi');
  await show('contracts', 'accept', 'beta', 'depository', '--yes', '--json');
  await show('contracts', 'list');
});
