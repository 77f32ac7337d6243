/**
 * Follows a deposit address, which anybody may pay at any time until its order expires, to the end of the transfer. Nothing
 * here can sign. Until the service has the deposit, the address is looked at on the chain as well: what lies there is
 * shown, too little as well as enough.
 */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { Event, Of } from '../event/Event.js';
import * as Following from '../execution/Following.js';
import type * as Plan from '../execution/Plan.js';
import type * as Network from '../network/Network.js';
import type { Chain, Receipt } from '../ports/Ports.js';
import * as StrictAddress from '../proof/address/StrictAddress.js';
import * as DepositEvent from '../proof/DepositEvent.js';
import * as Currency from '../quote/Currency.js';
import type * as Quote from '../quote/Quote.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as Polling from '../tracking/Polling.js';
import * as StatusPolling from '../tracking/StatusPolling.js';
import * as TransferStatus from '../tracking/TransferStatus.js';

/** What a payer is told: which address to pay, what, and until when. */
export type DepositAddress = {
  address: Address.Address;
  chain: Network.Chain;
  /** The address of the token; the zero address for the native asset. */
  token: Address.Address;
  /** Base units. */
  amount: bigint;
  orderId: Hex;
  /** Unix time in milliseconds: what arrives later is sent back. */
  untilMs: number;
};

/** The address of a quote that was proved, now or as its journal has it. @throws TypeError if it is not paid at an address */
export function depositAddressOf({ intent, response, items, input }: Quote.Quote): DepositAddress {
  const order = response.protocol?.v2;
  const address = items.find(({ depositAddress }) => depositAddress !== undefined)?.depositAddress;
  if (!order || address === undefined) throw new TypeError('the quote is not paid at an address');
  const { output, inputs } = order.orderData;
  const deadlines = [output.deadline, ...inputs.flatMap(({ refunds }) => refunds.map(({ deadline }) => deadline))];
  return {
    address: address as Address.Address,
    chain: intent.origin.chain,
    token: intent.origin.token.address as Address.Address,
    amount: input,
    orderId: order.orderId as Hex,
    untilMs: Math.min(...deadlines) * 1000,
  };
}

/** The event that shows the address. */
export function toEvent(deposit: DepositAddress, { intent, requestId, minimum }: Quote.Quote): Of<'address'> {
  const { address, chain, amount, untilMs } = deposit;
  const { origin, destination, recipient, refundTo } = intent;
  return {
    type: 'address',
    requestId,
    address,
    chain: chain.name,
    chainId: chain.id,
    token: origin.token.address,
    send: { ...Amount.toDocument(amount, origin.token.decimals), currency: Currency.format(origin) },
    minimum: { ...Amount.toDocument(minimum, destination.token.decimals), currency: Currency.format(destination) },
    recipient,
    refundTo,
    untilMs,
  };
}

/** How long it is followed: `timeoutMs` from the deposit to the end. */
type Patience = Pick<Following.Patience, 'timeoutMs' | 'needsWitness'> & {
  /** Time limit for the payment, in milliseconds; by default the order's own. */
  paymentMs?: number | undefined;
  /** Whether nobody was shown the address: then nobody is to learn it here and pay it. */
  isHidden?: boolean | undefined;
};

/** How long after its deadline a payment may still be found: a block, and the service's own pace. */
const lateMs = 600_000;

/**
 * Waits for the payment, then follows the request as any other.
 *
 * @throws track.* · submit.expired if the order has expired and nothing was paid
 */
export async function* follow(
  plan: Plan.Restored,
  ports: Following.AnyOrigin,
  patience: Patience,
): AsyncGenerator<Event, Following.Outcome> {
  const deposit = depositAddressOf(plan.quote);
  const startedAt = ports.clock.now();
  const progress = yield* paid(plan, deposit, ports, patience);
  await ports.journal.append({ type: 'request', requestId: plan.requestId });
  const deposited = await depositedBy(progress.inTxHashes, deposit, ports.origin);
  const { timeoutMs, needsWitness } = patience;
  const open = openOf(plan, deposit, ports.origin);
  const sent = { transactions: [], gasCost: 0n, isPaid: false, open, startedAt };
  try {
    return yield* Following.followed({ ...plan, deposited }, sent, ports, { wait: true, timeoutMs, needsWitness });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    // It has taken back that it has a payment, and the address was not looked at again.
    if (error.funds === 'untouched') throw error.with({ funds: 'unknown' });
    // After Ctrl-C nobody can be asked any more: what was deposited was seen before.
    const isSeen = () => open?.hasActed().catch(() => deposited !== undefined) ?? true;
    const isUnseen = error.funds === 'in-flight' && !(await isSeen());
    const hint = 'The service alone says so: no node has shown a payment at the address. Resume the run to follow it.';
    throw isUnseen ? error.with({ funds: 'unknown', hint }) : error;
  }
}

/**
 * A strict address that may still be paid: what the service says of its transfer is of another payment then. Of an address
 * that is not the order's alone a node may not show that it was emptied.
 */
