import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as RequestDocument from '../../core/history/RequestDocument.js';
import * as RequestReference from '../../core/history/RequestReference.js';
import * as RequestSource from '../../core/history/RequestSource.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as RequestText from '../../core/view/RequestText.js';

export const command = define({
  description:
    'Shows everything in the service’s records about one request: its status and where its funds are, currencies, transactions, fees and failure reasons. Unlike ferry status, it exits 0 whatever the status is.',
  args: [
    { name: 'request', description: 'a request id, an order id, a run, or the hash of a deposit, fill or refund' },
  ],
  examples: [
    ['ferry requests show 0x17…', 'by request id'],
    ['ferry requests show 0x5a…', 'by a transaction hash, on any chain'],
    ['ferry requests show 1f2e3d', 'by the run that made it'],
    ['ferry requests show 0x17… --json | jq -r ".data.transactions[] | [.role, .hash] | @tsv"', 'in a script'],
  ],
  output: z.extend(RequestDocument.schema, {
    /** The version of the records endpoint that answered; v2 is deprecated and returns less. */
    version: z.enum(['v3', 'v2']),
    /** The command to run next. */
    next: z.nullable(z.string()),
  }),
  async run({ args: [asked = ''] }, context) {
    const name = await RequestReference.read(asked, context.runs);
    const source = RequestSource.from(context, true);
    const request = await RequestReference.find(name, source);
    if (!request) throw RequestReference.unknownRequest(name, context.network.name);
    return { ...request, version: source.version() ?? ('v3' as const), next: nextOf(request) };
  },
  view(data, style, _, place) {
    const next = data.next === null ? [] : ['', `${style.dim('next:')} ${style.command(data.next)}`];
    return [RequestText.format(data, style, place), ...next].join('\n');
  },
});

/** The next command. The service chose the id, so it is put into a command only if it is hexadecimal. */
function nextOf({ requestId, finished }: RequestDocument.RequestDocument): string | null {
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(requestId)) return null;
  return finished
    ? ShellCommand.line`ferry fees explain ${requestId}`
    : ShellCommand.line`ferry status ${requestId} --watch`;
}
