import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Verification from '../../../src/core/proof/Verification.js';
import type * as Quote from '../../../src/core/quote/Quote.js';
import type * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as market from '../../support/market.js';
import { altered, intent, network, prove, quote } from '../../support/quoted.js';

const recipient = accounts.dev3.address;
const attacker = accounts.dev4.address;

/** The checks that a quote fails. */
async function failed(...of: Parameters<typeof prove>): Promise<string[]> {
  return (await prove(...of)).filter(({ verdict }) => verdict === 'mismatch').map(({ check }) => check);
}

type Item = { data: { to: string; value: string; data: Hex } };
type Step = { id: string; depositAddress?: string; items: Item[] };

/** The same quote with other steps. */
function withSteps(honest: Quote.Quote, change: (steps: Step[]) => void): Quote.Quote {
  const steps = structuredClone(honest.response.steps) as unknown as Step[];
  change(steps);
  return altered(honest, 'steps', steps);
}

/** The same quote with another transaction in its last step. */
function paying(honest: Quote.Quote, change: (transaction: Item['data']) => Partial<Item['data']>): Quote.Quote {
  return withSteps(honest, (steps) => {
    const item = steps.at(-1)?.items[0];
    if (!item) throw new Error('nothing is paid');
    Object.assign(item.data, change(item.data));
  });
}

/** Calldata with one argument replaced: that at an index, or the first that has a value. */
function withArgument(data: Hex, at: number | string, value: string | bigint): Hex {
  const words: string[] = data.slice(10).match(/.{64}/g) ?? [];
  const index = typeof at === 'number' ? at : words.indexOf(wordOf(at));
  if (!(index in words)) throw new Error(`no argument ${at}`);
  words[index] = wordOf(value);
  return `${data.slice(0, 10) as Hex}${words.join('')}`;
}

function wordOf(value: string | bigint): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0');
}

const { tokens, contracts } = market.alpha;
const usdc = tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '0x';
const amount = 100_000_000n;

const asked = {
  'a deposit of a token': intent('100', 'alpha/usdc', 'beta/usdc'),
  'a deposit of the native token': intent('1', 'alpha/eth', 'beta/eth'),
  'a transfer': intent('100', 'alpha/usdc', 'alpha/usdc', { recipient }),
  'a payment': intent('1', 'alpha/eth', 'alpha/eth', { recipient }),
  'a wrap': intent('1', 'alpha/eth', 'alpha/weth'),
  'an unwrap': intent('1', 'alpha/weth', 'alpha/eth'),
  'a swap of a token': intent('100', 'alpha/usdc', 'alpha/usdt'),
  'a swap of the native token': intent('1', 'alpha/eth', 'alpha/usdc'),
  'a token to an address': intent('100', 'alpha/usdc', 'beta/usdc', { depositAddress: true }),
  'the native token to an address': intent('1', 'alpha/eth', 'beta/eth', { depositAddress: true }),
} as const satisfies Record<string, TransferIntent.Intent>;

type Change = (transaction: Item['data']) => Partial<Item['data']>;
const argument =
  (at: number | string, value: string | bigint): Change =>
  ({ data }) => ({ data: withArgument(data, at, value) });
const elsewhere: Change = () => ({ to: attacker });

describe('what is paid, and to whom', () => {
  test.each(Object.entries(asked))('default: %s is as it was asked for', async (_, wanted) => {
    expect(await failed(await quote(wanted))).toEqual([]);
  });

  const lies: readonly (readonly [of: keyof typeof asked, check: string, change: Change])[] = [
    ['a deposit of a token', 'contract', elsewhere],
    ['a deposit of a token', 'depositor', argument(0, attacker)],
    ['a deposit of a token', 'token', argument(1, attacker)],
    ['a deposit of a token', 'amount-paid', argument(2, amount + 1n)],
    ['a deposit of a token', 'deposit-id', argument(3, 1n)],
    ['a deposit of a token', 'value', () => ({ value: '1' })],
    ['a deposit of a token', 'function', () => ({ data: '0xdeadbeef' })],
    ['a deposit of the native token', 'contract', elsewhere],
    ['a deposit of the native token', 'depositor', argument(0, attacker)],
    ['a deposit of the native token', 'deposit-id', argument(1, 1n)],
    ['a deposit of the native token', 'value', () => ({ value: String(2n * 10n ** 18n) })],
    ['a transfer', 'token', elsewhere],
    ['a transfer', 'payee', argument(0, attacker)],
    ['a transfer', 'amount-paid', argument(1, amount + 1n)],
    ['a payment', 'payee', elsewhere],
    ['a payment', 'value', () => ({ value: String(2n * 10n ** 18n) })],
    ['a wrap', 'contract', elsewhere],
    ['an unwrap', 'contract', elsewhere],
    ['an unwrap', 'amount-paid', argument(0, 2n * 10n ** 18n)],
    ['a swap of a token', 'contract', elsewhere],
    ['a swap of a token', 'token', argument(usdc, attacker)],
    ['a swap of a token', 'amount-paid', argument(`0x${amount.toString(16)}`, amount + 1n)],
    ['a swap of the native token', 'contract', elsewhere],
    ['a token to an address', 'token', elsewhere],
    ['a token to an address', 'payee', argument(0, attacker)],
    ['a token to an address', 'amount-paid', argument(1, amount + 1n)],
    ['the native token to an address', 'payee', elsewhere],
    ['the native token to an address', 'function', () => ({ data: '0x01' })],
  ];
  test.each(lies)('attack: %s with another %s', async (of, check, change) => {
    expect(await failed(paying(await quote(asked[of]), change))).toContain(check);
  });

  test.each(['a wrap', 'an unwrap'] as const)('attack: %s for somebody else', async (of) => {
    expect(await failed(altered(await quote(asked[of]), 'details.recipient', attacker))).toContain('payee');
  });

  test('attack: a depository of the order that is not the one that is paid', async () => {
    const honest = await quote(asked['a deposit of a token']);
    expect(await failed(altered(honest, 'protocol.v2.paymentDetails.depository', attacker))).toContain('depository');
  });

  test('attack: a payment that names an address of its own, and pays another one', async () => {
    const honest = await quote(asked['a deposit of a token']);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] });
    const lying = withSteps(
      paying(honest, () => ({ to: usdc, data })),
      (steps) => Object.assign(steps.at(-1) ?? {}, { depositAddress: attacker }),
    );
    expect(await failed(lying)).toContain('payee');
  });
});

