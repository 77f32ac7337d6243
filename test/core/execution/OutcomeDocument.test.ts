import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/execution/Following.js';
import * as OutcomeDocument from '../../../src/core/execution/OutcomeDocument.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as TransferStatus from '../../../src/core/tracking/TransferStatus.js';
import * as OutcomeText from '../../../src/core/view/OutcomeText.js';
import { intent, quote, verify } from '../../support/quoted.js';
import * as withdrawal from '../../support/withdrawal.js';

async function plan(): Promise<Plan.Plan> {
  return Plan.from(await verify(await quote(intent('100', 'alpha/usdc', 'beta/usdc'))));
}

const success = TransferStatus.reduce(TransferStatus.from('0x01'), {
  status: 'success',
  txHashes: ['0xf1'],
  destinationChainId: 313372,
});

const outcome: Outcome = {
  requestId: '0x01',
  status: 'success',
  progress: success,
  transactions: [{ action: 'deposit', txHash: '0xd1', gasUsed: 50_000n, gasCost: 1_000_000_000_000n }],
  gasCost: 1_000_000_000_000n,
  spent: 100_000_000n,
  received: 99_969_675n,
  witnesses: ['the service', 'the node of beta'],
  elapsedMs: 1_234,
};

describe('from', () => {
  test('default: fits its schema, amounts as base units and as decimals', async () => {
    const document = OutcomeDocument.from(await plan(), outcome);
    expect(OutcomeDocument.schema.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      funds: 'delivered',
      received: { amount: '99969675', formatted: '99.969675', currency: 'beta/usdc' },
      witnesses: ['the service', 'the node of beta'],
      gas: { formatted: '0.000001', currency: 'alpha/eth' },
      fills: [{ chainId: 313372, txHash: '0xf1', url: null }],
    });
  });

  test('attack: the chain of a fill is that of the quote, whatever the service names', async () => {
    const told = { ...outcome, progress: { ...success, destinationChainId: 1 } };
    expect(OutcomeDocument.from(await plan(), told).fills).toEqual([{ chainId: 313372, txHash: '0xf1', url: null }]);
  });

  test('behavior: what was not followed is in flight', async () => {
    const sent = { ...outcome, status: 'sent', progress: undefined, received: undefined };
    expect(OutcomeDocument.from(await plan(), sent)).toMatchObject({
      status: 'sent',
      funds: 'in-flight',
      received: null,
    });
  });
});

describe('fromPlan', () => {
  test('default: nothing happened', async () => {
    const document = OutcomeDocument.fromPlan(await plan());
    expect(OutcomeDocument.schema.parse(document)).toEqual(document);
    expect(document).toMatchObject({ status: 'planned', funds: 'untouched', spent: null, transactions: [] });
    expect(document.plan.map(({ action }) => action)).toEqual(['approve', 'deposit']);
    expect(OutcomeText.format(document, plain)).toMatch(
      /^Nothing was signed or sent\. The plan:\n {2}1\. Approve exactly 100 USDC/,
    );
  });

  test('behavior: a transfer on the venue, with whom it pays and what ties it to the order', async () => {
    const document = OutcomeDocument.fromPlan(await withdrawal.plan());
    expect(OutcomeDocument.schema.parse(document)).toEqual(document);
    expect(document.plan).toEqual([
      {
        action: 'transfer',
        summary: expect.stringContaining('Transfer 40 USDC'),
        chainId: 3586256,
        to: '700001',
        data: '0x961eea24786419e1762795f731bab0c443584f06875d881b1873673b084a20f4',
        value: '40000000',
      },
    ]);
  });
});

test('from, of a withdrawal: the fee of the venue is what its transfer cost', async () => {
  const own = await withdrawal.plan();
  const transactions = [{ action: 'transfer' as const, txHash: 'ab'.repeat(40), gasUsed: 0n, gasCost: 0n }];
  const document = OutcomeDocument.from(own, { ...outcome, transactions, gasCost: 2_500_000n, spent: 40_000_000n });
  expect(OutcomeDocument.schema.parse(document)).toEqual(document);
  expect(document).toMatchObject({
    user: '281474976710001',
    spent: { formatted: '40', currency: 'lighter/usdc' },
    gas: { formatted: '2.5', currency: 'lighter/usdc' },
    transactions: [{ action: 'transfer', txHash: 'ab'.repeat(40), url: null }],
  });
});
