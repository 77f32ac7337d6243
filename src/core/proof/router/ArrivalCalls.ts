/**
 * The calls on arrival: how an order binds them, what they do on the destination chain, and whether a fill has made them.
 */
import { decodeEventLog, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import { BaseError } from '../../base/Errors.js';
import type { Hex } from '../../base/Hex.js';
import type { Call, Chain, Receipt } from '../../ports/Ports.js';
import type { DestinationCall } from '../../quote/DestinationCall.js';
import { collect, type Finding } from '../../quote/Finding.js';
import type { Quote } from '../../quote/Quote.js';

const abi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event SolverCallExecuted(address to, bytes data, uint256 amount)',
]);

/** A call as an order binds it: its target, calldata and value, each as a tuple of one field. */
export function bound({ to, data, value }: DestinationCall): Hex {
  const one = (type: string) => ({ type: 'tuple', components: [{ name: 'is', type }] });
  return encodeAbiParameters([one('address'), one('bytes'), one('uint256')], [{ is: to }, { is: data }, { is: value }]);
}

/**
 * What the calls do on the destination chain if the router is paid the output and makes them: each succeeds at a contract,
 * and nothing of the output is left in the router. The solver, who delivers, stands for whoever pays the router.
 *
 * @param node undefined if no node of the chain can be asked
 */
export async function observe(
  { intent, quote }: { intent: Quote['intent']; quote: Pick<Quote, 'output'> },
  node: Pick<Chain, 'simulate' | 'code'> | undefined,
  solver: string | undefined,
): Promise<Finding[]> {
  const { calls, destination } = intent;
  if (calls.length === 0) return [];
  const findings = collect();
  const expected = 'every call succeeds, and nothing is left in the router';
  const { router } = destination.chain.contracts;
  const token = destination.token.address as Address.Address;
  const isNative = Address.isEqual(token, Address.native);
  if (!router || !solver || !node) {
    const why = node ? 'ferry does not know the router or the solver' : `no node of ${destination.chain.name} answers`;
    findings.cannot('arrival-calls', expected, why, 'the order');
    return [...findings.list];
  }
  const from = solver as Address.Address;
  const paid: Call = {
    from,
    to: token,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [router, quote.output] }),
    value: 0n,
  };
  const made = calls.map(({ to, data, value }) => ({ target: to, allowFailure: false, value, callData: data }));
  const making: Call = {
    from,
    to: router,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [made, from, from, '0x'] }),
    value: isNative ? quote.output : 0n,
  };
  const asking = Promise.all([
    node.simulate(isNative ? [making] : [paid, making], { balances: [{ owner: router, token }], allowances: [] }),
    ...calls.map(({ to }) => node.code(to)),
  ]);
  const asked = await asking.catch((error: unknown) => {
    // That the solver has too little is not the quote's fault, and without an answer nothing is known.
    if (error instanceof BaseError) return error;
    throw error;
  });
  if (asked instanceof BaseError) {
    const why = asked.code === 'submit.insufficient-balance' ? poor : asked.message;
    findings.cannot('arrival-calls', expected, why, 'the order');
    return [...findings.list];
  }
  const [simulated, ...codes] = asked;
  // A call of nothing succeeds.
  const idle = calls.find(({ data }, index) => data !== '0x' && codes[index] === '0x');
  if (idle) findings.cannot('arrival-code', 'a contract at each target', `${idle.to} has no code`);
  const result = simulated?.calls.at(-1);
  const payment = isNative ? undefined : simulated?.calls[0];
  const [left] = simulated?.balances ?? [];
  if (!result || payment?.status === 'reverted')
    findings.cannot('arrival-calls', expected, result ? poor : 'the node cannot simulate', 'the order');
  else if (result.status === 'reverted') findings.say('arrival-calls', false, expected, `it reverts: ${result.reason}`);
  else {
    const rest = (left?.after ?? 0n) - (left?.before ?? 0n);
    findings.say(
      'arrival-calls',
      rest <= 0n,
      expected,
      rest > 0n ? `${rest} base units are left in the router` : `${calls.length} of ${calls.length} succeed`,
    );
  }
  return [...findings.list];
}

const poor = 'the solver has too little for a simulation';

/** How often a router reports in a receipt that it has made the calls, one after the other. */
export function timesMade({ logs }: Pick<Receipt, 'logs'>, calls: readonly DestinationCall[], router: string): number {
  const made = logs.flatMap((log) => {
    if (!Address.isEqual(log.address, router)) return [];
    try {
      const topics = [...log.topics] as [Hex, ...Hex[]];
      const { args } = decodeEventLog({ abi, eventName: 'SolverCallExecuted', topics, data: log.data as Hex });
      return [args];
    } catch {
      return [];
    }
  });
  let next = 0;
  for (const { to, data, amount } of made) {
    const call = calls[next % calls.length];
    if (call && Address.isEqual(to, call.to) && data.toLowerCase() === call.data && amount === call.value) next++;
  }
  return Math.floor(next / calls.length);
}
