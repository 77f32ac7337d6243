/** Signs what the service submits in the account's stead: a batch of the plan's calls, or a permit of the token. */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Event } from '../event/Event.js';
import * as BalanceCheck from '../execution/BalanceCheck.js';
import type * as Execution from '../execution/Execution.js';
import type * as Plan from '../execution/Plan.js';
import type { Authorization } from '../ports/Ports.js';
import type { Entry } from '../tracking/Journal.js';
import * as SignedBatch from './SignedBatch.js';

/** The ports and settings that a gasless transfer needs, and who signs. */
export type World = Execution.World &
  FollowingWorld & {
    referrer: string | undefined;
    /** The relayer of the service, if it is known: only it may then submit the batch. */
    relayer: Address.Address | undefined;
    /** How long the signed batch may be submitted; undefined for ten minutes. */
    validForMs: number | undefined;
  };

/** What finishing a signed batch or permit needs: nothing in it can sign. */
export type FollowingWorld = Execution.FollowingWorld & {
  /** Whether a failed simulation is compared with the node of the origin. */
  replay: boolean;
};

/** What was signed, as it is written down before it is posted. */
export type Handed = Extract<Entry, { type: 'signed-batch' | 'signed-permit' }>;

/**
 * Signs once.
 *
 * @throws chain.* · submit.insufficient-balance · sign.failed · request.unsupported where the account cannot be delegated
 */
export async function* sign(plan: Plan.Plan, world: World): AsyncGenerator<Event, Handed> {
  return plan.permits.length > 0 ? yield* signPermit(plan, world) : yield* signBatch(plan, world);
}

async function* signBatch(plan: Plan.Plan, world: World): AsyncGenerator<Event, Handed> {
  const { account, clock } = world;
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
  const { validForMs, referrer } = world;
  const batch = SignedBatch.from(plan, { nonce: sequence, executor, nowMs: clock.now(), validForMs });
  const signature = await account.signTypedData(SignedBatch.typedData(batch, account.address, chain.id, batchExecutor));
  const { nonce, deadline } = batch;
  const calls = plan.actions.length;
  const summary = `Sign a batch of ${calls} ${calls === 1 ? 'call' : 'calls'}`;
  yield { type: 'batch-signed', summary, calls, executor, deadline, nonce };
  const data = SignedBatch.callData(batch, signature);
  const request = SignedBatch.toRequest(plan, data, { account: account.address, authorization, referrer });
  return {
    type: 'signed-batch',
    request,
    batchExecutor,
    executor,
    nonce: String(nonce),
    deadline: String(deadline),
  };
}

async function* signPermit(plan: Plan.Plan, { account, origin }: World): AsyncGenerator<Event, Handed> {
  await BalanceCheck.assertInput(plan.quote, origin);
  const [permit, ...more] = plan.permits;
  if (!permit || more.length > 0) throw new ManyPermitsError(plan.permits.length);
  const signature = await account.signTypedData(permit.typed);
  yield { type: 'permit-signed', summary: permit.summary, primaryType: permit.typed.primaryType };
  return { type: 'signed-permit', request: permit.request, signature };
}

/** The right chain, enough of the input, and a delegation that may be used or made. Signs the authorization last. */
async function prepare(
  plan: Plan.Plan,
  batchExecutor: Address.Address,
  { origin, account }: World,
): Promise<{ authorization: Authorization | undefined; sequence: bigint }> {
  const { chain } = plan.intent.origin;
  const [code, nonce, sequence] = await Promise.all([
    origin.code(account.address),
    origin.nonce(account.address),
    origin.batchSequence(account.address, batchExecutor),
    BalanceCheck.assertInput(plan.quote, origin),
  ]);
  const delegate = SignedBatch.delegateOf(code);
  if (delegate !== undefined && !Address.isEqual(delegate, batchExecutor))
    throw new OtherDelegateError(account.address, delegate, chain.name);
  // The relayer sends the transaction, so the account's own nonce is the one that the authorization takes.
  const authorization =
    delegate === undefined
      ? await account.signAuthorization({ chainId: chain.id, address: batchExecutor, nonce })
      : undefined;
  return { authorization, sequence };
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
