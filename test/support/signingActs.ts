/** What an account is asked to sign, and a key of its own that signs it. */
import { privateKeyToAccount } from 'viem/accounts';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import type { Transaction, TypedData } from '../../src/core/ports/Ports.js';
import type { Act } from '../../src/core/signing/SigningAct.js';

export const owner = privateKeyToAccount(DevelopmentAccount.key(1));
export const stranger = privateKeyToAccount(DevelopmentAccount.key(2));

export const chainId = 31_337_001;

export const transaction: Transaction = {
  ...{ chainId, nonce: 7, to: DevelopmentAccount.address(3), data: '0x1234ab', value: 5n, gas: 60_000n },
  ...{ maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
};

export const wanted = { chainId, address: DevelopmentAccount.address(4), nonce: 8 };

export const typed: TypedData = {
  domain: { name: 'Coin', version: '2', chainId, verifyingContract: DevelopmentAccount.address(5) },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'parts', type: 'Part[]' },
    ],
    Part: [
      { name: 'id', type: 'bytes32' },
      { name: 'data', type: 'bytes' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: owner.address, value: 2n ** 200n, parts: [{ id: `0x${'07'.repeat(32)}`, data: '0x01' }] },
};

/** One of each kind. */
export const acts: Readonly<Record<Act['type'], Act>> = {
  transaction: { type: 'transaction', transaction },
  'typed-data': { type: 'typed-data', typed },
  message: { type: 'message', message: 'Transfer\n5 USDC', chainId },
  authorization: { type: 'authorization', wanted },
};
