import { describe, expect, test } from 'vitest';
import * as TransferStatus from '../../../src/core/tracking/TransferStatus.js';

const hash = `0x${'5a'.repeat(32)}`;

describe('reduce', () => {
  test('default: collects the words seen and keeps what an answer leaves out', () => {
    const first = TransferStatus.reduce(TransferStatus.from('0x01'), {
      status: 'waiting',
      inTxHashes: ['0xaa'],
      originChainId: 1,
    });
    const second = TransferStatus.reduce(first, { status: 'waiting' });
    const third = TransferStatus.reduce(second, { status: 'success', txHashes: ['0xbb'], failReason: 'N/A' });
    expect(third).toMatchObject({
      status: 'success',
      seen: ['waiting', 'success'],
      inTxHashes: ['0xaa'],
      outTxHashes: ['0xbb'],
      originChainId: 1,
      failReason: null,
    });
  });
  test('behavior: failure may be followed by a refund', () => {
    const words = ['pending', 'failure', 'pending', 'refund'];
    const end = words.reduce(
      (progress, status) => TransferStatus.reduce(progress, { status, txHashes: [hash] }),
      TransferStatus.from('0x01'),
    );
    expect(end.seen).toEqual(words);
    expect(TransferStatus.fundsOf(end)).toBe('returned');
  });
});

describe('a refund that is not sent yet', () => {
  test.each([['refund'], ['refunded']])('default: "%s" without a transaction has returned nothing', (status) => {
    const stated = TransferStatus.reduce(TransferStatus.from('0x01'), { status, txHashes: [] });
    expect([TransferStatus.isTerminal(stated), TransferStatus.codeOf(stated)]).toEqual([false, undefined]);
    expect(TransferStatus.fundsOf(stated)).toBe('in-flight');
    expect(TransferStatus.inWords(stated)).toBe('to be refunded, the refund is not sent yet');
    expect(TransferStatus.isSame(stated, 'refund') || TransferStatus.hasReached(stated, 'refund')).toBe(false);
    const sent = TransferStatus.reduce(stated, { status, txHashes: [hash] });
    expect(TransferStatus.isTerminal(sent)).toBe(true);
    expect(TransferStatus.inWords(sent)).toBe('the service reports the refund');
  });

  test('behavior: the transaction of a failed fill is not the refund', () => {
    const failed = TransferStatus.reduce(TransferStatus.from('0x01'), { status: 'failure', txHashes: [hash] });
    expect(TransferStatus.fundsOf(TransferStatus.reduce(failed, { status: 'refund' }))).toBe('in-flight');
  });
});

test.each([
  ['success', true],
  ['refund', true],
  ['refunded', true],
  ['failure', true],
  ['waiting', false],
  ['delayed', false],
  ['a new word', false],
])('isTerminal: %s', (status, expected) => {
  expect(TransferStatus.isTerminal({ status, outTxHashes: [hash] })).toBe(expected);
});

test('codeOf: only a bad end has a code', () => {
  expect(
    ['success', 'pending', 'refund', 'failure'].map((status) => TransferStatus.codeOf({ status, outTxHashes: [hash] })),
  ).toEqual([undefined, undefined, 'track.refunded', 'track.failed']);
});

test.each([
  ['submitted', 'pending', true],
  ['success', 'waiting', true],
  ['waiting', 'pending', false],
  ['failure', 'pending', false],
  ['delayed', 'delayed', true],
  ['success', 'delayed', false],
  ['refunded', 'refund', true],
  ['a new word', 'waiting', false],
  ['a new word', 'a new word', true],
])('hasReached: %s for %s is %s', (status, state, expected) =>
  expect(TransferStatus.hasReached({ status, outTxHashes: [hash] }, state)).toBe(expected),
);
