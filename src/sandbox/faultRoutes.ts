/** The control plane for faults: those that stand, further ones, and none any more. */
import { Hono } from 'hono';
import { type Faults, schema } from './faults.js';
import { framework } from './HttpError.js';
import { readBody } from './requestBody.js';
import { read } from './validation.js';

export type Stand = {
  faults: Faults;
  /** Whose transactions these faults may strike besides requests. */
  actor: 'solver' | 'sequencer';
  /** Called when faults were cleared. */
  release(): void;
};

export function faultRoutes({ faults, actor, release }: Stand): Hono {
  const app = new Hono();

  app.get('/faults', (c) => c.json({ faults: faults.list() }));

  app.post('/faults', async (c) => {
    const fault = read(schema, 'body', await readBody(c.req.raw));
    if ((fault.kind === 'solver' || fault.kind === 'sequencer') && fault.kind !== actor)
      throw framework(400, 'FST_ERR_VALIDATION', `body/kind ${fault.kind} never strikes here`);
    return c.json({ fault: faults.add(fault) });
  });

  app.delete('/faults/:id?', (c) => {
    const cleared = faults.clear(c.req.param('id'));
    release();
    return c.json({ cleared: cleared.length });
  });

  return app;
}
