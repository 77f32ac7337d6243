/** What a person should know about a bill beside its figures, a sentence or two each. */
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import type { Bill } from './FeeBill.js';
import * as FeeParts from './FeeParts.js';
import * as FeeSchedule from './FeeSchedule.js';

export type Known = {
  isActive: boolean | undefined;
  schedule: FeeSchedule.Comparison | undefined;
  network: Network.Network;
};

/** The notes of a bill, most telling first. */
export function from(bill: Bill, known: Known): string[] {
  return [
    ...venueFee(bill, known),
    ...activation(bill, known),
    ...schedule(bill, known),
    ...course(bill),
    ...gas(bill),
  ];
}

function venueFee({ input, costs, source }: Bill, { network }: Known): string[] {
  const fee = costs.find(({ kind }) => kind === 'venue-fee');
  if (!fee)
    return source === 'record' && isVenue(input.chainId, network)
      ? ['The venue took a fee for the transfer besides. The record does not tell it; the quote did.']
      : [];
  const isMore = input.amount !== undefined && fee.amount >= input.amount;
  return [
    `The venue takes ${Amount.format(fee.amount, fee.decimals)} ${fee.symbol} besides, which no component has${isMore ? ': that is as much as the withdrawal or more' : ''}. Of the service’s fields only the deprecated fees.gas repeats it.`,
  ];
}

function activation(bill: Bill, { isActive, network, schedule: compared }: Known): string[] {
  if (!isVenue(bill.output.chainId, network) || isActive === true) return [];
  const { swap } = bill.quoted.fees;
  if (FeeParts.hasActivation(bill, isActive))
    return ['The account at the venue is not active yet: the venue’s activation fee of 1 USD is in the swap.'];
  if (isActive === false)
    return ['The account at the venue is not active yet, but this price has no room for its activation fee of 1 USD.'];
  // The venue’s dollar is worth a little more or less than one.
  if (swap > -(FeeParts.activationUsd * 99n) / 100n) return [];
  const left = bill.deprecated?.swapLeftOut;
  const isTold = compared?.type === 'bridge' && left !== undefined && left <= -(FeeParts.activationUsd * 99n) / 100n;
  return [
    isTold
      ? 'A bridge exchanges nothing, yet the swap takes a dollar more than rebalancing: that is the venue’s activation fee for a new account.'
      : 'The swap may include the venue’s activation fee of 1 USD, if the account is new there.',
  ];
}

function schedule({ requestType }: Bill, { schedule: compared }: Known): string[] {
  if (!compared || compared.isOnSchedule) return [];
  const { type, bps, predicted, charged } = compared;
  const filed = requestType === undefined ? '' : ` The service files it as "${requestType}".`;
  return [
    `The platform fee is ${Usd.format(charged)}; the schedule has ${Usd.format(predicted)} for a ${FeeSchedule.row(type).name.toLowerCase()} (${bps} bps). Campaigns may differ.${filed}`,
  ];
}

function course({ source, status, actual, input, quoted }: Bill): string[] {
  if (source === 'quote') return [];
  return [
    ...(actual === undefined ? ['What was charged is not known before the request is filled.'] : []),
    ...(status !== 'success' && actual !== undefined
      ? [`The request ended as "${status}": what was charged is what was kept back, and is not held against the quote.`]
      : []),
    ...(input.usd === undefined && input.amount !== undefined && quoted.fees.execution !== 0n
      ? ['The record does not say what the input was worth: it is reckoned from a component that says both.']
      : []),
  ];
}

function gas({ isGasless }: Bill): string[] {
  return isGasless ? ['Gasless: the service pays the gas on the origin, and it is in the execution fee.'] : [];
}

function isVenue(chainId: number | undefined, network: Network.Network): boolean {
  return chainId !== undefined && Network.chainById(network, chainId)?.vm === 'lvm';
}
