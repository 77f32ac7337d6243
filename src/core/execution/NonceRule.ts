/**
 * The nonce rule: an account signs only if the chain's next nonce follows the last one that ferry knows. Otherwise the
 * state directory was deleted or restored, or another program uses the account, and a payment may already have been
 * made that the journals do not show.
 */
import { BaseError } from '../base/Errors.js';
import type { NonceCounter, Turn } from '../ports/Ports.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Foreign } from '../tracking/Journal.js';

/** The name that allows unknown nonces, as `--allow` takes it. */
export const allowance = 'foreign-nonces';

/** Nonces from `from` up to, but not including, `to` that ferry does not know. */
export type Gap = { from: bigint; to: bigint };

/** The nonces that were used without ferry's knowledge, if any. `known` is undefined if ferry knows none. */
export function gap(known: bigint | undefined, next: bigint): Gap | undefined {
  return next > (known ?? 0n) ? { from: known ?? 0n, to: next } : undefined;
}

/**
 * Records the use of a nonce that was read for signing, unless others have moved it since the turn was taken.
 *
 * @throws run.foreign-nonce · config.unwritable
 */
export function use(counter: Owned, next: bigint, { sequence }: { sequence?: string } = {}): void {
  assertNext(counter, next, sequence);
  counter.turn.use(next + 1n, sequence);
}

/**
 * Checks that others have not moved a nonce since the turn was taken. The use of a transaction's nonce is recorded once
 * it is signed: if what signs fails and sends it all the same, the next run finds a nonce that ferry does not know.
 *
 * @throws run.foreign-nonce
 */
export function assertNext({ turn, owner, chain }: Owned, next: bigint, sequence?: string): void {
  const known = turn.known(sequence);
  const found = known === undefined ? undefined : gap(known, next);
  if (found) throw foreignNonce({ owner, chain }, format(found));
}

type Owned = NonceOwner & { turn: Turn };

/** `nonce 4`, `nonces 4 to 6`. */
export function format({ from, to }: Gap): string {
  const last = to - 1n;
  return from === last ? `nonce ${from}` : `nonces ${from} to ${last}`;
}

/** The owner of a counter in words. */
export function ownerOf(counter: NonceCounter): string {
  return 'address' in counter
    ? counter.address
    : `API key ${counter.apiKeyIndex} of the venue account ${counter.accountIndex}`;
}

/** What a person is told about what ferry does not know, such as `nonce 4`. */
export function inWords({ owner, chain }: NonceOwner, unknown: string): string {
  const whose = `ferry does not know ${unknown} of ${owner} on ${chain}`;
  return `${whose}: another program used the account, or the state directory was deleted or restored.`;
}

/** An account on a chain; for an API key, on the venue. */
export type NonceOwner = { owner: string; chain: string };

/** The chain is further than the journals: a payment may have been made that they do not show. */
export function foreignNonce(
  place: NonceOwner,
  unknown: string,
  flags: { account?: string | undefined; network?: string | undefined } = {},
): BaseError {
  return new BaseError('run.foreign-nonce', `${inWords(place, unknown)} Nothing was signed.`, {
    facts: [
      ['account', place.owner],
      ['chain', place.chain],
      ['unknown', unknown],
    ],
    hint: `If one of them paid for this transfer, it would be paid twice. See what they did; then adopt them, or use --allow ${allowance}.`,
    next: ShellCommand.from('runs reconcile', [place.chain], flags),
  });
}

/** A transaction that no run has sent used a nonce of the run itself, which reconciling the account does not find. */
export function takenNonce(place: NonceOwner, { nonce, txHash }: Foreign): BaseError {
  const unknown = `nonce ${nonce}`;
  return new BaseError('run.foreign-nonce', `${inWords(place, unknown)} Nothing was signed.`, {
    facts: [
      ['account', place.owner],
      ['chain', place.chain],
      ['unknown', unknown],
      ['used by', txHash],
    ],
    hint: `If that transaction paid for this transfer, it would be paid twice. See what it did with ferry trace; if it did not pay, use --allow ${allowance}.`,
  });
}

/** A transaction that ferry has signed, and that nobody has mined, has the account's next nonce or a later one. */
export function heldNonce({ owner, chain }: NonceOwner, nonce: number, run: string): BaseError {
  return new BaseError(
    'run.unfinished',
    `What a run has signed with nonce ${nonce} may still be mined. Nothing was signed.`,
    {
      facts: [
        ['account', owner],
        ['chain', chain],
        ['signed by', run],
      ],
      hint: 'Another transaction would let it be mined, or be mined in its place. Finish that run first; ferry runs cancel makes what it signed void.',
      next: ShellCommand.line`ferry resume ${run}`,
      run,
    },
  );
}

/**
 * A batch that ferry has signed, and that nobody has submitted, has the account's next sequence or a later one. Of two with
 * the same one only one can be used, and the chain does not show which.
 */
export function heldSequence({ owner, chain }: NonceOwner, sequence: bigint, run: string): BaseError {
  return new BaseError(
    'run.unfinished',
    `The batch that a run has signed with sequence ${sequence} may still be submitted. Nothing was signed.`,
    {
      facts: [
        ['account', owner],
        ['chain', chain],
        ['signed by', run],
      ],
      hint: 'Another batch would be used in its place, and the chain would not show which of them paid. Finish that run first; ferry runs cancel makes what it signed void.',
      next: ShellCommand.line`ferry resume ${run}`,
      run,
    },
  );
}

/** A node is behind: it gives a sequence that the batch of an ended run has used. */
export function staleSequence({ owner, chain }: NonceOwner, sequence: bigint, run: string): BaseError {
  return new BaseError(
    'submit.busy',
    `The node of ${chain} is behind: it does not show yet that a batch has used sequence ${sequence}. Nothing was signed.`,
    {
      facts: [
        ['account', owner],
        ['used by', run],
      ],
      hint: 'Try again in a moment.',
    },
  );
}
