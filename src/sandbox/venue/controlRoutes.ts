/** The venue's control plane: instance id, faults and rate limit. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { faultRoutes } from '../http/faultRoutes.js';
import type { Faults } from '../http/faults.js';
import { readBody } from '../http/requestBody.js';
import { read } from '../http/validation.js';
import type { RateLimit } from './requestWeights.js';

/** Request weight per minute; null for no limit. */
const limits = z.strictObject({ perMinute: z.nullable(z.int().check(z.nonnegative())) });

export type Controls = { instance: string; faults: Faults; rateLimit: RateLimit; release(): void };

export function controlRoutes({ instance, faults, rateLimit, release }: Controls): Hono {
  const app = new Hono();

  app.get('/instance', (c) => c.json({ instance }));

  app.get('/limits', (c) => c.json({ perMinute: rateLimit.perMinute() ?? null }));

  app.put('/limits', async (c) => {
    const { perMinute } = read(limits, 'body', await readBody(c.req.raw));
    rateLimit.set(perMinute ?? undefined);
    return c.json({ perMinute });
  });

  app.route('/', faultRoutes({ faults, actor: 'sequencer', onCleared: release }));
  return app;
}
