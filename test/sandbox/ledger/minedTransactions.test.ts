import { expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { read, tokensReceived, waitFor } from '../../../src/sandbox/ledger/minedTransactions.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { send, useChains } from '../../support/chains.js';
import { connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const unknown = `0x${'12'.repeat(32)}` as const;

test('read: unknown and pending transactions', async () => {
  const { alpha } = chains.current;
  expect(await read(alpha, unknown)).toBeUndefined();
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
  const hash = await connectAs(alpha, accounts.dev0).sendTransaction({ to: accounts.dev1.address, value: 1n });
  expect(await read(alpha, hash)).toBe('pending');
  const waiting = waitFor(alpha, hash, new AbortController().signal);
  await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
  expect(await waiting).toMatchObject({ hash, isSuccess: true });
});

test('tokensReceived: incoming minus outgoing', async () => {
  const { alpha } = chains.current;
  const { address } = alpha.tokens.USDC;
  const [from, to] = [accounts.dev0, accounts.dev1];
  const transfer = { address, abi: abi.token, functionName: 'transfer', args: [to.address, 5n] };
  const mined = await read(alpha, (await send(alpha, from, transfer)).transactionHash);
  if (!mined || mined === 'pending') throw new Error('It is not mined.');
  expect([to, from].map((each) => tokensReceived(mined, address, each.address))).toEqual([5n, -5n]);
});

test('waitFor: aborted', async () => {
  const end = new AbortController();
  const waiting = waitFor(chains.current.alpha, unknown, end.signal);
  end.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
});
