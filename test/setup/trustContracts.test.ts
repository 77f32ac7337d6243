import { describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { connect, propose } from '../../src/setup/trustContracts.js';
import { at } from '../support/ferry.js';
import { contextAt } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('propose', () => {
  test('behavior: queries no node if all contracts are known', async () => {
    const context = await contextAt({ FERRY_BASE_URL: sandbox.baseUrl });
    const alpha = Network.chain(context.network, 'alpha');
    expect(await propose(alpha, [], context)).toEqual({ contracts: [], notLooked: undefined });
  });
});

describe('connect', () => {
  test('error: a node of another chain', async () => {
    const context = await contextAt({ ...at(sandbox), FERRY_RPC_URL_ALPHA: sandbox.rpcUrls.beta });
    const alpha = Network.chain(context.network, 'alpha');
    await expect(connect(alpha, context)).rejects.toMatchObject({ code: 'chain.wrong-chain' });
  });
});
