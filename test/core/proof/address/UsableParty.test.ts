import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/core/base/Hex.js';
import * as UsableParty from '../../../../src/core/proof/address/UsableParty.js';
import * as market from '../../../support/market.js';
import { intent } from '../../../support/quoted.js';

const safe = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe';
const proxy: Hex = '0x60006000fd';

/** The finding, with this code at every address of a chain; a chain without a node has none. */
async function found(
  recipient: string | undefined,
  code: Partial<Record<string, Hex>> = { alpha: '0x', beta: '0x' },
  { from = 'alpha/usdc', to = 'beta/usdc', refundTo }: { from?: string; to?: string; refundTo?: string } = {},
): Promise<string[]> {
  const asked = intent('100', from, to, { recipient, refundTo });
  const findings = await UsableParty.observe(asked, async ({ name }) => {
    const own = code[name];
    return own === undefined ? undefined : { code: async () => own };
  });
  return findings.map(({ check, subject, verdict, found: what }) => `${check} ${subject ?? ''} ${verdict}: ${what}`);
}

describe('observe', () => {
  test('default: nothing is said of the payer, of an account, and of a contract that is there', async () => {
    expect(await found(undefined, { alpha: proxy, beta: '0x' })).toEqual([]);
    expect(await found(safe)).toEqual([]);
    expect(await found(safe, { alpha: proxy, beta: proxy })).toEqual([]);
    expect(await found(safe, { alpha: '0x', beta: proxy })).toEqual([]);
  });

  test('attack: a contract of the origin that the destination does not have', async () => {
    expect(await found(safe, { alpha: proxy, beta: '0x' })).toEqual([
      expect.stringMatching(
        /^unusable-address {2}cannot verify: 0x5AFE.* is a contract on alpha, and nothing on beta$/i,
      ),
    ]);
    expect((await found(safe, { alpha: proxy })).join()).toContain('no node of beta says');
  });

  test('behavior: an account that has delegated to code has a key on every chain', async () => {
    expect(await found(safe, { alpha: `0xef0100${'11'.repeat(20)}`, beta: '0x' })).toEqual([]);
  });

  test('behavior: a refund address is held to the chain that it is paid on', async () => {
    const own = { refundTo: safe };
    expect((await found(undefined, { alpha: '0x', beta: proxy }, own)).join()).toMatch(/refund .* nothing on alpha/);
    expect(await found(undefined, { alpha: proxy, beta: '0x' }, own)).toEqual([]);
  });

  const { contracts } = market.beta;
  test.each([
    ['the token itself', market.token(market.beta, 'USDC').address, 'contract of USDC on beta'],
    ['another token', market.token(market.beta, 'DAI').address, 'contract of DAI on beta'],
    ['the depository', contracts.depository, 'transfers pass through on beta'],
    ['the router', contracts.router, 'transfers pass through on beta'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'nobody has the key'],
    ['a precompiled contract', `0x${'0'.repeat(39)}1`, 'nobody has the key'],
    ['a burn address', '0x000000000000000000000000000000000000dEaD', 'nobody has the key'],
    ['another one', '0xdead000000000000000042069420694206942069', 'nobody has the key'],
    ['the alias of the native asset', '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'nobody has the key'],
  ])('attack: %s is named without a node', async (_, address, why) => {
    const findings = await found(address.toLowerCase(), {});
    expect(findings.join()).toContain(why);
    expect(findings).toHaveLength(1);
  });
});
