/** A transfer from what was typed to its end: what `ferry execute`, a batch and `ferry smoke` have in common. */

import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import type * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import { askMissing, isPartial } from './askMissing.js';
import { carryOut, executionFlags, type Task } from './executeQuote.js';
import type { LineOf } from './journalledRun.js';
import { readQuoteFile } from './quoteFile.js';
import { askQuote, batchFlags, capFlags, intentFlags, keyFlags, readCaps, readIntent } from './transferOptions.js';

export const executeFlags = {
  ...intentFlags,
  ...capFlags,
  ...keyFlags,
  ...executionFlags,
  ...batchFlags,
} as const satisfies Flags;

/**
 * A transfer, from its quote to its end.
 *
 * @throws whatever `ferry execute` ends with
 */
export async function* execute(
  options: Options<typeof executeFlags>,
  context: Context,
  line?: LineOf | undefined,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const args = isPartial(options.args) ? await askMissing(options.args, options, context) : options.args;
  const whole = { ...options, args };
  return yield* carryOut(await readTask(whole, context), whole, context, 'execute', line);
}

/**
 * The quote of a file, or a new one. A file older than may be executed is quoted anew for the same intent: what it
 * promised at least, and what it cost, are the caps of the new one.
 */
async function readTask(options: Options<typeof executeFlags>, context: Context): Promise<Task> {
  const [first = '', ...more] = options.args;
  if (more.length > 0) {
    const intent = await readIntent(options.args, options, context);
    assertOnChain(intent);
    const caps = readCaps(options, context, intent);
    return {
      origin: intent.origin.chain,
      ask: async () => ({ ...(await askQuote(intent, context)), caps, findings: [] }),
    };
  }
  const { quote, digest } = await readQuoteFile(first, context);
  const { intent } = quote;
  assertOnChain(intent);
  const caps = readCaps(options, context, intent);
  const findings = [digest];
  return {
    origin: intent.origin.chain,
    async ask() {
      if (!Quote.isExpired(quote, context.clock.now(), caps.maxAgeMs))
        return { quote, caps, baseUrl: context.network.baseUrl, findings };
      context.warn(
        'The saved quote is too old. ferry asks for a new one and holds it to the minimum and the fees of the old.',
      );
      return { ...(await askQuote(intent, context)), caps: Verification.capsOf(quote, caps), findings };
    },
  };
}

/** @throws request.unsupported where an account of the venue pays */
function assertOnChain(intent: TransferIntent.Intent): void {
  if (intent.origin.chain.vm !== 'evm') throw new WithdrawalError(intent);
}

export class WithdrawalError extends BaseError {
  override name = 'WithdrawalError';
  constructor({ destination }: TransferIntent.Intent) {
    const { chain, token } = destination;
    super(
      'request.unsupported',
      'A withdrawal from the venue is signed by an API key of the account, with its own command.',
      {
        next: `ferry venue withdraw <amount> ${chain.name}/${token.symbol.toLowerCase()}`,
      },
    );
  }
}
