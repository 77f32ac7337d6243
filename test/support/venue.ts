/** The sandbox's venue on a real server in this process, clients of any venue, and signed transfers. */

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { VenueSigner } from '../../src/core/accounts/KeyStores.js';
import type * as Plan from '../../src/core/execution/Plan.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import type { Account, Venue } from '../../src/core/ports/Ports.js';
import * as WithdrawalSigning from '../../src/core/withdrawal/WithdrawalSigning.js';
import { createVenue } from '../../src/io/http/venueClient.js';
import { createAccount } from '../../src/io/keys/localAccount.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import type { Venue as Served } from '../../src/sandbox/venue/createVenue.js';
import * as served from '../../src/sandbox/venue/createVenue.js';
import * as PrivateKey from '../../src/venue/PrivateKey.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import { listen } from './served.js';
import { clientParts, type Setting } from './service.js';

/** The signing chain id of the sandbox's venue. */
export const signingChainId = 313373;

/** The client of a venue at a base URL. */
export function venueAt(baseUrl: string, setting: Setting = {}): Venue {
  const venue = { baseUrl, signingChainId };
  const network = { name: 'testnet', baseUrl: undefined, realMoney: false, chains: [], venue, ...setting.network };
  return createVenue({ ...clientParts(setting), network });
}

export type TestVenue = {
  served: Served;
  client: Venue;
  baseUrl: string;
  /** Every request to its API so far, as `GET /api/v1/account`. */
  seen: string[];
  fault(fault: Input): Promise<void>;
};

/** A new venue of the sandbox until the test ends, and its client. */
export async function startVenue(setting: Setting = {}): Promise<TestVenue> {
  const venue = served.createVenue({ clock: Date.now, instance: 'test', executionMs: 5 });
  const seen: string[] = [];
  const port = await listen({
    fetch: (request: Request, env?: unknown) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/api/')) seen.push(`${request.method} ${pathname}`);
      return venue.fetch(request, env);
    },
  });
  onTestFinished(() => venue.stop());
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    served: venue,
    client: venueAt(baseUrl, setting),
    baseUrl,
    seen,
    async fault(fault) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(fault) };
      const { status } = await fetch(`${baseUrl}/sandbox/faults`, init);
      if (status >= 300) throw new Error(`The fault was not taken: ${status}.`);
    },
  };
}

/** The public API key of the accounts of `dev0` to `dev4`. */
export function apiKeyOf(index: number): VenueSigner {
  const privateKey = PrivateKey.from(DevelopmentAccount.venueKey(index));
  return {
    name: `dev${index}`,
    publicKey: Buffer.from(Schnorr.publicKey(privateKey)).toString('hex'),
    sign: (message) => Schnorr.sign({ privateKey, message, random: (bytes) => randomBytes(bytes) }),
  };
}

/** A development wallet, unlocked for the sandbox. */
export function walletOf(index: number): Promise<Account> {
  return createAccount({ name: `dev${index}`, key: DevelopmentAccount.key(index) });
}

/** 5 USDC from the account of `dev1` to the service's, with the sandbox's fee. */
export const transfer: Plan.VenueTransfer = {
  summary: 'Transfer 5 USDC',
  fromAccountIndex: 101,
  toAccountIndex: 7,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 0,
  amount: 5_000_000n,
  usdcFee: 3_000_000n,
  memo: `0x${'5f'.repeat(32)}`,
};

/** Pays from the service's account, and waits for the execution. */
export async function paidByService({ served }: TestVenue, to: number, amount: bigint): Promise<string> {
  const hash = await served.pay({ to, amount, memo: transfer.memo }, () => {});
  await expect.poll(() => served.transfer(hash)?.status).not.toBe('pending');
  return hash;
}

/** What of a plan a signature reads. */
export function planWith(paid: Plan.VenueTransfer): Plan.VenuePlan {
  return { transfer: paid } as Plan.VenuePlan;
}

/** The same transfer, signed by `dev1`. */
export async function signed(
  changed: Partial<Plan.VenueTransfer> = {},
  terms: Partial<WithdrawalSigning.Numbers> = {},
): Promise<WithdrawalSigning.Signed> {
  const bound = { apiKeyIndex: 4, nonce: 0n, expiredAtMs: Date.now() + 60_000, signingChainId, ...terms };
  return WithdrawalSigning.sign(WithdrawalSigning.transferOf(planWith({ ...transfer, ...changed }), bound), bound, {
    apiKey: apiKeyOf(1),
    wallet: await walletOf(1),
  });
}
