import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/Errors.js';
import * as Failure from '../../../src/core/render/Failure.js';
import { plain } from '../../../src/core/render/Style.js';

const error = new BaseError('submit.insufficient-balance', 'The balance on alpha is smaller than the amount.', {
  facts: [
    ['needed', '100 USDC'],
    ['balance', '1 USDC'],
  ],
  hint: 'Send less.',
  next: 'ferry quote 1 alpha/usdc beta/usdc',
  requestId: '0x01',
});

describe('format', () => {
  test('default: what happened, facts, where the money is, what next', () => {
    expect(Failure.format(error, plain)).toMatchInlineSnapshot(`
      "error: The balance on alpha is smaller than the amount. (submit.insufficient-balance)
        needed   100 USDC
        balance  1 USDC
        request  0x01
        funds    untouched, nothing was sent
        Send less.
        next: ferry quote 1 alpha/usdc beta/usdc"
    `);
  });
});

describe('toJson', () => {
  test('default', () => {
    expect(Failure.toJson(error)).toEqual({
      code: 'submit.insufficient-balance',
      message: 'The balance on alpha is smaller than the amount.',
      facts: { needed: '100 USDC', balance: '1 USDC' },
      hint: 'Send less.',
      next: 'ferry quote 1 alpha/usdc beta/usdc',
      retryable: false,
      funds: 'untouched',
      exit: 6,
      requestId: '0x01',
    });
  });
});

describe('toBaseError', () => {
  test('default: an error of ferry stays itself', () => {
    expect(Failure.toBaseError(error)).toBe(error);
  });
  test('behavior: anything else is a bug of ferry, exit 1, funds unknown', () => {
    const bug = Failure.toBaseError(new TypeError('x is not a function'));
    expect([bug.code, bug.exit, bug.funds]).toEqual(['internal.bug', 1, 'unknown']);
    expect(bug.facts[0]).toEqual(['what', 'TypeError: x is not a function']);
    expect(Failure.toBaseError('text').facts[0]).toEqual(['what', 'text']);
  });
});
