import { expect, test } from 'vitest';
import * as PayingAccounts from '../../../src/core/batch/PayingAccounts.js';

/** The lanes of payments written as `payer>recipient`, as the accounts of each. */
function lanesOf(payments: readonly string[]): string[] {
  const accounts = PayingAccounts.create();
  const payers = new Set<string>();
  for (const payment of payments) {
    const [payer = '', recipient = ''] = payment.split('>');
    accounts.add({ payer, recipient });
    payers.add(payer.toLowerCase());
  }
  const lanes = accounts.lanes();
  const grouped = new Map<string, string[]>();
  for (const payer of [...payers].toSorted())
    grouped.set(lanes.of(payer), [...(grouped.get(lanes.of(payer)) ?? []), payer]);
  expect([lanes.size, accounts.size]).toEqual([grouped.size, payers.size]);
  return [...grouped.values()].map((each) => each.join('+')).toSorted();
}

test.each<[string, string[], string[]]>([
  ['each account that pays itself or a stranger has its own', ['a>a', 'b>x', 'a>x', 'c>y'], ['a', 'b', 'c']],
  ['whoever pays an account shares its lane', ['a>b', 'b>x', 'c>c'], ['a+b', 'c']],
  ['also if that account pays first', ['b>x', 'a>b'], ['a+b']],
  ['and over others', ['a>b', 'b>c', 'd>c', 'e>e', 'c>x'], ['a+b+c+d', 'e']],
  ['a circle is one', ['a>b', 'b>c', 'c>a'], ['a+b+c']],
  ['an address means one account however it is written', ['0xAB>0xab', '0xab>x', '0xCD>0xAb'], ['0xab+0xcd']],
  ['no payments', [], []],
])('default: %s', (_, payments, expected) => {
  expect(lanesOf(payments)).toEqual(expected);
});

test('behavior: a long chain of accounts', () => {
  for (const isReversed of [false, true]) {
    const accounts = PayingAccounts.create();
    for (let index = 0; index < 20_000; index++) {
      const at = isReversed ? 20_000 - index : index;
      accounts.add({ payer: `${at}`, recipient: `${at + 1}` });
    }
    expect(accounts.lanes().size).toBe(1);
  }
});
