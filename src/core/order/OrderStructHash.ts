/** The EIP-712 struct hash of an order, without a domain. */
import { bytesToHex, concatBytes, hexToBytes, keccak256, numberToBytes, stringToBytes } from 'viem/utils';
import type * as OrderData from '../api/schema/OrderData.js';
import type { Vm, VmOf } from '../network/ChainVm.js';
import * as AddressEncoding from './AddressEncoding.js';

/** The hash of an order, with any problems that make it invalid. */
export type OrderHash = {
  /** 32 bytes; meaningless if there are problems. */
  hash: Uint8Array;
  /** Values that cannot be encoded: `output.payments[0].recipient: "…" is not a valid ton-vm account`. */
  problems: readonly string[];
};

/** Computes the struct hash of a `v1` order: `keccak256(typeHash ‖ encodeData)`, EIP-712. Never throws. */
export function from(order: OrderData.OrderData, vmOf: VmOf): OrderHash {
  const problems: string[] = [];
  return { hash: orderHash(order, { path: '', vmOf, problems, hashes: new Map() }), problems };
}

/** A part of the order, with the state shared by all parts. */
type Hashing = {
  readonly path: string;
  readonly vmOf: VmOf;
  /** Collects the problems. */
  readonly problems: string[];
  /** Caches hashes by content: chains, accounts and currencies repeat, and hashing dominates the cost. */
  readonly hashes: Map<string, Word>;
};

/** 32 bytes: a hash or a number. */
type Word = Uint8Array;

/**
 * The EIP-712 type hashes: keccak256 of each type's encoding, which is the type itself followed by the types it
 * references in alphabetical order.
 */
const types = {
  /** Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees) */
  order: hexToBytes('0xee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e'),
  /** Input(InputPayment payment,InputRefund[] refunds) */
  input: hexToBytes('0xc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745'),
  /** InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight) */
  payment: hexToBytes('0x66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb'),
  /** InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData) */
  refund: hexToBytes('0x9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2'),
  /** Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData) */
  output: hexToBytes('0xec5bd83409077be71a3fbc2c8578ea7dd1aa0ce0a7be97571a0a89e61e2c2269'),
  /** OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount) */
  outputPayment: hexToBytes('0x96c6557b6ec114bb9ff5291394bf5f35c3685043c1a46f43146634a70dca0cdc'),
  /** Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount) */
  fee: hexToBytes('0x5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae'),
};

function orderHash(order: OrderData.OrderData, at: Hashing): Word {
  return struct(types.order, [
    text(order.version, at),
    solverChain(order.solverChainId, under(at, 'solverChainId')),
    solver(order.solver, under(at, 'solver')),
    hexToBytes(order.salt),
    list(order.inputs.map((input, index) => inputHash(input, under(at, `inputs[${index}]`)))),
    outputHash(order.output, under(at, 'output')),
    list(order.fees.map((fee, index) => feeHash(fee, under(at, `fees[${index}]`)))),
  ]);
}

function inputHash(input: OrderData.Input, at: Hashing): Word {
  return struct(types.input, [
    paymentHash(input.payment, under(at, 'payment')),
    list(input.refunds.map((refund, index) => refundHash(refund, under(at, `refunds[${index}]`)))),
  ]);
}

function paymentHash(payment: OrderData.Input['payment'], at: Hashing): Word {
  const vm = vmOf(payment.chainId, under(at, 'chainId'));
  return struct(types.payment, [
    text(payment.chainId, at),
    currency(payment.currency, vm, under(at, 'currency')),
    uint256(payment.amount, under(at, 'amount')),
    uint256(payment.weight, under(at, 'weight')),
  ]);
}

function refundHash(refund: OrderData.Refund, at: Hashing): Word {
  const vm = vmOf(refund.chainId, under(at, 'chainId'));
  return struct(types.refund, [
    text(refund.chainId, at),
    account(refund.recipient, vm, under(at, 'recipient')),
    currency(refund.currency, vm, under(at, 'currency')),
    uint256(refund.minimumAmount, under(at, 'minimumAmount')),
    uint32(refund.deadline, under(at, 'deadline')),
    bytes(hexToBytes(refund.extraData), at),
  ]);
}

function outputHash(output: OrderData.Output, at: Hashing): Word {
  const vm = vmOf(output.chainId, under(at, 'chainId'));
  return struct(types.output, [
    text(output.chainId, at),
    list(output.payments.map((payment, index) => outputPaymentHash(payment, vm, under(at, `payments[${index}]`)))),
    uint32(output.deadline, under(at, 'deadline')),
    list(output.calls.map((call) => keccak(hexToBytes(call)))),
    bytes(hexToBytes(output.extraData), at),
  ]);
}

