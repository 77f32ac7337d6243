/** The outcome of a raw call as JSON and text: the output of `ferry execute call`. */

import * as z from 'zod/mini';
import { fundsWords } from '../base/Errors.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as TransferStatus from '../tracking/TransferStatus.js';

export type CallDocument = z.output<typeof schema>;

export const schema = z.object({
  /** The run id, for `ferry resume` and `ferry runs show`. */
  run: z.nullable(z.string()),
  requestId: z.string(),
  /** The status word of the service; `sent` with `--no-wait`. */
  status: z.string(),
  funds: z.enum(fundsWords),
  /** The service's message when it accepted the call; null if the response was lost. */
  message: z.nullable(z.string()),
  inTxHashes: z.array(z.string()),
  outTxHashes: z.array(z.string()),
});

/** @param progress undefined if ferry did not wait */
export function from(
  requestId: string,
  message: string | null,
  progress: TransferStatus.Progress | undefined,
): CallDocument {
  return {
    run: null,
    requestId,
    status: progress?.status ?? 'sent',
    funds: progress ? TransferStatus.fundsOf(progress) : 'in-flight',
    message,
    inTxHashes: [...(progress?.inTxHashes ?? [])],
    outTxHashes: [...(progress?.outTxHashes ?? [])],
  };
}

/** The outcome as text for a terminal. */
export function format({ requestId, status, funds, inTxHashes, outTxHashes }: CallDocument, style: Style): string {
  const hashes = [...new Set([...inTxHashes, ...outTxHashes])];
  return TerminalText.columns([
    [style.dim('Status'), `${style.bold(TerminalText.escape(status))}  ${style.dim(funds)}`],
    ...hashes.map((hash) => [style.dim('Transaction'), TerminalText.escape(hash)]),
    [style.dim('Request'), TerminalText.escape(requestId)],
  ]);
}
