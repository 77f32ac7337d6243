/** The native asset that a recipient gets besides the output, to pay gas on the destination chain: `--gas-topup`. */
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as SettingFormat from '../config/SettingFormat.js';
import type * as Currency from './Currency.js';

/** The most, in millionths of a dollar: it rests on the service's word. */
const mostUsd = 100_000_000n;

/**
 * Reads a top-up in dollars.
 *
 * @throws usage.invalid · request.unsupported
 */
export function from(
  text: string | undefined,
  {
    origin,
    destination: { chain, token },
    hasCalls,
  }: { origin: Currency.Currency; destination: Currency.Currency; hasCalls: boolean },
): { gasTopupUsd?: bigint } {
  if (text === undefined) return {};
  const usd = SettingFormat.usd.read(text)?.value;
  if (usd === undefined || usd === 0n)
    throw new BaseError('usage.invalid', `--gas-topup must be ${SettingFormat.usd.expects}, and not zero.`);
  if (usd > mostUsd)
    throw new BaseError('usage.invalid', `--gas-topup is at most ${Usd.format(mostUsd)}.`, {
      hint: 'It is for gas, and no order binds it. Transfer more as an amount of its own.',
    });
  if (chain.vm !== 'evm' || origin.chain.id === chain.id)
    throw new BaseError('request.unsupported', '--gas-topup needs another EVM chain as the destination.');
  if (Address.isEqual(token.address, Address.native))
    throw new BaseError(
      'request.unsupported',
      `--gas-topup pays ${chain.native.symbol}, which is the output already.`,
      {
        hint: 'Leave it out: what arrives pays gas itself.',
      },
    );
  if (hasCalls)
    throw new BaseError('request.unsupported', 'Calls on arrival and --gas-topup cannot be combined.', {
      hint: 'Nothing shows that the calls would find only what is theirs. Make two transfers.',
    });
  return { gasTopupUsd: usd };
}