function openOf(
  { intent, requestId }: Plan.Restored,
  deposit: DepositAddress,
  origin: Chain | undefined,
): Following.Open | undefined {
  const maker = StrictAddress.makerOf(deposit.chain.contracts);
  const owner = { orderId: deposit.orderId, depositor: intent.refundTo as Address.Address };
  if (!origin || !maker || !Address.isEqual(StrictAddress.of(maker, owner), deposit.address)) return undefined;
  return {
    async hasActed() {
      const { balance, wasTaken } = await heldAt(deposit, origin);
      return balance > 0n || wasTaken;
    },
    unknown: () => unpaidAddress(deposit, requestId, false),
  };
}

/** Waits until the service has a deposit. */
async function* paid(
  { requestId, intent }: Plan.Restored,
  deposit: DepositAddress,
  { service, origin, clock, signal, warn }: Following.AnyOrigin,
  { paymentMs = Number.POSITIVE_INFINITY, isHidden = false }: Patience,
): AsyncGenerator<Event, TransferStatus.Progress> {
  const startedAt = clock.now();
  let progress = TransferStatus.from(requestId);
  let shown: Holding | undefined;
  let held = 0n;
  let isWarned = false;
  const named = (error: BaseError): BaseError =>
    isHidden ? error.with({ facts: error.facts.filter(([label]) => label !== 'address') }) : error;
  const warnIfOverdue = overdue(clock, warn);
  for (let attempt = 0; ; attempt++) {
    // A node that is silent shows nothing, and the service is asked again.
    const [answer, holding] = await Promise.all([
      service.status(requestId).catch((error: unknown) => {
        if (signal.aborted) throw unpaid();
        if (!(error instanceof BaseError)) throw error;
        if (!isWarned) warn(`The status could not be read; ferry keeps trying: ${error.message}`);
        isWarned = true;
        return undefined;
      }),
      origin && heldAt(deposit, origin).catch(() => undefined),
    ]);
    // Without the service's word of the same time, what the node shows is not enough to say that nothing was paid.
    shown = answer && holding;
    if (answer) {
      const before = progress.seen.length;
      progress = TransferStatus.reduce(progress, answer);
      if (progress.seen.length > before) yield StatusPolling.changed(progress);
      if (isPaid(progress, holding)) return progress;
    }
    if (holding && holding.balance !== held && !isHidden) {
      const { balance } = holding;
      const { amount, address } = deposit;
      const wanted = { ...Amount.toDocument(amount, intent.origin.token.decimals), symbol: intent.origin.token.symbol };
      const there = Amount.toDocument(balance, intent.origin.token.decimals);
      yield { type: 'address-balance', address, held: there, wanted, isEnough: balance >= amount };
    }
    held = holding?.balance ?? held;
    warnIfOverdue(progress, shown);
    const now = clock.now();
    if (isUnpaid(progress, shown) && (await isOver(deposit, { clock, origin }, lateMs)))
      throw named(expired(deposit, requestId));
    if (now - startedAt >= paymentMs) throw unpaid();
    const pauseMs = Math.min(paceMs(now - startedAt, attempt), startedAt + paymentMs - now);
    await Polling.pause(pauseMs, { clock, signal }, unpaid);
  }

  function unpaid(): BaseError {
    const isEmpty = isUnpaid(progress, shown);
    const isEnded = isEmpty && progress.status !== 'waiting';
    return named(isEnded ? ended(deposit, requestId) : unpaidAddress(deposit, requestId, isEmpty));
  }
}

/** How long after an address was emptied the service usually says that it has the payment, and more. */
const sweptMs = 60_000;

/** Says once what is waited for, where an address was emptied and the service still waits for its payment. */
function overdue(
  clock: Following.AnyOrigin['clock'],
  warn: Following.AnyOrigin['warn'],
): (progress: TransferStatus.Progress, shown: Holding | undefined) => void {
  let takenAt: number | undefined;
  let isSaid = false;
  return ({ status }, shown) => {
    if (isSaid || status !== 'waiting' || !shown?.wasTaken || shown.balance > 0n) return;
    takenAt ??= clock.now();
    if (clock.now() - takenAt < sweptMs) return;
    isSaid = true;
    warn(
      'What was paid at the address has been taken from there, and the service does not say that it has it. ferry waits for its word: Ctrl-C ends that, and resuming the run goes on.',
    );
  };
}

/** What lies at an address, in base units, and whether anything was taken from there. */
export type Holding = { balance: bigint; wasTaken: boolean };

/** What a node shows of an address. Whoever takes from there creates its contract, or uses its nonce. @throws chain.* */
export async function heldAt(
  { address, token }: Pick<DepositAddress, 'address' | 'token'>,
  node: Pick<Chain, 'balance' | 'code' | 'minedNonce'>,
): Promise<Holding> {
  const [balance, code, nonce] = await Promise.all([
    node.balance(address, token),
    node.code(address),
    node.minedNonce(address),
  ]);
  return { balance, wasTaken: code !== '0x' || nonce > 0 };
}

