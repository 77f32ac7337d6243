/** Notes that explain a bill beyond its figures, one or two sentences each. */
import * as Amount from '../base/Amount.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as FeeBill from './FeeBill.js';
import * as FeeParts from './FeeParts.js';
import * as FeeSchedule from './FeeSchedule.js';

export type BillContext = {
  isActive: boolean | undefined;
  schedule: FeeSchedule.Comparison | undefined;
  network: Network.Network;
};

export function from(bill: FeeBill.FeeBill, known: BillContext): string[] {
  return [
    ...shortage(bill),
    ...venueFee(bill, known),
    ...activation(bill, known),
    ...schedule(bill, known),
    ...progress(bill),
    ...(bill.isGasless ? ['Gasless: the service pays the origin gas and includes it in the execution fee.'] : []),
  ];
}

function shortage(bill: FeeBill.FeeBill): string[] {
  const usd = FeeBill.shortage(bill);
  if (usd === 0n) return [];
  return [
    `The swap on the origin yielded ${Usd.format(usd)} less than was expected. The service states it in no component: it is in the change of the total alone.`,
  ];
}

function venueFee({ input, costs, source }: FeeBill.FeeBill, { network }: BillContext): string[] {
  const fee = costs.find(({ kind }) => kind === 'venue-fee');
  if (!fee)
    return source === 'record' && isVenue(input.chainId, network)
      ? ['The venue also took a fee for the transfer. The record does not state it; the quote did.']
      : [];
  const isMore = input.amount !== undefined && fee.amount >= input.amount;
  return [
    `The venue takes ${Amount.format(fee.amount, fee.decimals)} ${fee.symbol} in addition, which no component includes${isMore ? ': at least as much as the withdrawal itself' : ''}. Of the service’s fields only the deprecated fees.gas states it.`,
  ];
}

function activation(bill: FeeBill.FeeBill, { isActive, network, schedule: compared }: BillContext): string[] {
  if (!isVenue(bill.output.chainId, network) || isActive === true) return [];
  const { swap } = bill.quoted.fees;
  if (FeeParts.hasActivation(bill, isActive))
    return ['The venue account is not active yet: the swap includes the venue’s activation fee of 1 USD.'];
  if (isActive === false)
    return ['The venue account is not active yet, but the swap is too small to include its activation fee of 1 USD.'];
  // The venue’s dollar may be worth slightly more or less than one.
  if (swap > -(FeeParts.activationUsd * 99n) / 100n) return [];
  const left = bill.deprecated?.swapLeftOut;
  const isCertain = compared?.type === 'bridge' && left !== undefined && left <= -(FeeParts.activationUsd * 99n) / 100n;
  return [
    isCertain
      ? 'A bridge exchanges nothing, yet the swap costs a dollar more than rebalancing: this is the venue’s activation fee for a new account.'
      : 'The swap may include the venue’s activation fee of 1 USD, if the venue account is new.',
  ];
}

function schedule({ requestType }: FeeBill.FeeBill, { schedule: compared }: BillContext): string[] {
  if (!compared || compared.isOnSchedule) return [];
  const { type, bps, predicted, charged } = compared;
  const classified = requestType === undefined ? '' : ` The service classifies the request as "${requestType}".`;
  return [
    `The platform fee is ${Usd.format(charged)}; the schedule says ${Usd.format(predicted)} for a ${FeeSchedule.row(type).name.toLowerCase()} (${bps} bps). Campaigns may differ.${classified}`,
  ];
}

function progress({ source, status, actual, input, quoted }: FeeBill.FeeBill): string[] {
  if (source === 'quote') return [];
  return [
    ...(actual === undefined ? ['The charged fees are not known until the request is filled.'] : []),
    ...(status !== 'success' && actual !== undefined
      ? [
          `The request ended as "${status}": the charged fees were withheld from the refund and are not compared with the quote.`,
        ]
      : []),
    ...(input.usd === undefined && input.amount !== undefined && quoted.fees.execution !== 0n
      ? [
          'The record does not state the input’s value: it is derived from a component stated in both dollars and tokens.',
        ]
      : []),
  ];
}

function isVenue(chainId: number | undefined, network: Network.Network): boolean {
  return chainId !== undefined && Network.chainById(network, chainId)?.vm === 'lvm';
}