describe('a step that ferry cannot read', () => {
  const ofAnotherChain = { data: { instructions: [] } };

  test.each([
    ['for another kind of chain', ofAnotherChain],
    ['without a target', { data: { chainId: 313371, value: '0', data: '0x' } }],
  ])('attack: one %s is not signed', async (_, item) => {
    const honest = await quote(asked['a deposit of a token']);
    const lying = withSteps(honest, (steps) => Object.assign(steps.at(-1)?.items[0] ?? {}, item));
    expect(await failed(lying)).toContain('step');
  });

  test('behavior: in a quote that is only looked at it may be for another kind of chain', async () => {
    const honest = await quote(asked['a deposit of a token']);
    const foreign = withSteps(honest, (steps) => Object.assign(steps.at(-1)?.items[0] ?? {}, ofAnotherChain));
    const place = { network, baseUrl: undefined, nowMs: market.market.nowMs, isReview: true };
    const findings = await Verification.prove(foreign, {}, place);
    expect(findings.find(({ check }) => check === 'step')).toMatchObject({ verdict: 'cannot verify' });
  });
});

describe('approvals', () => {
  const ofNothing = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [contracts.depository, 0n],
  });

  test('default: one, or one after a reset to zero', async () => {
    const honest = await quote(asked['a deposit of a token']);
    const reset = withSteps(honest, ([approval]) => {
      const [item] = approval?.items ?? [];
      if (item) approval?.items.unshift({ ...item, data: { ...item.data, data: ofNothing } });
    });
    expect(await failed(reset)).toEqual([]);
  });

  test('attack: one of nothing, and two of the amount', async () => {
    const honest = await quote(asked['a deposit of a token']);
    const nothing = withSteps(honest, ([approval]) => {
      Object.assign(approval?.items[0]?.data ?? {}, { data: ofNothing });
    });
    const twice = withSteps(honest, ([approval]) => {
      approval?.items.push(...structuredClone(approval.items));
    });
    for (const lying of [nothing, twice]) expect(await failed(lying)).toContain('approvals');
  });
});

test.each(['a token to an address', 'the native token to an address'] as const)(
  'attack: %s, with an approval, or without the address: nobody is to pay that',
  async (of) => {
    const honest = await quote(asked[of]);
    const [approval] = (await quote(asked['a deposit of a token'])).response.steps;
    const approving = withSteps(honest, (steps) => steps.unshift(structuredClone(approval) as unknown as Step));
    const without = withSteps(honest, (steps) => Object.assign(steps.at(-1) ?? {}, { depositAddress: '' }));
    for (const lying of [approving, without]) expect(await failed(lying)).toContain('payable-by-anybody');
  },
);

describe('a payment in which nothing is swapped', () => {
  const payments = ['a transfer', 'a payment', 'a wrap', 'an unwrap'] as const;

  test.each(payments)('default: %s yields what is paid', async (of) => {
    expect((await prove(await quote(asked[of]))).find(({ check }) => check === 'amount-received')).toMatchObject({
      verdict: 'verified',
    });
  });

  test.each(payments)('error: %s that is said to yield another amount', async (of) => {
    const honest = await quote(asked[of]);
    const received = BigInt(honest.response.details.currencyOut.amount);
    for (const wrong of [received + 1n, received - 1n, received * 2n])
      expect(await failed(altered(honest, 'details.currencyOut.amount', String(wrong)))).toContain('amount-received');
    const more = altered(honest, 'details.currencyOut.minimumAmount', String(received + 1n));
    expect(await failed(more)).toContain('amount-received');
  });
});
