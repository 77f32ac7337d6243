import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import * as SingleWitness from '../../src/core/proof/SingleWitness.js';
import * as Currency from '../../src/core/quote/Currency.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { creditOf, findings, pin } from '../../src/setup/trustVenueAccount.js';
import { contextAt, ownNetwork } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const wallet = accounts.dev4.address;
const index = '104';

const own = () => ownNetwork(sandbox, { venueUrl: sandbox.venueUrl });

/** A deposit to the account that the venue names. */
function credit(context: Context, isNamed = false) {
  const destination = Currency.parse('lighter/usdc', context.network) as Currency.Currency;
  return creditOf({ destination, recipient: index }, { wallet, isNamed }, context);
}

describe('findings', () => {
  test('default: at first use the venue alone says it, which is asked about and nowhere let pass', async () => {
    const context = await contextAt(own().env);
    const [finding] = findings({ wallet, index }, context);
    expect(finding).toMatchObject({ check: 'venue-account', verdict: 'cannot verify', witnesses: ['the venue'] });
    const rule = (isAsked: boolean, allow: string[] = []) =>
      finding && SingleWitness.rule(finding, { network: context.network, isAsked, allow });
    expect([rule(true), rule(false), rule(false, ['venue-account'])]).toEqual(['ask', 'refuse', 'accept']);
  });

  test('behavior: what the user has accepted is a second witness, and another account a contradiction', async () => {
    const { env } = own();
    await pin({ wallet, index }, await contextAt(env));
    const later = await contextAt(env);
    expect(findings({ wallet, index }, later)).toMatchObject([
      { verdict: 'verified', witnesses: ['the venue', 'your pin'] },
    ]);
    expect(findings({ wallet, index: '103' }, later)).toMatchObject([{ verdict: 'mismatch' }]);
    expect(findings({ wallet: accounts.dev3.address, index: '103' }, later)).toMatchObject([
      { verdict: 'cannot verify' },
    ]);
  });
});

describe('creditOf', () => {
  test('default: once the user has agreed, the account is pinned for this venue', async () => {
    const { env, file } = own();
    const first = credit(await contextAt(env));
    expect(first.findings).toMatchObject([{ verdict: 'cannot verify' }]);
    await first.agreed();
    expect(credit(await contextAt(env)).findings).toMatchObject([{ verdict: 'verified' }]);
    expect(JSON.parse(readFileSync(file, 'utf8')).chains).toMatchObject([
      { network: 'mine', deployment: sandbox.baseUrl, chainId: 3586256, accounts: [{ wallet, index }] },
    ]);
  });

  test('behavior: of an account that the user named nothing is to be shown, and nothing is pinned', async () => {
    const context = await contextAt(own().env);
    const named = credit(context, true);
    await named.agreed();
    expect([named.findings, context.pins.account(wallet)]).toEqual([[], undefined]);
  });

  test('behavior: a payment to a chain has no account', async () => {
    const context = await contextAt(own().env);
    const destination = Currency.parse('beta/usdc', context.network) as Currency.Currency;
    expect(creditOf({ destination, recipient: wallet }, { wallet, isNamed: false }, context).findings).toEqual([]);
  });
});

test('pin: a replaced account is remembered as such, and the pin of a contract stays', async () => {
  const { env } = own();
  const context = await contextAt(env);
  await pin({ wallet, index: '103' }, context);
  await pin({ wallet, index }, context);
  expect((await contextAt(env)).pins.account(wallet)).toMatchObject({ index, source: 'accepted' });
});
