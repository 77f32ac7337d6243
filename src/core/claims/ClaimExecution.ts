/**
 * Signs a claim, posts it and follows it until the chain shows the payment.
 *
 * The id is signed once. After a lost answer the service's claims are asked first, and the same signature is posted
 * again: a claim is paid once, whatever happens to the answers. No journal is kept: the service lists what was signed,
 * and nothing new is claimed while a claim is open.
 */
import type * as ExecutePermits from '../api/ExecutePermits.js';
import type * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event } from '../event/Event.js';
import * as ReceivedAmount from '../execution/ReceivedAmount.js';
import * as RateLimit from '../network/RateLimit.js';
import type { Account, Chain, Clock, Receipt, Service } from '../ports/Ports.js';
import type * as Currency from '../quote/Currency.js';
import * as TerminalText from '../text/TerminalText.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import { pollDelayMs } from '../tracking/TransferStatus.js';
import type * as ClaimProof from './ClaimProof.js';

/** A claim that was proved, as far as it can be. */
export type Claim = ClaimProof.Provable & {
  wallet: Address.Address;
  recipient: Address.Address;
  currency: Currency.Currency;
  /** Base units. */
  amount: bigint;
};

export type World = {
  service: Pick<Service, 'executePermit' | 'appFeeClaims'>;
  /** The node of the chain that pays. */
  node: Pick<Chain, 'receipt' | 'tip'>;
  account: Account;
  clock: Clock;
  signal: AbortSignal;
  warn(text: string): void;
};

/** The payment as the chain shows it; undefined if ferry did not wait. */
export type Outcome = { payment: { txHash: Hex; received: bigint } | undefined };

/** Number of times the same signature is posted before the outcome counts as unknown. */
const maxAttempts = 4;

/** @throws sign.failed · service.* if it was refused · submit.unknown · track.* */
export async function* run(
  claim: Claim,
  world: World,
  { wait, timeoutMs }: { wait: boolean; timeoutMs: number },
): AsyncGenerator<Event, Outcome> {
  const { node, account, signal, clock } = world;
  // A payment is newer than this: an older one that the service names is of another claim.
  const { number: before } = await node.tip();
  signal.throwIfAborted();
  const signature = await account.signHash(claim.id, claim.currency.chain.id);
  yield { type: 'claim-signed', summary: 'Sign the claim', requestId: claim.id };
  signal.throwIfAborted();
  yield* submit(claim, signature, world);
  yield { type: 'submitted', summary: 'The service accepted it', requestId: claim.id };
  if (!wait) return { payment: undefined };
  return { payment: yield* follow(claim, { before, untilMs: clock.now() + timeoutMs }, world) };
}

async function* submit(claim: Claim, signature: Hex, world: World): AsyncGenerator<Event, void> {
  const { service, clock, signal } = world;
  let lost: BaseError | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      return assertDone(claim, await service.executePermit(claim.body, signature));
    } catch (error) {
      if (error instanceof FurtherClaimStepsError) throw error;
      if (RateLimit.isUnsent(error) && !lost) throw error;
      if (signal.aborted) throw new UnknownClaimError(claim, lost);
      if (!(error instanceof BaseError)) throw error;
      // A refusal before it acted. After a lost answer, a refusal may be due to the success of the first post.
      if (!lostCodes.includes(error.code) && !lost) throw error;
      lost = lostCodes.includes(error.code) ? error : (lost ?? error);
      yield {
        type: 'asking',
        summary: 'The response was lost: checking the claim with the service',
        why: error.message,
      };
    }
    await StatusPolling.interruptible(
      clock.sleep(pollDelayMs(2 * attempt + 2), signal),
      () => new UnknownClaimError(claim, lost),
    );
    if (await find(claim, service)) return;
  }
  throw new UnknownClaimError(claim, lost);
}

const lostCodes: readonly string[] = [
  'service.unreachable',
  'service.timeout',
  'service.unavailable',
  'service.malformed',
  'service.rate-limited',
];

function assertDone(claim: Claim, { steps = [] }: ExecutePermits.Response): void {
  if (steps.length > 0) throw new FurtherClaimStepsError(claim, steps.map(({ id }) => id).join(', '));
}

type Listed = Awaited<ReturnType<Service['appFeeClaims']>>['claims'][number];

/** The claim in the service's list; undefined if it is not there, or the list cannot be read. */
async function find({ id, wallet }: Claim, service: World['service']): Promise<Listed | undefined> {
  const listed = await service.appFeeClaims(wallet).catch(() => undefined);
  return listed?.claims.find(({ claimId }) => claimId.toLowerCase() === id.toLowerCase());
}

