/** Random orders with the messages their ids are hashed from, and every change of an order in one place. */
import fc from 'fast-check';
import type * as OrderData from '../../src/core/api/schema/OrderData.js';
import type { Vm, VmOf } from '../../src/core/network/ChainVm.js';
import { account, currency, type Known, vms } from './addresses.js';
import { places, put } from './places.js';

/** As the order protocol defines them. */
export const types: Readonly<Record<string, string>> = {
  Order:
    'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)',
  Fee: 'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)',
  Input: 'Input(InputPayment payment,InputRefund[] refunds)',
  InputPayment: 'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)',
  InputRefund:
    'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)',
  Output: 'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)',
  OutputPayment: 'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)',
};

/** Several chains of every kind, so that a chain can be changed while its addresses stay valid. */
const slugs: Readonly<Record<Vm, readonly string[]>> = {
  'bitcoin-vm': ['bitcoin', 'other-bitcoin'],
  'ethereum-vm': ['base', 'arbitrum', 'ethereum', 'alpha', 'beta'],
  'hyperliquid-vm': ['hyperliquid', 'other-hyperliquid'],
  'lighter-vm': ['lighter', 'other-lighter'],
  'solana-vm': ['solana', 'other-solana'],
  'ton-vm': ['ton', 'other-ton'],
  'tron-vm': ['tron', 'other-tron'],
  'xrp-vm': ['xrp', 'other-xrp'],
};

/** The kinds of the chains that random orders name. */
export const vmOf: VmOf = (slug) => vms.find((vm) => slugs[vm].includes(slug));

/** An order as sent, and its EIP-712 message, with addresses as bytes and numbers as bigint. */
export type Meant = { orderData: OrderData.OrderData; message: unknown };

export function order(): fc.Arbitrary<Meant> {
  const evm = chain('ethereum-vm');
  return fc
    .record({
      version: fc.constant(same('v1')),
      solverChainId: evm,
      solver: account('ethereum-vm').map(known),
      salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => ({
        sent: hex(bytes),
        meant: BigInt(hex(bytes)),
      })),
      inputs: fc.array(fc.record({ payment: payment(), refunds: fc.array(refund(), { maxLength: 2 }) }), few),
      output: output(),
      fees: fc.array(fee(), few),
    })
    .map((tree) => ({ orderData: side(tree, 'sent') as OrderData.OrderData, message: side(tree, 'meant') }));
}

/** An order that differs from a given one in one place. */
export type Change = { at: string; orderData: unknown };

/** One change of every value of an order except its version, each to another valid value. */
export function changedValues(orderData: OrderData.OrderData): Change[] {
  return parts(orderData).flatMap(({ at, value }) => {
    if (at.endsWith('version') || Array.isArray(value)) return [];
    return [{ at, orderData: put(orderData, at, other(at.split('.'), value, orderData)) }];
  });
}

/** Every element of every list removed, repeated, and swapped with its predecessor. */
export function changedLists(orderData: OrderData.OrderData): Change[] {
  return parts(orderData).flatMap(({ at, value }) => {
    if (!Array.isArray(value)) return [];
    const lists = value.flatMap((element, index) => [
      value.toSpliced(index, 1),
      value.toSpliced(index, 0, element),
      ...(index > 0 ? [value.toSpliced(index - 1, 2, element, value[index - 1])] : []),
    ]);
    return lists
      .filter((list) => JSON.stringify(list) !== JSON.stringify(value))
      .map((list) => ({ at, orderData: put(orderData, at, list) }));
  });
}

/** A value in both forms: as sent, and as in the message. */
type Leaf = { sent: string | number; meant: string | bigint | Uint8Array };

const few = { maxLength: 3 };

function payment(): fc.Arbitrary<unknown> {
  return anyVm().chain((vm) =>
    fc.record({ chainId: chain(vm), currency: currency(vm).map(known), amount: uint256(), weight: uint256() }),
  );
}

function refund(): fc.Arbitrary<unknown> {
  return anyVm().chain((vm) =>
    fc.record({
      chainId: chain(vm),
      recipient: account(vm).map(known),
      currency: currency(vm).map(known),
      minimumAmount: uint256(),
      deadline: uint32(),
      extraData: bytes(),
    }),
  );
}

