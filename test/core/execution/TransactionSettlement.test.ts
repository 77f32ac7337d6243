import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import {
  final,
  finalityOf,
  hasWorked,
  isSettled,
  type Ports,
  resend,
  type Step,
} from '../../../src/core/execution/TransactionSettlement.js';
import type { Receipt } from '../../../src/core/ports/Ports.js';

/** A receipt in block 10, of the transaction with nonce 7. */
const receipt = (...witnesses: readonly string[]) =>
  ({ hash: '0xcc', status: 'success', blockNumber: 10n, witnesses }) as unknown as Receipt;

const account = { owner: '0x01', nonce: 7 } as const;

/** The time of blocks up to the last. */
const upTo = (tip: bigint) => async (block: bigint) => {
  if (block > tip) throw new Error('There is no such block.');
  return 0n;
};

/** How final a receipt is that one node alone shows, by its last block and by the one from which on the nonce is used. */
const alone = ({ tip = 12n, usedAt = 12n, isOwn = false } = {}) =>
  finalityOf(receipt('the node'), account, {
    receipt: async () => receipt('the node'),
    minedNonce: async (_, at = tip) => (at < usedAt ? 7 : 8),
    blockTime: upTo(tip),
    isOwn: async () => isOwn,
  });

describe('finalityOf', () => {
  test('default: final if two nodes show it, with two blocks above it', async () => {
    const nobody = async () => Promise.reject(new Error('It does not answer.'));
    const at = (number: bigint, ...witnesses: readonly string[]) => {
      const blockTime = upTo(number);
      return finalityOf(receipt(...witnesses), account, {
        receipt: async () => receipt(...witnesses),
        minedNonce: nobody,
        blockTime,
      });
    };
    expect(await at(12n, 'a', 'b')).toBe('final');
    expect(await at(11n, 'a', 'b')).toBe('open');
    expect(await at(12n, 'a')).toBe('open');
  });

  test('behavior: open if it is gone, or is another one, once there are two blocks above it', async () => {
    const later = (gone: Partial<Receipt> | undefined) =>
      finalityOf(receipt('a', 'b'), account, {
        receipt: async () => gone && { ...receipt('a', 'b'), ...gone },
        minedNonce: async () => 8,
        blockTime: upTo(12n),
      });
    expect(await later({})).toBe('final');
    expect(await later(undefined)).toBe('open');
    expect(await later({ blockNumber: 11n })).toBe('open');
    expect(await later({ status: 'reverted' })).toBe('open');
    // A witness that is silent for a moment.
    expect(await later({ witnesses: ['a'] })).toBe('open');
  });

  test('behavior: two blocks later one node alone is one witness, and the sandbox’s own is believed', async () => {
    expect([await alone(), await alone({ isOwn: true })]).toEqual(['one witness', 'final']);
  });

  test('behavior: open until there are two blocks above it, and the nonce is used in the second', async () => {
    expect([await alone({ tip: 11n, usedAt: 11n }), await alone({ usedAt: 13n })]).toEqual(['open', 'open']);
  });
});

