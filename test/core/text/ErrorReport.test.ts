import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as ErrorReport from '../../../src/core/text/ErrorReport.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const error = new BaseError('submit.insufficient-balance', 'The balance on alpha is smaller than the amount.', {
  facts: [
    ['needed', '100 USDC'],
    ['balance', '1 USDC'],
  ],
  hint: 'Send less.',
  next: 'ferry quote 1 alpha/usdc beta/usdc',
  requestId: '0x01',
});

test('format: message, facts, funds and the next command', () => {
  expect(ErrorReport.format(error, plain)).toMatchInlineSnapshot(`
      "error: The balance on alpha is smaller than the amount. (submit.insufficient-balance)
        needed   100 USDC
        balance  1 USDC
        request  0x01
        funds    untouched, nothing was sent
        Send less.
        next: ferry quote 1 alpha/usdc beta/usdc"
    `);
});

test('format: the network is named once, with what it means for money', () => {
  const unknown = new BaseError('venue.unknown-account', 'The venue has no account 7.', {
    facts: [['network', 'mainnet']],
  });
  const place = { name: 'mainnet', realMoney: true };
  const networks = (pays: boolean) => ErrorReport.format(unknown, plain, { place, pays }).match(/network.*/g);
  expect(networks(true)).toEqual(['network  mainnet, real money']);
  expect(networks(false)).toEqual(['network  mainnet']);
});

describe('toBaseError', () => {
  test('behavior: a transaction that paid nothing has still cost gas', () => {
    const funds = (error: BaseError): string => /funds.*/.exec(ErrorReport.format(error, plain))?.[0] ?? '';
    expect(funds(new BaseError('submit.reverted', 'x', { txHash: '0x01' }))).toBe(
      'funds        untouched except for gas, nothing was paid',
    );
    // A transfer that the venue has failed costs none.
    expect(funds(new BaseError('submit.venue-failed', 'x', { txHash: '01'.repeat(40) }))).toMatch(
      /^funds +untouched, nothing was paid$/,
    );
    expect(funds(new BaseError('verify.cap', 'x'))).toBe('funds  untouched, nothing was sent');
    const allowances = [
      {
        ...{ chain: 'alpha', chainId: 1, currency: 'alpha/usdc', symbol: 'USDC', owner: '0xaa', spender: '0xbb' },
        ...{ amount: '1', formatted: '0.000001', next: 'ferry allowance revoke' },
      },
    ];
    expect(funds(new BaseError('verify.cap', 'x', { allowances }))).toMatch(
      /^funds +untouched except for gas, nothing was paid$/,
    );
  });

  test('behavior: anything else is a bug in ferry: exit 1, funds unknown', () => {
    const bug = ErrorReport.toBaseError(new TypeError('x is not a function'));
    expect([bug.code, bug.exit, bug.funds]).toEqual(['internal.bug', 1, 'unknown']);
    expect(bug.facts[0]).toEqual(['what', 'TypeError: x is not a function']);
    expect(ErrorReport.toBaseError('text').facts[0]).toEqual(['what', 'text']);
    const early = ErrorReport.toBaseError(new TypeError('x'), 'untouched');
    expect([early.code, early.funds, early.hint]).toEqual(['internal.bug', 'untouched', 'Nothing was signed.']);
  });
});

describe('stopped', () => {
  const reason = new BaseError('run.stopped', 'Stopped by SIGINT.');
  const run = '20261121-093000-1f2e3d';
  const facts = [['fill', '0x02']] as const;

  test.each([
    ['submit.unknown', 'What was signed may have been sent, and may still be used.'],
    ['track.unfinished', 'The transfer is not followed any more.'],
    [
      'track.unwitnessed',
      'The service reports the end of the transfer, and the chain was not asked for it to the last.',
    ],
  ] as const)('default: %s says that the user stopped it, and blames nobody', (code, message) => {
    const before = new BaseError(code, 'The node does not answer.', {
      facts,
      hint: 'Contact the service.',
      next: `ferry resume ${run}`,
      run,
      txHash: '0x01',
    });
    const after = ErrorReport.stopped(before, reason);
    expect(after.message).toBe(`Stopped by SIGINT. ${message}`);
    expect(after.hint).toMatch(/^(It continues without ferry\. )?Do not (pay|send it) again/);
    const { next, funds, txHash } = before;
    expect(after).toMatchObject({ code, facts, next, funds, run, txHash, cause: before });
  });

  test('behavior: where nothing was paid, nothing continues, and paying is not advised against', () => {
    const hint = 'It can be paid whether ferry runs or not.';
    const unpaid = new BaseError('track.unfinished', 'Not paid yet.', { hint, funds: 'untouched', run });
    const after = ErrorReport.stopped(unpaid, reason);
    expect(after).toMatchObject({ message: 'Stopped by SIGINT. Not paid yet.', hint, funds: 'untouched' });
  });

  test('behavior: what has ended says how it did', () => {
    for (const code of ['track.refunded', 'track.failed', 'submit.reverted', 'verify.mismatch'] as const) {
      const ended = new BaseError(code, 'It ended.');
      expect(ErrorReport.stopped(ended, reason)).toBe(ended);
    }
  });
});
