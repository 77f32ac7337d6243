import * as z from 'zod/mini';
import { BaseError } from '../../core/base/Errors.js';
import { define } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as RequestPages from '../../core/history/RequestPages.js';
import * as RequestQuery from '../../core/history/RequestQuery.js';
import * as RequestSource from '../../core/history/RequestSource.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as RequestText from '../../core/view/RequestText.js';

const usualLimit = 20;

export const command = define({
  description:
    'Lists requests from the service’s records, newest first, as they come: your own, or those of --user, or everybody’s with --all-users. Under --json each request is a line, in the form that ferry requests show gives, and the last line says how many there were.',
  args: [],
  options: {
    user: { type: 'string', value: 'address', description: 'whose requests (default: your account’s)' },
    account: { type: 'string', value: 'name', description: 'whose: a key’s name, or dev0 to dev9 on the sandbox' },
    allUsers: { type: 'boolean', short: 'A', description: 'everybody’s, as far as the service shows them' },
    status: { type: 'string', value: 'word', choices: RequestQuery.statuses, description: 'where they stand' },
    type: { type: 'string', value: 'kind', choices: RequestQuery.kinds, description: 'what they do' },
    origin: { type: 'string', value: 'chain', description: 'paid on this chain' },
    destination: { type: 'string', value: 'chain', description: 'delivered on this chain' },
    currencyIn: { type: 'string', value: 'chain/token', description: 'paid in this currency' },
    currencyOut: { type: 'string', value: 'chain/token', description: 'delivered in this currency' },
    recipient: { type: 'string', value: 'address', description: 'delivered to this address' },
    referrer: { type: 'string', value: 'name', description: 'of this referrer, which must be one of your API key’s' },
    minUsd: { type: 'string', value: 'dollars', description: 'worth at least so much' },
    maxUsd: { type: 'string', value: 'dollars', description: 'worth at most so much' },
    since: { type: 'string', value: 'time', description: 'not before: 2026-09-01, 2026-09-01T12:00, or 7d ago' },
    until: { type: 'string', value: 'time', description: 'not after' },
    sort: { type: 'string', value: 'field', choices: RequestQuery.sorts, description: 'order by (default: created)' },
    order: { type: 'string', value: 'way', choices: RequestQuery.orders, description: 'which way (default: desc)' },
    filters: { type: 'string', value: 'json', description: 'the service’s own filters, as its documentation has them' },
    limit: { type: 'string', short: 'L', value: 'n', description: `at most so many (default: ${usualLimit})` },
    all: { type: 'boolean', description: 'every one, page after page' },
  },
  examples: [
    ['ferry requests list', 'your last twenty'],
    ['ferry requests list --status failure --since 7d', 'what failed this week'],
    ['ferry requests list --all-users --currency-in alpha/usdc --min-usd 100', 'by what was paid'],
    ['ferry requests list --all --json | jq -r \'select(.type == "request") | .requestId\'', 'every id, for a script'],
    ['ferry requests list --filters \'[{"status":"failure"},{"status":"refund"}]\'', 'failed or refunded'],
  ],
  output: z.object({
    /** How many were printed before this. */
    listed: z.int(),
    /** Whether the service has more. */
    more: z.boolean(),
    /** Whose; null for everybody’s. */
    user: z.nullable(z.string()),
    /** Which of the service’s records answered: v2 is deprecated and says less. */
    version: z.enum(['v3', 'v2']),
  }),
  streams: true,
  async *run(options, context) {
    const { network, clock, warn } = context;
    const limit = limitOf(options);
    const user = await userOf(options, context);
    const query = RequestQuery.from(options, { network, user, nowMs: clock.now() });
    const source = RequestSource.from({ service: await context.service(), network, warn });
    const listing = RequestPages.run(query, source, limit);
    let step = await listing.next();
    while (!step.done) {
      yield { type: 'request', ...step.value };
      step = await listing.next();
    }
    return { ...step.value, user: user ?? null, version: source.version() ?? ('v3' as const) };
  },
  resultLine: (event, style, index) => {
    if (event.type !== 'request') return undefined;
    const line = RequestText.line(event, style);
    return index === 0 ? `${RequestText.heading(style)}\n${line}` : line;
  },
  view: ({ listed }) => (listed === 0 ? 'No requests.' : ''),
  note({ listed, more, user }) {
    if (listed === 0) return user === null ? undefined : `These would be of ${user}; --all-users shows everybody’s.`;
    return more ? `The service has more: --limit ${listed * 2} or --all.` : undefined;
  },
});

function limitOf({ limit, all }: { limit?: string | undefined; all?: boolean | undefined }): number {
  if (limit === undefined) return all ? Number.POSITIVE_INFINITY : usualLimit;
  if (all) throw new BaseError('usage.invalid', '--limit and --all cannot be combined.');
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new BaseError('usage.invalid', `"${TerminalText.escape(limit)}" is not a number of requests.`, {
      hint: 'Say --limit 100, or --all.',
    });
  return Number(limit);
}

/** Undefined for everybody's. @throws usage.* · auth.* · request.invalid-address */
async function userOf(
  options: { user?: string | undefined; account?: string | undefined; allUsers?: boolean | undefined },
  context: Context,
): Promise<string | undefined> {
  const given = [options.user && '--user', options.account && '--account', options.allUsers && '--all-users'];
  const flags = given.filter(Boolean);
  if (flags.length > 1)
    throw new BaseError('usage.invalid', `${flags.join(' and ')} cannot be combined: each says whose requests.`);
  if (options.allUsers) return undefined;
  if (options.user !== undefined) return RequestQuery.party(options.user, 'user');
  try {
    return await context.sender();
  } catch (error) {
    if (error instanceof BaseError && error.code === 'auth.no-account') throw new NobodyError(context.network.name);
    throw error;
  }
}

export class NobodyError extends BaseError {
  override name = 'NobodyError';
  constructor(network: string) {
    super('usage.missing', `Whose requests? No account is configured on ${network}.`, {
      hint: 'Say --user ADDRESS, or --all-users for everybody’s.',
      next: 'ferry requests list --all-users',
    });
  }
}
