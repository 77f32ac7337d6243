/** Computes the id of an order: its EIP-712 struct hash, without a domain. */
import type { Hex } from 'viem';
import { concat, encodeAbiParameters, keccak256, numberToHex, stringToBytes } from 'viem/utils';
import type * as OrderData from '../../core/api/schema/OrderData.js';
import * as KeyText from '../values/KeyText.js';

type Slot = Hex | bigint;

const payment = 'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)';
const refund =
  'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)';
const input = 'Input(InputPayment payment,InputRefund[] refunds)';
const outputPayment = 'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)';
const output = 'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)';
const fee = 'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)';
const order =
  'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)';

/** EIP-712: a type's encoding is followed by the types it references, in alphabetical order. */
const types = {
  payment: typeHash(payment),
  refund: typeHash(refund),
  input: typeHash(input, payment, refund),
  outputPayment: typeHash(outputPayment),
  output: typeHash(output, outputPayment),
  fee: typeHash(fee),
  order: typeHash(order, fee, input, payment, refund, output, outputPayment),
};

/** The id of an order between chains whose accounts are EVM addresses, venue account indexes or Solana keys. */
export function from(data: OrderData.OrderData): Hex {
  return struct(types.order, [
    text(data.version),
    text(data.solverChainId),
    BigInt(data.solver),
    BigInt(data.salt),
    list(data.inputs.map(inputHash)),
    outputHash(data.output),
    list(data.fees.map(feeHash)),
  ]);
}

function inputHash({ payment: { chainId, currency, amount, weight }, refunds }: OrderData.Input): Hex {
  return struct(types.input, [
    struct(types.payment, [text(chainId), account(chainId, currency), BigInt(amount), BigInt(weight)]),
    list(refunds.map(refundHash)),
  ]);
}

function refundHash(data: OrderData.Refund): Hex {
  return struct(types.refund, [
    text(data.chainId),
    account(data.chainId, data.recipient),
    account(data.chainId, data.currency),
    BigInt(data.minimumAmount),
    BigInt(data.deadline),
    keccak256(data.extraData),
  ]);
}

function outputHash(data: OrderData.Output): Hex {
  const payments = data.payments.map((paid) =>
    struct(types.outputPayment, [
      account(data.chainId, paid.recipient),
      account(data.chainId, paid.currency),
      BigInt(paid.minimumAmount),
      BigInt(paid.expectedAmount),
    ]),
  );
  return struct(types.output, [
    text(data.chainId),
    list(payments),
    BigInt(data.deadline),
    list(data.calls.map((call) => keccak256(call))),
    keccak256(data.extraData),
  ]);
}

function feeHash(data: OrderData.Fee): Hex {
  return struct(types.fee, [
    text(data.recipientChainId),
    account(data.recipientChainId, data.recipient),
    text(data.currencyChainId),
    account(data.currencyChainId, data.currency),
    BigInt(data.amount),
  ]);
}

/** Hash of an address or currency: its bytes, or on the venue a decimal number as 16 bytes. */
function account(slug: string, value: string): Hex {
  if (slug === 'svm') return keccak256(KeyText.decode(value) ?? '0x');
  return keccak256(slug === 'lighter' ? numberToHex(BigInt(value), { size: 16 }) : (value as Hex));
}

function text(value: string): Hex {
  return keccak256(stringToBytes(value));
}

function list(hashes: readonly Hex[]): Hex {
  return keccak256(concat(hashes));
}

function struct(type: Hex, slots: readonly Slot[]): Hex {
  const words = slots.map((slot) => BigInt(slot));
  return keccak256(
    concat([
      type,
      encodeAbiParameters(
        words.map(() => ({ type: 'uint256' })),
        words,
      ),
    ]),
  );
}

function typeHash(...encodings: readonly string[]): Hex {
  return keccak256(stringToBytes(encodings.join('')));
}
