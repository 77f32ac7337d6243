/** Lies by a plan: a party lies in everything that it is asked at once, so that its answers agree with each other. */
import { type Hex, keccak256, parseTransaction } from 'viem';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { dustSwap } from './dustSwaps.js';
import type { Lie } from './witnesses.js';

const { alpha } = deployments;
const { USDC, DAI } = alpha.tokens;

/** A plan by what it does, and the flow that it is made for. */
export const plans: readonly (readonly [name: string, flow: string, lie: () => Lie])[] = [
  ['the service swaps the input to dust, which pays the order', 'own gas', dust],
  ['the service takes a permit, calls it failed and keeps it', 'permit', keptPermit],
  ['a node keeps what it is given, and shows that it reverted', 'own gas', keptTransactions],
];

function dust(): Lie {
  const pool = alpha.pools.find(({ token0, token1 }) => [token0, token1].includes(DAI.address))?.address ?? '0x';
  const { router, depository, approvalProxy, aggregator, swapExecutor } = alpha;
  return {
    ...{ party: 'service', key: 'POST /quote/v2', acts: true },
    async tell(honest) {
      const { status, body } = honest ?? { status: 500, body: {} };
      if (status !== 200) return { status, body };
      const answer = await dustSwap(body as Parameters<typeof dustSwap>[0], {
        contracts: { router, depository, approvalProxy, aggregator, swapExecutor, wrapped: alpha.tokens.WETH.address },
        currency: { chainId: alpha.id, address: DAI.address, symbol: 'DAI', decimals: 18 },
        ...{ amount: 1_000n, swapped: 1n },
        hops: [{ pool, tokenIn: USDC.address, tokenOut: DAI.address }],
      });
      return { status, body: answer };
    },
  };
}

function keptPermit(): Lie {
  let isTaken = false;
  return {
    ...{ party: 'service', key: 'POST /execute/permits', acts: false },
    tell() {
      isTaken = true;
      return { status: 200, body: { message: 'Success', steps: [] } };
    },
    also: [
      {
        ...{ party: 'service', key: 'GET /intents/status/v3', acts: true },
        tell: (honest) => ({ status: 200, body: isTaken ? { status: 'failure', txHashes: [] } : honest?.body }),
      },
    ],
  };
}

/** The nonces of what it keeps are used, as it says, and its receipts are of the first block. */
function keptTransactions(): Lie {
  const kept = new Map<string, number>();
  const next = (): number => Math.max(0, ...[...kept.values()].map((nonce) => nonce + 1));
  const result = (value: unknown) => ({ status: 200, body: { jsonrpc: '2.0', id: 0, result: value } });
  const resultOf = (honest: unknown): unknown => (honest as { result?: unknown } | undefined)?.result;
  const counting = (tag: string): Lie => ({
    ...{ party: 'alpha', key: `eth_getTransactionCount${tag}`, acts: true },
    tell: (honest) => result(`0x${Math.max(Number(resultOf(honest?.body)), next()).toString(16)}`),
  });
  return {
    ...{ party: 'alpha', key: 'eth_sendRawTransaction', acts: false },
    tell(_, __, { body }) {
      const [raw] = JSON.parse(body).params as [Hex];
      kept.set(keccak256(raw), parseTransaction(raw).nonce ?? 0);
      return result(keccak256(raw));
    },
    also: [
      counting(''),
      counting(' latest'),
      counting(' pending'),
      {
        ...{ party: 'alpha', key: 'eth_getTransactionReceipt', acts: true },
        tell(honest, _, { body }) {
          const [hash = ''] = JSON.parse(body).params as string[];
          if (!kept.has(hash)) return result(resultOf(honest?.body));
          const zero = `0x${'00'.repeat(32)}`;
          const mined = { transactionHash: hash, transactionIndex: '0x0', blockHash: zero, blockNumber: '0x1' };
          const gas = { gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' };
          const rest = {
            from: USDC.address,
            to: USDC.address,
            logs: [],
            logsBloom: `0x${'00'.repeat(256)}`,
            type: '0x2',
          };
          return result({ ...mined, ...gas, ...rest, contractAddress: null, status: '0x0' });
        },
      },
    ],
  };
}
