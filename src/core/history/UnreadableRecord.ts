/** A record of the service that cannot be read. It takes its place among the others instead of spoiling the page. */
import * as z from 'zod/mini';
import * as Decode from '../api/schema/Decode.js';
import type * as RequestRecord from '../api/schema/RequestRecord.js';
import { BaseError } from '../base/Errors.js';
import * as ShellCommand from '../text/ShellCommand.js';

export type UnreadableRecord = z.output<typeof schema>;

export const schema = z.object({
  /** Where in the service's answer: `requests[3].data.fees.gas`. */
  path: z.string(),
  problem: z.string(),
  /** The record's id, if that can be read. */
  requestId: z.nullable(z.string()),
});

const named = z.object({ id: z.string() });

export function from({ index, problems, value }: RequestRecord.Odd): UnreadableRecord {
  const problem = Decode.foremost(problems);
  const missing = problem?.kind === 'missing' ? 'missing, ' : '';
  const read = z.safeParse(named, value);
  return {
    path: Decode.formatPath(['requests', index, ...(problem?.path ?? [])]),
    problem: `${missing}expected ${problem?.expectation ?? 'a record'}`,
    requestId: read.success ? read.data.id : null,
  };
}

export function unreadableRecord({ path, problem, requestId }: UnreadableRecord): BaseError {
  const isId = requestId !== null && /^0x[0-9a-fA-F]{1,64}$/.test(requestId);
  return new BaseError('service.malformed', 'The service’s record of this request cannot be read.', {
    facts: [
      ['at', path],
      ['problem', problem],
    ],
    hint: 'The status of the request does not depend on its record.',
    next: isId ? ShellCommand.line`ferry status ${requestId}` : undefined,
  });
}
