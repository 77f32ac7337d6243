/**
 * Whether a payment that the service reports has arrived. The service is one witness; the other is the chain, read at the
 * user's own node, or the venue: at least the amount, to this recipient, after the payment was signed, counted for no
 * other transfer of this machine.
 *
 * A signed payment can no longer be refused. If only one witness shows the arrival, the outcome says so by its word and
 * its `witnesses`. With `--require-witness` such an end is unknown.
 *
 * What this cannot detect: a payment by somebody else to the same recipient, of at least the minimum, after the
 * deposit, that no run here has counted; a payment that was counted in another state directory; and, since the venue
 * names no block, a credit there from before this machine began to count.
 */

import * as VenueTransaction from '../accounts/VenueTransaction.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError, type Fact } from '../base/Errors.js';
import * as Network from '../network/Network.js';
import * as ChainAddress from '../order/ChainAddress.js';
import type { Chain, Counted, PaymentReader, Receipt, Venue } from '../ports/Ports.js';
import * as DepositEvent from '../proof/DepositEvent.js';
import * as OrderLegs from '../proof/OrderLegs.js';
import * as ArrivalCalls from '../proof/router/ArrivalCalls.js';
import * as Currency from '../quote/Currency.js';
import type { DestinationCall } from '../quote/DestinationCall.js';
import * as Quote from '../quote/Quote.js';
import * as ShellCommand from '../text/ShellCommand.js';
import type { Head, JournalWriter } from '../tracking/Journal.js';
import * as TransferStatus from '../tracking/TransferStatus.js';
import type { Restored, VenueTransfer } from './Plan.js';
import * as ReceivedAmount from './ReceivedAmount.js';

/** The ports that show an arrival. */
export type Ports = {
  /** The node of the origin chain; undefined if the origin is the venue. */
  origin: Chain | undefined;
  /** The node of the destination chain; undefined if none is configured, and the arrival is then not read there. */
  destination: Chain | undefined;
  /** Reads payments on a destination that is neither an EVM chain nor the venue; undefined if there is none to ask. */
  receiver?: PaymentReader | undefined;
  /** The venue, if the origin or the destination is there. */
  venue?: Venue | undefined;
  /** The payments that the transfers of this machine have counted. */
  counted: Counted;
};

/** The transaction that paid, as far as it is known. */
export type Deposit = { receipt: Receipt | undefined } | undefined;

/**
 * `shown`: it has arrived. `contradicted`: the chain shows a delivery where the service reports a refund or a failure.
 * `absent`: the chain was read and does not show it. `silent`: its node does not answer. `nobody`: there is no node to ask.
 */
export type Verdict =
  | { kind: 'shown'; amount: bigint; place: Payee; witnesses: readonly string[] }
  | { kind: 'contradicted' | 'absent' | 'silent' | 'nobody'; facts: readonly Fact[] };

/** Where something arrived, and the currency that its amount is in. */
export type Payee = { chain: Network.Chain; to: string; decimals: number; symbol: string };

/** The one witness of an arrival that nobody else shows. */
export const serviceAlone: readonly string[] = ['the service'];

/**
 * Journals the destination's last block, before the payment is signed. A fill can only be in a later one.
 *
 * @param tip that block, if it was read just now
 */
export async function noteHead(
  { intent }: Restored,
  { destination, receiver, journal }: Pick<Ports, 'destination' | 'receiver'> & { journal: JournalWriter },
  tip?: bigint | undefined,
): Promise<Head | undefined> {
  const found = tip ?? (await (destination ?? receiver)?.tip().catch(() => undefined))?.number;
  if (found === undefined) return undefined;
  const head = { chainId: intent.destination.chain.id, block: String(found) };
  await journal.append({ type: 'head', ...head });
  return head;
}

