import * as z from 'zod/mini';
import { BaseError } from '../core/Errors.js';
import * as Follow from '../core/Follow.js';
import * as Progress from '../core/Progress.js';
import * as RequestName from '../core/RequestName.js';
import * as ProgressText from '../core/render/Progress.js';
import * as Text from '../core/render/Text.js';
import { define } from './Command.js';

export const command = define({
  description:
    'Where a transfer is, and where its money is. The exit code says it too: 0 delivered, 7 refunded, 8 failed, 9 not finished.',
  args: [{ name: 'request', description: 'the request id that ferry quote and ferry execute print' }],
  options: {
    watch: { type: 'boolean', short: 'w', description: 'follow it to its end' },
    timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  },
  examples: [
    ['ferry status 0x17…', 'once'],
    ['ferry status 0x17… --watch --timeout 10m', 'until it is delivered, refunded or failed'],
    ['ferry status 0x17… --json | jq -r .data.funds', 'for a script: where the money is'],
  ],
  output: z.object({
    requestId: z.string(),
    /** The service's word. */
    status: z.string(),
    words: z.string(),
    funds: z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']),
    finished: z.boolean(),
    failReason: z.nullable(z.string()),
    refundFailReason: z.nullable(z.string()),
    details: z.nullable(z.string()),
    originChainId: z.nullable(z.int()),
    destinationChainId: z.nullable(z.int()),
    inTxHashes: z.array(z.string()),
    outTxHashes: z.array(z.string()),
    /** Unix time in milliseconds. */
    updatedAt: z.nullable(z.number()),
  }),
  streams: true,
  async *run(options, context) {
    const requestId = options.args[0] ?? '';
    if (!/^0x[0-9a-fA-F]{8,64}$/.test(requestId)) throw new InvalidRequestIdError(requestId);
    const service = await context.service();
    const { clock, signal, warn } = context;
    const progress = options.watch
      ? yield* Follow.run(requestId, { service, clock, signal, warn }, { timeoutMs: context.config.timeoutMs.value })
      : Progress.reduce(Progress.from(requestId), await service.status(requestId));
    if (progress.status === 'unknown') throw new RequestName.UnknownRequestError(requestId, context.network.name);
    const { seen: _, ...rest } = progress;
    return {
      ...rest,
      inTxHashes: [...rest.inTxHashes],
      outTxHashes: [...rest.outTxHashes],
      words: Progress.inWords(progress),
      funds: Progress.fundsOf(progress),
      finished: Progress.isTerminal(progress),
    };
  },
  view(data, style) {
    const rows = [
      ['Status', `${style.bold(Text.escape(data.status))}  ${style.dim(data.words)}`],
      ['Funds', data.funds],
      ...(data.failReason ? [['Reason', Text.escape(data.failReason)]] : []),
      ...(data.refundFailReason ? [['No refund', Text.escape(data.refundFailReason)]] : []),
      ...(data.details ? [['Details', Text.escape(data.details)]] : []),
      ...data.inTxHashes.map((hash) => ['Deposit', Text.escape(hash)]),
      ...data.outTxHashes.map((hash) => [data.funds === 'returned' ? 'Refund' : 'Fill', Text.escape(hash)]),
      ...(data.updatedAt === null ? [] : [['Updated', new Date(data.updatedAt).toISOString()]]),
      ['Request', Text.escape(data.requestId)],
    ];
    return Text.columns(rows.map(([label = '', value = '']) => [style.dim(label), value]));
  },
  outcome(data) {
    if (!data.finished) return 'track.unfinished';
    return Progress.codeOf(data);
  },
  tell: ProgressText.format,
});

export class InvalidRequestIdError extends BaseError {
  override name = 'InvalidRequestIdError';
  constructor(text: string) {
    super('usage.invalid', `"${Text.escape(text)}" is not a request id.`, {
      hint: 'A request id is 0x and 64 hexadecimal digits, as ferry quote and ferry execute print it.',
    });
  }
}
