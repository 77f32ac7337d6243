import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as RequestDocument from '../core/history/RequestDocument.js';
import * as RequestPages from '../core/history/RequestPages.js';
import * as RequestQuery from '../core/history/RequestQuery.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as RequestSource from '../core/history/RequestSource.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as RequestText from '../core/view/RequestText.js';

const usualLimit = 20;

const list = define({
  description:
    'Lists requests from the service’s records, newest first: your own, those of --user, or with --all-users those of all users. With --json each request is a line in the format of ferry requests show, and the last line holds the count. A record that cannot be read is listed with the place in the service’s answer that is odd.',
  options: {
    user: { value: 'address', description: 'requests of this address (default: your account)' },
    account: {
      value: 'account',
      description: 'requests of this account: an address, a key’s name, or dev0 to dev9 on the sandbox',
    },
    allUsers: { short: 'A', description: 'requests of all users, as far as the service shows them' },
    status: { value: 'word', choices: RequestQuery.statuses, description: 'with this status' },
    type: { value: 'kind', choices: RequestQuery.kinds, description: 'of this type' },
    origin: { value: 'chain', description: 'paid on this chain' },
    destination: { value: 'chain', description: 'delivered on this chain' },
    currencyIn: { value: 'chain/token', description: 'paid in this currency' },
    currencyOut: { value: 'chain/token', description: 'delivered in this currency' },
    recipient: { value: 'address', description: 'delivered to this address' },
    referrer: { value: 'name', description: 'of this referrer, which must belong to your API key' },
    minUsd: { value: 'dollars', description: 'worth at least this much' },
    maxUsd: { value: 'dollars', description: 'worth at most this much' },
    since: { value: 'time', description: 'created since: 2026-09-01, 2026-09-01T12:00, or 7d (ago)' },
    until: { value: 'time', description: 'created until, in the same forms' },
    sort: { value: 'field', choices: RequestQuery.sorts, description: 'sort field (default: created)' },
    order: { value: 'way', choices: RequestQuery.orders, description: 'sort order (default: desc)' },
    filters: { value: 'json', description: 'the service’s own filters, as it documents them' },
    limit: { short: 'L', value: 'n', description: `maximum number of requests (default: ${usualLimit})` },
    all: { description: 'all requests, page by page' },
  },
  examples: [
    ['ferry requests list', 'your latest twenty'],
    ['ferry requests list --status failure --since 7d', 'what failed this week'],
    ['ferry requests list --all-users --currency-in alpha/usdc --min-usd 100', 'by currency and value'],
    ['ferry requests list --all --json | jq -r \'select(.type == "request") | .requestId\'', 'every id, in a script'],
    ['ferry requests list --filters \'[{"status":"failure"},{"status":"refund"}]\'', 'failed or refunded'],
  ],
  output: z.object({
    /** The number of requests listed. */
    listed: z.int(),
    /** The number of requests whose record could not be read; each has a line that says where it is odd. */
    unreadable: z.int(),
    /** Whether the service has more. */
    more: z.boolean(),
    /** The user whose requests were listed; null for all users. */
    user: z.nullable(z.string()),
    /** The version of the records endpoint that answered; v2 is deprecated and returns less. */
    version: z.enum(['v3', 'v2']),
  }),
  streams: true,
  async *run(options, context) {
    const { network, clock, warn } = context;
    const limit = limitOf(options);
    const user = await userOf(options, context);
    const query = RequestQuery.from(options, { network, user, nowMs: clock.now() });
    const source = RequestSource.from(context);
    const listing = RequestPages.run(query, source, limit);
    let step = await listing.next();
    while (!step.done) {
      const entry = step.value;
      if (entry.ok) yield { type: 'request', ...entry.request };
      else yield { type: 'unreadable', ...entry.unreadable };
      step = await listing.next();
    }
    const { unreadable } = step.value;
    if (unreadable > 0)
      warn(
        unreadable === 1
          ? 'One record of the service cannot be read. ferry status ID shows the status of its request.'
          : `${unreadable} records of the service cannot be read. ferry status ID shows the status of their requests.`,
      );
    return { ...step.value, user: user ?? null, version: source.version() ?? ('v3' as const) };
  },
  resultLine: (event, style, index) => {
    if (event.type !== 'request' && event.type !== 'unreadable') return undefined;
    const line = event.type === 'request' ? RequestText.line(event, style) : RequestText.unreadable(event, style);
    const heading = index === 0 ? RequestText.heading(style) : undefined;
    return heading === undefined ? line : `${heading}\n${line}`;
  },
  placed: true,
  view: ({ listed, unreadable }) => (listed + unreadable === 0 ? 'No requests.' : ''),
  note({ listed, unreadable, more, user }) {
    if (listed + unreadable === 0)
      return user === null ? undefined : `${user} has none; --all-users lists those of all users.`;
    return more ? `The service has more: use --limit ${(listed + unreadable) * 2} or --all.` : undefined;
  },
});

function limitOf({ limit, all }: { limit?: string | undefined; all?: boolean | undefined }): number {
  if (limit === undefined) return all ? Number.POSITIVE_INFINITY : usualLimit;
  if (all) throw new BaseError('usage.invalid', '--limit and --all cannot be combined.');
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new BaseError('usage.invalid', `"${TerminalText.escape(limit)}" is not a number of requests.`, {
      hint: 'Use --limit 100, or --all.',
    });
  return Number(limit);
}

/** The address whose requests to list; undefined for all users. @throws usage.* · auth.* · request.invalid-address */
async function userOf(
  options: { user?: string | undefined; account?: string | undefined; allUsers?: boolean | undefined },
  context: Context,
): Promise<string | undefined> {
  const given = [options.user && '--user', options.account && '--account', options.allUsers && '--all-users'];
  const flags = given.filter(Boolean);
  if (flags.length > 1)
    throw new BaseError('usage.invalid', `${flags.join(' and ')} cannot be combined: each selects a user.`);
  if (options.allUsers) return undefined;
  if (options.user !== undefined) return RequestQuery.party(options.user, 'user');
  try {
    return await context.watched();
  } catch (error) {
    if (error instanceof BaseError && error.code === 'auth.no-account')
      throw new BaseError(
        'usage.missing',
        `No account is configured on ${context.network.name}, so there are no requests of yours to list.`,
        {
          hint: 'Use --user ADDRESS, or --all-users for the requests of all users.',
          next: 'ferry requests list --all-users',
        },
      );
    throw error;
  }
}

const show = define({
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

export const commands = { list, show };
