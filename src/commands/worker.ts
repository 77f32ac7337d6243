import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as BatchText from '../core/view/BatchText.js';
import * as EventText from '../core/view/EventText.js';
import { workLines } from '../transfer/batches/workLines.js';

const count = SettingFormat.whole('a whole number from 1 to 999', /^[1-9]\d{0,2}$/);

export const command = define({
  description:
    'Carries out the batches in the store, beside other workers: each account pays one line after the other, at one worker at a time. What a worker that is gone has signed is finished, never signed again. On SIGTERM it begins nothing new, finishes what is under way and exits 0; a second one stops it between two steps, and another worker goes on.',
  options: {
    accounts: { value: 'a,b', description: 'the accounts whose keys it has (default: the configured account)' },
    concurrency: { value: 'n', description: 'how many accounts pay at the same time (default: 4)' },
    drainTimeout: { value: 'time', description: 'how long what is under way may take after SIGTERM (default: 60s)' },
    metrics: {
      value: 'host:port',
      description: 'serve /metrics for Prometheus, /healthz, /readyz and a page for a browser',
    },
    once: { description: 'exit when there is nothing to do' },
    submitters: { value: 'addresses', description: 'whose batches it takes, besides the account’s own' },
    recipients: { value: 'addresses', description: 'who it may pay (default: anybody)' },
    maxLine: { value: 'symbol=amount', description: 'the most that a line may pay: usdc=100,eth=0.5' },
    maxDay: { value: 'symbol=amount', description: 'the most that all lines of a day may pay' },
  },
  examples: [
    ['ferry worker', 'for the configured account, until it is stopped'],
    [
      'ferry worker --accounts dev1,dev2,dev3 --submitters 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --max-line usdc=100',
      'one submitter, lines up to 100 USDC',
    ],
    ['ferry worker --metrics 127.0.0.1:9464', 'with a page at http://127.0.0.1:9464/'],
    ['ferry worker --once --json', 'in a script: until there is nothing to do'],
  ],
  output: z.object({
    worker: z.string(),
    /** Lines that it paid. */
    done: z.int(),
    failed: z.int(),
    /** How often it left a line for later, or for somebody. */
    left: z.int(),
    seconds: z.number(),
  }),
  streams: true,
  pays: true,
  async *run(options, context) {
    const { config } = context;
    const { concurrency = '4', drainTimeout = '60s', once = false, metrics } = options;
    const workers = SettingFormat.option(count, concurrency, '--concurrency');
    const drainMs = SettingFormat.option(SettingFormat.duration, drainTimeout, '--drain-timeout');
    const trust = {
      submitters: config.submitters.value ?? [],
      recipients: config.recipients.value,
      maxLine: config.maxLine.value,
      maxDay: config.maxDay.value,
    };
    const accounts = await accountsOf(options.accounts, context);
    return yield* workLines({ accounts, concurrency: workers, drainMs, once, metrics, trust }, context);
  },
  view: ({ worker, done, failed, left }, style) =>
    `${style.green('✓')} ${TerminalText.escape(worker)}: ${done} done, ${failed} failed, ${left} left for later.`,
  logLine: (event, style) => (event.type === 'result' ? BatchText.line(event, style) : EventText.format(event, style)),
});

/** The names of the accounts, or the configured one. @throws usage.invalid · auth.no-account */
async function accountsOf(text: string | undefined, context: Context): Promise<readonly string[]> {
  if (text === undefined) return [context.config.account.value ?? (await context.sender())];
  const names = text.split(',').map((each) => each.trim());
  if (names.every((each) => SettingFormat.account.read(each))) return [...new Set(names)];
  throw new BaseError('usage.invalid', '--accounts must be names or addresses of accounts with commas between them.');
}
