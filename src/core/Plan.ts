/** What will be done, in order: the proved quote as transactions. `--dry-run` prints it. */
import type { Address } from './Address.js';
import * as Amount from './Amount.js';
import { BaseError } from './Errors.js';
import type { Intent } from './Intent.js';
import type { Chain } from './Network.js';
import type { Hex } from './Ports.js';
import type { Item, Quote } from './Quote.js';
import type { Verified } from './Verification.js';

export type Plan = {
  intent: Intent;
  quote: Quote;
  requestId: string;
  actions: readonly Action[];
};

export type Action = {
  kind: 'approve' | 'deposit' | 'swap' | 'wrap' | 'unwrap' | 'send';
  /** One line for a person. */
  summary: string;
  chain: Chain;
  from: Address;
  to: Address;
  data: Hex;
  /** wei */
  value: bigint;
  /** Gas units by the quote, where it names them. */
  gas: bigint | undefined;
  /** For an approval: who may take how much. */
  approval: { spender: Address; amount: bigint } | undefined;
};

/** The plan of a verified quote. @throws quote.unsupported-step for what ferry cannot carry out */
export function from(verified: Verified): Plan {
  const { quote } = verified;
  return {
    intent: quote.intent,
    quote,
    requestId: quote.requestId,
    actions: quote.items.map((transaction): Action => {
      if (transaction.kind !== 'transaction') throw new UnsupportedStepError(transaction);
      const { call } = transaction;
      const kind = call?.function === 'approve' ? 'approve' : kindOf(transaction.stepId, call?.function);
      return {
        kind,
        summary: summary(kind, quote, call?.function === 'approve' ? call.amount : undefined),
        chain: quote.intent.origin.chain,
        from: transaction.from,
        to: transaction.to,
        data: transaction.data,
        value: transaction.value,
        gas: transaction.gas,
        approval: call?.function === 'approve' ? { spender: call.spender, amount: call.amount } : undefined,
      };
    }),
  };
}

function kindOf(stepId: string, call: string | undefined): Action['kind'] {
  if (call === 'wrap' || call === 'unwrap') return call;
  if (stepId === 'swap' || stepId === 'send') return stepId;
  return call === 'transfer' ? 'send' : 'deposit';
}

function summary(kind: Action['kind'], quote: Quote, approved: bigint | undefined): string {
  const { origin, destination } = quote.intent;
  const amount = (base: bigint): string => `${Amount.format(base, origin.token.decimals)} ${origin.token.symbol}`;
  switch (kind) {
    case 'approve':
      return approved === 0n
        ? `Clear the old allowance of ${origin.token.symbol}`
        : `Allow exactly ${amount(approved ?? 0n)} to be taken`;
    case 'deposit':
      return `Deposit ${amount(quote.input)} on ${origin.chain.name}`;
    case 'swap':
      return `Swap ${amount(quote.input)} for ${destination.token.symbol} on ${origin.chain.name}`;
    case 'wrap':
    case 'unwrap':
      return `${kind === 'wrap' ? 'Wrap' : 'Unwrap'} ${amount(quote.input)} on ${origin.chain.name}`;
    case 'send':
      return `Send ${amount(quote.input)} on ${origin.chain.name}`;
  }
}

export class UnsupportedStepError extends BaseError {
  override name = 'UnsupportedStepError';
  constructor(item: Exclude<Item, { kind: 'transaction' }>) {
    const why =
      item.kind === 'unreadable'
        ? item.why
        : `asks for a ${item.kind === 'venue' ? 'transfer on the venue' : 'signature'}`;
    super('quote.unsupported-step', `The quote's step "${item.stepId}" ${why}, which ferry cannot carry out.`);
  }
}
