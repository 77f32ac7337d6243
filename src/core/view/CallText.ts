/** Terminal text of a call on arrival: what its calldata says, by the functions that ferry knows. */
import * as Amount from '../base/Amount.js';
import type { QuoteDocument } from '../quote/QuoteDocument.js';
import type { Style } from '../text/TerminalStyle.js';
import * as ArgumentText from '../trace/ArgumentText.js';
import * as DecodedFrame from '../trace/DecodedFrame.js';
import * as KnownSignatures from '../trace/KnownSignatures.js';

/** `approve(spender: 0x…, value: 100000000)`, or that ferry does not know the function. */
export function format({ to, data, value }: QuoteDocument['intent']['calls'][number], style: Style): string {
  const sent = value === '0' ? '' : ` with ${style.number(Amount.format(BigInt(value), 18))} of the native asset`;
  return `${does({ to, data })}${sent}`;
}

function does({ to, data }: { to: string; data: string }): string {
  if (data === '0x') return 'no calldata';
  const key = { signatures: KnownSignatures.signatures(), names: new Map() };
  const { function: name, args, selector } = DecodedFrame.from({ depth: 0, type: 'CALL', to, input: data }, key);
  if (name !== undefined && args) return `${name}(${ArgumentText.format(args, 'sentence')})`;
  return `${selector ?? data}: a function that ferry does not know, ${(data.length - 2) / 2} bytes`;
}
