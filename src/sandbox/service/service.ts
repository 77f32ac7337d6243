/** The sandbox's service: the whole API in process, its solver at work on the running chains. */
import { type Fetch, withFaults } from '../http/faultGate.js';
import { loopbackOnly } from '../http/loopbackOnly.js';
import { createInstance, type Options } from '../settlement/instance.js';
import { createRelayer } from '../settlement/relayer.js';
import { createSolver } from '../settlement/solver.js';
import { createWatcher } from '../settlement/watcher.js';
import type { JsonValue } from '../values/BigintJson.js';
import type { Venue } from '../venue/Venue.js';
import { createRoutes } from './serviceRoutes.js';

export type Sandbox = {
  /** Answers a request. `env` is what the Node server passes along: a dropped connection needs its socket. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** The ledger as plain JSON, for `Options.saved`. Faults are not kept. */
  saved(): JsonValue;
  /** What the built-in sponsor can still pay, in millionths of a dollar. */
  sponsorBalanceUsd(): bigint;
  /** The venue beside the service; `fetch` is its own API. */
  venue: Venue;
  /** Unix time in milliseconds of the last request that either answered, or the last move of an order or a transfer. */
  idleSince(): number;
  /** Whether a call is being submitted, an order filled or refunded, or a transfer executed. */
  isBusy(): boolean;
  /** Stops watching the chains, and resolves when nothing is being sent any more. */
  stop(): Promise<void>;
};

/**
 * A service on running chains, empty or as it was saved. It takes up what was under way.
 *
 * @throws an error where what was saved is no ledger
 */
export async function createSandbox(options: Options): Promise<Sandbox> {
  const instance = createInstance(options);
  const { clock, ledger, faults, venue } = instance;
  const solver = createSolver(instance);
  const watcher = createWatcher(instance, solver.accept);
  const relayer = createRelayer(instance, solver);
  const routes = createRoutes(instance, { solver, relayer, watcher });
  const answer = withFaults(faults, async (request, env) => routes.fetch(request, env as object));
  let lastUseMs = clock();
  solver.resume();
  relayer.resume();

  /** What stands before the service and the venue alike. */
  const front = (fetch: Fetch): Fetch => {
    const guarded = loopbackOnly(fetch);
    return async (request, env) => {
      const response = await guarded(request, env);
      lastUseMs = clock();
      response.headers.set('x-sandbox-instance', instance.id);
      return response;
    };
  };

  return {
    fetch: front(answer),
    venue: { ...venue, fetch: front(venue.fetch) },
    saved: () => ledger.saved(),
    sponsorBalanceUsd: () => ledger.sponsorBalanceUsd(),
    idleSince: () => Math.max(lastUseMs, ledger.lastMoveMs(), venue.lastMoveMs()),
    isBusy: () => solver.isBusy() || relayer.isBusy() || venue.isBusy(),
    async stop() {
      await watcher.stop();
      await relayer.stop();
      await solver.stop();
      await venue.stop();
    },
  };
}
