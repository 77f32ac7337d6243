import * as z from 'zod/mini';
import type { Context } from '../../context.js';
import { native } from '../../core/Address.js';
import type * as Execute from '../../core/contract/Execute.js';
import { BaseError } from '../../core/Errors.js';
import * as Follow from '../../core/Follow.js';
import * as Network from '../../core/Network.js';
import * as Progress from '../../core/Progress.js';
import * as RawCall from '../../core/RawCall.js';
import * as Replay from '../../core/Replay.js';
import * as ProgressText from '../../core/render/Progress.js';
import * as Text from '../../core/render/Text.js';
import { define, type Event, type Flags, type Options } from '../Command.js';

const flags = {
  chain: { type: 'string', value: 'name', description: 'the chain of the call' },
  to: { type: 'string', value: 'address', description: 'the contract to call' },
  data: { type: 'string', value: 'hex', description: 'the calldata' },
  value: { type: 'string', value: 'wei', description: 'the native amount sent along (default: 0)' },
  authorization: { type: 'strings', value: 'json', description: 'an EIP-7702 authorization; may be repeated' },
  destinationCall: {
    type: 'strings',
    value: 'to:value:data',
    description: 'a call on the destination; may be repeated',
  },
  destinationAuthorization: {
    type: 'strings',
    value: 'json',
    description: 'an authorization on the destination; may be repeated',
  },
  referrer: { type: 'string', value: 'name', description: 'the referrer that the service knows you by' },
  subsidizeFees: { type: 'boolean', description: 'the sponsor of the API key pays the fees' },
  requestId: { type: 'string', value: 'id', description: 'the quote that the call belongs to' },
  body: { type: 'string', value: 'file', description: 'the whole body instead, from a file or - for stdin' },
  replay: { type: 'boolean', description: 'hold a failed simulation against your own node' },
  noWait: { type: 'boolean', description: 'end when the service has taken it' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
} as const satisfies Flags;

export const command = define({
  description:
    'Has the service submit a raw call and pay its gas: POST /execute as it is specified. The body is checked here first, in the service’s own words. What the call does is yours to know: ferry proves quotes, not calls.',
  args: [],
  options: flags,
  examples: [
    ['ferry execute call --chain alpha --to 0x… --data 0x… --subsidize-fees', 'one call, sponsored'],
    ['ferry execute call --body body.json', 'a body that was made elsewhere'],
    ['ferry execute call --body - --json < body.json', 'in a script'],
  ],
  output: z.object({
    requestId: z.string(),
    /** The service's word; `sent` under --no-wait. */
    status: z.string(),
    funds: z.enum(['untouched', 'in-flight', 'returned', 'held', 'delivered', 'unknown']),
    message: z.string(),
    inTxHashes: z.array(z.string()),
    outTxHashes: z.array(z.string()),
  }),
  streams: true,
  async *run(options, context) {
    const request = await readRequest(options, context);
    await context.confirm(`Have the service call ${request.data.to} on chain ${request.data.chainId}?`);
    const { requestId, message } = await post(request, options.replay ?? false, context);
    yield { type: 'submitted', summary: 'The service took it', requestId } satisfies Event;
    const sent = { requestId, message, inTxHashes: [] as string[], outTxHashes: [] as string[] };
    if (options.noWait) return { ...sent, status: 'sent', funds: 'in-flight' as const };
    const { clock, signal, warn } = context;
    const world = { service: await context.service(), clock, signal, warn };
    const progress = yield* Follow.run(requestId, world, { timeoutMs: context.config.timeoutMs.value });
    return {
      ...sent,
      status: progress.status,
      funds: Progress.fundsOf(progress),
      inTxHashes: [...progress.inTxHashes],
      outTxHashes: [...progress.outTxHashes],
    };
  },
  view({ requestId, status, funds, inTxHashes, outTxHashes }, style) {
    const hashes = [...new Set([...inTxHashes, ...outTxHashes])];
    return Text.columns([
      [style.dim('Status'), `${style.bold(Text.escape(status))}  ${style.dim(funds)}`],
      ...hashes.map((hash) => [style.dim('Transaction'), Text.escape(hash)]),
      [style.dim('Request'), Text.escape(requestId)],
    ]);
  },
  outcome: (data) => Progress.codeOf(data),
  tell: ProgressText.format,
});

async function readRequest(options: Options<typeof flags>, context: Context): Promise<Execute.Request> {
  if (options.body !== undefined) return RawCall.check(json(await context.files.read(options.body)));
  return RawCall.from({
    chainId: options.chain === undefined ? undefined : Network.chain(context.network, options.chain).id,
    to: options.to,
    data: options.data,
    value: options.value ?? '0',
    authorizations: options.authorization,
    destinationCalls: options.destinationCall,
    destinationAuthorizations: options.destinationAuthorization,
    referrer: options.referrer ?? context.network.referrer,
    subsidizeFees: options.subsidizeFees ?? false,
    requestId: options.requestId,
  });
}

/** Posts once. A lost answer may have acted, and without a request id nobody can be asked. */
async function post(request: Execute.Request, replay: boolean, context: Context): Promise<Execute.Response> {
  const { network } = context;
  const service = await context.service();
  try {
    return await service.execute(request);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    if (replay && error.trace) {
      const node = await context.chain(Network.chain(network, String(request.data.chainId)));
      throw await Replay.compare(error, request.data, node, network.solver?.relayers?.[0] ?? native);
    }
    if (!context.signal.aborted && !lost.includes(error.code)) throw error;
    throw new LostAnswerError(request.requestId, error);
  }
}

const lost: readonly string[] = ['service.unreachable', 'service.timeout', 'service.unavailable', 'service.malformed'];

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BaseError('usage.invalid', 'The body is not JSON.');
  }
}

export class LostAnswerError extends BaseError {
  override name = 'LostAnswerError';
  constructor(requestId: string | undefined, cause: BaseError) {
    super('submit.unknown', 'The service may or may not have taken the call.', {
      facts: [['answer', cause.message]],
      hint: requestId
        ? 'Ask for its status before you send it again.'
        : 'Without a request id the service cannot be asked: look at the chain before you send it again.',
      next: requestId ? `ferry status ${requestId} --watch` : undefined,
      requestId,
      cause,
    });
  }
}
