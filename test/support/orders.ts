/** Random orders with what their ids are made of, and every way to change an order in one place. */
import fc from 'fast-check';
import type * as OrderData from '../../src/core/contract/OrderData.js';
import type { Vm } from '../../src/core/Vm.js';
import { account, currency, type Known, vms } from './addresses.js';
import { structHash, type Types } from './structHash.js';

/** As the order protocol defines them. */
export const types: Types = {
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
