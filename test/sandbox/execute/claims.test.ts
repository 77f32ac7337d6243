import { expect, test } from 'vitest';
import { balanceOf, executeClaim, feeCurrency, prepareClaim, stateOf } from '../../../src/sandbox/execute/claims.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { instanceOn } from '../../support/instances.js';

const chains = useChains();

test('error: nothing was earned, and a signature that is none', async () => {
  const instance = instanceOn(chains.current);
  const { address } = accounts.dev5;
  const { node, token } = feeCurrency(instance);
  expect([node.name, token.symbol]).toEqual(['alpha', 'USDC']);
  expect(balanceOf(instance, address)).toBe(0n);
  const request = { chainId: node.id, currency: token.address, recipient: address };
  expect(() => prepareClaim(instance, address, request)).toThrow('Insufficient balance');
  const wanted = { wallet: address, recipient: address, chainId: node.id, amount: 1n, createdAtMs: 1 };
  const claim = { ...wanted, id: `0x${'1'.repeat(64)}`, hash: undefined } as const;
  const submission = { request: { kind: 'claim', requestId: claim.id }, signature: '0x12' } as const;
  await expect(executeClaim(instance, claim, submission)).rejects.toThrow('Invalid signature');
  expect(await stateOf(instance, claim)).toBe('pending');
});