/**
 * Whether the order has expired, by this machine's clock and by the chain's: either may be ahead, and what is paid in time
 * still counts.
 */
export async function isOver(
  { untilMs }: Pick<DepositAddress, 'untilMs'>,
  { clock, origin }: { clock: Pick<Following.AnyOrigin['clock'], 'now'>; origin: Pick<Chain, 'tip'> | undefined },
  graceMs = 0,
): Promise<boolean> {
  const endMs = untilMs + graceMs;
  if (clock.now() <= endMs) return false;
  const tip = await origin?.tip().catch(() => undefined);
  return tip !== undefined && Number(tip.timestamp) * 1000 > endMs;
}

/** Whether the service has a payment. It cannot keep or send back what nobody has paid, and names what it has. */
function isPaid(progress: TransferStatus.Progress, shown: Holding | undefined): boolean {
  if (isUnpaid(progress, shown)) return false;
  return progress.inTxHashes.length > 0 || (TransferStatus.isDeposited(progress) && !mayBeUnpaid(progress));
}

/** Whether two witnesses show that nothing was paid: the service, and the node at its last look. */
function isUnpaid(progress: TransferStatus.Progress, shown: Holding | undefined): boolean {
  return mayBeUnpaid(progress) && shown !== undefined && shown.balance === 0n && !shown.wasTaken;
}

/** Whether the status is also one of a transfer that nobody has paid. */
function mayBeUnpaid({ status }: TransferStatus.Progress): boolean {
  return status === 'waiting' || status === 'failure' || TransferStatus.isRefund(status);
}

/** A second at first; when it takes minutes, somebody has to sign elsewhere, and when it takes hours, tomorrow will do. */
function paceMs(elapsedMs: number, attempt: number): number {
  if (elapsedMs < 600_000) return Polling.delayMs(attempt);
  return elapsedMs < 7_200_000 ? 5_000 : 30_000;
}

/**
 * What was deposited for the order in the first of the transactions that the service names, in base units of what the order
 * is paid in; undefined if the node does not show it. Anybody may deposit a crumb for the order, so it must be all that the
 * address had before, and nothing may lie there now.
 */
async function depositedBy(
  hashes: readonly string[],
  deposit: DepositAddress,
  origin: Chain | undefined,
): Promise<bigint | undefined> {
  const [hash] = hashes;
  if (!origin || hash === undefined || !/^0x[0-9a-f]{64}$/i.test(hash)) return undefined;
  const receipt = await origin.receipt(hash as Hex).catch(() => undefined);
  const amount = receipt && depositIn(receipt, deposit);
  if (!receipt || amount === undefined) return undefined;
  const blocks = [receipt.blockNumber - 1n, undefined];
  const balances = blocks.map((block) => origin.balance(deposit.address, deposit.token, block).catch(() => undefined));
  const [before, now] = await Promise.all(balances);
  return before === amount && now === 0n ? amount : undefined;
}

/** The deposit for an order in a receipt, in base units. */
export function depositIn(
  receipt: Pick<Receipt, 'logs'>,
  { chain, orderId, token }: Pick<DepositAddress, 'chain' | 'orderId' | 'token'>,
): bigint | undefined {
  return DepositEvent.inReceipt(receipt, chain).find(
    (each) => each.id.toLowerCase() === orderId.toLowerCase() && Address.isEqual(each.token, token),
  )?.amount;
}

/** Nothing was paid yet, or not enough, as far as the chain and the service show. */
function unpaidAddress({ address, untilMs }: DepositAddress, requestId: string, isEmpty: boolean): BaseError {
  const message = isEmpty
    ? 'The deposit address is not paid yet.'
    : 'The service knows of no payment at the deposit address yet.';
  return new BaseError('track.unfinished', message, {
    facts: [
      ['address', address],
      ['payable until', new Date(untilMs).toISOString()],
    ],
    hint: isEmpty
      ? 'It can be paid whether ferry runs or not. Resume the run to follow it.'
      : 'It may have been paid: do not pay it again. Resume the run to follow it.',
    next: ShellCommand.line`ferry status ${requestId} --watch`,
    funds: isEmpty ? 'untouched' : 'unknown',
    requestId,
  });
}

/** The order has expired, and nothing was paid. */
function expired({ address, untilMs }: DepositAddress, requestId: string): BaseError {
  return new BaseError('submit.expired', 'The deposit address has expired, and nothing was paid.', {
    facts: [
      ['address', address],
      ['expired', new Date(untilMs).toISOString()],
    ],
    hint: 'Do not pay it any more. Ask for another one.',
    requestId,
  });
}

/** The service has ended the transfer, and nothing was paid. */
function ended({ address }: DepositAddress, requestId: string): BaseError {
  return new BaseError(
    'track.unfinished',
    'The deposit address is not paid, and the service says that its transfer has ended.',
    {
      facts: [['address', address]],
      hint: 'Do not pay it any more. Ask for another one.',
      next: ShellCommand.line`ferry status ${requestId} --watch`,
      funds: 'untouched',
      requestId,
    },
  );
}
