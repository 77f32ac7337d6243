import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { createTransactionQueue, type Send } from '../../../src/sandbox/chain/transactionQueue.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { solver, dev1 } = accounts;
const call = { to: dev1.address, data: '0x', value: 1n, gas: 21_000n } as const;

function sender() {
  return createTransactionQueue(chains.current.alpha, solver);
}

describe('createTransactionQueue', () => {
  test('default: reports the hash before broadcasting', async () => {
    const order: string[] = [];
    const sending = await sender().runExclusive(async (send) => {
      const sent = await send(call, (signed) => order.push(signed));
      order.push('sent');
      return sent;
    });
    expect(order).toEqual([sending, 'sent']);
    const receipt = await connect(chains.current.alpha).waitForTransactionReceipt({ hash: sending });
    expect(receipt).toMatchObject({ status: 'success', from: solver.address.toLowerCase() });
  });

  test('behavior: concurrent calls get consecutive nonces in order', async () => {
    const one = sender();
    const client = connect(chains.current.alpha);
    const first = await client.getTransactionCount({ address: solver.address, blockTag: 'pending' });
    const hashes = await Promise.all(Array.from({ length: 25 }, () => one.runExclusive((send) => send(call))));
    const sent = await Promise.all(hashes.map((hash) => client.getTransaction({ hash })));
    expect(sent.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 25 }, (_, index) => first + index));
  });

  test('behavior: rejected transactions consume no nonce, and outside use of the account is tolerated', async () => {
    const one = sender();
    const refused = (send: Send) => send({ ...call, gas: 20_000n });
    await expect(one.runExclusive(refused)).rejects.toThrow(nodeRpc.NodeRpcError);
    const client = connectAs(chains.current.alpha, solver);
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: dev1.address, value: 1n }) });
    const hash = await one.runExclusive((send) => send(call));
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  });

  test('behavior: authorizations apply before the call', async () => {
    const { alpha } = chains.current;
    const client = connect(alpha);
    const one = sender();
    const signed = await privateKeyToAccount(dev1.privateKey).signAuthorization({
      chainId: alpha.id,
      contractAddress: alpha.batchExecutor,
      nonce: await client.getTransactionCount({ address: dev1.address }),
    });
    const gas = 150_000n;
    const hash = await one.runExclusive((send) => send({ ...call, gas, authorizations: [signed] }));
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    const code = `0xef0100${alpha.batchExecutor.slice(2).toLowerCase()}`;
    expect(await client.getCode({ address: dev1.address })).toBe(code);
  });
});
