/**
 * Calls that the solver makes on the destination chain with what it delivers there: `txs` of a quote request, spec 2.1.
 * The chain's router makes them and is paid the output, so that whatever they leave is anyone's.
 */
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as JsonKeys from '../text/JsonKeys.js';
import * as JsonText from '../text/JsonText.js';
import type * as Currency from './Currency.js';

/** `value` is in wei. */
export type DestinationCall = { to: Address.Address; data: Hex; value: bigint };

/** The most calls of a transfer, and the most bytes of calldata of each: a block has room for few more. */
const mostCalls = 50;
const mostBytes = 50_000;

/** A call in a file, as in the service's requests: `data` and `value` may be left out. */
const written = z.array(
  z.strictObject({ to: z.string(), data: z.optional(z.string()), value: z.optional(z.string()) }),
);

/** Parses `to:data` or `to:data:value`, the value in wei. @throws usage.invalid · request.invalid-address */
export function fromText(text: string): DestinationCall {
  const [to = '', data = '', value = '0', ...more] = text.split(':');
  if (more.length > 0) throw invalid('it has more than a target, calldata and a value');
  return from({ to, data, value });
}

/** Reads the calls of a file: a JSON array. @throws usage.invalid · request.invalid-address */
export function fromFile(text: string, path: string): DestinationCall[] {
  const value = JsonText.read(text);
  if (value === undefined) throw unreadableCalls(path, 'it is not JSON');
  const twice = JsonKeys.repeated(text);
  if (twice !== undefined) throw unreadableCalls(path, `it has the key ${JSON.stringify(twice)} twice in one object`);
  const read = z.safeParse(written, value);
  if (!read.success) throw unreadableCalls(path, z.prettifyError(read.error).split('\n')[0] ?? '');
  if (read.data.length === 0) throw unreadableCalls(path, 'it has no call');
  return read.data.map(({ to, data = '0x', value: wei = '0' }) => from({ to, data, value: wei }));
}

function from({ to, data, value }: Record<'to' | 'data' | 'value', string>): DestinationCall {
  const target = Address.from(to, 'target of a call');
  if (!/^0x([0-9a-fA-F]{2})*$/.test(data)) throw invalid('its calldata is not 0x and whole bytes in hexadecimal');
  if (data.length > 2 + 2 * mostBytes) throw invalid(`its calldata is longer than ${mostBytes} bytes`);
  if (!/^\d{1,78}$/.test(value) || BigInt(value) >= 2n ** 256n) throw invalid('its value is not a number of wei');
  return { to: target, data: data.toLowerCase() as Hex, value: BigInt(value) };
}

/**
 * Asserts that calls can be made with what a transfer delivers, and leave nothing in the router by their values.
 *
 * @param amount base units of the exact output
 * @throws request.unsupported · usage.invalid
 */
export function assertPayable(
  calls: readonly DestinationCall[],
  {
    origin,
    destination,
    isExactOutput,
    amount,
  }: { origin: Currency.Currency; destination: Currency.Currency; isExactOutput: boolean; amount: bigint },
): void {
  if (calls.length === 0) return;
  if (calls.length > mostCalls) throw invalid(`a transfer makes at most ${mostCalls}`);
  const { chain } = destination;
  if (chain.vm !== 'evm' || origin.chain.id === chain.id)
    throw new BaseError('request.unsupported', 'Calls on arrival need another EVM chain as the destination.', {
      hint: 'On one chain, send the calls in a transaction of your own.',
    });
  if (!isExactOutput)
    throw new BaseError('usage.invalid', 'Calls on arrival need --exact-output.', {
      hint: 'The amount is then what the calls have to spend. What arrives beyond that would stay in the router, where anyone can take it.',
    });
  const spent = calls.reduce((sum, { value }) => sum + value, 0n);
  const isNative = Address.isEqual(destination.token.address, Address.native);
  if (!isNative && spent > 0n)
    throw new BaseError('usage.invalid', `Calls on arrival can send no ${chain.native.symbol}: a token is delivered.`, {
      hint: `Deliver ${chain.native.symbol} instead, or leave out the value.`,
    });
  if (isNative && spent !== amount)
    throw new BaseError('usage.invalid', 'The values of the calls on arrival must add up to the amount.', {
      facts: [
        ['amount', `${amount} wei`],
        ['values', `${spent} wei`],
      ],
      hint: 'What they leave would be the solver’s.',
    });
}

function invalid(why: string): BaseError {
  return new BaseError('usage.invalid', `A call on arrival is not valid: ${why}.`, {
    hint: 'A call is TO:DATA or TO:DATA:VALUE, the value in wei, such as --call 0x…:0xa9059cbb….',
  });
}

/** A file that has no calls. */
function unreadableCalls(path: string, why: string): BaseError {
  return new BaseError('usage.invalid', `The calls in ${path} cannot be read: ${why}.`, {
    hint: 'The file is a JSON array, such as [{"to":"0x…","data":"0x…","value":"0"}].',
  });
}
