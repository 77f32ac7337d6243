import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import { batch, call, intent, transactions } from '../../support/journals.js';

const after = (entries: readonly Journal.Entry[], count: number) => Journal.next(Journal.from(entries.slice(0, count)));
const every = (entries: readonly Journal.Entry[]) => entries.map((_, index) => after(entries, index + 1));

describe('next', () => {
  test('default: what may be done after each entry of a run by own gas', () => {
    expect(every(transactions)).toEqual([
      ...['nothing', 'nothing', 'nothing', 'nothing'],
      ...['settle', 'settle', 'sign'],
      ...['settle', 'settle', 'follow'],
      ...['follow', 'follow', 'ended'],
    ]);
  });

  test('behavior: what was handed over is settled until it is known to be taken', () => {
    expect(every(batch).slice(3)).toEqual(['nothing', 'settle', 'follow', 'follow', 'follow', 'ended']);
  });

  test('behavior: a call is settled until it is known to be taken', () => {
    expect(every(call)).toEqual(['nothing', 'settle', 'follow', 'follow', 'follow', 'ended']);
    expect(Journal.from(call.slice(0, 3)).taken).toBe('0x02');
  });

  test('behavior: a transaction that became impossible is no longer signed', () => {
    const gone: Journal.Entry = { type: 'impossible', step: 1, txHash: '0xd1', by: '0xff' };
    const state = Journal.from([...transactions.slice(0, 9), gone]);
    expect([Journal.next(state), Journal.isPaid(state), state.sent.size]).toEqual(['sign', false, 1]);
    expect(Journal.from([...transactions.slice(0, 9), gone, gone])).toEqual(state);
    expect(state.foreign).toMatchObject({ txHash: '0xff' });
    const again = transactions.find((entry) => entry.type === 'signed' && entry.step === 1) as Journal.Entry;
    expect(Journal.reduce(state, again).foreign).toBeUndefined();
  });

  test('behavior: after another quote the old approvals are no steps, and the run is still unfinished', () => {
    const state = Journal.from([...transactions.slice(0, 7), ...transactions.slice(1, 4)]);
    expect([Journal.next(state), state.sent.size, state.earlier]).toEqual(['sign', 0, 1]);
    expect(Journal.isUnfinished(state)).toBe(true);
  });
});

describe('reduce', () => {
  const waiting = transactions.slice(0, 9);
  const faster: Journal.Entry = {
    type: 'replacement',
    step: 1,
    purpose: 'speed-up',
    bytes: '0xd2',
    txHash: '0xd2',
    nonce: 1,
  };

  test.each([
    ['a transaction', waiting],
    ['one that was mined, and taken back with its block', transactions.slice(0, 10)],
  ])('behavior: what was signed in the place of %s counts, and is not known to be sent', (_, entries) => {
    const sent = Journal.from([...entries, faster]).sent.get(1);
    expect(sent?.attempts.map(({ purpose }) => purpose)).toEqual(['send', 'speed-up']);
    expect([sent?.broadcast, sent?.nonce, sent?.receipt]).toEqual([false, 1, undefined]);
  });

  test.each<[string, readonly Journal.Entry[]]>([
    ['another nonce', [...waiting, { ...faster, nonce: 2 }]],
    ['a step that was never signed', [...transactions.slice(0, 7), faster]],
  ])('error: a replacement of %s', (_, entries) => {
    expect(() => Journal.from(entries)).toThrow(expect.objectContaining({ code: 'run.unreadable' }));
  });
});

describe('from', () => {
  const plan = transactions.slice(0, 4);
  const [signed, broadcast, receipt] = transactions.slice(4, 7);
  const quote = transactions[1];
  test.each<[string, (Journal.Entry | undefined)[]]>([
    ['nothing at all', []],
    ['no intent', [quote]],
    ['a second intent', [intent, intent]],
    ['a proof of nothing', [intent, transactions[2]]],
    ['a plan without proof', [intent, quote, transactions[3]]],
    ['a signature without a plan', [intent, signed]],
    ['a signature of no step', [...plan, { ...signed, step: 2 } as Journal.Entry]],
    ['a step that is signed twice', [...plan, signed, signed]],
    ['a batch that is signed twice', [...batch.slice(0, 5), batch[4]]],
    ['a receipt of nothing', [...plan, receipt]],
    ['a broadcast of nothing', [...plan, broadcast]],
    ['a quote after the payment', [...transactions.slice(0, 8), quote]],
    ['a batch in a run by own gas', [...plan, batch[4]]],
    ['a call in a run by own gas', [...plan, call[1]]],
    ['a call that is posted twice', [...call.slice(0, 2), call[1]]],
  ])('error: %s', (_, entries) => {
    expect(() => Journal.from(entries.filter((each) => each !== undefined))).toThrow(
      expect.objectContaining({ code: 'run.unreadable' }),
    );
  });

  test('behavior: entries in any order give a state or a refusal, and never two signatures of one step', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...transactions, ...batch)), (entries) => {
        try {
          const state = Journal.from([intent, ...entries]);
          expect(['nothing', 'settle', 'sign', 'follow', 'ended']).toContain(Journal.next(state));
        } catch (error) {
          expect(error).toMatchObject({ code: 'run.unreadable' });
        }
      }),
    );
  });
});

