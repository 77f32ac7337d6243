/** Costs of a transfer that the fee breakdown, and so its total, does not include. */

import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as Quote from '../quote/Quote.js';

export type Cost = {
  kind: 'origin-gas' | 'venue-fee';
  takenBy: 'network' | 'venue';
  when: 'quoted' | 'actual';
  /** Base units of the token that it is paid in. */
  amount: bigint;
  /** Millionths of a dollar, negative like every cost; undefined if not stated. */
  usd: bigint | undefined;
  symbol: string;
  decimals: number;
};

export type Transaction = {
  chainId?: number | null | undefined;
  fee?: string | null | undefined;
  feeUsd?: string | null | undefined;
};

/**
 * The costs of a quote outside its breakdown: the venue's fee for a withdrawal, which the deprecated `fees.gas`
 * repeats, or else the origin gas if the user pays it.
 */
export function ofAnswer(answer: Quote.Answer, { isGasless }: { isGasless: boolean | undefined }): Cost[] {
  const { currency } = answer.response.details.currencyIn;
  const gas = answer.response.fees?.gas;
  const fee = Quote.venueFee(answer);
  if (fee !== undefined) {
    const repeated = gas && BigInt(gas.amount) === fee ? Usd.from(gas.amountUsd ?? '') : undefined;
    const { input, inputUsd } = answer;
    const usd = repeated ?? (input > 0n && inputUsd !== undefined ? (fee * inputUsd) / input : undefined);
    return [cost({ kind: 'venue-fee', takenBy: 'venue', when: 'quoted' }, fee, usd, currency)];
  }
  const { originGas } = answer;
  if (!gas || !originGas || originGas.amount === 0n || (isGasless && !approvesFirst(answer))) return [];
  return [
    cost({ kind: 'origin-gas', takenBy: 'network', when: 'quoted' }, originGas.amount, originGas.usd, gas.currency),
  ];
}

/** The gas of the user's own transactions, by the request's record; none if the service sent them. */
export function ofTransactions(
  transactions: readonly Transaction[],
  { isGasless, network }: { isGasless: boolean; network: Network.Network },
): Cost[] {
  if (isGasless) return [];
  return transactions.flatMap(({ chainId, fee, feeUsd }) => {
    const chain = typeof chainId === 'number' ? Network.chainById(network, chainId) : undefined;
    if (chain?.vm === 'lvm' || !fee || !/^\d+$/.test(fee) || fee === '0') return [];
    const native = chain?.native ?? { symbol: 'gas', decimals: 18 };
    const of = { kind: 'origin-gas', takenBy: 'network', when: 'actual' } as const;
    return [cost(of, BigInt(fee), typeof feeUsd === 'string' ? Usd.from(feeUsd) : undefined, native)];
  });
}

/** Whether the user must send an approval before signing a permit that the service submits. */
function approvesFirst({ items }: Quote.Answer): boolean {
  const kinds = items.map(({ kind }) => kind);
  return kinds.includes('signature') && kinds.includes('transaction');
}

function cost(
  of: Pick<Cost, 'kind' | 'takenBy' | 'when'>,
  amount: bigint,
  usd: bigint | undefined,
  { symbol, decimals }: { symbol?: string | null | undefined; decimals?: number | null | undefined },
): Cost {
  return {
    ...of,
    amount,
    usd: usd === undefined ? undefined : -usd,
    symbol: symbol ?? 'gas',
    decimals: decimals ?? 18,
  };
}
