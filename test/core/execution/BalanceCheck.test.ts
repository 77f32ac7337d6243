import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import * as BalanceCheck from '../../../src/core/execution/BalanceCheck.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import type { Chain } from '../../../src/core/ports/Ports.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';
import { planOn, signer, type Transfer, transferOn } from '../../support/transfer.js';
import * as withdrawal from '../../support/withdrawal.js';

let sandbox: TestSandbox;
let transfer: Transfer;

beforeAll(async () => {
  sandbox = await startSandbox();
  transfer = transferOn(sandbox);
});
afterAll(() => sandbox.stop());

async function failure(running: Promise<unknown>): Promise<BaseError> {
  const error = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BaseError)) throw new Error(`expected a failure, found ${String(error)}`);
  return error;
}

describe('read and solvent', () => {
  const check = async ({ quote, gas }: Plan.Plan, node: Chain): Promise<BalanceCheck.Solvent> =>
    BalanceCheck.solvent(quote, await BalanceCheck.read(quote, node), gas);
  const assert = (planned: Plan.Plan): Promise<BaseError> => failure(check(planned, transfer.ports.origin));
  test('error: a balance below the amount', async () => {
    const error = await assert(await planOn(transfer, '1000001', 'alpha/dai', 'beta/dai', signer('dev1').address));
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6 });
  });
  test('error: no gas money', async () => {
    const error = await assert(await planOn(transfer, '1', 'alpha/usdc', 'beta/usdc', signer('dev9').address));
    expect(error.code).toBe('submit.insufficient-gas');
    expect(Object.fromEntries(error.facts).balance).toBe('0 ETH');
  });
  test('error: a node of another chain', async () => {
    const planned = await planOn(transfer, '1', 'alpha/eth', 'beta/eth');
    const other = transfer.ports.destination;
    if (!other) throw new Error('no destination');
    await expect(check(planned, other)).rejects.toMatchObject({ code: 'chain.wrong-chain' });
  });
});

describe('assertVenueBalance', () => {
  const holding = (perps: string): VenueAccount => ({
    index: 1,
    wallet: signer('dev0').address,
    isMaster: true,
    isActive: true,
    assets: [{ symbol: 'USDC', assetIndex: 3, perps, spot: '0' }],
  });

  test('default: the amount and the fee, to the last millionth', async () => {
    expect(() => BalanceCheck.assertVenueBalance(withdrawal.quote('withdrawal'), holding('42.5'))).not.toThrow();
    const error = await failure(
      (async () => BalanceCheck.assertVenueBalance(withdrawal.quote('withdrawal'), holding('42.499999')))(),
    );
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, funds: 'untouched' });
    expect(error.facts).toEqual([
      ['amount', '40 USDC'],
      ['venue fee', '2.5 USDC'],
      ['balance', '42.499999 USDC'],
    ]);
  });
});
