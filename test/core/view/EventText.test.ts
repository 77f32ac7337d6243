import { expect, test } from 'vitest';
import type { CommandEvent } from '../../../src/core/event/DisplayEvent.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as EventText from '../../../src/core/view/EventText.js';
import { specimens } from '../../support/events.js';

const hostile = '0x\u001b[2J';

test.each<[CommandEvent, string | undefined]>([
  [specimens.run, 'Run 20261121-093000-1f2e3d; if it stops: ferry resume 20261121-093000-1f2e3d'],
  [specimens.verified, '✓ 35 checks passed: the quote does what was asked\n  gas costs at most 0.00045 ETH ($1.13)'],
  [specimens.checked, '✓ Balance and gas suffice'],
  [specimens.skipped, '· Allow 1 USDC: not needed, it is there'],
  [specimens.mined, '✓ Deposit 1 USDC on alpha mined in block 7 0xabab…abab'],
  [{ ...specimens.status, status: 'x\u001b[2J', words: 'odd' }, '→ Odd (x\\x1b[2J)'],
  [specimens.superseded, '→ replaced by request 0x02: following that one'],
  [specimens.signed, undefined],
  [{ ...specimens['venue-account'], wallet: hostile }, '✓ Account 100 of wallet 0x\\x1b[2J'],
])('default: $0.type', (event, expected) => {
  expect(EventText.format(event, plain)).toBe(expected);
});

test('behavior: the command that resumes a run is not broken on a narrow terminal', () => {
  expect(EventText.format(specimens.run, { ...plain, lineWidth: 60 })).toBe(
    'Run 20261121-093000-1f2e3d; if it stops:\n  ferry resume 20261121-093000-1f2e3d',
  );
});

test('behavior: a quote has its minimum and its fees', () => {
  const lines = EventText.format(specimens.quoted, plain)?.split('\n') ?? [];
  expect(lines.slice(0, 4)).toEqual([
    '1 alpha/usdc → 1 beta/usdc',
    '  at least 1, or refunded',
    '  paid by 0x1212121212121212121212121212121212121212',
    expect.stringMatching(/^ {2}Fees/),
  ]);
});
