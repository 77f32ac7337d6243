/** The sandbox's service: the whole API in process, with its solver working on running chains. */
import { createSweeper } from '../deposit/sweeper.js';
import { type Fetch, withFaults } from '../http/faultGate.js';
import { loopbackOnly } from '../http/httpServer.js';
import { createInstance, type InstanceOptions } from '../settlement/instance.js';
import { createRelayer } from '../settlement/relayer.js';
import { createSolver } from '../settlement/solver.js';
import { createWatcher } from '../settlement/watcher.js';
import { createRoutes } from './serviceRoutes.js';
import { createStatusSockets } from './statusUpdates.js';

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

/**
 * Creates a service on running chains, empty or restored, and resumes work in progress.
 *
 * @throws DamagedLogError
 */
export async function createSandbox(options: InstanceOptions) {
  const instance = createInstance(options);
  const { clock, ledger, faults, venue } = instance;
  const solver = createSolver(instance);
  const end = new AbortController();
  const sweeper = createSweeper(instance, end.signal);
  const watcher = createWatcher(instance, solver.accept, sweeper.catchUp);
  const relayer = createRelayer(instance, solver);
  const routes = createRoutes(instance, { solver, relayer, watcher, sweeper });
  const answer = withFaults(faults, async (request, env) => routes.fetch(request, env as object));
  let lastUseMs = clock();
  solver.resume();
  relayer.resume();
  const sockets = createStatusSockets({ ledger, clock, instance: instance.id, onUse: () => (lastUseMs = clock()) });

  const withMiddleware = (fetch: Fetch): Fetch => {
    const guarded = loopbackOnly(fetch);
    return async (request, env) => {
      const response = await guarded(request, env);
      lastUseMs = clock();
      response.headers.set('x-sandbox-instance', instance.id);
      return response;
    };
  };

  return {
    /** Handles a request. `env` comes from the Node server; it holds the socket that a drop fault destroys. */
    fetch: withMiddleware(answer),
    /** The venue; its `fetch` is the venue's own API. */
    venue: { ...venue, fetch: withMiddleware(venue.fetch) },
    /** Every request. Faults are not kept. */
    ledger,
    upgrade: sockets.upgrade,
    closeSockets: sockets.close,
    /** Unix time in milliseconds of the last request to either API, or of the last change of an order or transfer. */
    idleSince: () => Math.max(lastUseMs, ledger.lastChangeMs(), venue.lastAcceptedMs()),
    /** Whether a call is being submitted, an order filled or refunded, or a transfer executed. */
    isBusy: () => solver.isBusy() || relayer.isBusy() || venue.isBusy(),
    /** Stops watching the chains, and resolves once nothing is being sent any more. */
    async stop(): Promise<void> {
      await sockets.close();
      end.abort();
      await watcher.stop();
      await relayer.stop();
      await solver.stop();
      await venue.stop();
    },
  };
}
