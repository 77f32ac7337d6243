/** Signs what the service submits on behalf of the account: a batch of the plan's calls, or a token permit. */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event } from '../event/Event.js';
import type * as Execution from '../execution/Execution.js';
import * as Facts from '../execution/Facts.js';
import type * as Following from '../execution/Following.js';
import * as NonceRule from '../execution/NonceRule.js';
import type * as Plan from '../execution/Plan.js';
import type { Authorization } from '../ports/Ports.js';
import * as LastLook from '../proof/LastLook.js';
import * as OrderTerms from '../proof/OrderTerms.js';
import * as BalanceGuard from '../proof/router/BalanceGuard.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Entry } from '../tracking/Journal.js';
import * as SignedBatch from './SignedBatch.js';

/** The ports and settings of a gasless transfer, and the account that signs. */
export type Ports = Execution.Ports &
  FollowingPorts & {
    referrer: string | undefined;
    /** The service's relayer, if it is known; only it can then submit the batch. */
    relayer: Address.Address | undefined;
    /** How long the signed batch can be submitted, in milliseconds; undefined for the default of `SignedBatch`. */
    validForMs: number | undefined;
  };

/** The ports needed to finish a signed batch or permit; none of them can sign. */
export type FollowingPorts = Following.Ports & {
  /** Whether to replay a failed simulation on the node of the origin chain. */
  replay: boolean;
};

/** The journal entry of what was signed, written before it is posted. */
export type Handed = Extract<Entry, { type: 'signed-batch' | 'signed-permit' }>;

/**
 * Signs the batch or permit of a plan, once.
 *
 * @param facts what was read of the account just now, after it was seen that it has the input
 * @throws chain.* · submit.insufficient-balance · sign.failed · request.unsupported if the account cannot be delegated
 */
export async function* sign(
  plan: Plan.Plan,
  ports: Ports,
  facts: Facts.OfBatch | Facts.OfPermit | undefined,
): AsyncGenerator<Event, Handed> {
  if (plan.permits.length === 0) return yield* signBatch(plan, ports, facts);
  if (!facts) await Facts.assertInput(plan.quote, ports.origin);
  return yield* signPermit(plan, ports);
}

