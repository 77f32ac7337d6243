import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import * as Journal from '../../src/core/tracking/Journal.js';
import type { Run } from '../../src/core/tracking/RunStore.js';
import { announceRun } from '../../src/transfer/resumeRun.js';
import * as journals from '../support/journals.js';
import { intent, network, quote } from '../support/quoted.js';

describe('announceRun: a token that is not well known, in a journal that anybody may have written', () => {
  /** Resumes such a run, of whose token the contract says that it has 18 decimals. Resolves to what was asked. */
  async function announced(decimals: number): Promise<readonly string[]> {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const token = { address: '0x6666666666666666666666666666666666666666', symbol: 'FOO', name: 'Foo', decimals };
    const posing = { ...honest, intent: { ...honest.intent, origin: { ...honest.intent.origin, token } } };
    const document = QuoteDocument.from(posing, []);
    const state = Journal.from([journals.intent, { type: 'quote', requestId: honest.requestId, document }]);
    const run = { id: journals.intent.run, isOwn: false, state: () => state } as Partial<Run> as Run;
    const asked: string[] = [];
    const context = {
      ...{ network, place: { name: network.name, realMoney: false }, interactive: true, yes: false },
      confirm: async (question: string) => asked.push(question),
      chain: async () => ({ token: async () => ({ symbol: 'FOO', name: 'Foo', decimals: 18 }) }),
    };
    for await (const _ of announceRun(run, {}, context as unknown as Context));
    return asked;
  }

  test('attack: it says how many decimals the token has, and so how much a person is asked to pay', async () => {
    await expect(announced(6)).rejects.toMatchObject({
      code: 'verify.mismatch',
      facts: [['input-currency of journal', 'expected FOO with 18 decimals, found FOO with 6 decimals']],
    });
  });

  test('default: what the contract says too is asked about', async () => {
    expect(await announced(18)).toEqual([expect.stringContaining('not sealed by you')]);
  });
});
