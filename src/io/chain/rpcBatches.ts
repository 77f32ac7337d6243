/**
 * Questions to one node that are asked in the same moment, as one HTTP request. A node that does not take them together is
 * asked one by one, now and from then on.
 */

/** A JSON-RPC request. */
export type Call = { jsonrpc: '2.0'; id: number; method: string; params: unknown };

/** How a node is asked. Both throw what a question is to fail with. */
export type Node = {
  /** Asks one question. */
  alone(call: Call, withinMs: number): Promise<unknown>;
  /** Asks all. `refused` if the node does not take them together, `lost` if no answer came. */
  together(calls: readonly Call[], withinMs: number): Promise<readonly unknown[] | 'refused' | 'lost'>;
  /** The result in an answer to one question. @throws the error in it */
  resultIn(answer: Readonly<Record<string, unknown>>): unknown;
};

type Waiting = {
  call: Call;
  withinMs: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
};

/** Some nodes take no more, and what is more than that is not one moment. */
const most = 50;

/** Creates the queue of a node. What it returns asks one question, together with the others of the moment. */
export function createBatches({ alone, together, resultIn }: Node): Node['alone'] {
  let waiting: Waiting[] = [];
  let isRefused = false;

  function askAlone({ call, withinMs, resolve, reject }: Waiting): void {
    alone(call, withinMs).then(resolve, reject);
  }

  async function askTogether(asked: readonly Waiting[]): Promise<void> {
    const withinMs = Math.min(...asked.map((each) => each.withinMs));
    const answers = await together(
      asked.map(({ call }) => call),
      withinMs,
    );
    isRefused ||= answers === 'refused';
    const all = typeof answers === 'string' ? [] : answers;
    for (const each of asked) {
      const answer = all.find((found) => isAnswerTo(each.call, found));
      // What is left out is asked for again. If all is lost, one question may be the reason.
      if (!answer) askAlone(each);
      else settle(each, () => resultIn(answer as Readonly<Record<string, unknown>>));
    }
  }

  function leave(): void {
    const asked = waiting;
    waiting = [];
    if (asked.length < 2 || isRefused) for (const each of asked) askAlone(each);
    else
      askTogether(asked).catch((error: unknown) => {
        for (const { reject } of asked) reject(error);
      });
  }

  return (call, withinMs) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, withinMs, resolve, reject });
      if (waiting.length >= most) leave();
      // After everything that is ready to ask has asked.
      else if (waiting.length === 1) setImmediate(leave);
    });
}

function settle({ resolve, reject }: Waiting, result: () => unknown): void {
  try {
    resolve(result());
  } catch (error) {
    reject(error);
  }
}

function isAnswerTo({ id }: Call, found: unknown): boolean {
  return typeof found === 'object' && found !== null && (found as { id?: unknown }).id === id;
}