/** Polls the service for the transaction and the node for its receipt, until the chain shows the payment. */
async function* follow(
  claim: Claim,
  { before, untilMs }: { before: bigint; untilMs: number },
  { service, node, clock, signal, warn }: World,
): AsyncGenerator<Event, { txHash: Hex; received: bigint }> {
  let said: string | undefined;
  let txHash: Hex | undefined;
  const rejected = new Set<string>();
  for (let attempt = 0; ; attempt++) {
    const listed = await find(claim, service);
    const unfinished = (): BaseError => new UnpaidClaimError(claim, { said, txHash, rejected });
    txHash = hashIn(listed?.txHash) ?? txHash;
    if (listed && listed.status !== said) {
      said = listed.status;
      const words = { pending: 'the payment is being made', success: 'the service has paid' }[said] ?? 'of the claim';
      const outTxHashes = txHash ? [txHash] : [];
      yield { type: 'status', requestId: claim.id, status: said, words, inTxHashes: [], outTxHashes };
    }
    const receipt = txHash && (await node.receipt(txHash).catch(() => undefined));
    if (txHash && receipt?.status === 'success') {
      const received = paidBy(receipt, claim, before);
      if (received > 0n) {
        // The gas of one transfer is small change; the rest of the amount is the user's.
        if (received * 10n < claim.amount * 9n) warn(shortText(claim, received));
        return { txHash, received };
      }
      rejected.add(txHash);
    }
    if (said === 'failure') throw new FailedClaimError(claim, txHash);
    if (clock.now() >= untilMs) throw unfinished();
    await StatusPolling.interruptible(clock.sleep(pollDelayMs(attempt), signal), unfinished);
  }
}

/** Base units that a transaction paid to the recipient, if it is newer than the claim. */
function paidBy(receipt: Receipt, { currency, recipient }: Claim, before: bigint): bigint {
  return receipt.blockNumber > before ? ReceivedAmount.received([receipt], currency.token.address, recipient) : 0n;
}

function hashIn(text: string | null | undefined): Hex | undefined {
  return text && /^0x[0-9a-fA-F]{64}$/.test(text) ? (text as Hex) : undefined;
}

function shortText({ amount, currency: { token } }: Claim, received: bigint): string {
  const [whole, part] = [amount, received].map((each) => Amount.format(each, token.decimals));
  return `Only ${part} of ${whole} ${token.symbol} arrived: the network gas alone does not explain that.`;
}

function factsOf({ amount, currency: { token, chain }, recipient, id }: Claim): (readonly [string, string])[] {
  return [
    ['at stake', `${Amount.format(amount, token.decimals)} ${token.symbol} on ${chain.name}`],
    ['recipient', recipient],
    ['claim', id],
  ];
}

/** The service may or may not have taken the signature. */
export class UnknownClaimError extends BaseError {
  override name = 'UnknownClaimError';
  constructor(claim: Claim, cause: BaseError | undefined) {
    super('submit.unknown', 'The service may or may not have accepted the signed claim.', {
      facts: [...factsOf(claim), ...(cause ? ([['last answer', cause.message]] as const) : [])],
      hint: 'Check before you claim again: if the balance is unchanged and no claim is listed, nothing was paid.',
      next: `ferry fees balance ${claim.wallet}`,
      requestId: claim.id,
      cause,
    });
  }
}

/** The service wants more signatures than that of the claim. */
export class FurtherClaimStepsError extends BaseError {
  override name = 'FurtherClaimStepsError';
  constructor(claim: Claim, steps: string) {
    super('quote.unsupported-step', `The service accepted the claim and asks for further steps: ${steps}.`, {
      facts: factsOf(claim),
      hint: 'ferry signs the claim and nothing else.',
      next: `ferry fees balance ${claim.wallet}`,
      funds: 'unknown',
      requestId: claim.id,
    });
  }
}

/** The chain does not show the payment yet. */
export class UnpaidClaimError extends BaseError {
  override name = 'UnpaidClaimError';
  constructor(
    claim: Claim,
    { said, txHash, rejected }: { said: string | undefined; txHash: Hex | undefined; rejected: ReadonlySet<string> },
  ) {
    super('track.unfinished', 'The claim was accepted, and the chain does not show the payment yet.', {
      facts: [
        ...factsOf(claim),
        ['the service says', TerminalText.escape(said ?? 'nothing')],
        ...[...rejected].map((hash) => ['not the payment', hash] as const),
      ],
      hint: 'It continues without ferry. Do not claim it again.',
      next: `ferry fees balance ${claim.wallet}`,
      requestId: claim.id,
      txHash,
    });
  }
}

/** The service says that the payment failed. */
export class FailedClaimError extends BaseError {
  override name = 'FailedClaimError';
  constructor(claim: Claim, txHash: Hex | undefined) {
    super('track.failed', 'The service could not pay the claim.', {
      facts: factsOf(claim),
      hint: 'The fees should be in the balance again; if they are not, contact the service with the claim’s id.',
      next: `ferry fees balance ${claim.wallet}`,
      requestId: claim.id,
      txHash,
    });
  }
}
