/** A personal message to sign (EIP-191). Nothing in it says what it is for. */
import type { PersonalMessage } from '../../api/schema/SignatureItem.js';
import type { Findings } from '../../quote/Finding.js';
import type { Facts } from './TokenGrant.js';

/** What `post.body.kind` calls a signature by such a message. */
export const words: readonly string[] = ['claim', 'request'];

/** As viem signs it. */
export type Signable = string | { raw: `0x${string}` };

/** A 32-byte hash is signed as its bytes, anything else as text. */
export function signable({ message }: PersonalMessage): Signable {
  return isHash(message) ? { raw: message } : message;
}

/**
 * A hash that is an id of this transfer is known as such; another one may be of anything, a transaction of a smart
 * account included, and text means what its reader makes of it.
 */
export function check(findings: Findings, { message }: PersonalMessage, { requestId, orderId }: Facts): void {
  const expected = 'the id of the request or of the order';
  if (isHash(message) && message.toLowerCase() === requestId?.toLowerCase())
    findings.say('signature-message', true, expected, `the id of the request ${message}`);
  else if (isHash(message) && message.toLowerCase() === orderId?.toLowerCase())
    findings.say('signature-message', true, expected, `the id of the order ${message}`);
  else
    findings.cannot('signature-message', expected, isHash(message) ? `the hash ${message}` : `the text "${message}"`);
  findings.cannot('order-binding', 'a deposit of the input for this order', 'a message, which binds nobody');
}

function isHash(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}
