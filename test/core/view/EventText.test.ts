import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as EventText from '../../../src/core/view/EventText.js';

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
    [{ type: 'venue-account', index: 100, wallet: '0x\u001b[2J' }, '✓ Account 100 of wallet 0x\\x1b[2J'],
    [{ type: 'venue-signed', summary: 'Transfer 5 USDC', txHash: 'ab'.repeat(40) }, '✓ Transfer 5 USDC ababab…abab'],
    [{ type: 'venue-sent', summary: 'Transfer 5 USDC', txHash: 'ab'.repeat(40) }, '→ Transfer 5 USDC ababab…abab'],
    [{ type: 'venue-executed', summary: 'It is executed', txHash: 'ab'.repeat(40) }, '✓ It is executed ababab…abab'],
  ])('default: %j', (event, expected) => {
    expect(EventText.format(event, plain)).toBe(expected);
  });
});
