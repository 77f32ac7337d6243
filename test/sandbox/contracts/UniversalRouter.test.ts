import { encodeAbiParameters, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';

const chains = useChains();
const { dev0, dev1 } = accounts;

describe('execute', () => {
  test('default: a balance of at least the minimum passes, and nothing moves', async () => {
    const { alpha } = chains.current;
    const held = await balance(alpha, alpha.tokens.DAI.address, dev1.address);
    const receipt = await send(alpha, dev0, check(alpha, ['0x0e', held]));
    expect([receipt.status, receipt.logs]).toEqual(['success', []]);
  });

  test('error: a balance below the minimum', async () => {
    const { alpha } = chains.current;
    const held = await balance(alpha, alpha.tokens.DAI.address, dev1.address);
    const tooMuch = ['0x0e', held + 1n] as const;
    // The selector of BalanceTooLow.
    expect(await revert(alpha, dev0, check(alpha, tooMuch))).toBe('ExecutionFailed(0, 0xa3281672)');
    expect(await revert(alpha, dev0, check(alpha, ['0x0e', held], tooMuch))).toBe('ExecutionFailed(1, 0xa3281672)');
  });

  test('behavior: with the flag a command may fail', async () => {
    const { alpha } = chains.current;
    expect((await send(alpha, dev0, check(alpha, ['0x8e', 2n ** 255n]))).status).toBe('success');
  });

  test('error: commands that it does not have, and inputs that do not match them', async () => {
    const { alpha } = chains.current;
    expect(await revert(alpha, dev0, check(alpha, ['0x04', 0n]))).toBe('InvalidCommandType(4)');
    expect(await revert(alpha, dev0, { ...check(alpha), args: ['0x0e', []] })).toBe('LengthMismatch()');
  });
});

/** Commands about dev1's balance of DAI. */
function check(chain: Chain, ...commands: readonly (readonly [command: Hex, minimum: bigint])[]): Call {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const;
  const inputs = commands.map(([, least]) =>
    encodeAbiParameters(types, [dev1.address, chain.tokens.DAI.address, least]),
  );
  const bytes: Hex = `0x${commands.map(([command]) => command.slice(2)).join('')}`;
  return { address: chain.universalRouter, abi: abi.universalRouter, functionName: 'execute', args: [bytes, inputs] };
}
