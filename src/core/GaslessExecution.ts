/**
 * Carries a plan out without gas: one authorization where it is needed, one signed batch, one submission to the service.
 * Whatever happens to the answer, nothing is ever signed twice: the same bytes are asked about, and posted again only
 * where the service says that it has done nothing with them.
 */
import * as Address from './Address.js';
import * as Amount from './Amount.js';
import * as Arrival from './Arrival.js';
import { BaseError } from './Errors.js';
import { EndedBadlyError, type Outcome, type Patience, type World } from './Execution.js';
import * as Follow from './Follow.js';
import * as Gasless from './Gasless.js';
import * as NonceTurn from './NonceTurn.js';
import type * as Plan from './Plan.js';
import type { Authorization } from './Ports.js';
import * as Progress from './Progress.js';
import * as Replay from './Replay.js';
import * as Solvency from './Solvency.js';

export type Event =
  | { type: 'delegated'; summary: string; delegate: Address.Address; isNew: boolean }
  | { type: 'batch-signed'; summary: string; calls: number; executor: Address.Address; deadline: bigint; nonce: bigint }
  | { type: 'permit-signed'; summary: string; primaryType: string }
  | { type: 'submitted'; summary: string; requestId: string }
  | { type: 'asking'; summary: string; why: string }
  | Follow.Event;

export type GaslessWorld = World & {
  referrer: string | undefined;
  /** Who submits for the service, where that is known: nobody else may then submit the batch. */
  relayer: Address.Address | undefined;
  /** How long the signed batch may be submitted; undefined for ten minutes. */
  validForMs: number | undefined;
  /** Whether a failed simulation is held against the node of the origin. */
  replay: boolean;
};

/** How often the same bytes are posted before the outcome counts as unknown. */
const attempts = 4;

/**
 * Carries out a plan.
 *
 * @throws chain.* · submit.* · sign.failed · track.* · request.unsupported where the account cannot be delegated
 */
export async function* run(plan: Plan.Plan, world: GaslessWorld, patience: Patience): AsyncGenerator<Event, Outcome> {
  const startedAt = world.clock.now();
  const signed = plan.permits.length > 0 ? yield* signPermit(plan, world) : yield* signBatch(plan, world);
  const requestId = yield* submit(signed, plan, world, startedAt + patience.timeoutMs);
  yield { type: 'submitted', summary: 'The service took it', requestId };
  await NonceTurn.releaseOnceUsed(world.turn, signed.isUsed, world);

  const outcome = { requestId, transactions: [], gasCost: 0n, spent: plan.quote.input };
  const elapsed = (): number => world.clock.now() - startedAt;
  if (!patience.wait)
    return { ...outcome, status: 'sent', progress: undefined, received: undefined, elapsedMs: elapsed() };
  const progress = yield* Follow.run(requestId, world, { timeoutMs: patience.timeoutMs });
  const received = await Arrival.awaited(plan, progress, world, { gasCost: 0n, ...patience });
  const ended: Outcome = { ...outcome, status: progress.status, progress, received, elapsedMs: elapsed() };
  if (Progress.codeOf(progress)) throw new EndedBadlyError(ended, plan);
  return ended;
}

/** What was signed once. */
type Signed = {
  /** Posts it, the same bytes each time, and resolves to the request to follow. */
  post(): Promise<string>;
  /** Unix time in milliseconds after which it is good for nothing. */
  deadlineMs: number;
  /** Whether the chain shows that its nonces are used up. */
  isUsed(): Promise<boolean>;
  /** Whether the chain shows for good that it ran out unused. */
  isDead(): Promise<boolean>;
};

