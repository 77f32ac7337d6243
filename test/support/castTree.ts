/** Calls of a transaction and how each ended, parsed from the tree that `cast run` prints. */
import { cast } from './cast.js';

export type CastCall = {
  address: string;
  /** `Return`, `Stop`, `Revert` and so on. */
  end: string;
  /** The text after the end: an error string, `panic: … (0x11)`, `custom error 0x…: …`, `EvmError: …`. */
  words: string;
  calls: CastCall[];
};

/** The top call of a mined transaction. */
export async function castRun(hash: string, rpcUrl: string): Promise<CastCall> {
  return parse(await cast('run', hash, '--rpc-url', rpcUrl));
}

/** The call that caused the failure: from the top down, the last inner call that did not succeed. */
export function toBlame(call: CastCall): CastCall {
  const last = call.calls.at(-1);
  return last && !succeeded(last) ? toBlame(last) : call;
}

/** The number of calls. */
export function count({ calls }: CastCall): number {
  return calls.reduce((sum, call) => sum + count(call), 1);
}

function succeeded({ end }: CastCall): boolean {
  return ['Return', 'Stop', 'SelfDestruct'].includes(end);
}

/** cast prints a call, then its inner calls, then its end, indented by depth. */
function parse(drawing: string): CastCall {
  const open: { column: number; call: CastCall }[] = [];
  let top: CastCall | undefined;
  for (const line of drawing.split('\n')) {
    const started = /^([\s│├└─]*)\[\d+\] (?:→ new \S+@)?(0x[0-9a-fA-F]{40}|\w+)/.exec(line);
    if (started) {
      const [, margin = '', address = ''] = started;
      const call: CastCall = { address: address.toLowerCase(), end: '', words: '', calls: [] };
      while ((open.at(-1)?.column ?? -1) >= margin.length) open.pop();
      open.at(-1)?.call.calls.push(call);
      open.push({ column: margin.length, call });
      top ??= call;
    }
    const ended = /^([\s│├└─]*)← \[(\w+)\] ?(.*)$/.exec(line);
    if (ended) {
      const [, margin = '', end = '', words = ''] = ended;
      while ((open.at(-1)?.column ?? -1) >= margin.length) open.pop();
      const call = open.at(-1)?.call;
      if (call) Object.assign(call, { end, words });
    }
  }
  if (!top) throw new Error(`no calls in:\n${drawing}`);
  return top;
}