/** Looks for what the service reports: the fill, or after a refund the refund. After a failure there should be no fill. */
export async function look(
  plan: Restored,
  progress: TransferStatus.Progress,
  ports: Ports,
  { head, deposit }: { head: Head | undefined; deposit: Deposit },
): Promise<Verdict> {
  const code = TransferStatus.codeOf(progress);
  const isReturn = code === 'track.refunded';
  const claims = isReturn ? refundsOf(plan, ports) : [fillOf(plan, ports)];
  const verdicts: Verdict[] = [];
  for (const claim of claims) {
    const own = claim.isOwn && deposit?.receipt;
    const hashes = own ? [own.hash] : progress.outTxHashes;
    const verdict = await lookFor(claim, hashes, { plan, ports, head, deposit, told: progress.inTxHashes });
    if (verdict.kind === 'shown') return code === 'track.failed' ? contradiction(verdict.amount, claim) : verdict;
    verdicts.push(verdict);
  }
  for (const told of ['contradicted', 'absent'] as const) {
    const verdict = verdicts.find(({ kind }) => kind === told);
    if (verdict) return verdict;
  }
  return verdicts[0] ?? { kind: 'nobody', facts: [] };
}

/**
 * The gas top-up: what the transactions of a delivery paid the recipient in the native asset, in wei, counted like the
 * delivery itself. Only the service promises it. Undefined if there is no node to ask, or it does not tell.
 */
