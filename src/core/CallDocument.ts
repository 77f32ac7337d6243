/** How a raw call ended, as JSON and as text: what `ferry execute call` gives. */
import * as z from 'zod/mini';
import type { Outcome } from './CallExecution.js';
import * as Progress from './Progress.js';
import type { Style } from './render/Style.js';
import * as Text from './render/Text.js';

export type CallDocument = z.output<typeof schema>;

export const schema = z.object({
  /** What `ferry resume` and `ferry runs show` take. */
  run: z.nullable(z.string()),
  requestId: z.string(),
  /** The service's word; `sent` under --no-wait. */
  status: z.string(),
  funds: z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']),
  /** The service's words when it took the call; null where its answer was lost. */
  message: z.nullable(z.string()),
  inTxHashes: z.array(z.string()),
  outTxHashes: z.array(z.string()),
});

export function from({ requestId, message, progress }: Outcome): CallDocument {
  return {
    run: null,
    requestId,
    status: progress?.status ?? 'sent',
    funds: progress ? Progress.fundsOf(progress) : 'in-flight',
    message,
    inTxHashes: [...(progress?.inTxHashes ?? [])],
    outTxHashes: [...(progress?.outTxHashes ?? [])],
  };
}

/** The end in a few lines. */
export function format({ requestId, status, funds, inTxHashes, outTxHashes }: CallDocument, style: Style): string {
  const hashes = [...new Set([...inTxHashes, ...outTxHashes])];
  return Text.columns([
    [style.dim('Status'), `${style.bold(Text.escape(status))}  ${style.dim(funds)}`],
    ...hashes.map((hash) => [style.dim('Transaction'), Text.escape(hash)]),
    [style.dim('Request'), Text.escape(requestId)],
  ]);
}