async function* signBatch(
  plan: Plan.Plan,
  ports: Ports,
  facts: Facts.OfBatch | Facts.OfPermit | undefined,
): AsyncGenerator<Event, Handed> {
  const { account, clock } = ports;
  const { chain } = plan.intent.origin;
  const batchExecutor = chain.contracts.batchExecutor;
  if (!batchExecutor)
    throw new BaseError(
      'request.unsupported',
      `ferry knows no batch executor on ${chain.name}, which gasless transfers need.`,
      {
        hint: 'Run it without --gasless.',
      },
    );
  const { validForMs = SignedBatch.defaultValidForMs, referrer } = ports;
  assertPayable(plan, clock.now() + validForMs);
  const { authorization, sequence } = await prepare(plan, batchExecutor, ports, facts);
  yield {
    type: 'delegated',
    summary: authorization
      ? 'Delegate the account to the batch executor'
      : 'The account is already delegated to the batch executor',
    delegate: batchExecutor,
    isNew: authorization !== undefined,
  };
  ports.signal.throwIfAborted();
  const executor = ports.relayer ?? Address.native;
  const guard = await guardOf(plan, ports);
  const batch = SignedBatch.from(plan, { nonce: sequence, executor }, { nowMs: clock.now(), validForMs, guard });
  const signature = await account.signTypedData(SignedBatch.typedData(batch, account.address, chain.id, batchExecutor));
  const { nonce, deadline } = batch;
  const calls = batch.calls.length;
  const guarded = guard ? ', the last of which reverts them if too little arrives' : '';
  const summary = `Sign a batch of ${calls} ${calls === 1 ? 'call' : 'calls'}${guarded}`;
  yield { type: 'batch-signed', summary, calls, executor, deadline, nonce };
  await lookAgain(plan, batch, batchExecutor, ports);
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

/** The service may submit a batch when it expires: by then its order must not be about to end. @throws verify.cap */
function assertPayable({ quote, requestId }: Plan.Plan, untilMs: number): void {
  const order = quote.response.protocol?.v2;
  const latestMs = order ? OrderTerms.payableUntil(order) * 1000 : Number.POSITIVE_INFINITY;
  if (untilMs <= latestMs) return;
  throw new BaseError('verify.cap', 'The batch would still be valid in the last hour of its order.', {
    facts: [
      ['valid until', new Date(untilMs).toISOString()],
      ['allowed', `until ${new Date(latestMs).toISOString()}, an hour before the order ends`],
    ],
    hint: 'After that nothing obliges the service to pay out or to refund. Request a new quote, or choose a shorter --valid-for.',
    requestId,
  });
}

/** The call that ends the batch, if the plan's calls need one: the balance now, and the minimum. */
async function guardOf(
  { watched }: Plan.Plan,
  { origin }: Ports,
): Promise<SignedBatch.Batch['calls'][number] | undefined> {
  const guard = watched?.guard;
  return guard && BalanceGuard.call(guard, await origin.balance(guard.owner, guard.token));
}

/**
 * Simulates the batch once it is signed, if the plan's calls are not known. A node could submit what it is given to
 * simulate, so that is signed once more, for a submitter that nobody is.
 *
 * @throws verify.changed · sign.failed · chain.*
 */
async function lookAgain(
  { watched, requestId, intent }: Plan.Plan,
  signed: SignedBatch.Batch,
  batchExecutor: Address.Address,
  { origin, account }: Ports,
): Promise<void> {
  if (!watched) return;
  const { chain } = intent.origin;
  const batch = { ...signed, executor: nobody };
  const signature = await account.signTypedData(SignedBatch.typedData(batch, account.address, chain.id, batchExecutor));
  const { maxFeePerGas, maxPriorityFeePerGas } = await origin.gasPrice();
  const as = {
    maxFeePerGas,
    maxPriorityFeePerGas,
    gas: [batchGas],
    credit: batchGas * maxFeePerGas,
    delegation: { account: account.address, delegate: batchExecutor },
  };
  const call = { from: nobody, to: account.address, data: SignedBatch.callData(batch, signature), value: 0n };
  await LastLook.assertSame(watched, call, as, { node: origin, requestId });
}

/** An address that nobody has a key of. */
const nobody: Address.Address = '0x00000000000000000000000000ba1a9cec0de003';

/** More gas than any batch of a quote needs. */
const batchGas = 8_000_000n;

async function* signPermit(plan: Plan.Plan, { account }: Ports): AsyncGenerator<Event, Handed> {
  const [permit, ...more] = plan.permits;
  if (!permit || more.length > 0) throw manyPermits(plan.permits.length);
  const signature = await account.signTypedData(permit.typed);
  yield { type: 'permit-signed', summary: permit.summary, primaryType: permit.typed.primaryType };
  return { type: 'signed-permit', request: permit.request, signature };
}

/** Checks chain, balance and delegation, then signs an authorization if the account is not delegated yet. */
async function prepare(
  plan: Plan.Plan,
  batchExecutor: Address.Address,
  { origin, account, turn, clock }: Ports,
  facts: Facts.OfBatch | Facts.OfPermit | undefined,
): Promise<{ authorization: Authorization | undefined; sequence: bigint }> {
  const { chain } = plan.intent.origin;
  const recent = facts?.kind === 'batch' ? facts : undefined;
  const { code, nonce, sequence } = recent ?? (await Facts.ofBatch(plan, batchExecutor, { origin, clock }));
  const delegate = delegateOf(code, batchExecutor, { account: account.address, chain: chain.name });
  const place = { turn, owner: account.address, chain: chain.name };
  NonceRule.use(place, sequence, { sequence: batchExecutor.toLowerCase() });
  if (delegate === undefined) NonceRule.use(place, BigInt(nonce));
  // The relayer sends the transaction, so the authorization uses the account's current nonce.
  const authorization =
    delegate === undefined
      ? await account.signAuthorization({ chainId: chain.id, address: batchExecutor, nonce })
      : undefined;
  return { authorization, sequence };
}

/**
 * The delegate of an account that can sign batches: the executor, or none yet.
 *
 * @throws request.unsupported if it is a contract, or delegated to another one
 */
export function delegateOf(
  code: Hex,
  batchExecutor: Address.Address,
  { account, chain }: { account: string; chain: string },
): string | undefined {
  const delegate = SignedBatch.delegateOf(code);
  if (delegate === undefined || Address.isEqual(delegate, batchExecutor)) return delegate;
  const isContract = delegate === 'contract';
  throw new BaseError(
    'request.unsupported',
    isContract
      ? `The account is a contract on ${chain}: it cannot be delegated.`
      : `The account is delegated to another contract on ${chain}.`,
    {
      facts: [['account', account], ...(isContract ? [] : ([['delegate', delegate]] as const))],
      hint: isContract ? undefined : 'If you do not need that delegation, revoke it first.',
      next: isContract ? undefined : ShellCommand.line`ferry delegation revoke ${chain}`,
    },
  );
}

export function manyPermits(count: number): BaseError {
  return new BaseError('quote.unsupported-step', `The quote asks for ${count} signatures; ferry signs one permit.`);
}
