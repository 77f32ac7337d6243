import { type Client, createClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { beforeAll, describe, expect, test } from 'vitest';
import { usedNonce } from '../../../src/io/chain/usedNonce.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { startNode } from '../../support/node.js';

const chain = { ...anvil, id: 313371 };
const [owner, relayer] = [accounts.dev0, accounts.dev1].map(({ privateKey }) => privateKeyToAccount(privateKey));

let rpcUrl: string;
let client: Client;
beforeAll(async () => {
  rpcUrl = await startNode();
  client = createClient({ chain, transport: http(rpcUrl) });
});

describe('usedNonce', () => {
  test('behavior: a nonce that a delegation has used was used by the transaction that carries it', async () => {
    if (!owner || !relayer) throw new Error('There are two accounts.');
    const wallet = createWalletClient({ account: relayer, chain, transport: http(rpcUrl) });
    expect(await usedNonce(owner.address, 0, client)).toEqual({ state: 'free' });
    const authorization = await owner.signAuthorization({ address: relayer.address, chainId: chain.id, nonce: 0 });
    const hash = await wallet.sendTransaction({ to: owner.address, authorizationList: [authorization] });
    await expect.poll(() => usedNonce(owner.address, 0, client)).toMatchObject({ state: 'found', hash });
    expect(await usedNonce(owner.address, 1, client)).toEqual({ state: 'free' });
  });
});
