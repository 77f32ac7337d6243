/** A customer without gas at the sandbox's service, by default dev9. */
import type { Hex } from 'viem';
import { expect } from 'vitest';
import { key, type Service, type Wish } from './customer.js';

export type Answer = [status: number, body: Record<string, unknown>];

export function gaslessCustomer(service: Service) {
  return {
    /** Submits a gasless call; returns the response. */
    async execute(body: unknown): Promise<Answer> {
      return (await service.posted('/execute', body, key)) as Answer;
    },
    /** A bridge of 10 USDC whose execution fee holds the origin gas. */
    quote(change: Partial<Wish> = {}) {
      return service.quote({ ...bridge, originGasOverhead: 80_000, ...change });
    },
    /** Waits for the outcome of an accepted call. */
    async end([status, { requestId }]: Answer) {
      expect(status).toBe(200);
      const { inTxHashes, txHashes, ...rest } = await service.end(String(requestId));
      return { ...rest, inTxHashes: (inTxHashes ?? []) as Hex[], txHashes: (txHashes ?? []) as Hex[] };
    },
    /** The charged execution and sponsored fees of a request, and the gas of all its transactions, in dollars. */
    async costs(requestId: string) {
      const { data } = await service.record(requestId);
      const gas = [...(data?.inTxs ?? []), ...(data?.outTxs ?? [])].reduce((sum, tx) => sum + Number(tx.feeUsd), 0);
      const { execution, sponsored } = data?.fees?.actual ?? {};
      return { gas, execution: Number(execution?.usd), sponsored: Number(sponsored?.usd) };
    },
    /** The sponsor's balance in millionths of a dollar. */
    sponsorBalance(): bigint {
      return service.sandbox.ledger.sponsorBalanceUsd();
    },
    /** Sets the sponsor's balance. */
    async sponsorHas(usd: bigint): Promise<void> {
      const { ledger } = service.sandbox;
      ledger.chargeSponsor(ledger.sponsorBalanceUsd() - usd);
    },
  };
}

const bridge = { from: 'alpha/USDC', to: 'beta/USDC', amount: '10000000', account: 'dev9' } as const;
