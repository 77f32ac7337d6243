/** Deposits with the depository of a chain, by its own events: nobody else can make one for an order. */
import { decodeAbiParameters } from 'viem/utils';
import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import type * as Network from '../network/Network.js';
import type { Receipt } from '../ports/Ports.js';

export type Deposit = {
  from: string;
  token: string;
  /** Base units. */
  amount: bigint;
  /** The order id. */
  id: Hex;
};

const fields = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
/** RelayNativeDeposit(address,uint256,bytes32) */
const native = { topic: '0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477', fields } as const;
/** RelayErc20Deposit(address,address,uint256,bytes32) */
const erc20 = {
  topic: '0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1',
  fields: [{ type: 'address' }, ...fields],
} as const;

/** The deposits of a transaction. An event of another length than theirs is none. */
export function inReceipt(
  { logs }: Pick<Receipt, 'logs'>,
  { contracts }: Pick<Network.Chain, 'contracts'>,
): readonly Deposit[] {
  return logs.flatMap(({ address, topics: [topic], data }) => {
    if (!Address.isEqual(address, contracts.depository ?? '')) return [];
    if (topic === native.topic && isOf(native, data)) {
      const [from, amount, id] = decodeAbiParameters(native.fields, data);
      return [{ from, token: Address.native, amount, id }];
    }
    if (topic === erc20.topic && isOf(erc20, data)) {
      const [from, token, amount, id] = decodeAbiParameters(erc20.fields, data);
      return [{ from, token, amount, id }];
    }
    return [];
  });
}

/** Whether data has as many words as an event has fields. */
function isOf(event: { fields: readonly unknown[] }, data: Hex): boolean {
  return data.length === 2 + 64 * event.fields.length;
}
