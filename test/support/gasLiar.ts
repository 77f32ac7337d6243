/** A node that lies about gas: everything else is the answer of a real node behind it. */
import type { Hex } from 'viem';
import { parseTransaction } from 'viem/utils';
import { type Behaviour, json } from './loopback.js';
import { ask, inFrontOf, passOn } from './node.js';

/** The methods that say what gas costs. */
export const lies = [
  'eth_feeHistory',
  'eth_maxPriorityFeePerGas',
  'eth_gasPrice',
  'eth_getBlockByNumber',
  'eth_estimateGas',
  'eth_simulateV1',
] as const;

export type Lie = (typeof lies)[number];

/** 0.05 ETH per unit of gas. */
const absurd = '0xb1a2bc2ec50000';

/** 30 million units, as many as a block has. */
const wholeBlock = '0x1c9c380';

export type GasLiar = {
  url: string;
  /** Most that each transaction that was sent can cost in gas, in wei. */
  signedFor(): bigint[];
  /** The tip of each, in wei per unit of gas. */
  tips(): bigint[];
  /** Calls back once a transaction was sent and the node has answered. */
  onSent(act: () => void): void;
};

/** A node in front of a real one that tells the given lies; without any it is honest. */
export async function gasLiar(rpcUrl: string, told: readonly Lie[]): Promise<GasLiar> {
  const result =
    (change: (honest: unknown) => unknown): Behaviour =>
    (response, request) => {
      const { id, method, params } = JSON.parse(request.body) as { id: number; method: string; params: unknown[] };
      // Of what the node refuses itself, such as an estimate of a call that fails, nothing can be said.
      ask(rpcUrl, method, ...params).then(
        (honest) => json({ jsonrpc: '2.0', id, result: change(honest) })(response, request),
        (error: Error) => json({ jsonrpc: '2.0', id, error: { code: 3, message: error.message } })(response, request),
      );
    };
  const behaviours: Record<Lie, Behaviour> = {
    eth_feeHistory: result((honest) => {
      const { gasUsedRatio } = honest as { gasUsedRatio: number[] };
      return {
        ...(honest as object),
        gasUsedRatio: gasUsedRatio.map(() => 0.5),
        reward: gasUsedRatio.map(() => [absurd]),
      };
    }),
    eth_maxPriorityFeePerGas: result(() => absurd),
    eth_gasPrice: result(() => absurd),
    eth_getBlockByNumber: result((honest) => honest && { ...honest, baseFeePerGas: absurd }),
    eth_estimateGas: result(() => wholeBlock),
    eth_simulateV1: result((honest) =>
      (honest as { calls: object[] }[]).map((block) => ({
        ...block,
        calls: block.calls.map((each) => ({ ...each, gasUsed: wholeBlock })),
      })),
    ),
  };
  let heard = (): void => {};
  const { url, seen } = await inFrontOf(rpcUrl, {
    ...Object.fromEntries(told.map((lie) => [lie, behaviours[lie]])),
    eth_sendRawTransaction: (response, request) => {
      response.once('finish', () => heard());
      passOn(rpcUrl)(response, request);
    },
  });
  const sent = () =>
    seen.flatMap(({ body }) => {
      const { method, params } = JSON.parse(body) as { method: string; params: [Hex] };
      return method === 'eth_sendRawTransaction' ? [parseTransaction(params[0])] : [];
    });
  return {
    url,
    signedFor: () => sent().map(({ gas = 0n, maxFeePerGas = 0n }) => gas * maxFeePerGas),
    onSent: (act) => {
      heard = act;
    },
    tips: () => sent().map(({ maxPriorityFeePerGas = 0n }) => maxPriorityFeePerGas),
  };
}
