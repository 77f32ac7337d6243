import { encodeFunctionData, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Call, maxGas, readDelegations, simulate } from '../../../src/sandbox/chain/simulateCall.js';
import { readAuthorizations } from '../../../src/sandbox/execute/authorizations.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as CallTrace from '../../../src/sandbox/values/CallTrace.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { authorize, batch } from '../../support/gasless.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { relayer, dev8, dev9 } = accounts;

function call(change: Partial<Call>): Call {
  return { from: relayer.address, to: dev9.address, data: '0x', value: 0n, authorizations: [], ...change };
}

/** A signed batch of dev9 that transfers one unit of USDC, with its authorization. */
async function signed(): Promise<Call> {
  const { alpha } = chains.current;
  const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev8.address, 1n] });
  const calls = [{ to: alpha.tokens.USDC.address, value: 0n, data }];
  const authorizations = await readAuthorizations(alpha, [await authorize(alpha, 'dev9')], 'list');
  return call({ data: await batch(alpha, 'dev9', calls), authorizations });
}

describe('simulate', () => {
  test('default: applies authorizations, without side effects', async () => {
    const { alpha } = chains.current;
    const client = connect(alpha);
    const block = await client.getBlockNumber();
    const { frame, gas } = await simulate(alpha, await signed());
    expect(frame.error).toBeUndefined();
    expect(CallTrace.logs(frame).map(({ address }) => address)).toEqual([
      dev9.address.toLowerCase(),
      alpha.tokens.USDC.address.toLowerCase(),
    ]);
    expect(gas.limit).toBeGreaterThan(gas.used);
    expect(await client.getBlockNumber()).toBe(block);
    expect(await client.getCode({ address: dev9.address })).toBeUndefined();
  });

  test('behavior: without the authorization the same call reaches an account without code', async () => {
    const { frame } = await simulate(chains.current.alpha, { ...(await signed()), authorizations: [] });
    expect([frame.error, frame.calls, frame.logs]).toEqual([undefined, undefined, undefined]);
  });

  test('behavior: a failing call has a trace', async () => {
    const { alpha } = chains.current;
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'errorString', args: ['no'] });
    const { frame } = await simulate(alpha, call({ to: alpha.reverter, data }));
    expect(frame).toMatchObject({ error: 'execution reverted', to: alpha.reverter.toLowerCase() });
    expect(frame.output).toMatch(/^0x08c379a0/);
  });

  test('behavior: the gas limit suffices despite nested calls and refunds', async () => {
    const { alpha } = chains.current;
    let data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
    let to = alpha.reverter;
    for (let depth = 0; depth < 40; depth++) {
      data = encodeFunctionData({ abi: abi.forwarder, functionName: 'forward', args: [to, data] });
      to = alpha.forwarder;
    }
    const { gas } = await simulate(alpha, call({ to, data }));
    expect(gas.limit).toBeLessThanOrEqual(maxGas);
    const client = connectAs(alpha, relayer);
    const hash = await client.sendTransaction({ to, data, gas: gas.limit });
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success', gasUsed: gas.used });
  });
});

describe('readDelegations', () => {
  test('default: current and authorized delegations', async () => {
    const { alpha } = chains.current;
    const code = `0xef0100${alpha.router.slice(2)}`.toLowerCase();
    await connect(alpha).request({ method: 'anvil_setCode', params: [dev8.address, code] } as never);
    const path = [dev8.address, alpha.router, dev8.address].map((to) => ({
      type: 'CALL',
      from: relayer.address,
      to,
      input: numberToHex(0),
    }));
    const found = await readDelegations(alpha, await signed(), path);
    expect(Object.fromEntries(found)).toEqual({
      [dev8.address.toLowerCase()]: alpha.router.toLowerCase(),
      [dev9.address.toLowerCase()]: alpha.batchExecutor,
    });
  });
});