describe('isFinal', () => {
  const unpaid = Journal.from(transactions.slice(0, 7));
  const paid = Journal.from(transactions.slice(0, 8));
  const handed = Journal.from(batch.slice(0, 5));
  const fresh = Journal.from(transactions.slice(0, 4));
  test.each([
    ['anything before a signature', fresh, new BaseError('service.unreachable', 'x'), true],
    ['a revert', paid, new BaseError('submit.reverted', 'x'), true],
    ['a refund', paid, new BaseError('track.refunded', 'x'), true],
    ['a transaction that is not mined', paid, new BaseError('track.unfinished', 'x'), false],
    ['a payment that a node refuses', paid, new BaseError('chain.refused', 'x'), false],
    ['a deposit that would fail', unpaid, new BaseError('submit.simulation', 'x'), true],
    ['Ctrl-C between two steps', unpaid, new BaseError('prompt.declined', 'x'), false],
    ['a full disk between two steps', unpaid, new BaseError('config.unwritable', 'x'), false],
    ['a batch that the service says it refuses', handed, new BaseError('submit.simulation', 'x'), false],
    ['a batch that is void, as the chain shows', handed, new BaseError('submit.expired', 'x'), true],
    ['a batch that may be with the service', handed, new BaseError('submit.unknown', 'x'), false],
    ['a batch that could not be posted', handed, new BaseError('service.unreachable', 'x'), false],
  ] as const)('default: %s', (_, state, error, expected) => {
    expect(Journal.isFinal(state, error)).toBe(expected);
  });
});

test('fundsOf: by what was signed, and by how it ended', () => {
  const funds = [4, 7, 8, 11, transactions.length].map((count) =>
    Journal.fundsOf(Journal.from(transactions.slice(0, count))),
  );
  expect(funds).toEqual(['untouched', 'untouched', 'unknown', 'in-flight', 'delivered']);
  // A payment that was broadcast is on its way, as ferry status says too.
  const sent = Journal.from(transactions.slice(0, 9));
  expect([Journal.fundsOf(sent), Journal.outOf(sent)]).toEqual(['in-flight', 'in-flight']);
  // Whether somebody has paid to an address is not known here, and the service may be wrong.
  const address: Journal.Entry = { type: 'address', address: '0xad', untilMs: 0 };
  const asked = [{ ...intent, kind: 'address' as const }, ...transactions.slice(1, 4), address];
  expect(Journal.fundsOf(Journal.from(asked))).toBe('unknown');
  expect(Journal.fundsOf(Journal.from([...asked, { type: 'request', requestId: '0x01' }]))).toBe('unknown');
});

const amount = fc.option(fc.bigInt({ min: 0n, max: 2n ** 256n }), { nil: undefined });

/** The caps of an entry as the journal reads them. */
function recorded(caps: unknown): Journal.RecordedCaps {
  const entry = Journal.entrySchema.parse({ type: 'proof', checks: 0, allow: [], caps });
  if (entry.type !== 'proof') throw new TypeError('it is a proof');
  return entry.caps;
}

test('toCaps: what was written is read as it was, whatever its size', () => {
  fc.assert(
    fc.property(
      fc.record({
        maxImpactBps: fc.nat(10_000),
        maxAgeMs: fc.nat(),
        maxFeeUsd: amount,
        minOut: amount,
        maxIn: amount,
        maxVenueFee: amount,
      }),
      (caps) => {
        const text = JSON.stringify(Journal.fromCaps(caps));
        expect(Journal.toCaps(recorded(JSON.parse(text)))).toEqual(caps);
      },
    ),
  );
});
