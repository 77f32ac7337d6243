/** Creates the sandbox's venue: the transfers of a perpetuals exchange, with its own base URL. */

import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import * as Schnorr from '../../venue/Schnorr.js';
import * as Transfer from '../../venue/Transfer.js';
import { createKeyedMutex } from '../chain/keyedMutex.js';
import { withFaults } from '../http/faultGate.js';
import { faultRoutes } from '../http/faultRoutes.js';
import { createFaults } from '../http/faults.js';
import type { FrameLog } from '../storage/frameLog.js';
import * as dev from '../values/devAccounts.js';
import { longestValidityMs, usdcIndex } from './admission.js';
import { createBooks, type Entry, type Hash } from './books.js';
import { createSequencer } from './sequencer.js';
import { documentedBody } from './VenueRefusal.js';
import {
  type Account,
  activationFee,
  apiKeyIndex,
  privateKeyOf,
  relayerIndex,
  signingChainId,
  transferFee,
} from './venueAccounts.js';
import { createRoutes } from './venueRoutes.js';

export type VenueOptions = {
  /** Returns Unix time in milliseconds. */
  clock: () => number;
  /** Instance id of the sandbox. */
  instance: string;
  /** Of an earlier run, continued; in memory by default. */
  log?: FrameLog | undefined;
  /** Time from acceptance to execution. */
  executionMs?: number | undefined;
};

export type Payment = { to: number; amount: bigint; memo: `0x${string}`; shouldFail?: boolean | undefined };

/** The venue as the sandbox's service has it: accounts, and a sequencer that accepts transfers. */
export type Venue = ReturnType<typeof createVenue>;

/** Long enough for clients to observe the pending state. */
const defaultExecutionMs = 30;

/** Validity of the relayer's transactions, as the official signers have it. */
const paymentLifetimeMs = longestValidityMs - 1_000;

/**
 * Creates a venue, initial or restored, and resumes pending transactions.
 *
 * @throws DamagedLogError
 */
export function createVenue({ clock: real, instance, log, executionMs = defaultExecutionMs }: VenueOptions) {
  const books = createBooks(log);
  const faults = createFaults();
  const clock = (): number => real() + faults.skewMs();
  const sequencer = createSequencer({ clock, books, faults, delayMs: executionMs });
  const routes = createRoutes({ clock, books, sequencer });
  routes.get('/sandbox/instance', (c) => c.json({ instance }));
  routes.route('/sandbox', faultRoutes({ faults, actor: 'sequencer', onCleared: sequencer.resume }));
  const answer = withFaults(faults, async (request, env) => routes.fetch(request, env as object), {
    errorBody: documentedBody,
  });
  const inTurn = createKeyedMutex();
  sequencer.resume();

  const requireAccount = (index: number): Account => {
    const account = books.account(index);
    if (!account) throw new Error(`The venue has no account ${index}.`);
    return account;
  };

  const pay = async ({ to, amount, memo, shouldFail }: Payment, onSigned: (hash: Hash) => void): Promise<Hash> => {
    const transfer: Transfer.Transfer = {
      fromAccountIndex: BigInt(relayerIndex),
      apiKeyIndex,
      toAccountIndex: BigInt(to),
      assetIndex: usdcIndex,
      fromRouteType: 0,
      toRouteType: 0,
      amount,
      usdcFee: transferFee(requireAccount(relayerIndex), requireAccount(to)) + activationFee(requireAccount(to)),
      memo,
      expiredAtMs: clock() + paymentLifetimeMs,
      nonce: BigInt(books.nextNonce({ accountIndex: relayerIndex, apiKeyIndex })),
    };
    const signed = await signedByRelayer(transfer);
    onSigned(Transfer.txHash(transfer, signingChainId));
    const match = { user: String(relayerIndex), requestId: memo };
    if (shouldFail) faults.add({ kind: 'sequencer', does: 'fail', match, times: 1, after: 0 });
    const { hash } = await sequencer.accept(Transfer.toTxInfo(signed));
    return hash;
  };

  return {
    /** The venue's HTTP API, as exposed at its base URL. */
    fetch: answer,
    account: books.account,
    /** The service's account: receives deposits and makes payouts. */
    relayerIndex,
    /** Fee of a transfer, paid by the sender, in millionths of USDC. */
    transferFee: (from: number, to: number): bigint => transferFee(requireAccount(from), requireAccount(to)),
    /** Fee for the first credit of an account, paid by the sender, in millionths of USDC; 0 if the account is active. */
    activationFee: (to: number): bigint => activationFee(requireAccount(to)),
    transfer: books.entry,
    /** Executed transfers to an account, oldest first. */
    transfersTo: (index: number): readonly Entry[] =>
      books
        .entries()
        .filter((entry) => entry.to === index && entry.status === 'executed')
        .sort((a, b) => (a.executedAtMs ?? 0) - (b.executedAtMs ?? 0)),
    /**
     * Signs a transfer from the relayer's account with both signatures and submits it through the sequencer like any
     * other. `onSigned` receives the hash before submission. Rejects if the sequencer rejects the transfer. With
     * `shouldFail` the transfer is accepted but fails.
     */
    pay: (payment: Payment, onSigned: (hash: Hash) => void): Promise<Hash> =>
      // Serialized: each payment takes the next nonce.
      inTurn('payments', () => pay(payment, onSigned)),
    onSettled: sequencer.onSettled,
    lastAcceptedMs: sequencer.lastAcceptedMs,
    isBusy: sequencer.isBusy,
    /** Stops the sequencer. Pending transactions stay pending, and resume at the next start. */
    async stop(): Promise<void> {
      sequencer.stop();
      await inTurn('payments', async () => undefined);
    },
  };
}

/** Signs with both keys of the relayer: API key and wallet. */
async function signedByRelayer(transfer: Transfer.Transfer): Promise<Transfer.Signed> {
  const { solver } = dev.accounts;
  const signature = Schnorr.sign({
    privateKey: privateKeyOf(solver),
    message: Transfer.hash(transfer, signingChainId),
    random: randomBytes,
  });
  const message = Transfer.l1Message(transfer, signingChainId);
  return { transfer, signature, l1Signature: await privateKeyToAccount(solver.privateKey).signMessage({ message }) };
}
