/**
 * What a worker pays for: its own configuration decides, never the database. Whoever can write there can submit a batch,
 * change a line or set a result back, and must not thereby be able to pay.
 */
import { formatUnits, parseUnits } from 'viem/utils';
import * as AddressText from '../base/AddressText.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type * as TransferIntent from '../quote/TransferIntent.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';
import * as BatchSeal from './BatchSeal.js';
import type { Batch, HeldLine } from './BatchStore.js';

/** An amount by symbol in lower case, as typed: decimals differ by chain. */
export type Caps = Readonly<Record<string, string>>;

export type Trust = {
  /** Whose batches are taken; an account's own are in any case. */
  submitters: readonly string[];
  /** Who may be paid; undefined for anybody. */
  recipients: readonly string[] | undefined;
  /** The most that a line may pay; a token without one is refused. Undefined for no cap. */
  maxLine: Caps | undefined;
  /** The same for a day of this worker, in UTC. */
  maxDay: Caps | undefined;
};

/** @throws batch.untrusted if the signature is not of the submitter, or the batch is not what was signed */
export async function assertSigned(batch: Batch, blocks: readonly Hex[]): Promise<void> {
  if (!(await BatchSeal.isSigned(batch, { ...batch, blocks })))
    throw untrustedBatch(batch.name, 'its signature is not one of its submitter over these lines');
}

/** @throws batch.untrusted unless it was signed for this store, or before stores had an id */
export function assertStore({ name, store }: Batch, here: string): void {
  if (store !== null && store !== here) throw untrustedBatch(name, 'it was signed for another store');
}

/** @throws batch.untrusted unless its submitter may have this account pay */
export function assertSubmitter({ name, submitter }: Batch, account: string, { submitters }: Trust): void {
  if ([account, ...submitters].some((each) => AddressText.isEqual(each, submitter))) return;
  throw untrustedBatch(name, `this worker does not take batches of ${submitter} for ${account}`);
}

/** @throws batch.untrusted unless a line is the one that was signed, by the lines of its block as they are stored */
export function assertLine(
  line: Pick<HeldLine, 'batch' | 'n' | 'id' | 'digest' | 'account'>,
  stored: readonly BatchSeal.Leaf[],
  blocks: readonly Hex[],
): void {
  const first = Math.floor(line.n / BatchSeal.blockLines) * BatchSeal.blockLines;
  const leaves = stored.map((leaf, index) => BatchSeal.leafOf({ ...leaf, n: first + index }));
  const isBlock = BatchSeal.blockOf(leaves) === blocks[first / BatchSeal.blockLines];
  if (!isBlock || leaves[line.n - first] !== BatchSeal.leafOf(line))
    throw untrustedBatch(line.batch, `its line ${TerminalText.escape(line.id)} is not the one that was signed`);
}

/** What a transfer pays at most, in base units; undefined if nothing says so. */
export function mostOf(intent: TransferIntent.Intent, maxIn: bigint | undefined): bigint | undefined {
  return intent.tradeType === 'EXACT_INPUT' ? intent.amount : maxIn;
}

/** What of a transfer is held to the caps. */
export type Paid = Pick<TransferIntent.Intent, 'origin' | 'user' | 'recipient' | 'refundTo' | 'appFees' | 'calls'>;

/**
 * @param spent of that token today, in base units
 * @throws batch.capped
 */
export function assertWithin(
  { recipients, maxLine, maxDay }: Trust,
  { origin, user, recipient, refundTo, appFees, calls }: Paid,
  most: bigint | undefined,
  spent: bigint,
): void {
  const { symbol, decimals } = origin.token;
  if (recipients !== undefined) {
    const isPaid = (who: string): boolean => recipients.some((each) => AddressText.isEqual(each, who));
    // What is refunded reaches its address for certain, where a transfer is made to fail.
    const others = [...(AddressText.isEqual(refundTo, user) ? [] : [refundTo]), ...appFees.map((fee) => fee.recipient)];
    const stranger = [recipient, ...others].find((who) => !isPaid(who));
    if (stranger !== undefined)
      throw new CappedLineError(`this worker does not pay ${TerminalText.escape(stranger)}`, 'recipients');
    if (calls.length > 0)
      throw new CappedLineError('calls on arrival reach whomever they pay, and recipients are set', 'recipients');
  }
  for (const [caps, setting, paid] of [
    [maxLine, 'maxLine', 0n],
    [maxDay, 'maxDay', spent],
  ] as const) {
    if (caps === undefined) continue;
    const unit = symbol.toLowerCase();
    const cap = Object.hasOwn(caps, unit) ? caps[unit] : undefined;
    const name = TerminalText.escape(symbol);
    if (cap === undefined) throw new CappedLineError(`${setting} names no amount of ${name}`, setting);
    if (most === undefined) throw new CappedLineError('nothing says what it pays at most: give it maxIn', setting);
    if (paid + most > parseUnits(cap, decimals)) {
      const already = paid > 0n ? `, and ${formatUnits(paid, decimals)} were paid today` : '';
      throw new CappedLineError(
        `it pays up to ${formatUnits(most, decimals)} ${name}${already}; ${setting} is ${cap}`,
        setting,
      );
    }
  }
}

/** A batch, or a line of it, that this worker does not take. */
export function untrustedBatch(batch: string, why: string): BaseError {
  return new BaseError(
    'batch.untrusted',
    `The batch ${TerminalText.escape(batch)} is not taken: ${why}. Nothing was signed.`,
    {
      hint: 'Who writes to the database cannot pay. Only the worker’s own setting names whose batches it takes: --submitters.',
      next: ShellCommand.line`ferry batch status ${batch}`,
    },
  );
}

/** A line above what this worker may pay. */
export class CappedLineError extends BaseError {
  override name = 'CappedLineError';
  readonly setting: string;
  constructor(why: string, setting: string) {
    super('batch.capped', `The line is not paid: ${why}. Nothing was signed.`, {
      hint: 'The caps are the worker’s own. Raise them there, then ferry batch retry.',
    });
    this.setting = setting;
  }
}
