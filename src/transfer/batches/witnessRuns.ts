/** Has this machine remember what the runs of a line have signed: a journal that is cut off later does not make it pay again. */
import type { Context } from '../../core/command/Context.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { Run, Runs } from '../../core/tracking/RunStore.js';

/** @param note called whenever a run has more signatures, before what they sign leaves */
export function witnessRuns(context: Context, note: (run: string, signatures: number) => void): Context {
  return {
    ...context,
    async runs(): Promise<Runs> {
      const runs = await context.runs();
      return {
        ...runs,
        create: async (...given) => witnessRun(await runs.create(...given), note),
        open: async (name) => witnessRun(await runs.open(name), note),
      };
    },
  };
}

function witnessRun(run: Run, note: (run: string, signatures: number) => void): Run {
  let noted = 0;
  const look = (): void => {
    const signatures = Journal.signatures(run.state());
    if (signatures > noted) note(run.id, signatures);
    noted = signatures;
  };
  // What another process has signed may be sent from here.
  look();
  return {
    ...run,
    async append(...given) {
      await run.append(...given);
      look();
    },
  };
}
