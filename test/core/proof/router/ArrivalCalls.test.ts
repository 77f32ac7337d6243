import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { BaseError } from '../../../../src/core/base/Errors.js';
import { network } from '../../../../src/core/network/sandbox.js';
import type { Log } from '../../../../src/core/ports/Ports.js';
import * as ArrivalCalls from '../../../../src/core/proof/router/ArrivalCalls.js';
import type { DestinationCall } from '../../../../src/core/quote/DestinationCall.js';
import type { Intent } from '../../../../src/core/quote/TransferIntent.js';
import type * as QuoteAnswer from '../../../../src/sandbox/quote/QuoteAnswer.js';
import { accounts } from '../../../../src/sandbox/values/devAccounts.js';
import { describePublished, read } from '../../../support/published.js';

const router = '0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f';
const abi = parseAbi(['event SolverCallExecuted(address to, bytes data, uint256 amount)']);
const first: DestinationCall = { to: accounts.dev1.address, data: '0xa9059cbb', value: 0n };
const second: DestinationCall = { to: accounts.dev2.address, data: '0x', value: 5n };

describePublished('a call of a captured order', () => {
  test('default: bound as the service binds it', () => {
    const { protocol } = read('live/quote-calls-2.json') as {
      protocol: Pick<QuoteAnswer.Response, 'protocol'>['protocol'];
    };
    const [bound] = protocol?.v2?.orderData.output.calls ?? [];
    const recipient = `${'0'.repeat(60)}beef`;
    const call: DestinationCall = {
      to: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      data: `0xa9059cbb${recipient}${10_000_000n.toString(16).padStart(64, '0')}`,
      value: 0n,
    };
    expect(ArrivalCalls.bound(call)).toBe(bound);
    expect(ArrivalCalls.bound({ ...call, value: 1n })).not.toBe(bound);
  });
});

function executed({ to, data, value }: DestinationCall, address = router): Log {
  const [topic = '0x'] = encodeEventTopics({ abi }) as `0x${string}`[];
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'uint256' }] as const;
  return { address, topics: [topic], data: encodeAbiParameters(types, [to, data, value]) } as Log;
}

test.each([
  ['a solver that is short of ether', 'submit.insufficient-balance', 'the solver has too little for a simulation'],
  ['a node that does not answer', 'chain.unreachable', 'the node is gone'],
] as const)('observe: %s shows nothing, and ends nothing', async (_, code, why) => {
  const chain = network.chains.find(({ name }) => name === 'beta');
  if (!chain) throw new Error('There is no beta.');
  const intent = { calls: [first], destination: { chain, token: chain.native } } as unknown as Intent;
  const refuse = () => Promise.reject(new BaseError(code, 'the node is gone'));
  const node = { simulate: refuse, code: async () => '0x' as const };
  const [finding] = await ArrivalCalls.observe({ intent, quote: { output: 1n } }, node, accounts.solver.address);
  expect(finding).toMatchObject({
    check: 'arrival-calls',
    verdict: 'cannot verify',
    found: why,
    witnesses: ['the order'],
  });
});

test('timesMade: the router’s own reports, in the order of the calls', () => {
  const made = (...logs: Log[]): number => ArrivalCalls.timesMade({ logs }, [first, second], router);
  expect(made(executed(first), executed(second))).toBe(1);
  expect(made(executed({ ...first, data: '0xff' }), executed(first), executed(second))).toBe(1);
  expect(made(executed(first), executed(second), executed(first), executed(second))).toBe(2);
  expect(made(executed(second), executed(first))).toBe(0);
  expect(made(executed(first))).toBe(0);
  expect(made(executed(first), executed({ ...second, value: 4n }))).toBe(0);
  expect(made(executed(first), executed(second, accounts.dev3.address))).toBe(0);
});
