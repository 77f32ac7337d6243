/** A signed EIP-7702 authorization as sent in requests. */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

export type Authorization = z.output<typeof schema>;

export const schema = z.strictObject({
  chainId: z.number(),
  address: Primitives.address,
  nonce: z.number(),
  yParity: z.number(),
  r: z.string(),
  s: z.string(),
});
