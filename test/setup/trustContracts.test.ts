import { describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { connect, propose } from '../../src/setup/trustContracts.js';
import { at } from '../support/ferry.js';
import { contextAt, ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('propose', () => {
  test('default: unknown contracts that the service reports, checked for code', async () => {
    const context = await contextAt(ownNetwork(sandbox).env);
    const { contracts, notLooked } = await propose(Network.chain(context.network, 'beta'), [], context);
    expect(contracts.map(({ contract, hasCode }) => [contract, hasCode])).toEqual([
      ['depository', true],
      ['router', true],
      ['approvalProxy', true],
    ]);
    expect(notLooked).toBeUndefined();
  });

  test('behavior: queries no node if all contracts are known', async () => {
    const context = await contextAt({ FERRY_BASE_URL: sandbox.baseUrl });
    const alpha = Network.chain(context.network, 'alpha');
    expect(await propose(alpha, [], context)).toEqual({ contracts: [], notLooked: undefined });
  });

  test('behavior: an unreachable node', async () => {
    const env = { ...ownNetwork(sandbox).env, FERRY_RPC_URL_ALPHA: 'http://127.0.0.1:9' };
    const context = await contextAt(env);
    const { contracts, notLooked } = await propose(Network.chain(context.network, 'alpha'), [], context);
    expect(contracts.map(({ hasCode }) => hasCode)).toEqual([null, null, null]);
    expect(notLooked).toMatch(/alpha/);
  });
});

describe('connect', () => {
  test('default', async () => {
    const context = await contextAt(at(sandbox));
    const node = await connect(Network.chain(context.network, 'alpha'), context);
    expect(await node.chainId()).toBe(313371);
  });

  test('error: a node of another chain', async () => {
    const context = await contextAt({ ...at(sandbox), FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.beta });
    const alpha = Network.chain(context.network, 'alpha');
    await expect(connect(alpha, context)).rejects.toMatchObject({ code: 'chain.wrong-chain' });
  });
});
