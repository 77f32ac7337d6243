/** Lies by a plan: a party lies in everything that it is asked at once, so that its answers agree with each other. */
import { type Hex, keccak256, parseTransaction } from 'viem';
import * as Tampering from '../../src/sandbox/quote/Tampering.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { dustSwap } from './dustSwaps.js';
import { type Flow, flows, type Transfer } from './liarFlows.js';
import type { Answer, Lie } from './witnesses.js';

const { alpha } = deployments;
const { USDC, DAI } = alpha.tokens;

/** A plan by what it does, and the flow that it is made for. */
export const plans: readonly (readonly [name: string, plan: () => { flow: Flow; lie: Lie }])[] = [
  ['the service swaps the input to dust, which pays the order', () => ({ flow: flowOf('own gas'), lie: dust() })],
  ['the service takes a permit, calls it failed and keeps it', () => ({ flow: flowOf('permit'), lie: keptPermit() })],
  [
    'a node keeps what it is given, and shows that it reverted',
    () => ({ flow: flowOf('own gas'), lie: keptTransactions() }),
  ],
  ['the service gives a second transfer the order of the first', repeatedOrder],
  ['the service asks for a signature over a hash of its own', () => ({ flow: flowOf('permit'), lie: digest() })],
];

function flowOf(name: string): Flow {
  const flow = flows.find((each) => each.name === name);
  if (!flow) throw new Error(`no flow ${name}`);
  return flow;
}

const quote = { party: 'service', key: 'POST /quote/v2', acts: true } as const;

/** The first transfer arrives; the quote of the second is that of the first. */
function repeatedOrder(): { flow: Flow; lie: Lie } {
  let first: Exclude<Answer, 'cut off'> | undefined;
  const flow = flowOf('own gas');
  const trouble: Lie = {
    ...quote,
    tell(honest = { status: 500, body: {} }) {
      first = honest;
      return honest;
    },
  };
  const argv = (transfer: Transfer): readonly string[] => transfer.argv;
  const next = (_: string, __: string, transfer: Transfer): readonly string[] => transfer.argv;
  return {
    flow: { ...flow, begin: { party: 'state folder', isAnother: true, argv, trouble, next } },
    lie: { ...quote, tell: (honest) => first ?? honest ?? { status: 500, body: {} } },
  };
}

function digest(): Lie {
  return {
    ...quote,
    tell: ({ status, body } = { status: 500, body: {} }) => ({
      status,
      body: status === 200 ? Tampering.from(body, 'opaque-digest', { consistent: true }) : body,
    }),
  };
}

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
