/** The batches of all machines, their lines and their results. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BaseError } from '../../core/base/Errors.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import type { Batch, Batches, SubmittedLine } from '../../core/worker/BatchStore.js';
import type { Environment } from '../state/paths.js';
import { findBatch } from './batchRows.js';
import type { Query, Session } from './session.js';
import { createStoreDecisions } from './storeDecisions.js';
import { createStoreHolds } from './storeHolds.js';
import type { StoreLocks } from './storeLocks.js';
import { identify } from './storeMark.js';
import { createStoreProgress } from './storeProgress.js';
import { createStoreTurns } from './storeTurns.js';

/** How many lines one statement writes. */
const linesAtOnce = 5_000;

/** From so many lines on, the server vacuums them at once and not when it comes to it: their state is then read from an index. */
const longBatch = 10_000;

export function createStoreBatches(session: Session, locks: StoreLocks, place: Environment): Batches {
  const { query } = session;
  const me = { id: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`, host: hostname() };
  return {
    me,
    store: () => identify(session, place),
    find: (name) => findBatch(query, name),
    ...createStoreTurns(session, locks),
    ...createStoreHolds(session),
    ...createStoreDecisions(session),
    ...createStoreProgress(session, me),

    async submit(batch, blocks, lines) {
      const { name, network, instance, store, digest, submitter, signature, state, priority } = batch;
      const submitted = await session.transaction(async (within): Promise<'new' | 'same'> => {
        const made = await within(
          `insert into ferry.batch
            (name, network, instance, store, digest, lines, submitter, signature, blocks, state, priority)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning name`,
          [
            ...[name, network, instance, store, digest, batch.lines],
            ...[submitter, signature, blocks.map((block) => block.slice(2)).join(''), state, priority],
          ],
        );
        if (made.length === 0) {
          const there = (await findBatch(within, name)).batch;
          if (there.digest === digest && there.network === network && there.instance === instance) return 'same';
          throw otherBatch(there);
        }
        let some: SubmittedLine[] = [];
        // The next lines are read while the server writes these.
        let writing: Promise<void> = Promise.resolve();
        for await (const line of lines) {
          some.push(line);
          if (some.length < linesAtOnce) continue;
          await writing;
          writing = insert(within, name, some);
          writing.catch(() => {});
          some = [];
        }
        await writing;
        await insert(within, name, some);
        return 'new';
      });
      // The batch is submitted, whether the server does this or not.
      if (submitted === 'new' && batch.lines >= longBatch) await query('vacuum (analyze) ferry.line').catch(() => {});
      return submitted;
    },
  };
}

async function insert(query: Query, batch: string, lines: readonly SubmittedLine[]): Promise<void> {
  if (lines.length === 0) return;
  const column = <K extends keyof SubmittedLine>(key: K): SubmittedLine[K][] => lines.map((line) => line[key]);
  await query(
    `insert into ferry.line (batch, n, id, digest, account, doc)
    select $1, * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    [batch, column('n'), column('id'), column('digest'), column('account'), column('doc')],
  );
}

/** A batch is what it was when it was submitted. */
function otherBatch({ name, lines }: Batch): BaseError {
  return new BaseError(
    'batch.taken',
    `The store has another batch ${TerminalText.escape(name)}, of ${lines} lines. Nothing was submitted.`,
    {
      hint: 'A batch cannot be changed: give the new one another name, and only the lines that are new.',
      next: ShellCommand.line`ferry batch status ${name}`,
    },
  );
}
