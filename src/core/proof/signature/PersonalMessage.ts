/** Personal messages to sign (EIP-191), which are opaque: nothing in them states their purpose. */
import type { PersonalMessage } from '../../api/schema/SignatureItem.js';
import type { Findings } from '../../quote/Finding.js';
import type { Facts } from './TokenGrant.js';

/** The values of `post.body.kind` for signed personal messages. */
export const bodyKinds: readonly string[] = ['claim', 'request'];

/**
 * Verifies a message that is the order id, which ferry has computed. Any other hash, the request id included, could be of
 * anything, even a smart account transaction, and the meaning of a text depends on its reader.
 */
export function check(findings: Findings, { message }: PersonalMessage, { orderId }: Facts): void {
  const expected = 'the order id';
  if (isHash(message) && message.toLowerCase() === orderId?.toLowerCase())
    findings.say('signature-message', true, expected, `the order id ${message}`);
  else
    findings.cannot('signature-message', expected, isHash(message) ? `the hash ${message}` : `the text "${message}"`);
  findings.cannot('order-binding', 'a deposit of the input for this order', 'a message, which binds no order');
}

function isHash(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}
