/** The control plane for faults: lists, adds and clears them. */
import { Hono } from 'hono';
import { type Fault, type Faults, schema } from './faults.js';
import { framework } from './HttpError.js';
import { readBody } from './requestBody.js';
import { read } from './validation.js';

export type Stand = {
  faults: Faults;
  /** The component whose transactions the faults can strike, in addition to HTTP requests. */
  actor: Actor;
  /** Called with each fault added. */
  begin?: ((fault: Fault) => Promise<void>) | undefined;
  /** Called after faults were cleared. */
  release(): void | Promise<void>;
};

type Actor = 'solver' | 'sequencer' | 'chain';

/** Kinds limited to some actors. A chain cannot be skewed this way: its own skew is irreversible. */
const places: Partial<Record<Fault['kind'], readonly Actor[]>> = {
  solver: ['solver'],
  sequencer: ['sequencer'],
  chain: ['chain'],
  skew: ['solver', 'sequencer'],
};

export function faultRoutes({ faults, actor, begin, release }: Stand): Hono {
  const app = new Hono();

  app.get('/faults', (c) => c.json({ faults: faults.list() }));

  app.post('/faults', async (c) => {
    const fault = read(schema, 'body', await readBody(c.req.raw));
    if (places[fault.kind]?.includes(actor) === false)
      throw framework(400, 'FST_ERR_VALIDATION', `body/kind ${fault.kind} never strikes here`);
    const standing = faults.add(fault);
    await begin?.(standing);
    return c.json({ fault: standing });
  });

  app.delete('/faults/:id?', async (c) => {
    const cleared = faults.clear(c.req.param('id'));
    await release();
    return c.json({ cleared: cleared.length });
  });

  return app;
}
