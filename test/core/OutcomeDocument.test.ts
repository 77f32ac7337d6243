import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/core/Execution.js';
import * as OutcomeDocument from '../../src/core/OutcomeDocument.js';
import * as Plan from '../../src/core/Plan.js';
import * as Progress from '../../src/core/Progress.js';
import * as OutcomeText from '../../src/core/render/Outcome.js';
import { plain } from '../../src/core/render/Style.js';
import { intent, quote, verify } from '../support/quoted.js';

async function plan(): Promise<Plan.Plan> {
  return Plan.from(await verify(await quote(intent('100', 'alpha/usdc', 'beta/usdc'))));
}

const success = Progress.reduce(Progress.from('0x01'), {
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
  elapsedMs: 1_234,
};

describe('from', () => {
  test('default: fits its schema, amounts as base units and as decimals', async () => {
    const document = OutcomeDocument.from(await plan(), outcome);
    expect(OutcomeDocument.schema.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      funds: 'delivered',
      received: { amount: '99969675', formatted: '99.969675', currency: 'beta/usdc' },
      gas: { formatted: '0.000001', currency: 'alpha/eth' },
      fills: [{ chainId: 313372, txHash: '0xf1', url: null }],
    });
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
      /^Nothing was signed or sent\. The plan:\n {2}1\. Allow exactly 100 USDC/,
    );
  });
});
