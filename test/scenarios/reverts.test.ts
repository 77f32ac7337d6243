import { encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { type Ended, ferry } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, env } = useSandbox();

const { reverter, forwarder, delegationManager, delegator } = deployments.alpha;
const { reverter: of } = abi;
const dev0 = accounts.dev0.address;
const panic = (code: bigint) => encodeFunctionData({ abi: of, functionName: 'panic', args: [code] });
const redeem = encodeFunctionData({
  abi: abi.delegationManager,
  functionName: 'redeemDelegations',
  args: [
    [`0x${delegator.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`],
    [`0x${'0'.repeat(64)}`],
    [`0x${dev0.slice(2)}${'0'.repeat(64)}`],
  ],
});

const reverts = [
  [
    'an error string',
    reverter,
    encodeFunctionData({ abi: of, functionName: 'errorString', args: ['the tide is out\u001b[2J'] }),
  ],
  ['an overflow', reverter, panic(0x11n)],
  [
    'a known custom error',
    reverter,
    encodeFunctionData({ abi: of, functionName: 'customError', args: [dev0, 5n, 7n] }),
  ],
  ['a redemption that fails within', delegationManager, redeem],
  [
    'an error two calls down',
    forwarder,
    encodeFunctionData({ abi: abi.forwarder, functionName: 'forward', args: [reverter, panic(0x01n)] }),
  ],
] as const;

function call(to: string, data: string, ...more: readonly string[]): Promise<Ended> {
  const args = ['--chain', 'alpha', '--to', to, '--data', data, '--subsidize-fees', '--yes', '--json'];
  return ferry(['execute', 'call', ...args, ...more], { env });
}

/** A response without ids and gas, which vary. */
function settled(text: string): string {
  return text
    .replace(/0x[12][0-9]{9}[0-9a-f]{54}/g, '<request>')
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<run>')
    .replace(/"gasUsed":"\d+"/g, '"gasUsed":"<gas>"');
}

describe('execute call', () => {
  /** Of which all is recorded: a call that fails itself, and one that passes a failure on. Of the others, what differs. */
  const whole = ['a known custom error', 'an error two calls down'];

  test.each(reverts)('error: %s, as text and as JSON', async (name, to, data) => {
    const ended = await call(to, data);
    expect(ended.code).toBe(6);
    expect(ended.json().error.code).toBe('submit.simulation');
    const text = settled(ended.stderr);
    const error = JSON.parse(settled(JSON.stringify(ended.json().error)));
    const shared = /^(?:error:| +(?:status|request|run|network|funds|next:) ).*\n/gm;
    expect(whole.includes(name) ? text : text.replaceAll(shared, '')).toMatchSnapshot('text');
    expect(whole.includes(name) ? error : error.trace.revert).toMatchSnapshot('json');
  });

  test.each(reverts.slice(0, 3))('behavior: --replay: the node agrees on %s', async (_, to, data) => {
    const ended = await call(to, data, '--replay');
    expect(ended.json().error.facts['your node']).toMatch(/^agrees: /);
  });

  test('behavior: --replay: a service that makes a failure up is not confirmed', async () => {
    const failing = await call(reverter, panic(0x11n));
    const { requestId, trace: details } = failing.json().error;
    const body = { error: 'PANIC_0X11', message: 'made up', requestId, details };
    await addFault(sandbox, 'service', { kind: 'status', status: 400, body, match: { path: '/execute' } });
    const data = encodeFunctionData({ abi: of, functionName: 'succeed', args: [1n] });
    const ended = await call(reverter, data, '--replay');
    expect(ended.json().error.facts['your node']).toContain('succeeds there');
  });

  test.each([
    [401, { error: 'Unauthorized' }, 4, 'auth.refused'],
    [400, { error: 'to is required' }, 3, 'service.refused'],
    [500, { error: 'Internal server error' }, 10, 'submit.unknown'],
  ])('error: a bare %i %j', async (status, body, exit, code) => {
    await addFault(sandbox, 'service', { kind: 'status', status, body, match: { path: '/execute' } });
    const ended = await call(reverter, encodeFunctionData({ abi: of, functionName: 'succeed', args: [1n] }));
    expect([ended.code, ended.json().error.code]).toEqual([exit, code]);
  });
});
