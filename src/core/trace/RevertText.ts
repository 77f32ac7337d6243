/** Describes the failure of a call in words. */
import { getAddress } from 'viem/utils';
import * as TerminalText from '../text/TerminalText.js';
import * as ArgumentText from './ArgumentText.js';
import { type Argument, panicCode, panicWords, type Revert } from './Revert.js';

export type Party = { type: string; to?: string | undefined; contract?: string | undefined };

/**
 * One plain sentence, safe to print.
 *
 * @example 'Permit2 reverted: InvalidSignature()'
 */
export function sentence(party: Party, revert: Revert): string {
  const who = subject(party);
  switch (revert.type) {
    case 'empty':
      return `${who} reverted without a reason`;
    case 'panic':
      return `${who} failed: ${format(revert, 'sentence')}`;
    case 'halt':
      if (/out ?of ?gas/i.test(revert.reason)) return `${who} ran out of gas`;
      return `${who} halted: ${format(revert, 'sentence')}`;
    case 'unknownCustomError':
      return `${who} reverted with an unknown custom error: ${format(revert, 'sentence')}`;
    case 'errorString':
    case 'customError':
      return `${who} reverted: ${format(revert, 'sentence')}`;
  }
}

/** Formats only the reason: `InvalidSignature()`, `"transfer amount exceeds balance"`, `… (panic 0x11)`. */
export function format(revert: Revert, length: ArgumentText.Length): string {
  const { type, reason, selector, name, args = [], cause } = revert;
  switch (type) {
    case 'empty':
      return 'no reason given';
    case 'errorString':
      return ArgumentText.quote(reason, length);
    case 'unknownCustomError':
      return selector ?? ArgumentText.quote(reason, length);
    case 'customError':
      if (name === undefined) return TerminalText.escape(reason);
      return `${TerminalText.escape(name)}(${listed(args, cause, length)})`;
    case 'panic':
      return panic(revert);
    case 'halt':
      return TerminalText.escape(reason);
  }
}

/** `an arithmetic overflow or underflow (panic 0x11)`. The service may report a panic without its code. */
function panic({ args = [], reason }: Revert): string {
  const [code] = args;
  if (!code) return TerminalText.escape(reason);
  const number = BigInt(String(code.value));
  return `${panicWords(number)} (panic ${panicCode(number)})`;
}

/** The arguments; bytes that encode the error of an inner call are formatted as that error. */
function listed(args: readonly Argument[], cause: Revert | undefined, length: ArgumentText.Length): string {
  const at = args.findIndex(({ value }) => cause?.selector !== undefined && String(value).startsWith(cause.selector));
  if (!cause || at < 0) return ArgumentText.format(args, length);
  const [before, after] = [args.slice(0, at), args.slice(at + 1)];
  const inner = ArgumentText.labelled(args[at]?.name ?? '', format(cause, length), length);
  const parts = [ArgumentText.format(before, length), inner, ArgumentText.format(after, length)];
  return parts.filter((part) => part !== '').join(', ');
}

function subject({ type, to, contract }: Party): string {
  if (type.startsWith('CREATE')) return 'The contract being created';
  if (contract !== undefined) return TerminalText.escape(contract);
  return to === undefined ? 'A contract' : `The contract ${/^0x[0-9a-f]{40}$/.test(to) ? getAddress(to) : to}`;
}
