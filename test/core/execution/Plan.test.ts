import { describe, expect, test } from 'vitest';
import * as Execution from '../../../src/core/execution/Execution.js';
import type * as Following from '../../../src/core/execution/Following.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as GaslessExecution from '../../../src/core/gasless/GaslessExecution.js';
import * as GaslessSigning from '../../../src/core/gasless/GaslessSigning.js';
import type * as Quote from '../../../src/core/quote/Quote.js';
import * as WithdrawalSigning from '../../../src/core/withdrawal/WithdrawalSigning.js';
import * as Transfer from '../../../src/venue/Transfer.js';
import * as market from '../../support/market.js';
import { altered, intent, quote, verify } from '../../support/quoted.js';
import * as withdrawal from '../../support/withdrawal.js';

async function plan(...asked: Parameters<typeof intent>): Promise<Plan.Plan> {
  return Plan.from(await verify(await quote(intent(...asked))));
}

describe('from', () => {
  test.each([
    ['alpha/usdc', 'beta/usdc', ['approve: Approve exactly 1 USDC', 'deposit: Deposit 1 USDC on alpha']],
    ['alpha/eth', 'beta/eth', ['deposit: Deposit 1 ETH on alpha']],
    ['alpha/eth', 'alpha/weth', ['wrap: Wrap 1 ETH on alpha']],
    ['alpha/weth', 'alpha/eth', ['unwrap: Unwrap 1 WETH on alpha']],
    ['alpha/eth', 'alpha/usdc', ['swap: Swap 1 ETH for USDC on alpha']],
    ['alpha/usdc', 'alpha/usdt', ['approve: Approve exactly 1 USDC', 'swap: Swap 1 USDC for USDT on alpha']],
  ])('default: %s to %s', async (from, to, lines) => {
    const { actions } = await plan('1', from, to);
    expect(actions.map(({ kind, summary }) => `${kind}: ${summary}`)).toEqual(lines);
  });
  test('behavior: a transfer to somebody else on one chain is a send', async () => {
    const { actions } = await plan('1', 'alpha/usdc', 'alpha/usdc', { recipient: market.other });
    expect(actions.map(({ kind }) => kind)).toEqual(['send']);
  });
  test.each([
    ['steps.0.kind', 'signature', 'asks for a signature'],
    ['steps.0.kind', 'incantation', 'is of kind "incantation"'],
  ])('error: %s = %j cannot be carried out', async (path, value, words) => {
    const verified = await verify(await quote(intent('1', 'alpha/eth', 'beta/eth')));
    const odd = { ...verified, quote: altered(verified.quote, path, value) };
    expect(() => Plan.from(odd)).toThrowError(
      expect.objectContaining({ code: 'quote.unsupported-step', message: expect.stringContaining(words) }),
    );
  });
  test('behavior: an approval says who may take how much', async () => {
    const { actions } = await plan('1', 'alpha/usdc', 'beta/usdc');
    expect(actions[0]?.approval).toEqual({ spender: expect.stringMatching(/^0x/), amount: 1_000_000n });
  });

  test('behavior: a withdrawal is one transfer and no transaction', async () => {
    const memo = '0x961eea24786419e1762795f731bab0c443584f06875d881b1873673b084a20f4';
    expect(await withdrawal.plan()).toMatchObject({
      actions: [],
      permits: [],
      transfer: {
        summary: "Transfer 40 USDC on lighter to the service's account 700001",
        fromAccountIndex: 281474976710001,
        toAccountIndex: 700001,
        assetIndex: 3,
        fromRouteType: 0,
        toRouteType: 0,
        amount: 40_000_000n,
        usdcFee: 2_500_000n,
        memo,
      },
    });
  });
  test('behavior: a deposit to the venue is a transaction and no transfer', async () => {
    const { actions, transfer } = Plan.from(await withdrawal.verify(withdrawal.quote('deposit')));
    expect(actions.map(({ summary }) => summary)).toEqual(['Deposit 0.1 ETH on alpha']);
    expect(transfer).toBeUndefined();
  });
  test('error: a transfer beside something else', async () => {
    const verified = await withdrawal.verify(withdrawal.quote('withdrawal'));
    const [step] = verified.quote.response.steps;
    const odd = { ...verified, quote: altered(verified.quote, 'steps', [step, step]) };
    expect(() => Plan.from(odd)).toThrowError(
      expect.objectContaining({
        code: 'quote.unsupported-step',
        message: expect.stringContaining('a transfer on the venue'),
      }),
    );
  });
});

describe('types', () => {
  /** Held by the type check, which fails if one of these lines compiles; none of them is run. */
  const refused = (quote: Quote.Quote, restored: Plan.Restored, { ports, gasless, following, terms }: Worlds) => [
    // @ts-expect-error a quote is not verified
    () => Plan.from(quote),
    // @ts-expect-error only Verification makes a verified quote
    () => Plan.from({ quote, findings: [] }),
    // @ts-expect-error what is restored from a journal is not executed
    () => Execution.run(restored, ports, patience),
    // @ts-expect-error nor signed as a batch or a permit
    () => GaslessExecution.run(restored, gasless, patience),
    // @ts-expect-error nor signed and left
    () => GaslessSigning.sign(restored, gasless),
    // @ts-expect-error nor signed as a transfer on the venue
    () => WithdrawalSigning.transferOf(restored, terms),
    // @ts-expect-error a transfer that no plan asks for is not signed
    () => WithdrawalSigning.sign(Transfer.from({} as never), terms, {} as never),
    // @ts-expect-error an object of the same shape is not a plan
    (): Plan.Plan => ({ ...restored }),
    // @ts-expect-error what finishes a run has no account to sign with
    () => following.account,
  ];
  const followed = (restored: Plan.Restored, { following }: Worlds) =>
    Execution.finish(restored, following, patience, new Map());

  test('error: nothing but a plan of a verified quote can be signed', () => {
    expect(refused).toBeTypeOf('function');
    expect(followed).toBeTypeOf('function');
  });
});

const patience = { wait: true, timeoutMs: 1 };

type Worlds = {
  ports: Execution.Ports;
  gasless: GaslessSigning.Ports;
  following: Following.Ports;
  terms: WithdrawalSigning.Numbers;
};
