import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/contracts.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import { addFault } from '../../support/faults.js';
import { at, ferry } from '../../support/ferry.js';
import { ownNetwork } from '../../support/ownNetwork.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

const { contracts } = Network.chain(network, 'alpha');
const other = '0x2222222222222222222222222222222222222222';

/** Makes the next answer about chains name another depository on alpha. */
async function tamper(value: string): Promise<void> {
  const path = '/chains/0/protocol/v2/depository';
  await addFault(sandbox, 'service', { kind: 'tamper', match: { path: '/chains' }, path, value });
}

describe('run', () => {
  test('default: what ferry ships, without asking anybody', async () => {
    const ended = await ferry(['contracts', 'list', '--json'], { env: { FERRY_BASE_URL: 'http://127.0.0.1:9' } });
    const data = commands.list.output.parse(ended.json().data);
    expect(data).toMatchObject({ checked: false, chains: [{ chain: 'alpha', tokens: [] }, { chain: 'beta' }] });
    const nothing = { at: null, instead: null, live: null, differs: null };
    const shipped = { contract: 'depository', address: contracts.depository, source: 'shipped' };
    expect(ended.json().data.chains[0].contracts[0]).toEqual({ ...shipped, ...nothing });
  });

  test('behavior: one chain, beside the service', async () => {
    const ended = await ferry(['contracts', 'list', 'alpha', '--live'], { env: at(sandbox) });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toBe(
      [
        'Network  sandbox',
        'alpha 313371',
        `depository     ✓ ${contracts.depository}  shipped`,
        `router         ✓ ${contracts.router}  shipped`,
        `approvalProxy  ✓ ${contracts.approvalProxy}  shipped`,
        `wrapped          ${contracts.wrapped}  shipped`,
        `batchExecutor    ${contracts.batchExecutor}  shipped`,
        '',
      ].join('\n'),
    );
  });

  test('behavior: a difference is shown, and fails only under --check', async () => {
    await tamper(other);
    const shown = await ferry(['contracts', 'list', 'alpha', '--live'], { env: at(sandbox) });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`depository     ≠ ${contracts.depository}  shipped`);
    expect(shown.stdout).toContain(`${other}  from the service`);
    expect(shown.stdout).toContain('ferry contracts accept alpha');
    await tamper(other);
    const failed = await ferry(['contracts', 'list', '--check', '--json'], { env: at(sandbox) });
    expect(failed.code).toBe(12);
    expect(failed.json()).toMatchObject({ ok: true, data: { checked: true } });
    expect((await ferry(['contracts', 'list', '--check'], { env: at(sandbox) })).code).toBe(0);
  });

  test('behavior: what the service says cannot act on a terminal', async () => {
    await tamper('\u001b[2J\u202e');
    const ended = await ferry(['contracts', 'list', 'alpha', '--live'], { env: at(sandbox) });
    expect(ended.stdout).toMatch(/\\x1b\[2J\\u\{202e\} +from the service/);
    await tamper('soon\n');
    const { chains } = (await ferry(['contracts', 'list', '--live', '--json'], { env: at(sandbox) })).json().data;
    expect(chains[0].contracts[0]).toMatchObject({ live: 'soon\\x0a', differs: true });
  });

  test('behavior: a network whose contracts ferry does not ship, before and after they are accepted', async () => {
    const { env } = ownNetwork(sandbox);
    const list = async (...more: string[]) => ferry(['contracts', 'list', 'beta', ...more], { env });
    expect((await list('--check')).code).toBe(12);
    expect((await list('--live')).stdout).toContain(`depository     ≠ ${contracts.depository}  unknown`);
    await ferry(['contracts', 'accept', 'beta', '--yes'], { env });
    expect((await list('--check')).code).toBe(0);
    expect((await list()).stdout).toMatch(/^depository {7}0x\w{40} {2}pinned \d{4}-\d\d-\d\d$/m);
  });

  test('behavior: mainnet’s contracts fit 80 columns, and the venue has none', async () => {
    const ended = await ferry(['contracts', 'list', '--network', 'mainnet']);
    expect(ended.stdout).toMatch(/^base 8453\ndepository /m);
    expect(ended.stdout).not.toContain('lighter');
    expect(Math.max(...ended.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await ferry(['contracts', 'list', 'lighter', '--network', 'mainnet'])).stdout).toBe(
      'Network  mainnet, real money\nNo contracts.\n',
    );
  });
});
