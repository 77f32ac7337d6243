/** A venue in this process, and customers who sign transfers and submit them over its API. */

import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished } from 'vitest';
import type { Input } from '../../src/sandbox/http/faults.js';
import { type FrameLog, inMemory } from '../../src/sandbox/storage/frameLog.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import type { Transfer } from '../../src/sandbox/venue/books.js';
import type { Venue } from '../../src/sandbox/venue/createVenue.js';
import { createVenue, type VenueOptions } from '../../src/sandbox/venue/createVenue.js';
import { privateKeyOf } from '../../src/sandbox/venue/venueAccounts.js';
import * as AuthToken from './venueCrypto/AuthToken.js';
import * as Schnorr from './venueCrypto/Schnorr.js';
import * as TxInfo from './venueCrypto/TxInfo.js';

export type Customer = {
  venue: Venue;
  /** Moves the venue's clock. */
  travel(ms: number): void;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Submits a transaction, or its text. */
  send(tx: TxInfo.TxInfo | string): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  fault(fault: Input): Promise<void>;
  nonce(account: number): Promise<number>;
  /** Submits a transfer that the venue takes; resolves to its hash. */
  pay(wish?: Partial<TxInfo.Fields>, name?: Name): Promise<string>;
  /** Waits until a transfer has finished. */
  end(hash: string): Promise<Transfer>;
};

export type Answer = { status: number; body: Record<string, unknown> & { code?: number; tx_hash?: string } };

/** A venue until the test ends. */
export function open(options: Partial<VenueOptions> = {}): Customer & { log: FrameLog } {
  let offsetMs = 0;
  const clock = (): number => Date.now() + offsetMs;
  const log = inMemory();
  const venue = createVenue({ clock, instance: 'test', executionMs: 5, log, ...options });
  onTestFinished(() => venue.stop());
  const customer = customerOf(venue, (ms) => {
    offsetMs += ms;
  });
  return { ...customer, log };
}

/** What a customer does by the venue's API alone, wherever the venue runs. */
export function askingOf(venue: Pick<Venue, 'fetch'>): Pick<Customer, 'get' | 'send' | 'control' | 'nonce'> {
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await venue.fetch(new Request(`http://localhost${path}`, init));
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const control: Customer['control'] = (method, path, body) =>
    ask(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    get: (path, headers = {}) => ask(path, { headers }),
    send(tx) {
      const tx_info = typeof tx === 'string' ? tx : TxInfo.toJson(tx);
      return ask('/api/v1/sendTx', { method: 'POST', body: new URLSearchParams({ tx_type: '12', tx_info }) });
    },
    control,
    async nonce(account) {
      const { body } = await ask(`/api/v1/nextNonce?account_index=${account}&api_key_index=4`);
      return Number(body.nonce);
    },
  };
}

/** A customer of a running venue in this process. */
export function customerOf(venue: Venue, travel: (ms: number) => void): Customer {
  const asking = askingOf(venue);
  return {
    ...asking,
    venue,
    travel,
    async fault(fault) {
      await asking.control('POST', '/sandbox/faults', fault);
    },
    async pay(wish, name) {
      const { body } = await asking.send(await signed(wish, name));
      expect(body).toMatchObject({ code: 200 });
      return body.tx_hash ?? '';
    },
    end: (hash) =>
      new Promise((resolve) => {
        const known = venue.transfer(hash);
        if (known && known.status !== 'pending') return resolve(known);
        const stop = venue.onSettled((transfer) => {
          if (transfer.hash !== hash) return;
          stop();
          resolve(transfer);
        });
      }),
  };
}

/** A transfer of 5 USDC from dev0 to the relayer, with any changes. It expires after ten minutes less a second. */
export function fields(wish: Partial<TxInfo.Fields> = {}): TxInfo.Fields {
  return {
    Nonce: 0n,
    ExpiredAt: BigInt(Date.now() + 599_000),
    FromAccountIndex: 100n,
    ApiKeyIndex: 4n,
    ToAccountIndex: 7n,
    AssetIndex: 3n,
    FromRouteType: 0n,
    ToRouteType: 0n,
    Amount: 5_000_000n,
    USDCFee: 3_000_000n,
    ...wish,
  };
}

/** 32 bytes. */
export const memo = new Uint8Array(32).fill(0x5f);

/** Both keys of a development account. */
export function signer(name: Name): TxInfo.Signer {
  const { privateKey } = accounts[name];
  return {
    secret: Schnorr.secretFromBytes(privateKeyOf(accounts[name])),
    signMessage: privateKeyToAccount(privateKey).signMessage,
  };
}

/** An auth token of an account for the next ten minutes. */
export function tokenOf(name: Name, accountIndex: number): string {
  const deadline = Math.floor(Date.now() / 1000) + 600;
  return AuthToken.sign({ deadline, accountIndex, apiKeyIndex: 4 }, signer(name).secret);
}

/** The transfer with any changes, signed with both keys of its sender. */
export function signed(wish: Partial<TxInfo.Fields> = {}, name: Name = 'dev0'): Promise<TxInfo.TxInfo> {
  return TxInfo.sign(fields(wish), memo, signer(name));
}

/** The sum of all balances, in millionths of USDC. */
export function total({ venue }: Pick<Customer, 'venue'>): bigint {
  const indices = [0, 7, 100, 101, 102, 103, 104, 106, 281474976710654];
  return indices.reduce((sum, index) => sum + (venue.account(index)?.usdc ?? 0n), 0n);
}