async function* signBatch(plan: Plan.Plan, world: GaslessWorld): AsyncGenerator<Event, Signed> {
  const { account, clock, service } = world;
  const { chain } = plan.intent.origin;
  const batchExecutor = chain.contracts.batchExecutor;
  if (!batchExecutor) throw new NoExecutorError(chain.name);
  const { authorization, sequence } = await prepare(plan, batchExecutor, world);
  yield {
    type: 'delegated',
    summary: authorization
      ? 'Let the account act by the batch executor'
      : 'The account acts by the batch executor already',
    delegate: batchExecutor,
    isNew: authorization !== undefined,
  };
  world.signal.throwIfAborted();
  const executor = world.relayer ?? Address.native;
  const { validForMs } = world;
  const batch = Gasless.from(plan, { nonce: sequence, executor, nowMs: clock.now(), validForMs });
  const signature = await account.signTypedData(Gasless.typedData(batch, account.address, chain.id, batchExecutor));
  const { nonce, deadline } = batch;
  const calls = plan.actions.length;
  const summary = `Sign a batch of ${calls} ${calls === 1 ? 'call' : 'calls'}`;
  yield { type: 'batch-signed', summary, calls, executor, deadline, nonce };
  const data = Gasless.callData(batch, signature);
  const request = Gasless.toRequest(plan, data, {
    account: account.address,
    authorization,
    referrer: world.referrer,
  });
  return {
    deadlineMs: Number(deadline) * 1000,
    post: async () => {
      try {
        return (await service.execute(request)).requestId;
      } catch (error) {
        if (!world.replay || !(error instanceof BaseError)) throw error;
        throw await Replay.compare(error, request.data, world.origin, executor);
      }
    },
    isUsed: async () => (await world.origin.batchSequence(account.address, batchExecutor)) !== sequence,
    isDead: async () => {
      const final = await world.origin.finalizedSequence(account.address, batchExecutor);
      return final.timestamp > deadline && final.sequence === nonce;
    },
  };
}

async function* signPermit(plan: Plan.Plan, { account, origin, service }: GaslessWorld): AsyncGenerator<Event, Signed> {
  await Solvency.assertInput(plan.quote, origin);
  const [permit, ...more] = plan.permits;
  if (!permit || more.length > 0) throw new ManyPermitsError(plan.permits.length);
  const signature = await account.signTypedData(permit.typed);
  yield { type: 'permit-signed', summary: permit.summary, primaryType: permit.typed.primaryType };
  return {
    post: async () => {
      const { steps = [] } = await service.executePermit(permit.request, signature);
      if (steps.length > 0) throw new FurtherStepsError(plan.requestId, steps.map(({ id }) => id).join(', '));
      return plan.requestId;
    },
    // Whether a permit was used is for its token to say, each in its own way; no nonce of the account is in it.
    isUsed: async () => true,
    deadlineMs: Number.POSITIVE_INFINITY,
    isDead: async () => false,
  };
}

/** The right chain, enough of the input, and a delegation that may be used or made. Signs the authorization last. */
async function prepare(
  plan: Plan.Plan,
  batchExecutor: Address.Address,
  { origin, account }: GaslessWorld,
): Promise<{ authorization: Authorization | undefined; sequence: bigint }> {
  const { chain } = plan.intent.origin;
  const [code, nonce, sequence] = await Promise.all([
    origin.code(account.address),
    origin.nonce(account.address),
    origin.batchSequence(account.address, batchExecutor),
    Solvency.assertInput(plan.quote, origin),
  ]);
  const delegate = Gasless.delegateOf(code);
  if (delegate !== undefined && !Address.isEqual(delegate, batchExecutor))
    throw new OtherDelegateError(account.address, delegate, chain.name);
  // The relayer sends the transaction, so the account's own nonce is the one that the authorization takes.
  const authorization =
    delegate === undefined
      ? await account.signAuthorization({ chainId: chain.id, address: batchExecutor, nonce })
      : undefined;
  return { authorization, sequence };
}

/** Posts what was signed; after a lost answer asks by the request id before anything else. */
async function* submit(
  signed: Signed,
  plan: Plan.Plan,
  world: GaslessWorld,
  untilMs: number,
): AsyncGenerator<Event, string> {
  let lost: BaseError | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await signed.post();
    } catch (error) {
      if (world.signal.aborted) throw new UnknownOutcomeError(plan, lost);
      if (!(error instanceof BaseError)) throw error;
      // Refused before it acted. After a lost answer a refusal may come from the first posting's success.
      if (!isLost(error) && lost === undefined) throw error;
      lost = isLost(error) ? error : (lost ?? error);
      yield { type: 'asking', summary: 'The answer was lost: asking the service what it has done', why: error.message };
    }
    if (await hasActed(plan, world, attempt)) return plan.requestId;
  }
  // Where there is time to see the deadline pass, the chain itself tells how it ended.
  while (signed.deadlineMs < untilMs && world.clock.now() < untilMs) {
    if (await hasActed(plan, world, attempts)) return plan.requestId;
    if (await signed.isDead()) throw new ExpiredBatchError(plan);
  }
  throw new UnknownOutcomeError(plan, lost);
}

