/** The whole program against a venue that names another account as the wallet's, to have a deposit credited to it. */
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { at, ferry } from '../support/ferry.js';
import { nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

const { sandbox } = useSandbox();

const { address } = accounts.dev4;
const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, address);

/** The venue says that account 103, which is another's, is the wallet's. */
const lie = (): Promise<string> =>
  addFault(sandbox, 'venue', {
    kind: 'tamper',
    path: '/accounts/0/index',
    value: 103,
    match: { path: '/api/v1/account' },
    times: 0,
  });

describe('the sandbox, whose accounts ferry knows', () => {
  test.each([
    ['a deposit', ['venue', 'deposit', '10', 'alpha/usdc']],
    ['a transfer', ['execute', '10', 'alpha/usdc', 'lighter/usdc']],
    ['a deposit, with the check allowed', ['venue', 'deposit', '10', 'alpha/usdc', '--allow', 'venue-account']],
  ])('attack: %s to another account is refused, and nothing is paid', async (_, args) => {
    const before = [await nonce(), await usdcOf(sandbox, 103)];
    await lie();
    const ended = await ferry([...args, '--account', 'dev4', '--yes', '--json'], { env: at(sandbox) });
    expect(ended.code).toBe(5);
    expect(ended.json().error).toMatchObject({
      code: 'verify.mismatch',
      funds: 'untouched',
      next: 'ferry venue account --accept --account dev4',
      facts: { 'venue-account': `expected account 104 of ${address}, found account 103` },
    });
    expect([await nonce(), await usdcOf(sandbox, 103)]).toEqual(before);
  });

  test('error: the account that ferry ships is not replaced under --yes', async () => {
    await addFault(sandbox, 'venue', {
      kind: 'tamper',
      path: '/sub_accounts/0/index',
      value: 103,
      match: { path: '/api/v1/accountsByL1Address' },
      times: 0,
    });
    const args = ['venue', 'account', address, '--accept', '--yes', '--json'];
    const ended = await ferry(args, { env: at(sandbox) });
    expect(ended.json().error).toMatchObject({ code: 'usage.confirmation', facts: { account: '104 → 103' } });
  });
});