function outputPaymentHash(payment: OrderData.Payment, vm: Vm | undefined, at: Hashing): Word {
  return struct(types.outputPayment, [
    account(payment.recipient, vm, under(at, 'recipient')),
    currency(payment.currency, vm, under(at, 'currency')),
    uint256(payment.minimumAmount, under(at, 'minimumAmount')),
    uint256(payment.expectedAmount, under(at, 'expectedAmount')),
  ]);
}

function feeHash(fee: OrderData.Fee, at: Hashing): Word {
  const recipientVm = vmOf(fee.recipientChainId, under(at, 'recipientChainId'));
  const currencyVm = vmOf(fee.currencyChainId, under(at, 'currencyChainId'));
  return struct(types.fee, [
    text(fee.recipientChainId, at),
    account(fee.recipient, recipientVm, under(at, 'recipient')),
    text(fee.currencyChainId, at),
    currency(fee.currency, currencyVm, under(at, 'currency')),
    uint256(fee.amount, under(at, 'amount')),
  ]);
}

/** The solver's chain must be an EVM chain, since the struct encodes the solver as an `address`. */
function solverChain(slug: string, at: Hashing): Word {
  const vm = vmOf(slug, at);
  if (vm !== undefined && vm !== 'ethereum-vm') note(`${quote(slug)} is not an EVM chain`, at);
  return text(slug, at);
}

function solver(address: string, at: Hashing): Word {
  const known = AddressEncoding.account(address, 'ethereum-vm');
  return known === undefined ? note(`${quote(address)} is not a valid EVM account`, at) : leftPadded(known);
}

function vmOf(slug: string, at: Hashing): Vm | undefined {
  const vm = at.vmOf(slug);
  if (vm === undefined) note(`unknown chain ${quote(slug)}`, at);
  return vm;
}

function account(address: string, vm: Vm | undefined, at: Hashing): Word {
  if (vm === undefined) return nothing;
  const known = AddressEncoding.account(address, vm);
  return known === undefined ? note(`${quote(address)} is not a valid ${vm} account`, at) : bytes(known, at);
}

function currency(address: string, vm: Vm | undefined, at: Hashing): Word {
  if (vm === undefined) return nothing;
  const known = AddressEncoding.currency(address, vm);
  return known === undefined ? note(`${quote(address)} is not a valid ${vm} currency`, at) : bytes(known, at);
}

/** Only the canonical spelling of a number is accepted, so two different orders never have the same id. */
function uint256(digits: string, at: Hashing): Word {
  const value = /^(0|[1-9][0-9]{0,77})$/.test(digits) ? BigInt(digits) : -1n;
  if (value >= 0n && value < 2n ** 256n) return numberToBytes(value, { size: 32 });
  return note(`${quote(digits)} is not a uint256`, at);
}

function uint32(value: number, at: Hashing): Word {
  return value < 2 ** 32 ? numberToBytes(value, { size: 32 }) : note(`${value} is not a uint32`, at);
}

function text(value: string, at: Hashing): Word {
  return bytes(stringToBytes(value), at);
}

function bytes(content: Uint8Array, { hashes }: Hashing): Word {
  const key = bytesToHex(content);
  const hash = hashes.get(key) ?? keccak(content);
  hashes.set(key, hash);
  return hash;
}

function list(members: readonly Word[]): Word {
  return keccak(concatBytes(members));
}

function struct(type: Word, members: readonly Word[]): Word {
  return keccak(concatBytes([type, ...members]));
}

function keccak(content: Uint8Array): Word {
  return content.length === 0 ? ofNothing : keccak256(content, 'bytes');
}

/** keccak256 of no bytes, which is common: an order may have no fees, calls, refunds or extra data. */
const ofNothing = hexToBytes('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');

function leftPadded(bytes: Uint8Array): Word {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}

const nothing = new Uint8Array();

/** Records a problem and returns a placeholder for the missing bytes. */
function note(problem: string, at: Hashing): Uint8Array {
  at.problems.push(`${at.path}: ${problem}`);
  return nothing;
}

function under(at: Hashing, key: string): Hashing {
  return { ...at, path: at.path ? `${at.path}.${key}` : key };
}

function quote(words: string): string {
  return `"${words.length > longest ? `${words.slice(0, longest)}…` : words}"`;
}

/** The maximum length of quoted text. */
const longest = 90;