const lostCodes: readonly string[] = [
  'service.unreachable',
  'service.timeout',
  'service.unavailable',
  'service.malformed',
  'service.rate-limited',
];

function isLost({ code }: BaseError): boolean {
  return lostCodes.includes(code);
}

/** Whether the status by the request id shows that the service has begun. Looks a few times, as it may be about to. */
async function hasActed(plan: Plan.Plan, { service, clock, signal }: GaslessWorld, attempt: number): Promise<boolean> {
  for (let look = 0; look < 4; look++) {
    await Follow.interruptible(
      clock.sleep(Progress.pollDelayMs(2 * attempt + 2 * look), signal),
      () => new UnknownOutcomeError(plan, undefined),
    );
    const answer = await service.status(plan.requestId).catch(() => undefined);
    if (!answer) continue;
    const isIdle = answer.status === 'waiting' || answer.status === 'unknown';
    // A transaction that is known but not mined yet leaves the request waiting.
    if (!isIdle || (answer.inTxHashes ?? []).length > 0) return true;
  }
  return false;
}

export class NoExecutorError extends BaseError {
  override name = 'NoExecutorError';
  constructor(chain: string) {
    super('request.unsupported', `ferry knows no batch executor on ${chain}, so it cannot go without gas there.`, {
      hint: 'Leave --gasless out.',
    });
  }
}

export class ManyPermitsError extends BaseError {
  override name = 'ManyPermitsError';
  constructor(count: number) {
    super('quote.unsupported-step', `The quote asks for ${count} signatures; ferry signs one permit.`);
  }
}

/** The service took the permit and now wants more, which nothing of the quote has shown. */
export class FurtherStepsError extends BaseError {
  override name = 'FurtherStepsError';
  constructor(requestId: string, steps: string) {
    super('quote.unsupported-step', `The service took the permit and asks for further steps: ${steps}.`, {
      hint: 'ferry signs nothing that the quote did not show. The permit may be used until it expires.',
      funds: 'unknown',
      requestId,
      next: `ferry status ${requestId} --watch`,
    });
  }
}

export class OtherDelegateError extends BaseError {
  override name = 'OtherDelegateError';
  constructor(account: string, delegate: Address.Address | 'contract', chain: string) {
    super(
      'request.unsupported',
      delegate === 'contract'
        ? `The account is a contract on ${chain}: it cannot be delegated.`
        : `The account is delegated to another contract on ${chain}.`,
      {
        facts: [['account', account], ...(delegate === 'contract' ? [] : ([['delegate', delegate]] as const))],
        hint: delegate === 'contract' ? undefined : 'If you do not want that delegation, revoke it first.',
        next: delegate === 'contract' ? undefined : `ferry delegation revoke ${chain}`,
      },
    );
  }
}

/** Nobody can submit it any more, and nobody has. */
export class ExpiredBatchError extends BaseError {
  override name = 'ExpiredBatchError';
  constructor({ requestId }: Plan.Plan) {
    super('submit.expired', 'The service never acted, and the signed batch has run out unused: nothing moved.', {
      hint: 'The transfer may be started again.',
      requestId,
    });
  }
}

/** The service may or may not have acted on a signed batch. */
export class UnknownOutcomeError extends BaseError {
  override name = 'UnknownOutcomeError';
  constructor({ requestId, intent, quote }: Plan.Plan, cause: BaseError | undefined) {
    const { token } = intent.origin;
    super('submit.unknown', 'The service may or may not have taken the signed batch.', {
      facts: [
        ['at stake', `${Amount.format(quote.input, token.decimals)} ${token.symbol}`],
        ...(cause ? ([['last answer', cause.message]] as const) : []),
      ],
      hint: 'Do not start the transfer again before you know. What was signed can be used until its deadline.',
      next: `ferry status ${requestId} --watch`,
      requestId,
      cause,
    });
  }
}
