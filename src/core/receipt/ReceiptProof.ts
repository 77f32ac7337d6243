/**
 * Proves a receipt. What it says of an order is held to the order id; that it was paid and that it arrived is read from
 * the checker's own nodes, whatever the receipt says.
 *
 * The solver must have signed the order, and the fill must name it in its calldata, or on the venue as its memo. A plain
 * transfer of the native asset has none: that it paid this order is the payer's word. On one chain there is no order:
 * the payer's own transaction must pay the recipient.
 */
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as VenueTransaction from '../accounts/VenueTransaction.js';
import * as Decode from '../api/schema/Decode.js';
import * as OrderData from '../api/schema/OrderData.js';
import * as Address from '../base/Address.js';
import type { Hex } from '../base/Hex.js';
import * as ReceivedAmount from '../execution/ReceivedAmount.js';
import * as ChainVm from '../network/ChainVm.js';
import * as Network from '../network/Network.js';
import * as OrderId from '../order/OrderId.js';
import type { Chain, Receipt, Venue } from '../ports/Ports.js';
import * as DepositEvent from '../proof/DepositEvent.js';
import * as OrderTerms from '../proof/OrderTerms.js';
import { collect, type Finding, type Findings } from '../quote/Finding.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { ReceiptDocument, Transaction } from './ReceiptDocument.js';

/** Where a receipt is checked. A node or venue that cannot be asked is undefined. */
export type Ports = {
  network: Network.Network;
  node(chain: Network.Chain): Promise<Chain | undefined>;
  venue(): Promise<Venue | undefined>;
};

/** What the checker requires. */
export type Required = {
  user?: string | undefined;
  recipient?: string | undefined;
  /** Base units of the output. */
  minOut?: bigint | undefined;
};

/** The findings, and the payments that have arrived; undefined if that is not shown. */
export type Checked = { findings: readonly Finding[]; payments: readonly ReceivedAmount.Payment[] | undefined };

/** The check of what binds a fill to its order, as `--allow` takes it. A plain payment has nothing that does. */
export const fillOrder = 'fill-order';

/** Every check of a receipt but what it says was received. Never throws for what a node answers. */
export async function check(receipt: ReceiptDocument, required: Required, ports: Ports): Promise<Checked> {
  const findings = collect();
  findings.equal('user', required.user, receipt.payer);
  findings.equal('recipient', required.recipient, receipt.recipient);
  await order(findings, receipt, ports.network);
  await deposit(findings, receipt, ports);
  const payments = await delivery(findings, receipt, required, ports);
  return { findings: findings.list, payments };
}

/** Base units. */
export function sum(payments: readonly ReceivedAmount.Payment[]): bigint {
  return payments.reduce((total, { amount }) => total + amount, 0n);
}

/** That the order id is that of an order that pays the recipient the minimum, and that the solver has promised it. */
async function order(findings: Findings, receipt: ReceiptDocument, network: Network.Network): Promise<void> {
  const { destination, minimum, recipient, orderId, orderSignature } = receipt;
  if (receipt.order === null || orderId === null) {
    const isSame = receipt.origin.chainId === destination.chainId;
    if (!isSame) findings.cannot('order-id', 'an order for the destination chain', 'none');
    else {
      findings.skip('order-id', 'on one chain there is no order: the payer’s own transaction pays');
      const hashes = receipt.fills.map(({ txHash }) => txHash.toLowerCase());
      const isOwn = hashes.every((hash) => hash === receipt.deposit.txHash.toLowerCase());
      findings.say(fillOrder, isOwn, 'the payer’s own transaction', isOwn ? 'the same' : 'another transaction');
    }
    return;
  }
  const recomputed = OrderId.id(receipt.order, ChainVm.of(network.chains));
  if (recomputed.ok) findings.equal('order-id', recomputed.id, orderId);
  else findings.cannot('order-id', 'the hash of the order', recomputed.why);
  const decoded = Decode.from(OrderData.schema, receipt.order);
  if (!decoded.ok) return;
  const orderData = decoded.value;
  const [first, ...more] = orderData.output.payments;
  findings.say('order-outputs', first !== undefined && more.length === 0, 'one', String(more.length + 1));
  findings.equal('order-recipient', recipient, first?.recipient);
  findings.equal('order-output-currency', destination.address, first?.currency);
  StatedAmount.equal(findings, 'order-minimum', [minimum.amount, first?.minimumAmount], destination);
  const chain = Network.chainById(network, destination.chainId);
  if (chain) findings.equal('order-output-chain', chain.slug, orderData.output.chainId);
  else findings.cannot('order-output-chain', 'a chain that ferry knows', orderData.output.chainId);
  const protocol = { orderData, orderId, orderSignature: orderSignature ?? undefined };
  await OrderTerms.promise(findings, protocol, orderId as Hex, network);
}