export async function topup(
  plan: Restored,
  progress: TransferStatus.Progress,
  ports: Ports,
  { head, deposit }: { head: Head | undefined; deposit: Deposit },
): Promise<bigint | undefined> {
  const { chain } = plan.intent.destination;
  const claim = { ...fillOf(plan, ports), currency: chain.native.address };
  try {
    const found = await onChain(claim, progress.outTxHashes, { plan, ports, head, deposit, told: progress.inTxHashes });
    if (!found) return undefined;
    let sum = 0n;
    for (const payment of found)
      if (await isOurs(payment, chain, Quote.identityOf(plan.quote), ports.counted)) sum += payment.amount;
    return sum;
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

/** A payment to look for. */
type Claim = Payee & {
  node: Chain | undefined;
  currency: string;
  /** Whose own transactions and transfers are no payment by the service. */
  notFrom: string | undefined;
  /** The least that it may be, in base units. */
  least: bigint;
  /** What is no refund but the delivery, in base units; undefined if no payment of the kind would be one. */
  delivery?: bigint | undefined;
  /** Whether the user's own transaction makes it, so that no other one does. */
  isOwn: boolean;
  witness: string;
  /** The calls that the payment is for; it reaches the router that makes them. */
  calls?: readonly DestinationCall[] | undefined;
};

function fillOf({ intent, quote }: Restored, { destination }: Ports): Claim {
  const { chain, token } = intent.destination;
  // On one chain without an order nobody else fills it.
  const isOwn = chain.id === intent.origin.chain.id && !quote.response.protocol?.v2;
  return {
    chain,
    node: destination,
    currency: token.address,
    decimals: token.decimals,
    symbol: token.symbol,
    to: intent.calls.length > 0 ? (chain.contracts.router ?? intent.recipient) : intent.recipient,
    calls: intent.calls,
    notFrom: isOwn ? undefined : intent.user,
    least: quote.minimum,
    isOwn,
    witness: chain.vm === 'lvm' ? 'the venue' : `the node of ${chain.name}`,
  };
}

/**
 * Where the order may refund: on the origin in the deposited currency; on the destination in the output, or in a
 * currency of the order that is the same asset as the deposit. Nothing bounds the cost of a refund, so a payment of
 * less than half of the deposit, or of less than the order's own minimum, is not taken for the refund. Nothing else
 * that the answer states of the route is used. A payment of the minimum of the output to the recipient is a delivery: a
 * service that reports it as a refund contradicts the chain. Of two witnesses that contradict each other neither is
 * believed: the money is neither returned nor delivered.
 */
function refundsOf({ intent, quote, deposited }: Restored, { origin, destination }: Ports): Claim[] {
  const { paid, swap } = OrderLegs.origin(quote);
  // Only what a swap yields has a minimum that is proved: without one, exactly the input is deposited.
  const deposit = deposited ?? (swap ? BigInt(swap.minimumAmount ?? swap.amount) : quote.input);
  const orderly = (quote.response.protocol?.v2?.orderData.inputs ?? []).flatMap(({ refunds }) => refunds);
  const claim = (
    { chain }: { chain: Network.Chain },
    token: { address: string; decimals: number; symbol: string },
    worth: bigint,
  ): Omit<Claim, 'node' | 'to' | 'notFrom'> => {
    const stated = orderly
      .filter((each) => each.chainId === chain.slug && Address.isEqual(each.currency, token.address))
      .map(({ minimumAmount }) => BigInt(minimumAmount));
    const least = Amount.greatest([Amount.divideUp(worth, 2n), ...stated]);
    const witness = chain.vm === 'lvm' ? 'the venue' : `the node of ${chain.name}`;
    const { address: currency, decimals, symbol } = token;
    return { chain, currency, decimals, symbol, least, isOwn: false, witness };
  };
  const { currency: address, decimals, symbol } = unitsOf(paid.currency, intent.origin);
  const home: Claim = {
    ...claim(intent.origin, { address, decimals, symbol }, deposit),
    node: origin,
    to: intent.refundTo,
    notFrom: intent.user,
  };
  if (intent.destination.chain.id === intent.origin.chain.id) return [home];
  const there = { node: destination, to: intent.recipient, notFrom: intent.user };
  const { chain, token } = intent.destination;
  const inOutput: Claim = { ...claim({ chain }, token, quote.minimum), ...there, delivery: quote.minimum };
  const inOthers = orderly.flatMap((refund): Claim[] => {
    const other = Network.token(chain, refund.currency);
    if (!other || refund.chainId !== chain.slug || Address.isEqual(other.address, token.address)) return [];
    const worth = inUnitsOf(other, { address, deposit }, intent.origin.chain);
    return worth === undefined ? [] : [{ ...claim({ chain }, other, worth), ...there }];
  });
  return [home, inOutput, ...inOthers];
}

/** What was deposited, in base units of a token of the same asset; undefined if ferry does not know that it is worth the same. */
function inUnitsOf(
  { asset, decimals }: Network.Token,
  { address, deposit }: { address: string; deposit: bigint },
  chain: Network.Chain,
): bigint | undefined {
  const paid = Network.token(chain, address);
  if (asset === undefined || paid?.asset !== asset) return undefined;
  return (deposit * 10n ** BigInt(decimals)) / 10n ** BigInt(paid.decimals);
}

/** A currency of the order as the user or ferry knows it; the service's word is the last. */
function unitsOf(
  { address, decimals, symbol }: OrderLegs.Amount['currency'],
  { chain, token }: Restored['intent']['origin'],
): Pick<Claim, 'currency' | 'decimals' | 'symbol'> {
  const known = Address.isEqual(address, token.address) ? token : Network.token(chain, address);
  return { currency: address, decimals: known?.decimals ?? decimals ?? 0, symbol: known?.symbol ?? symbol ?? address };
}

type Search = {
  plan: Restored;
  ports: Ports;
  head: Head | undefined;
  deposit: Deposit;
  /** The transactions that the service names as deposits. */
  told: readonly string[];
};

async function lookFor(claim: Claim, hashes: readonly string[], search: Search): Promise<Verdict> {
  const { least, delivery, decimals, symbol, to } = claim;
  const inWords = (base: bigint): string => Currency.inWords(base, claim);
  try {
    const found = await paymentsOf(claim, hashes, search);
    if (!found) return { kind: 'nobody', facts: [] };
    const shown = found.reduce((sum, each) => sum + each.amount, 0n);
    if (delivery !== undefined && shown >= delivery) return contradiction(shown, claim);
    const amount = await count(found, claim, search);
    if (amount !== undefined) {
      const place = { chain: claim.chain, to, decimals, symbol };
      return { kind: 'shown', amount, place, witnesses: ['the service', claim.witness] };
    }
    return {
      kind: 'absent',
      facts: [
        ['expected', `at least ${inWords(least)} to ${to}`],
        ['shown', found.length === 0 ? 'nothing' : `${inWords(shown)}, or counted for another transfer`],
      ],
    };
  } catch (error) {
    // Without the store nothing can be counted, however often the chain is read.
    if (!(error instanceof BaseError) || error.code.startsWith('store.')) throw error;
    // A node that refuses one question may answer another.
    const isSilent = /^(chain\.unreachable|venue\.(unreachable|unavailable|timeout))$/.test(error.code);
    return { kind: isSilent ? 'silent' : 'absent', facts: [['because', error.message], ...error.facts] };
  }
}

function contradiction(shown: bigint, claim: Claim): Verdict {
  return { kind: 'contradicted', facts: [['shown', `${Currency.inWords(shown, claim)} to ${claim.to}`]] };
}

/** The payments that the transactions show; undefined if there is nobody to ask. */
function paymentsOf(
  claim: Claim,
  hashes: readonly string[],
  search: Search,
): Promise<ReceivedAmount.Payment[] | undefined> {
  if (claim.chain.vm === 'lvm') return atVenue(claim, hashes, search);
  return ChainAddress.isForeign(claim.chain) ? onForeignChain(claim, hashes, search) : onChain(claim, hashes, search);
}

/** On a chain of another kind, in a block after the head that was journaled, or else not before the quote. */
async function onForeignChain(
  { chain, currency, to }: Claim,
  hashes: readonly string[],
  { plan, ports: { receiver }, head }: Search,
): Promise<ReceivedAmount.Payment[] | undefined> {
  if (!receiver) return undefined;
  const ids = ReceivedAmount.distinct(hashes, forms[chain.vm] ?? /^$/);
  const seen = await Promise.all(ids.map((id) => receiver.payments(id, to, currency)));
  return seen.flatMap((found) => {
    if (!found) return [];
    const isLate =
      head?.chainId === chain.id
        ? found.block > BigInt(head.block)
        : Number(found.timestamp) * 1000 >= plan.quote.quotedAt - skewMs;
    return isLate ? found.payments : [];
  });
}

/** The forms of transaction ids: 64 bytes in Base58, and 32 in hexadecimal digits. */
const forms: Readonly<Partial<Record<Network.Vm, RegExp>>> = {
  svm: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  bvm: /^[0-9a-f]{64}$/,
};

/** The form of a hash at the venue. */
const venueHash = /^[0-9a-f]{16,128}$/;

async function atVenue(
  { to }: Claim,
  hashes: readonly string[],
  { ports: { venue } }: Search,
): Promise<ReceivedAmount.Payment[] | undefined> {
  return venue && ReceivedAmount.onVenue(ReceivedAmount.distinct(hashes, venueHash), Number(to), venue);
}

async function onChain(
  claim: Claim,
  hashes: readonly string[],
  search: Search,
): Promise<ReceivedAmount.Payment[] | undefined> {
  const { node, currency } = claim;
  if (!node) return undefined;
  const distinct = ReceivedAmount.distinct(hashes, /^0x[0-9a-f]{64}$/);
  const isNative = Address.isEqual(currency, Address.native);
  const asked = distinct.map((hash) => {
    const sent = isNative ? node.transaction(hash) : undefined;
    sent?.catch(() => {});
    return { receipt: node.receipt(hash), sent };
  });
  const receipts = await Promise.all(asked.map(({ receipt }) => receipt));
  const found: ReceivedAmount.Payment[] = [];
  for (const [index, receipt] of receipts.entries()) {
    if (receipt?.status !== 'success' || !(await isLater(receipt, claim, node, search))) continue;
    const { calls = [], notFrom, to, isOwn } = claim;
    // Nor is what whoever is paid has bought, unwrapped or claimed in a transaction of its own.
    const { gasless, user } = search.plan.intent;
    const isByOthers = !isOwn || gasless !== undefined;
    if (isByOthers && [user, to].some((each) => Address.isEqual(receipt.from, each))) continue;
    if (calls.length > 0) {
      found.push(...spentOn(calls, receipt, claim));
      continue;
    }
    if (!isNative) found.push(...ReceivedAmount.inTokens(receipt, currency, claim));
    else {
      const payee = { to: claim.to as Address.Address, notFrom };
      found.push(...(await ReceivedAmount.inNative(receipt, payee, node, asked[index]?.sent)));
    }
  }
  return found;
}

/**
 * The payments that paid for the calls, each of exactly the output: one for each time that the router made the calls
 * and was paid for them. A payment in the native asset leaves no event, so there the calls alone count.
 */
function spentOn(
  calls: readonly DestinationCall[],
  receipt: Receipt,
  { currency, to, least }: Claim,
): ReceivedAmount.Payment[] {
  const isNative = Address.isEqual(currency, Address.native);
  const made = ArrivalCalls.timesMade(receipt, calls, to);
  const paid = isNative ? made : Number(ReceivedAmount.received([receipt], currency, to) / (least > 0n ? least : 1n));
  const hash = receipt.hash.toLowerCase();
  const isFromRouter = ({ topics: [topic, from = ''] }: Receipt['logs'][number]): boolean =>
    topic === ReceivedAmount.transferTopic && Address.isEqual(ReceivedAmount.addressIn(from), to);
  const paidOut = receipt.logs.flatMap((log, index) => (isFromRouter(log) ? [`${hash}.${index}`] : []));
  return Array.from({ length: Math.min(made, paid) }, (_, index) => ({
    id: `${hash}.calls.${index}`,
    paidOut: [`${hash}.native`, ...paidOut],
    amount: least,
  }));
}

/** Clocks of chains and machines differ by seconds. */
const skewMs = 30_000;

/**
 * Whether a receipt is later than the deposit. By its block: above the head that was journaled before the deposit was
 * signed, or on the origin not below the deposit's own block. Else by its time: not before the deposit's block, nor on
 * the origin before the quote, since a reorganization can put a refund below the deposit.
 */
async function isLater(
  { blockNumber }: Receipt,
  { chain }: Claim,
  node: Chain,
  { plan, ports: { origin }, head, deposit, told }: Search,
): Promise<boolean> {
  if (head?.chainId === chain.id) return blockNumber > BigInt(head.block);
  const asked = (): Promise<bigint | undefined> | undefined =>
    origin && blockOfDeposit(plan, told, origin).catch(() => undefined);
  const paidIn = deposit?.receipt?.blockNumber ?? (await asked());
  const isHome = chain.id === plan.intent.origin.chain.id;
  if (isHome && paidIn !== undefined && blockNumber >= paidIn) return true;
  const paidAt = isHome || paidIn === undefined ? undefined : await origin?.blockTime(paidIn);
  const sinceMs = paidAt === undefined ? plan.quote.quotedAt : Number(paidAt) * 1000;
  return Number(await node.blockTime(blockNumber)) * 1000 >= sinceMs - skewMs;
}

/**
 * The block of the deposit for the order, whoever sent it, in a transaction that the service names; undefined if the node
 * shows none. On one chain there is no order, and so none is shown.
 */
export async function blockOfDeposit(
  { quote, intent }: Pick<Restored, 'quote' | 'intent'>,
  told: readonly string[],
  node: Pick<Chain, 'receipt'>,
): Promise<bigint | undefined> {
  const orderId = quote.response.protocol?.v2?.orderId.toLowerCase();
  for (const hash of ReceivedAmount.distinct(told, /^0x[0-9a-f]{64}$/)) {
    const receipt = await node.receipt(hash);
    const deposits = receipt?.status === 'success' ? DepositEvent.inReceipt(receipt, intent.origin.chain) : [];
    if (deposits.some(({ id }) => id.toLowerCase() === orderId)) return receipt?.blockNumber;
  }
  return undefined;
}

/** Whether the venue has executed the transfer for the order, among those that the service names. @throws venue.* */
export async function isTransferred({ memo }: VenueTransfer, told: readonly string[], venue: Venue): Promise<boolean> {
  const found = await Promise.all(ReceivedAmount.distinct(told, venueHash).map((hash) => venue.transaction(hash)));
  return found.some(
    (each) => each && VenueTransaction.isExecuted(each) && VenueTransaction.transferOf(each)?.memo === memo,
  );
}

/**
 * Counts the fewest payments that make up the least amount, since others in the same transaction may belong to other
 * transfers. Undefined if the payments that no other transfer has counted do not suffice.
 */
async function count(
  payments: readonly ReceivedAmount.Payment[],
  { chain, least }: Claim,
  { plan, ports: { counted } }: Search,
): Promise<bigint | undefined> {
  const owner = Quote.identityOf(plan.quote);
  let free = payments.toSorted((a, b) => (a.amount < b.amount ? -1 : 1));
  for (;;) {
    const chosen = choose(free, least);
    if (!chosen) return undefined;
    const lost: ReceivedAmount.Payment[] = [];
    for (const payment of chosen) if (!(await isOurs(payment, chain, owner, counted))) lost.push(payment);
    if (lost.length === 0) return chosen.reduce((sum, { amount }) => sum + amount, 0n);
    free = free.filter((payment) => !lost.includes(payment));
  }
}

/** The smallest payment that suffices, else the largest that do together. */
function choose(
  rising: readonly ReceivedAmount.Payment[],
  least: bigint,
): readonly ReceivedAmount.Payment[] | undefined {
  const one = rising.find(({ amount }) => amount >= least);
  if (one) return [one];
  const chosen: ReceivedAmount.Payment[] = [];
  let sum = 0n;
  for (const payment of rising.toReversed()) {
    chosen.push(payment);
    sum += payment.amount;
    if (sum >= least) return chosen;
  }
  return undefined;
}

async function isOurs(
  { id, within, isWhole = false, paidOut = [] }: ReceivedAmount.Payment,
  chain: Network.Chain,
  owner: string,
  counted: Counted,
): Promise<boolean> {
  // A block whose change of balance was counted as a whole has no other payments, and the other way round.
  if (within !== undefined && !(await counted.count(`${chain.id}.${within}`, isWhole ? owner : 'payments')))
    return false;
  for (const each of paidOut) if (!(await counted.count(`${chain.id}.${each}`, 'calls'))) return false;
  return await counted.count(`${chain.id}.${id}`, owner);
}

/** The service says how the transfer has ended, and the chain does not show it: its end is unknown. */
export function unwitnessed(
  plan: Restored,
  progress: TransferStatus.Progress,
  verdict: Exclude<Verdict, { kind: 'shown' }>,
): BaseError {
  const { requestId, intent } = plan;
  const isReturn = TransferStatus.codeOf(progress) === 'track.refunded';
  const isContradicted = verdict.kind === 'contradicted';
  const what = isReturn ? 'refund' : 'delivery';
  const { chain } = isReturn && !isContradicted ? intent.origin : intent.destination;
  const where = chain.vm === 'lvm' ? 'the venue' : chain.name;
  return new BaseError(
    'track.unwitnessed',
    isContradicted
      ? `The service reports the ${isReturn ? 'refund' : 'failure'}, but ${where} shows the delivery.`
      : verdict.kind === 'absent'
        ? `The service reports the ${what}, but ${where} does not show it.`
        : `The service alone reports the ${what}: ${where} could not be asked.`,
    {
      facts: [
        ...verdict.facts,
        ...progress.outTxHashes.slice(0, 1).map((hash) => [isReturn ? 'refund' : 'fill', hash] as const),
      ],
      hint: isContradicted
        ? 'Do not send it again: look at the recipient’s balance. Resume it later, in case the service corrects its word.'
        : 'Do not send it again. Look at the recipient’s balance; if nothing arrives, contact the service with the request id.',
      next: ShellCommand.line`ferry status ${requestId} --watch`,
      requestId,
    },
  );
}
