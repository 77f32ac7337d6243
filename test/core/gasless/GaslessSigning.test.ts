import { expect, test } from 'vitest';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as GaslessSigning from '../../../src/core/gasless/GaslessSigning.js';
import { market } from '../../support/market.js';
import { altered, intent, quote } from '../../support/quoted.js';

test('sign: attack: nothing is signed that is still valid when its order is about to end', async () => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc', { gasless: true }));
  /** What signing gets to, of a batch that is valid for minutes, for an order that ends in minutes. */
  const signing = async (orderMinutes: number, minutes?: number): Promise<unknown> => {
    const deadline = Math.floor(market.nowMs / 1000) + orderMinutes * 60;
    const { origin, ...rest } = honest.intent;
    const contracts = { ...origin.chain.contracts, batchExecutor: origin.chain.contracts.depository };
    const of = altered(honest, 'protocol.v2.orderData.output.deadline', deadline);
    const placed = { ...rest, origin: { ...origin, chain: { ...origin.chain, contracts } } };
    const plan = Plan.restored({ ...of, intent: placed }) as Plan.Plan;
    const ports = {
      clock: { now: () => market.nowMs },
      origin: {},
      account: {},
      validForMs: minutes === undefined ? undefined : minutes * 60_000,
    } as unknown as GaslessSigning.Ports;
    const facts = { kind: 'batch', code: '0x01' } as never;
    return GaslessSigning.sign(plan, ports, facts)
      .next()
      .catch(({ code }: { code: string }) => code);
  };
  // An account with code, which is refused next.
  const goesOn = 'request.unsupported';
  expect([await signing(70), await signing(67), await signing(65)]).toEqual([goesOn, goesOn, 'verify.cap']);
  expect([await signing(10_000, 600), await signing(70, 11)]).toEqual([goesOn, 'verify.cap']);
});