/** That the payer has paid for the order. */
async function deposit(findings: Findings, receipt: ReceiptDocument, ports: Ports): Promise<void> {
  const { origin, payer, orderId } = receipt;
  const name = 'deposit';
  const expected = orderId === null ? `a transaction of ${payer}` : `a deposit by ${payer} for the order`;
  const chain = Network.chainById(ports.network, origin.chainId);
  if (chain?.vm === 'lvm') {
    const transfer = await venueTransfer(receipt.deposit, ports);
    if (!transfer) findings.cannot(name, expected, 'the venue does not show it');
    else
      findings.say(
        name,
        transfer.memo?.toLowerCase() === orderId?.toLowerCase() && String(transfer.fromAccountIndex) === payer,
        `a transfer on the venue by ${payer} whose memo is the order id`,
        `by ${transfer.fromAccountIndex}, memo ${transfer.memo ?? 'none'}`,
        ['venue'],
      );
    return;
  }
  const node = chain && (await ports.node(chain));
  const mined = node && (await receiptAt(receipt.deposit, node));
  if (!chain || !node || !mined) {
    findings.cannot(name, expected, node ? `${chain.name} does not show it` : `no node of ${origin.chain}`);
    return;
  }
  const witness = [`a node of ${chain.name}`];
  if (orderId === null) {
    const sent = await node.transaction(mined.hash).catch(() => undefined);
    // In a gasless transfer the account is called by the relayer. A contract that the recipient calls is no payer.
    const isBought = sent && Address.isEqual(sent.from, receipt.recipient) && !Address.isEqual(sent.from, payer);
    const isOwn = sent && [sent.from, sent.to].some((each) => each !== undefined && Address.isEqual(each, payer));
    const found = isBought ? 'a transaction of the recipient' : mined.status;
    findings.say(name, mined.status === 'success' && isOwn === true && !isBought, expected, found, witness);
    return;
  }
  const deposits = DepositEvent.inReceipt(mined, chain).filter(({ id }) => id.toLowerCase() === orderId.toLowerCase());
  const payers = [...new Set(deposits.map(({ from }) => from))];
  const isPayers = payers.length === 1 && Address.isEqual(payers[0] ?? '', payer);
  findings.say(name, mined.status === 'success' && isPayers, expected, payers.join(', ') || 'no such deposit', witness);
  const due = paymentOf(receipt);
  if (!due) return;
  const sum = deposits
    .filter(({ token }) => Address.isEqual(token, due.currency))
    .reduce((total, each) => total + each.amount, 0n);
  findings.say('deposit-amount', sum >= BigInt(due.amount), `at least ${due.amount}`, String(sum), witness);
}

/** That the recipient has received at least the minimum, by a transaction that names the order. */
async function delivery(
  findings: Findings,
  receipt: ReceiptDocument,
  { minOut = 0n }: Required,
  ports: Ports,
): Promise<readonly ReceivedAmount.Payment[] | undefined> {
  const { destination, recipient, orderId, fills } = receipt;
  const least = BigInt(receipt.minimum.amount) > minOut ? BigInt(receipt.minimum.amount) : minOut;
  const stated = (base: bigint): string => StatedAmount.format(base, destination);
  const expected = `at least ${stated(least)} to ${recipient}`;
  const chain = Network.chainById(ports.network, destination.chainId);
  // A transaction that is named twice has paid once.
  const distinct = [...new Map(fills.map((fill) => [fill.txHash.toLowerCase(), fill])).values()];
  if (chain?.vm === 'lvm') {
    const transfers = await Promise.all(distinct.map((fill) => venueTransfer(fill, ports)));
    if (transfers.some((each) => !each) || transfers.length === 0) {
      findings.cannot('delivered', expected, 'the venue does not show it');
      return undefined;
    }
    const credits = transfers.flatMap((each, index) =>
      each?.toAccountIndex === Number(recipient) && each.assetIndex === VenueAccount.usdcAssetIndex
        ? [{ id: `${distinct[index]?.txHash}.venue`, amount: each.amount }]
        : [],
    );
    findings.say('delivered', sum(credits) >= least, expected, stated(sum(credits)), ['venue']);
    if (orderId !== null) memo(findings, orderId, transfers);
    return credits;
  }
  const node = chain && (await ports.node(chain));
  const mined = node ? await Promise.all(distinct.map((fill) => receiptAt(fill, node))) : [];
  if (!node || mined.length === 0 || mined.some((each) => !each)) {
    findings.cannot('delivered', expected, node ? `${chain.name} does not show it` : `no node of ${destination.chain}`);
    return undefined;
  }
  const witness = [`a node of ${chain.name}`];
  const good = mined.filter((each): each is Receipt => each?.status === 'success');
  const paid = await paidBy(good, { to: recipient as Address.Address, token: destination.address, node });
  // What a whole block has paid may be anybody's.
  const own = paid.filter(({ isWhole }) => !isWhole);
  if (own.length < paid.length && sum(own) < least)
    findings.cannot('delivered', expected, `the node of ${chain.name} traces nothing, so others may have paid it`);
  else findings.say('delivered', sum(own) >= least, expected, stated(sum(own)), witness);
  events(findings, distinct, good);
  if (orderId !== null) await naming(findings, orderId, good, { node, witness });
  return own;
}

