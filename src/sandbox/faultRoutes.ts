/** The control plane: what the sandbox is, and the faults that it shall have. */
import { Hono } from 'hono';
import * as faults from './faults.js';
import type { Instance } from './instance.js';
import { readBody } from './requestBody.js';
import type { Solver } from './solver.js';
import { read } from './validation.js';

export function faultRoutes(instance: Instance, solver: Solver): Hono {
  const app = new Hono();

  app.get('/instance', (c) => {
    const chains = instance.nodes.map(({ id, name, rpcUrl }) => ({ id, name, rpcUrl }));
    return c.json({ instance: instance.id, seed: instance.seed, chains });
  });

  app.get('/faults', (c) => c.json({ faults: instance.faults.list() }));

  app.post('/faults', async (c) => {
    const fault = read(faults.schema, 'body', await readBody(c.req.raw));
    return c.json({ fault: instance.faults.add(fault) });
  });

  app.delete('/faults/:id?', (c) => {
    const cleared = instance.faults.clear(c.req.param('id'));
    solver.release();
    return c.json({ cleared: cleared.length });
  });

  return app;
}
