import { describe, expect, test } from 'vitest';
import * as ProgressText from '../../../src/core/render/Progress.js';
import { plain } from '../../../src/core/render/Style.js';

describe('format', () => {
  test.each([
    [{ type: 'verified', checks: 35 }, '✓ 35 checks passed: the quote does what was asked'],
    [{ type: 'checked' }, '✓ Balance and gas suffice'],
    [{ type: 'skipped', summary: 'Allow 1 USDC', why: 'it is there' }, '· Allow 1 USDC: not needed, it is there'],
    [{ type: 'sent', summary: 'Deposit 1 USDC', txHash: `0x${'ab'.repeat(32)}` }, '→ Deposit 1 USDC 0xabab…abab'],
    [{ type: 'mined', summary: 'Deposit 1 USDC', blockNumber: '7' }, '✓ Deposit 1 USDC mined in block 7'],
    [{ type: 'status', status: 'pending', words: 'deposit seen' }, '→ pending: deposit seen'],
    [{ type: 'status', status: 'x\u001b[2J', words: 'odd' }, '→ x\\x1b[2J: odd'],
    [{ type: 'signed', summary: 'x' }, undefined],
  ])('default: %j', (event, expected) => {
    expect(ProgressText.format(event, plain)).toBe(expected);
  });
});