/** That the fills name the order, at the end of their calldata: each can so name a single one. */
async function naming(
  findings: Findings,
  orderId: string,
  fills: readonly Receipt[],
  { node, witness }: { node: Chain; witness: readonly string[] },
): Promise<void> {
  const sent = await Promise.all(fills.map(({ hash }) => node.transaction(hash).catch(() => undefined)));
  const expected = 'the order id at the end of its calldata';
  const id = orderId.slice(2).toLowerCase();
  if (sent.every((each) => each?.data.toLowerCase().endsWith(id)))
    findings.say(fillOrder, true, expected, 'its calldata ends in the order id', witness);
  else if (sent.every((each) => each?.data === '0x'))
    findings.cannot(fillOrder, expected, 'a plain payment, which names no order: it may be for anything');
  else findings.cannot(fillOrder, expected, 'not there: it may have paid another order');
}

/** That transfers on the venue name the order as their memo: each can so name a single one. */
function memo(findings: Findings, orderId: string, transfers: readonly (VenueTransaction.Shown | undefined)[]): void {
  const expected = 'the order id as its memo';
  const isNamed = transfers.every((each) => each?.memo?.toLowerCase() === orderId.toLowerCase());
  if (isNamed) findings.say(fillOrder, true, expected, 'its memo is the order id', ['venue']);
  else findings.cannot(fillOrder, expected, 'another memo, or none: it may have paid another order');
}

/** That the events in the receipt are those of the chain: a person may read them there. */
function events(findings: Findings, stated: readonly Transaction[], mined: readonly Receipt[]): void {
  const inWords = (all: Transaction['logs'] | Receipt['logs']): string =>
    JSON.stringify(all.map(({ address, topics: each, data }) => [address, each, data])).toLowerCase();
  const isSame = stated.every(({ txHash, logs }) => {
    const found = mined.find(({ hash }) => hash.toLowerCase() === txHash.toLowerCase());
    return inWords(found?.logs ?? []) === inWords(logs);
  });
  findings.say('events', isSame, 'those of the chain', isSame ? 'the same as on the chain' : 'others');
}

async function paidBy(
  receipts: readonly Receipt[],
  { to, token, node }: { to: Address.Address; token: string; node: Chain },
): Promise<ReceivedAmount.Payment[]> {
  const isNative = Address.isEqual(token, Address.native);
  const found = receipts.map(async (receipt) =>
    isNative
      ? await ReceivedAmount.inNative(receipt, { to }, node).catch(() => [])
      : ReceivedAmount.inTokens(receipt, token, { to }),
  );
  return (await Promise.all(found)).flat();
}

/** What the order is to be paid; undefined if the order cannot be read. */
function paymentOf({ order: found }: ReceiptDocument): OrderData.Input['payment'] | undefined {
  const decoded = Decode.from(OrderData.schema, found);
  return decoded.ok ? decoded.value.inputs[0]?.payment : undefined;
}

/** The receipt of a transaction; undefined if the node has none or cannot be asked. */
async function receiptAt({ txHash }: Transaction, node: Chain): Promise<Receipt | undefined> {
  return node.receipt(txHash as Hex).catch(() => undefined);
}

/** A transfer that the venue has executed; undefined if it shows none. */
async function venueTransfer({ txHash }: Transaction, { venue }: Ports): Promise<VenueTransaction.Shown | undefined> {
  const found = await (await venue())?.transaction(txHash).catch(() => undefined);
  return found && VenueTransaction.isExecuted(found) ? VenueTransaction.transferOf(found) : undefined;
}