describe('what one node alone shows', () => {
  const step = {
    plan: { requestId: '0x0a' },
    action: { from: '0x01', summary: 'Deposit', chain: { name: 'alpha' } },
    index: 0,
  } as unknown as Step;
  const signal = new AbortController().signal;

  /** A node that shows a receipt, final to whoever believes it or two blocks old. */
  const portsOf = (shown: Partial<Receipt>, isOwn: boolean) => {
    const appended: unknown[] = [];
    const origin = {
      receipt: async (hash: string) => (hash === '0xcc' ? { ...receipt('the node'), hash, ...shown } : undefined),
      minedNonce: async () => 8,
      usedNonce: async () => ({ state: 'used' }),
      blockTime: upTo(12n),
      isOwn: async () => isOwn,
    };
    const clock = { now: () => 0, sleep: async () => {} };
    const journal = { append: async (entry: unknown) => void appended.push(entry) };
    return { appended, ports: { origin, clock, signal, journal, warn: () => {} } as unknown as Ports };
  };

  test('error: a revert is not final where a second witness is demanded, even of the sandbox’s own node', async () => {
    const shown = { hash: '0xcc', status: 'reverted' } as const;
    const signed = { nonce: 7, attempts: [] };
    const { ports } = portsOf(shown, true);
    const reverted = { ...receipt('the node'), ...shown } as Receipt;
    expect(await final(step, reverted, signed, ports, { timeoutMs: 1 })).toMatchObject({ status: 'reverted' });
    await expect(final(step, reverted, signed, ports, { timeoutMs: 1, needsWitness: true })).rejects.toMatchObject({
      code: 'submit.unknown',
    });
  });

  test('error: neither the service nor two nodes are believed where they contradict each other', async () => {
    const { ports } = portsOf({}, true);
    const service = { status: async () => ({ status: 'failure' }) };
    const said = async (...witnesses: string[]) =>
      hasWorked(step, { ...receipt(...witnesses), hash: '0xcc', logs: [] }, { ...ports, service } as unknown as Ports);
    expect(await said('the sandbox’s own node')).toBe(true);
    await expect(said('a', 'b')).rejects.toMatchObject({
      code: 'submit.unknown',
      message: expect.stringMatching(/^Two nodes show/),
    });
  });

  test('error: that it was canceled ends nothing, and is not written down', async () => {
    const attempts = [
      { purpose: 'send', bytes: '0x02', txHash: '0xd1' },
      { purpose: 'cancel', bytes: '0x02', txHash: '0xcc' },
    ] as const;
    const one = portsOf({ status: 'success' }, false);
    await expect(isSettled(step, { nonce: 7, attempts }, one.ports)).rejects.toMatchObject({ code: 'submit.unknown' });
    expect(one.appended).toEqual([]);
    const two = portsOf({ status: 'success', witnesses: ['a', 'b'] }, false);
    await expect(isSettled(step, { nonce: 7, attempts }, two.ports)).rejects.toMatchObject({
      code: 'submit.cancelled',
    });
    expect(two.appended).toEqual([expect.objectContaining({ type: 'impossible', txHash: '0xd1', by: '0xcc' })]);
  });
});

test('isSettled: behavior: the same payment with the same nonce counts, however its calldata is spelled', async () => {
  const to = `0x${'0d'.repeat(20)}`;
  const origin = {
    minedNonce: async () => 8,
    receipt: async () => undefined,
    usedNonce: async () => ({ state: 'found', hash: '0xcc', to, data: '0xabcd', value: 1n }),
  };
  const action = { from: '0x01', summary: 'Deposit', to, data: '0xABCD', value: 1n };
  const step = { plan: { requestId: '0x0a' }, action, index: 0 } as unknown as Step;
  const attempts = [{ purpose: 'send', bytes: '0x02', txHash: '0xd1' }] as const;
  expect(await isSettled(step, { nonce: 7, attempts }, { origin } as unknown as Ports)).toBe(true);
});

test('resend: error: a node that refuses it and cannot be asked afterwards has not taken it', async () => {
  const refusal = new BaseError('chain.unreachable', 'The node did not take it.');
  let hasRefused = false;
  const origin = {
    minedNonce: async () => {
      if (hasRefused) throw new BaseError('chain.unreachable', 'The node is away.');
      return 7;
    },
    receipt: async () => undefined,
    usedNonce: async () => ({ state: 'free' }),
    broadcast: async () => {
      hasRefused = true;
      throw refusal;
    },
  };
  const appended: unknown[] = [];
  const ports = {
    origin,
    clock: { now: () => 0, sleep: async () => {} },
    signal: new AbortController().signal,
    journal: { append: async (entry: unknown) => void appended.push(entry) },
  } as unknown as Ports;
  const step = { action: { from: '0x01' }, index: 0 } as unknown as Step;
  const attempts = [{ purpose: 'send', bytes: '0x02', txHash: '0xd1' }] as const;
  await expect(resend(step, { nonce: 7, attempts }, ports)).rejects.toBe(refusal);
  expect(appended).toEqual([]);
});
