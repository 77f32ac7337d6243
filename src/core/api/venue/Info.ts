/** `GET /info`: the venue's contract. Public. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

export type Response = z.output<typeof response>;

export const endpoint = { method: 'GET', path: '/info' } as const;

export const response = Primitives.object({ contract_address: z.string() });
