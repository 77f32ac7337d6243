/** The EIP-712 struct hash of an order, without a domain. */
import { bytesToHex, hashStruct } from 'viem/utils';
import type * as OrderData from '../api/schema/OrderData.js';
import type { Hex } from '../base/Hex.js';
import type { Vm, VmOf } from '../network/ChainVm.js';
import * as AddressEncoding from './AddressEncoding.js';

/** The hash of an order, with any problems that make it invalid. */
export type OrderHash = {
  /** Empty if there are problems. */
  hash: Hex;
  /** Values that cannot be encoded: `output.payments[0].recipient: "…" is not a valid ton-vm account`. */
  problems: readonly string[];
};

/** Computes the struct hash of a `v1` order: `keccak256(typeHash ‖ encodeData)`, EIP-712. Never throws. */
export function from(order: OrderData.OrderData, vmOf: VmOf): OrderHash {
  const problems: string[] = [];
  const data = messageOf(order, { path: '', vmOf, problems });
  return { hash: problems.length > 0 ? '0x' : hashStruct({ types, primaryType: 'Order', data }), problems };
}

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

/** The fields of a type, as its encoding lists them. */
function fields(encoding: string): { type: string; name: string }[] {
  return encoding.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { type, name };
  });
}

/** A place in the order, and where its problems are collected. */
type Place = { readonly path: string; readonly vmOf: VmOf; readonly problems: string[] };

/** The order as its types have it. */
function messageOf(order: OrderData.OrderData, at: Place): Record<string, unknown> {
  return {
    ...order,
    solver: solver(order, at),
    salt: BigInt(order.salt),
    inputs: order.inputs.map(({ payment, refunds }, index) => ({
      payment: onChain(payment, under(at, `inputs[${index}].payment`)),
      refunds: refunds.map((refund, each) => onChain(refund, under(at, `inputs[${index}].refunds[${each}]`))),
    })),
    output: outputOf(order.output, under(at, 'output')),
    fees: order.fees.map((fee, index) => {
      const own = under(at, `fees[${index}]`);
      const recipient = vm(fee.recipientChainId, under(own, 'recipientChainId'));
      return encoded(fee, { recipient, currency: vm(fee.currencyChainId, under(own, 'currencyChainId')) }, own);
    }),
  };
}

/** The solver's chain must be an EVM chain, since the struct encodes the solver as an `address`. */
function solver({ solver: address, solverChainId }: OrderData.OrderData, at: Place): Hex {
  const place = under(at, 'solverChainId');
  const found = vm(solverChainId, place);
  if (found !== undefined && found !== 'ethereum-vm') note(`${quote(solverChainId)} is not an EVM chain`, place);
  const known = AddressEncoding.account(address, 'ethereum-vm');
  return known ? bytesToHex(known) : note(`${quote(address)} is not a valid EVM account`, under(at, 'solver'));
}

function outputOf(output: OrderData.Output, at: Place): Record<string, unknown> {
  const own = vm(output.chainId, under(at, 'chainId'));
  const vms = { recipient: own, currency: own };
  const payments = output.payments.map((payment, index) => encoded(payment, vms, under(at, `payments[${index}]`)));
  return { ...encoded(output, vms, at), payments };
}

/** A struct that names its own chain. */
function onChain(part: { chainId: string }, at: Place): Record<string, unknown> {
  const own = vm(part.chainId, under(at, 'chainId'));
  return encoded(part, { recipient: own, currency: own }, at);
}

/** The values of a struct as they are encoded: accounts and currencies as bytes, amounts as numbers. */
function encoded(
  part: object,
  vms: Readonly<Record<'recipient' | 'currency', Vm | undefined>>,
  at: Place,
): Record<string, unknown> {
  const encode = (name: string, value: unknown): unknown => {
    const place = under(at, name);
    switch (name) {
      case 'recipient':
      case 'currency':
        return bytes(String(value), name, vms[name], place);
      case 'amount':
      case 'weight':
      case 'minimumAmount':
      case 'expectedAmount':
        return uint256(String(value), place);
      case 'deadline':
        return Number(value) < 2 ** 32 ? value : note(`${value} is not a uint32`, place);
      default:
        return value;
    }
  };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, encode(name, value)]));
}

function vm(slug: string, at: Place): Vm | undefined {
  const found = at.vmOf(slug);
  if (found === undefined) note(`unknown chain ${quote(slug)}`, at);
  return found;
}

function bytes(address: string, name: 'recipient' | 'currency', on: Vm | undefined, at: Place): Hex {
  if (on === undefined) return '0x';
  const isAccount = name === 'recipient';
  const known = isAccount ? AddressEncoding.account(address, on) : AddressEncoding.currency(address, on);
  if (known) return bytesToHex(known);
  return note(`${quote(address)} is not a valid ${on} ${isAccount ? 'account' : 'currency'}`, at);
}

/** Only the canonical spelling of a number is accepted, so two different orders never have the same id. */
function uint256(digits: string, at: Place): bigint | Hex {
  const value = /^(0|[1-9][0-9]{0,77})$/.test(digits) ? BigInt(digits) : -1n;
  return value >= 0n && value < 2n ** 256n ? value : note(`${quote(digits)} is not a uint256`, at);
}

/** Records a problem and returns a placeholder for the missing bytes. */
function note(problem: string, at: Place): Hex {
  at.problems.push(`${at.path}: ${problem}`);
  return '0x';
}

function under(at: Place, key: string): Place {
  return { ...at, path: at.path ? `${at.path}.${key}` : key };
}

function quote(words: string): string {
  return `"${words.length > longest ? `${words.slice(0, longest)}…` : words}"`;
}

/** The maximum length of quoted text. */
const longest = 90;
