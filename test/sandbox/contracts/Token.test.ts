import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1, alphaTokens } = accounts;

describe('decimals', () => {
  test('default', async () => {
    const client = connect(chains.current.alpha);
    for (const { address, ...token } of Object.values(chains.current.alpha.tokens)) {
      const contract = { address, abi: abi.token };
      expect({
        symbol: await client.readContract({ ...contract, functionName: 'symbol' }),
        name: await client.readContract({ ...contract, functionName: 'name' }),
        decimals: await client.readContract({ ...contract, functionName: 'decimals' }),
      }).toEqual({ symbol: token.symbol, name: token.name, decimals: token.decimals });
    }
  });
});

describe('mint', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    for (const { address } of [alpha.tokens.GULL, alpha.tokens.USDC, alpha.tokens.USDT]) {
      const before = await balance(alpha, address, dev1.address);
      const call = { address, abi: abi.token, functionName: 'mint', args: [dev1.address, 3n] };
      await send(alpha, alphaTokens, call);
      expect(await balance(alpha, address, dev1.address)).toBe(before + 3n);
    }
  });

  test('error: not the deployer', async () => {
    const { tokens } = chains.current.alpha;
    const call = { address: tokens.GULL.address, abi: abi.token, functionName: 'mint', args: [dev1.address, 3n] };
    expect(await revert(chains.current.alpha, dev0, call)).toBe(`OwnableUnauthorizedAccount(${dev0.address})`);
  });
});

describe('transferFrom', () => {
  test('error: without an allowance', async () => {
    const { tokens } = chains.current.alpha;
    const args = [dev0.address, dev1.address, 3n];
    const call = { address: tokens.GULL.address, abi: abi.token, functionName: 'transferFrom', args };
    expect(await revert(chains.current.alpha, dev1, call)).toBe(`ERC20InsufficientAllowance(${dev1.address}, 0, 3)`);
  });
});
