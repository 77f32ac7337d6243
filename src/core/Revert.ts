/** Why a contract call failed, from the bytes that it returned. */
import { decodeErrorResult, parseAbi } from 'viem/utils';
import type { Hex } from './Ports.js';

export type Revert = {
  type: 'errorString' | 'panic' | 'customError' | 'unknownCustomError' | 'empty';
  /** The reason in one line: the contract's own words, or a custom error with its arguments. Foreign text. */
  reason: string;
  selector?: Hex;
};

/** Reads the bytes of a revert. Never throws. */
export function from(data: Hex): Revert {
  if (data === '0x') return { type: 'empty', reason: 'no reason given' };
  const selector = data.slice(0, 10).toLowerCase() as Hex;
  try {
    const { errorName, args } = decodeErrorResult({ abi: wellKnown, data });
    const values = (args ?? []) as readonly unknown[];
    if (errorName === 'Error') return { type: 'errorString', reason: String(values[0]), selector };
    if (errorName === 'Panic') return { type: 'panic', reason: panic(values[0] as bigint), selector };
    return { type: 'customError', reason: `${errorName}(${values.map(String).join(', ')})`, selector };
  } catch {
    return { type: 'unknownCustomError', reason: `custom error ${selector}`, selector };
  }
}

/** The errors of the ERC-20 tokens and of what commonly stands around them. */
const wellKnown = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error SafeERC20FailedOperation(address token)',
  'error InvalidSignature()',
]);

const panics: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division by zero',
  '33': 'an invalid enumeration value',
  '34': 'a corrupt storage byte array',
  '49': 'a removal from an empty array',
  '50': 'an array index out of bounds',
  '65': 'too much memory',
  '81': 'a call of an uninitialised function',
};

function panic(code: bigint): string {
  return `panic 0x${code.toString(16).padStart(2, '0')}: ${panics[code.toString()] ?? 'unknown'}`;
}
