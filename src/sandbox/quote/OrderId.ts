/** Computes the id of an order: its EIP-712 struct hash, without a domain. */
import type { Hex } from 'viem';
import { hashStruct, numberToHex } from 'viem/utils';
import type * as OrderData from '../../core/api/schema/OrderData.js';
import * as BaseCodec from '../../core/order/BaseCodec.js';
import { fields } from '../pricing/Calldata.js';

const types = {
  Order: fields(
    'string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees',
  ),
  Input: fields('InputPayment payment,InputRefund[] refunds'),
  InputPayment: fields('string chainId,bytes currency,uint256 amount,uint256 weight'),
  InputRefund: fields(
    'string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData',
  ),
  Output: fields('string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData'),
  OutputPayment: fields('bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount'),
  Fee: fields('string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount'),
};

/** The id of an order between chains whose accounts are EVM addresses, venue account indexes or Solana keys. */
export function from(order: OrderData.OrderData): Hex {
  const { output } = order;
  const data = {
    ...order,
    inputs: order.inputs.map(({ payment, refunds }) => ({
      payment: { ...payment, currency: bytesOf(payment.chainId, payment.currency) },
      refunds: refunds.map((refund) => withBytes(refund.chainId, refund)),
    })),
    output: { ...output, payments: output.payments.map((payment) => withBytes(output.chainId, payment)) },
    fees: order.fees.map((fee) => ({
      ...fee,
      recipient: bytesOf(fee.recipientChainId, fee.recipient),
      currency: bytesOf(fee.currencyChainId, fee.currency),
    })),
  };
  return hashStruct({ types, primaryType: 'Order', data });
}

function withBytes<part extends { recipient: string; currency: string }>(slug: string, part: part): part {
  return { ...part, recipient: bytesOf(slug, part.recipient), currency: bytesOf(slug, part.currency) };
}

/** The bytes of an address or currency: on the venue a decimal number as 16 bytes. */
function bytesOf(slug: string, value: string): Hex {
  if (slug === 'svm') return `0x${Buffer.from(BaseCodec.decode(value, BaseCodec.bitcoin) ?? []).toString('hex')}`;
  return slug === 'lighter' ? numberToHex(BigInt(value), { size: 16 }) : (value as Hex);
}
