import { expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { read, waitFor } from '../../../src/sandbox/ledger/minedTransactions.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { connectAs } from '../../support/nodeClients.js';

const { alpha } = useChains();
const unknown = `0x${'12'.repeat(32)}` as const;

test('read: unknown and pending transactions', async () => {
  expect(await read(alpha, unknown)).toBeUndefined();
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
  const hash = await connectAs(alpha, accounts.dev0).sendTransaction({ to: accounts.dev1.address, value: 1n });
  expect(await read(alpha, hash)).toBe('pending');
  const waiting = waitFor(alpha, hash, new AbortController().signal);
  await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
  expect(await waiting).toMatchObject({ hash, isSuccess: true });
});

test('waitFor: aborted', async () => {
  const end = new AbortController();
  const waiting = waitFor(alpha, unknown, end.signal);
  end.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
});
