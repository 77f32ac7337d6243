import { describe, expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0 } = accounts;

describe('latestRoundData', () => {
  test('default: the rate of the pool, which moves with it', async () => {
    const { alpha } = chains.current;
    const address = Network.chain(network, 'alpha').feeds?.GULL?.address ?? '0x';
    const client = connect(alpha);
    const read = () => client.readContract({ address, abi: abi.priceFeed, functionName: 'latestRoundData' });
    const [, before, , updatedAt] = await read();
    expect(before).toBe(25_000_000n);
    expect(updatedAt).toBe((await client.getBlock()).timestamp);

    const pool = await client.readContract({ address, abi: abi.priceFeed, functionName: 'pool' });
    const { USDC } = alpha.tokens;
    const amount = 100_000n * 10n ** 6n;
    await approve(alpha, dev0, USDC.address, pool, amount);
    const args = [USDC.address, amount, 0n, dev0.address] as const;
    await send(alpha, dev0, { address: pool, abi: abi.pool, functionName: 'swapExactIn', args });
    const [, after] = await read();
    const [reserve0, reserve1] = await client.readContract({ address: pool, abi: abi.pool, functionName: 'reserves' });
    expect(after).toBe((reserve1 * 10n ** 20n) / reserve0);
    expect(after).toBeGreaterThan(before);
  });
});
