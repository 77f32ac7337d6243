/** `GET /currencies/token/price`: what the service takes a token to be worth. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';
import * as QueryParam from '../schema/QueryParam.js';

export type Query = z.output<typeof query>;

export const endpoint = { method: 'GET', path: '/currencies/token/price' } as const;

export const query = z.strictObject({ chainId: QueryParam.integer(), address: z.string() });

export const response = Primitives.object({
  /** US dollars per whole token, as a float. */
  price: z.nullish(z.number()),
});
