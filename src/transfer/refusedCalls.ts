/** What the user's own node says of calls on arrival that the service has refused: the service says little. */
import { BaseError, type Fact } from '../core/base/Errors.js';
import type { Context } from '../core/command/Context.js';
import * as ArrivalCalls from '../core/proof/router/ArrivalCalls.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import { plain } from '../core/text/TerminalStyle.js';
import * as CallText from '../core/view/CallText.js';

/** Adds to the refusal of a quote which call reverts, and why, if a node of the destination shows it. */
export async function explainRefusedCalls(
  thrown: unknown,
  intent: TransferIntent.Intent,
  context: Context,
): Promise<unknown> {
  const { calls, destination } = intent;
  if (!(thrown instanceof BaseError) || calls.length === 0 || !isRevert(thrown)) return thrown;
  const refusal = thrown.with({
    hint: 'Nothing was signed. A call on arrival would revert, and with it the whole delivery.',
  });
  const node = await Promise.resolve(context.chain(destination.chain)).catch(() => undefined);
  const solver = context.network.solver?.addresses[0];
  if (!node || !solver) return refusal;
  for (let count = 1; count <= calls.length; count++) {
    // The calls before the one that reverts succeed without it.
    const tried = { intent: { ...intent, calls: calls.slice(0, count) }, quote: { output: intent.amount } };
    const findings = await ArrivalCalls.observe(tried, node, solver);
    const reverting = findings.find(({ verdict, found }) => verdict === 'mismatch' && found.startsWith('it reverts'));
    const call = calls[count - 1];
    if (!reverting || !call) continue;
    const text = CallText.format({ ...call, value: String(call.value) }, plain);
    const facts: Fact[] = [
      [`call ${count}`, `${call.to} ${text}`],
      [`at the node of ${destination.chain.name}`, reverting.found],
    ];
    return refusal.with({ facts: [...refusal.facts, ...facts] });
  }
  return refusal;
}

function isRevert({ code, facts }: BaseError): boolean {
  return code === 'service.refused' && facts.some(([label, value]) => label === 'code' && value === failedCode);
}

const failedCode = 'DESTINATION_TX_FAILED';
