import { describe, expect, test } from 'vitest';
import * as NonceRule from '../../../src/core/execution/NonceRule.js';
import * as Resumption from '../../../src/core/execution/Resumption.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import * as journals from '../../support/journals.js';

describe('of another place or account', () => {
  const elsewhere = { network: { ...network, name: 'mainnet' }, instance: undefined } as const;
  const owner = `0x${'0a'.repeat(20)}` as const;
  const other = `0x${'0b'.repeat(20)}` as const;

  test.each([
    ['nothing is signed', journals.transactions.slice(0, 4), 'untouched'],
    ['an approval is signed', journals.transactions.slice(0, 5), 'untouched'],
    ['the payment is signed', journals.transactions.slice(0, 8), 'unknown'],
    ['a deposit address was shown', journals.address, 'unknown'],
    ['it has ended', journals.transactions, 'delivered'],
  ] as const)('error: where %s, it says where the money is', (_, entries, funds) => {
    const state = Journal.from(entries);
    const error = expect.objectContaining({ code: 'run.elsewhere', funds });
    expect(() => Resumption.assertHere(state, elsewhere)).toThrow(error);
    expect(() => Resumption.assertSender(state, owner, other)).toThrow(error);
  });

  test('error: another account would sign: the command to type is the one that was typed', () => {
    const state = { ...Journal.from(journals.transactions.slice(0, 8)), account: 'dev2' };
    const check = () => Resumption.assertSender(state, owner, other, 'runs cancel');
    expect(check).toThrow(expect.objectContaining({ next: `ferry runs cancel ${state.run} --account dev2` }));
  });

  test.each([
    ['is unfinished', journals.transactions.slice(0, 8), `ferry runs close ${journals.intent.run}`],
    ['has ended', journals.transactions, undefined],
  ] as const)('error: of a sandbox that was reset, where it %s, it says how the run is ended', (_, entries, next) => {
    const state = Journal.from(entries);
    const reset = { network, instance: `not ${state.instance}` };
    expect([Resumption.isReset(state, reset), Resumption.isReset(state, elsewhere)]).toEqual([true, false]);
    expect(Resumption.isReset(state, { network, instance: undefined })).toBe(false);
    expect(() => Resumption.assertHere(state, reset)).toThrow(expect.objectContaining({ code: 'run.elsewhere', next }));
  });
});

test('explained: of a nonce that another program took, it says how that is found out', () => {
  const place = { owner: `0x${'0a'.repeat(20)}`, chain: 'alpha' };
  const taken = NonceRule.takenNonce(place, { nonce: 4, txHash: `0x${'0b'.repeat(32)}` });
  const error = Resumption.explained(Journal.from(journals.transactions.slice(0, 8)), taken);
  expect(error).toMatchObject({ code: 'submit.unknown', funds: 'unknown' });
  expect(error.hint).toMatch(/^Do not start the transfer again\. .*--allow foreign-nonces\.$/);
});
