/** The options of a batch, apart from what carries one out: most commands that know them are typed without. */

import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import { flagName } from '../core/docs/CommandCatalog.js';

export const batchFlags = {
  batch: {
    type: 'string',
    value: 'file',
    description: 'many at once: a transfer a line, as JSON with an id; - for stdin',
  },
  out: {
    type: 'string',
    value: 'file',
    description: 'keep the results in a ledger, a line each; one that is there is continued',
  },
  retryFailed: { type: 'boolean', description: 'do the lines again that the ledger has as failed with nothing moved' },
  concurrency: { type: 'string', value: 'number', description: 'lines of a batch under way at once at most' },
  rate: { type: 'string', value: 'number', description: 'lines of a batch begun a second at most' },
  unordered: { type: 'boolean', description: 'results of a batch as they are had, not in the order of its lines' },
} as const satisfies Flags;

export type BatchOptions = Options<typeof batchFlags>;

/** @throws usage.invalid where an option of a batch stands without one, or beside what a batch cannot have */
export function assertBatch(options: BatchOptions, others: Readonly<Record<string, unknown>>): void {
  if (options.batch === undefined) {
    const [name] = Object.keys(batchFlags).filter((key) => options[key as keyof typeof batchFlags] !== undefined);
    if (name !== undefined) throw new BaseError('usage.invalid', `${flagName(name)} is for a batch: say --batch FILE.`);
    return;
  }
  if (options.retryFailed && options.out === undefined)
    throw new BaseError('usage.invalid', '--retry-failed needs the ledger that has the failures: say --out FILE.');
  if (options.args.length > 0)
    throw new BaseError('usage.invalid', 'The transfers of a batch are the lines of its file: name none beside it.');
  const [name] = Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (name !== undefined) throw new BaseError('usage.invalid', `${name} and --batch cannot be combined.`);
}
