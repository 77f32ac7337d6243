/** The runs on this machine as commands see them; `io/runs` keeps their journals. */

import type { BaseError } from '../base/Errors.js';
import type * as Journal from './Journal.js';
import type { JournalWriter as JournalPort } from './Journal.js';
import type * as JournalCodec from './JournalCodec.js';

/** The journals of the runs on this machine. */
export type Runs = {
  folder: string;
  /** Begins one and holds it. @throws config.unwritable · run.unfinished where the same transfer is not finished */
  create(intent: Intent, options: { again: boolean }): Promise<Run>;
  /** Takes one up and holds it. @throws run.unknown · run.ambiguous · run.busy · run.unreadable · run.version */
  open(name: string): Promise<Run>;
  /** One as it stands, by its name or the end of it. @throws run.unknown · run.ambiguous · run.unreadable · run.version */
  show(name: string): Promise<RunRecord>;
  /** The newest, newest first, as far as they can be read. */
  list(limit: number): Promise<RunRecord[]>;
  /** Every one that was signed for and has not come to its end, newest first. */
  unfinished(): Promise<RunRecord[]>;
  /** The newest run of each line of a batch at a place, by the line's id. */
  ofLedger(path: string, place: Pick<Intent, 'network' | 'instance'>): Promise<ReadonlyMap<string, LineRun>>;
  /** Deletes finished ones that ended before that, in Unix milliseconds. Resolves to their names. */
  prune(beforeMs: number): Promise<string[]>;
};

/** The run that a line of a batch has become. */
export type LineRun = { run: string; digest: string };

/** What a run is begun with. */
export type Intent = Omit<Extract<Journal.Entry, { type: 'intent' }>, 'type' | 'run'>;

/** A run that this process carries out. What only notes something never throws: it warns, once. */
export type Run = JournalPort & {
  id: string;
  state(): Journal.State;
  /** Lets others take it up. */
  close(): void;
};

/** A journal as it was read; without a state where it cannot be. Times in Unix milliseconds. */
export type RunRecord = {
  id: string;
  updatedAt: number;
  lines: readonly JournalCodec.Line[];
  state: Journal.State | undefined;
  problem: BaseError | undefined;
  /** Whether a process is carrying it out. */
  isHeld: boolean;
};
