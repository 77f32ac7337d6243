/** A customer without gas at the sandbox's service: dev9, unless something else is asked for. */
import type { Hex } from 'viem';
import { expect } from 'vitest';
import type { JsonValue } from '../../src/sandbox/values/BigintJson.js';
import { key, type Service, type Wish } from './customer.js';

export type Answer = [status: number, body: Record<string, unknown>];

export function gaslessCustomer(service: Service) {
  return {
    /** The answer to a gasless call. */
    async execute(body: unknown): Promise<Answer> {
      const answer = await service.post('/execute', body, key);
      return [answer.status, (await answer.json()) as Record<string, unknown>];
    },
    /** A bridge of 10 USDC whose execution fee holds the origin gas. */
    quote(change: Partial<Wish> = {}) {
      return service.quote({ ...bridge, originGasOverhead: 80_000, ...change });
    },
    /** What becomes of a call that is accepted. */
    async end([status, { requestId }]: Answer) {
      expect(status).toBe(200);
      const { inTxHashes, txHashes, ...rest } = await service.end(String(requestId));
      return { ...rest, inTxHashes: (inTxHashes ?? []) as Hex[], txHashes: (txHashes ?? []) as Hex[] };
    },
    /** Dollars of a record's execution and sponsored fee as they came out, and of the gas of all its transactions. */
    async costs(requestId: string) {
      const { data } = await service.record(requestId);
      const gas = [...(data?.inTxs ?? []), ...(data?.outTxs ?? [])].reduce((sum, tx) => sum + Number(tx.feeUsd), 0);
      const { execution, sponsored } = data?.fees?.actual ?? {};
      return { gas, execution: Number(execution?.usd), sponsored: Number(sponsored?.usd) };
    },
    /** What the sponsor has, in millionths of a dollar. */
    sponsorBalance(): bigint {
      return service.sandbox.sponsorBalanceUsd();
    },
    /** Makes the sponsor poor or rich. */
    async sponsorHas(usd: bigint): Promise<void> {
      const saved = service.sandbox.saved() as Record<string, JsonValue>;
      await service.restart({ ...saved, sponsorBalanceUsd: { $bigint: usd.toString() } });
    },
  };
}

const bridge = { from: 'alpha/USDC', to: 'beta/USDC', amount: '10000000', account: 'dev9' } as const;
