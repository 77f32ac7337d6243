/** Checks a receipt at the user's own nodes and venue. One that cannot be asked is no witness. */
import type { Address } from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { BaseError } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import type * as ReceivedAmount from '../core/execution/ReceivedAmount.js';
import * as Network from '../core/network/Network.js';
import * as Currency from '../core/quote/Currency.js';
import { collect, type Finding, type Findings } from '../core/quote/Finding.js';
import type { ReceiptDocument } from '../core/receipt/ReceiptDocument.js';
import * as ReceiptProof from '../core/receipt/ReceiptProof.js';

export function portsOf(
  network: Network.Network,
  { chain, venue }: Pick<Context, 'chain' | 'venue'>,
): ReceiptProof.Ports {
  return {
    network,
    node: (of) => chain(of).catch(() => undefined),
    venue: () => venue().catch(() => undefined),
  };
}

/** What the options of `ferry verify` require of a receipt. */
export type Required = Partial<Record<'user' | 'recipient' | 'from' | 'to' | 'minOut', string | undefined>>;

/** Every check of a receipt that is in a file. @throws usage.invalid · request.* for an unknown currency */
export async function checkReceipt(
  receipt: ReceiptDocument,
  { user, recipient, from, to, minOut }: Required,
  network: Network.Network,
  context: Pick<Context, 'chain' | 'venue' | 'counted'>,
): Promise<readonly Finding[]> {
  const { origin, destination } = receipt;
  const least = minOut === undefined ? undefined : Amount.from(minOut, destination.decimals);
  const required = { user, recipient, minOut: least };
  const ports = portsOf(network, context);
  const [{ findings, payments }, decimals] = await Promise.all([
    ReceiptProof.check(receipt, required, ports),
    decimalsOf(destination, ports),
  ]);
  const typed = collect();
  if (decimals === undefined)
    typed.cannot('decimals', 'those of a token that its chain shows', `${destination.decimals}`);
  else typed.equal('decimals', String(decimals), String(destination.decimals));
  for (const [check, text, side] of [
    ['from', from, origin],
    ['to', to, destination],
  ] as const)
    if (text !== undefined) typed.equal(check, currencyOf(text, network), `${side.chainId}/${side.address}`);
  if (!payments) return [...typed.list, ...findings];
  const received = String(ReceiptProof.sum(payments));
  typed.say('received', received === receipt.received.amount, receipt.received.amount, received);
  // What does not prove this receipt may prove another.
  const isOpen = [...typed.list, ...findings].some(
    ({ check, verdict }) => verdict === 'mismatch' || (verdict === 'cannot verify' && check !== ReceiptProof.fillOrder),
  );
  if (!isOpen) await count(typed, receipt, payments, context);
  return [...typed.list, ...findings];
}

/** The decimals that all amounts are read in, which the file could say as it likes; undefined if there is no other witness. */
async function decimalsOf(
  { chainId, address }: ReceiptDocument['destination'],
  { network, node }: ReceiptProof.Ports,
): Promise<number | undefined> {
  const chain = Network.chainById(network, chainId);
  const known = chain && Network.token(chain, address);
  if (!chain || known) return known?.decimals;
  const token = (await node(chain))?.token(address as Address).catch(() => undefined);
  return (await token)?.decimals;
}

/** Counts the payments for this receipt: one that another receipt, or a transfer of this user, has counted proves nothing. */
async function count(
  findings: Findings,
  { orderId, requestId, destination }: ReceiptDocument,
  payments: readonly ReceivedAmount.Payment[],
  { counted }: Pick<Context, 'counted'>,
): Promise<void> {
  const ids = payments.map(({ id }) => `${destination.chainId}.${id}`);
  const own = await Promise.all(ids.map((id) => counted.count(id, orderId ?? requestId)));
  const isOurs = own.every((each) => each);
  findings.say('counted', isOurs, 'for no other receipt or transfer', isOurs ? 'for no other' : 'for another');
}

/** Refuses what says nothing about a receipt. @throws usage.invalid */
export function assertApplies(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['amount', 'exactOutput', 'at', 'refundTo'] as const)
    if (options[name] !== undefined)
      throw new BaseError(
        'usage.invalid',
        `--${name.replace(/[A-Z]/g, (each) => `-${each.toLowerCase()}`)} does not apply to a receipt.`,
        {
          hint: 'A receipt is held to --recipient, --user, --from, --to and --min-out.',
        },
      );
}

function currencyOf(text: string, network: Network.Network): string {
  const { chain, token } = Currency.parse(text, network);
  return `${chain.id}/${typeof token === 'string' ? token : token.address}`;
}
