/** The control plane for faults: lists, adds and clears them. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type Fault, type Faults, schema } from './faults.js';
import { frameworkError, HttpError } from './HttpError.js';
import { read, readBody } from './validation.js';

export type FaultRoutesOptions = {
  faults: Faults;
  /** The component whose transactions the faults can strike, in addition to HTTP requests. */
  actor: Actor;
  onAdded?: ((fault: Fault) => Promise<void>) | undefined;
  onCleared(): void | Promise<void>;
};

type Actor = 'solver' | 'sequencer' | 'chain';

/** Kinds limited to some actors. A chain cannot be skewed this way: its own skew is irreversible. */
const actorsByKind: Partial<Record<Fault['kind'], readonly Actor[]>> = {
  solver: ['solver'],
  sequencer: ['sequencer'],
  chain: ['chain'],
  skew: ['solver', 'sequencer'],
};

export function faultRoutes({ faults, actor, onAdded, onCleared }: FaultRoutesOptions): Hono {
  const app = new Hono();

  app.get('/faults', (c) => c.json({ faults: faults.list() }));

  app.post('/faults', async (c) => {
    const fault = readFault(await readBody(c.req.raw));
    if (actorsByKind[fault.kind]?.includes(actor) === false)
      throw frameworkError(400, 'FST_ERR_VALIDATION', `body/kind ${fault.kind} does not apply here`);
    const added = faults.add(fault);
    await onAdded?.(added);
    return c.json({ fault: added });
  });

  app.delete('/faults/:id?', async (c) => {
    const cleared = faults.clear(c.req.param('id'));
    await onCleared();
    return c.json({ cleared: cleared.length });
  });

  return app;
}

/** A fault. The service names no allowed values; whoever types a fault has to learn them. @throws HttpError */
function readFault(body: unknown): z.output<typeof schema> {
  const wrong = z.safeParse(schema, body).error?.issues.find(({ code }) => code === 'invalid_value');
  try {
    return read(schema, 'body', body);
  } catch (error) {
    if (wrong?.code !== 'invalid_value' || !(error instanceof HttpError)) throw error;
    throw frameworkError(400, 'FST_ERR_VALIDATION', `${error.message}: ${wrong.values.join(', ')}`);
  }
}
