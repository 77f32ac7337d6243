import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import { network as sandboxNetwork } from '../../../src/core/network/sandbox.js';
import { pinOnFirstSight } from '../../../src/setup/trustContracts.js';

import { addFault } from '../../support/faults.js';
import { at } from '../../support/ferry.js';
import { contextAt, ownNetwork } from '../../support/ownNetwork.js';
import { useSandbox } from '../../support/sandbox.js';

const { sandbox } = useSandbox();

const { contracts } = Network.chain(sandboxNetwork, 'alpha');

describe('pinOnFirstSight', () => {
  test('default: shows the reported contracts, asks once and remembers them', async () => {
    const { env } = ownNetwork(sandbox);
    const context = await contextAt(env, { answers: ['y'] });
    const alpha = Network.chain(context.network, 'alpha');
    const network = await pinOnFirstSight(alpha, context);
    expect(context.asked).toEqual([
      [
        'ferry knows no contracts on alpha. The service of mine reports that these hold the funds there:',
        `depository     → ${contracts.depository}  has code`,
        `router         → ${contracts.router}  has code`,
        `approvalProxy  → ${contracts.approvalProxy}  has code`,
        'Trust them from now on?',
      ].join('\n'),
    ]);
    const { depository, router, approvalProxy, wrapped } = contracts;
    expect(Network.chain(network, 'alpha').contracts).toEqual({ depository, router, approvalProxy, wrapped });
    // The same run, with the unpinned chain.
    expect(await pinOnFirstSight(alpha, context)).toEqual(network);
    const next = await contextAt(env, { answers: [] });
    expect(await pinOnFirstSight(Network.chain(next.network, 'alpha'), next)).toEqual(network);
    expect(next.pins.contracts(alpha)[0]).toMatchObject({ source: 'pinned', address: contracts.depository });
  });

  test.each([
    ['under --yes', { answers: [], yes: true }],
    ['without a terminal', {}],
  ])('behavior: %s, asks nothing and pins nothing', async (_, wishes) => {
    const { env, file } = ownNetwork(sandbox);
    const context = await contextAt(env, wishes);
    const network = await pinOnFirstSight(Network.chain(context.network, 'alpha'), context);
    expect(network).toEqual(context.network);
    expect(existsSync(file)).toBe(false);
  });

  test('behavior: does not query the service for shipped contracts', async () => {
    const env = { ...at(sandbox), FERRY_BASE_URL: 'http://127.0.0.1:9' };
    const context = await contextAt(env, { answers: [] });
    const network = await pinOnFirstSight(Network.chain(context.network, 'alpha'), context);
    expect(network).toEqual(context.network);
  });

  test('behavior: reports that the contracts could not be checked on the chain', async () => {
    const { env } = ownNetwork(sandbox, { rpcs: false });
    const context = await contextAt(env, { answers: ['y'] });
    await pinOnFirstSight(Network.chain(context.network, 'alpha'), context);
    expect(context.asked[0]).toContain('not checked');
    expect(context.asked[0]).toContain('No RPC URL is configured for alpha.');
  });

  test('behavior: skips an address without code', async () => {
    const { env } = ownNetwork(sandbox);
    const value = '0x0000000000000000000000000000000000001234';
    const path = '/chains/0/contracts/v3/erc20Router';
    await addFault(sandbox, 'service', { kind: 'tamper', match: { path: '/chains' }, path, value });
    const context = await contextAt(env, { answers: ['y'] });
    const network = await pinOnFirstSight(Network.chain(context.network, 'alpha'), context);
    expect(context.asked[0]).not.toContain('router ');
    expect(Network.chain(network, 'alpha').contracts.router).toBeUndefined();
    expect(Network.chain(network, 'alpha').contracts.depository).toBe(contracts.depository);
  });

  test('error: pins nothing if declined', async () => {
    const { env, file } = ownNetwork(sandbox);
    const context = await contextAt(env, { answers: ['n'] });
    const alpha = Network.chain(context.network, 'alpha');
    await expect(pinOnFirstSight(alpha, context)).rejects.toMatchObject({ code: 'prompt.declined' });
    expect(existsSync(file)).toBe(false);
  });
});
