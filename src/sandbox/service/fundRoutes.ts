/** The control plane's faucet: pays any amount of a currency to an address. */

import { Hono } from 'hono';
import { encodeFunctionData } from 'viem';
import * as z from 'zod/mini';
import { isEqual, native } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { readMarketOf } from '../chain/readMarket.js';
import { messageError } from '../http/HttpError.js';
import { readJson } from '../http/validation.js';
import { chainContext, type Instance, nodeOf } from '../settlement/instance.js';
import * as abi from '../values/abi.js';
import * as PartyAccount from '../values/PartyAccount.js';

const request = z.strictObject({
  chainId: z.int(),
  currency: z.string(),
  to: z.string(),
  amount: z.string().check(z.regex(/^[1-9]\d{0,77}$/)),
});

/** Enough for a contract that is told of what it receives. */
const gas = 200_000n;

const tooMuch = messageError(400, 'The sandbox has not so much, or the receiver refuses it');

export function fundRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post('/fund', async (c) => {
    const { chainId, currency, to, amount } = await readJson(c.req.raw, request);
    const token = PartyAccount.toAddress(currency);
    const receiver = PartyAccount.toAddress(to);
    if (!nodeOf(instance, chainId)) throw messageError(400, `The sandbox has no chain ${chainId}`);
    if (!token || !receiver) throw messageError(400, 'currency and to must be addresses');
    const { node, solver } = chainContext(instance, chainId);
    const known = Object.values(node.tokens).some(({ address }) => isEqual(address, token));
    if (!known && token !== native) throw messageError(400, `The sandbox has no currency ${token} on ${node.name}`);
    // The solver holds more of everything than anybody needs, and its transactions are kept with the chain.
    const txHash = await solver.runExclusive(async (send) => {
      const fees = await readMarketOf(instance.nodes, node, instance.clock());
      const call = known
        ? {
            to: token,
            data: encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [receiver, BigInt(amount)] }),
            value: 0n,
          }
        : { to: receiver, data: '0x' as Hex, value: BigInt(amount) };
      return send({ ...call, gas }, fees).catch((error: unknown) => {
        throw error instanceof nodeRpc.NodeRpcError ? tooMuch : error;
      });
    });
    if (!(await succeeded(node.rpcUrl, txHash))) throw tooMuch;
    return c.json({ txHash });
  });

  return app;
}

/** Whether a transaction succeeded, once it is mined. */
async function succeeded(rpcUrl: string, hash: Hex): Promise<boolean> {
  for (let left = 500; left > 0; left--) {
    const receipt = (await nodeRpc.call(rpcUrl, 'eth_getTransactionReceipt', hash)) as { status: Hex } | null;
    if (receipt) return receipt.status === '0x1';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw messageError(503, 'The chain does not mine');
}