function output(): fc.Arbitrary<unknown> {
  return anyVm().chain((vm) =>
    fc.record({
      chainId: chain(vm),
      payments: fc.array(
        fc.record({
          recipient: account(vm).map(known),
          currency: currency(vm).map(known),
          minimumAmount: uint256(),
          expectedAmount: uint256(),
        }),
        few,
      ),
      calls: fc.array(bytes(), few),
      deadline: uint32(),
      extraData: bytes(),
    }),
  );
}

function fee(): fc.Arbitrary<unknown> {
  return fc.tuple(anyVm(), anyVm()).chain(([recipientVm, currencyVm]) =>
    fc.record({
      recipientChainId: chain(recipientVm),
      recipient: account(recipientVm).map(known),
      currencyChainId: chain(currencyVm),
      currency: currency(currencyVm).map(known),
      amount: uint256(),
    }),
  );
}

function anyVm(): fc.Arbitrary<Vm> {
  return fc.constantFrom(...vms);
}

function chain(vm: Vm): fc.Arbitrary<Leaf> {
  return fc.constantFrom(...slugs[vm]).map(same);
}

function uint256(): fc.Arbitrary<Leaf> {
  const any = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  return fc.oneof(any, fc.bigInt({ min: 0n, max: 10n ** 24n })).map((meant) => ({ sent: meant.toString(), meant }));
}

function uint32(): fc.Arbitrary<Leaf> {
  return fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((sent) => ({ sent, meant: BigInt(sent) }));
}

function bytes(): fc.Arbitrary<Leaf> {
  return fc.uint8Array({ maxLength: 200 }).map((meant) => ({ sent: hex(meant), meant }));
}

function known({ text, bytes: meant }: Known): Leaf {
  return { sent: text, meant };
}

function same(value: string): Leaf {
  return { sent: value, meant: value };
}

function side(tree: unknown, which: keyof Leaf): unknown {
  if (Array.isArray(tree)) return tree.map((part) => side(part, which));
  if (typeof tree !== 'object' || tree === null) throw new Error('a bare value');
  if ('sent' in tree && 'meant' in tree) return tree[which];
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, side(part, which)]));
}

type Path = readonly string[];

/** Every list and every single value. */
function parts(orderData: OrderData.OrderData): { at: string; value: unknown }[] {
  return places(orderData).filter(({ value }) => Array.isArray(value) || typeof value !== 'object');
}

function other(path: Path, value: unknown, orderData: OrderData.OrderData): unknown {
  const key = path.at(-1);
  if (typeof value === 'number') return (value + 1) % 2 ** 32;
  const text = String(value);
  if (key === 'solver') return otherAddress(text, account, 'ethereum-vm');
  if (key === 'recipient') return otherAddress(text, account, vmAt(path, orderData));
  if (key === 'currency') return otherAddress(text, currency, vmAt(path, orderData));
  if (/chainId$/i.test(String(key))) return slugs[vmOf(text) ?? 'ethereum-vm'].find((slug) => slug !== text);
  if (key === 'salt') return hex(Buffer.from(text.slice(2), 'hex').map((byte, index) => byte ^ Number(index === 31)));
  if (text.startsWith('0x')) return `${text}00`;
  return ((BigInt(text) + 1n) % 2n ** 256n).toString();
}

function otherAddress(text: string, kind: typeof account | typeof currency, vm: Vm): string {
  const samples = sampled.get(`${kind.name} ${vm}`) ?? fc.sample(kind(vm), { seed: 1, numRuns: 3 });
  sampled.set(`${kind.name} ${vm}`, samples);
  const found = samples.find((sample) => sample.text !== text);
  if (!found) throw new Error(`no other address than ${text}`);
  return found.text;
}

const sampled = new Map<string, readonly Known[]>();

/** The kind of an address's chain, which is named beside it or by the enclosing output. */
function vmAt(path: Path, orderData: OrderData.OrderData): Vm {
  const beside = path.slice(0, -1).reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], orderData);
  const around = path[0] === 'output' ? orderData.output : {};
  const slug = { ...around, ...(beside as object) } as Record<string, unknown>;
  const vm = vmOf(String(slug[`${String(path.at(-1))}ChainId`] ?? slug.chainId));
  if (vm === undefined) throw new Error(`no chain at ${path.join('.')}`);
  return vm;
}

function hex(from: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(from).toString('hex')}`;
}
