import type * as Execute from '../../core/api/Execute.js';
import { BaseError } from '../../core/base/Errors.js';
import { define, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as RunOpening from '../../core/execution/RunOpening.js';
import * as CallDocument from '../../core/gasless/CallDocument.js';
import * as RawCall from '../../core/gasless/RawCall.js';
import * as Network from '../../core/network/Network.js';
import type { Expected } from '../../core/ports/UserFiles.js';
import * as TransferIntent from '../../core/quote/TransferIntent.js';
import * as JsonKeys from '../../core/text/JsonKeys.js';
import * as JsonText from '../../core/text/JsonText.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as TransferStatus from '../../core/tracking/TransferStatus.js';
import { callFlags, executeCall } from '../../transfer/executeCall.js';
import { startRun, withJournal } from '../../transfer/journalledRun.js';
import { expected } from '../../transfer/quoteFile.js';

export const command = define({
  description:
    'Has the service submit a raw call and pay its gas, by POST /execute. ferry checks the body by the service’s rules, records it in the journal and posts it once. What the call does is your responsibility: ferry proves quotes, not calls.',
  options: callFlags,
  examples: [
    ['ferry execute call --chain alpha --to 0x… --data 0x… --subsidize-fees', 'one call, sponsored'],
    ['ferry execute call --body body.json', 'a body made by another tool'],
    ['ferry execute call --body - --json < body.json', 'in a script'],
  ],
  output: CallDocument.schema,
  streams: true,
  pays: true,
  async *run(options, context) {
    const request = await readRequest(options, context);
    const run = yield* startRun(
      (place) => RunOpening.fromCall(request, context.network, place),
      { name: 'execute call', options },
      context,
    );
    return yield* withJournal(run, executeCall(run, request, options, context), context);
  },
  placed: true,
  view: CallDocument.format,
  outcome: (data) => TransferStatus.codeOf(data),
});

const body: Expected = {
  ...expected,
  what: 'body',
  hints: {
    missing: 'Type the path of a JSON file, or the call itself: --chain, --to and --data.',
    notPiped: 'ferry execute call --body - --json < body.json',
  },
};

async function readRequest(options: Options<typeof callFlags>, context: Context): Promise<Execute.Request> {
  if (options.body !== undefined) return RawCall.check(json(await context.files.read(options.body, body)));
  const chain = options.chain === undefined ? undefined : Network.chain(context.network, options.chain);
  if (chain) TransferIntent.assertOrigin({ chain });
  return RawCall.from({
    chainId: chain?.id,
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

function json(text: string): unknown {
  const value = JsonText.read(text);
  if (value === undefined) throw new BaseError('usage.invalid', 'The body is not JSON.');
  const twice = JsonKeys.repeated(text);
  if (twice === undefined) return value;
  throw new BaseError('usage.invalid', 'The body has a key twice in one object.', {
    facts: [['key', TerminalText.escape(twice)]],
  });
}
