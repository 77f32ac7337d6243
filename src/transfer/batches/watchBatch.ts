/** Reads the state of a batch in the store, and follows it until each of its lines has a result. */
import { BaseError } from '../../core/base/Errors.js';
import type { Context } from '../../core/command/Context.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import * as BatchDocument from '../../core/worker/BatchDocument.js';

const pollMs = 1_000;

/** @throws batch.unknown · store.* */
export async function readBatch(name: string, context: Context): Promise<BatchDocument.Status> {
  const batches = await context.batches();
  const [found, workers] = [await batches.status(name), await batches.workers()];
  return BatchDocument.from(found, workers, context.clock.now());
}

/** @throws batch.unknown · store.* · the signal's reason: the batch goes on */
export async function* watchBatch(name: string, context: Context): AsyncGenerator<CommandEvent, BatchDocument.Status> {
  const { clock, signal } = context;
  const startedAt = clock.now();
  for (;;) {
    const found = await readBatch(name, context);
    const { done, failed: own, cancelled } = found.states;
    const failed = own + cancelled;
    const elapsedMs = clock.now() - startedAt;
    yield { type: 'progress', what: 'lines', done: done + failed, total: found.lines, failed, elapsedMs };
    if (found.isOver) return found;
    await clock.sleep(pollMs, signal);
  }
}

/** The name of a batch, of the arguments. @throws usage.missing */
export function nameOf([name]: readonly string[]): string {
  if (name === undefined) throw new BaseError('usage.missing', 'Which batch?', { next: 'ferry batch list' });
  return name;
}
