/** The purpose of a plan and its transactions, taken directly from the service's answer without the client. */
import type { Hex } from 'viem';
import * as Address from '../../src/core/base/Address.js';
import * as Amount from '../../src/core/base/Amount.js';
import type { Call } from '../../src/core/ports/Ports.js';
import type * as SimulatedEffect from '../../src/core/proof/SimulatedEffect.js';
import type { TradeType } from '../../src/core/quote/TransferIntent.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import type { TestSandbox } from './sandbox.js';
import { serviceAt } from './service.js';

const { alpha, beta } = deployments;

export type Planned = { calls: Call[]; purpose: SimulatedEffect.Purpose };
/** Options: by default, dev0 sends the whole amount to itself. */
export type Rest = { recipient?: Address.Address; user?: Address.Address; tradeType?: TradeType };

/** The transactions of a quote from the sandbox. */
export async function plannedOn(
  sandbox: TestSandbox,
  amount: string,
  from: string,
  to: string,
  rest: Rest = {},
): Promise<Planned> {
  const [origin, destination] = [currency(from), currency(to)];
  const { user: sender = accounts.dev0.address, recipient = sender, tradeType = 'EXACT_INPUT' } = rest;
  const { decimals } = tradeType === 'EXACT_INPUT' ? origin : destination;
  const { steps, details, protocol } = await serviceAt(sandbox.baseUrl).quote({
    user: sender,
    recipient,
    refundTo: sender,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: origin.address,
    destinationCurrency: destination.address,
    tradeType,
    amount: Amount.from(amount, decimals).toString(),
  });
  const orderId = protocol?.v2?.orderId as Hex | undefined;
  // A swap before the deposit yields the currency of the refund, and at least its minimum.
  const { currencyIn, refundCurrency } = details as typeof details & { refundCurrency?: typeof details.currencyIn };
  const isSwapped = refundCurrency && refundCurrency.currency.address !== currencyIn.currency.address;
  const deposited = isSwapped
    ? {
        token: refundCurrency.currency.address as Address.Address,
        minimum: BigInt(refundCurrency.minimumAmount ?? refundCurrency.amount),
      }
    : { token: origin.address, amount: BigInt(currencyIn.amount) };
  const calls = steps.flatMap(({ items }) => items.map(({ data }) => callOf(data as unknown as Wire)));
  return {
    calls,
    purpose: {
      user: sender,
      input: { token: origin.address, amount: BigInt(details.currencyIn.amount) },
      tradeType,
      currencies: [details.currencyIn, details.currencyOut]
        .map(({ currency }) => currency)
        .filter(({ chainId }) => chainId === origin.chainId),
      result: orderId
        ? {
            kind: 'deposit',
            depository: alpha.depository,
            orderId,
            ...deposited,
          }
        : {
            kind: 'payment',
            recipient,
            token: destination.address,
            minimum: BigInt(details.currencyOut.minimumAmount ?? details.currencyOut.amount),
          },
      spenders: [alpha.depository, alpha.approvalProxy],
    },
  };
}

type Wire = { from: Address.Address; to: Address.Address; data: Hex; value: string };

function callOf({ from, to, data, value }: Wire): Call {
  return { from, to, data, value: BigInt(value) };
}

function currency(text: string): { chainId: number; address: Address.Address; decimals: number } {
  const [chain = '', symbol = ''] = text.split('/');
  const { id: chainId, tokens } = chain === 'alpha' ? alpha : beta;
  if (symbol === 'eth') return { chainId, address: Address.native, decimals: 18 };
  return { chainId, ...tokens[symbol.toUpperCase() as keyof typeof tokens] };
}
