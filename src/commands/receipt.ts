import { BaseError } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as Resumption from '../core/execution/Resumption.js';
import type * as Network from '../core/network/Network.js';
import type * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as ReceiptDocument from '../core/receipt/ReceiptDocument.js';
import * as ReceiptProof from '../core/receipt/ReceiptProof.js';
import * as ReceiptText from '../core/receipt/ReceiptText.js';
import * as JsonText from '../core/text/JsonText.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as Journal from '../core/tracking/Journal.js';
import { portsOf } from '../setup/receiptChecks.js';

export const command = define({
  description:
    'Makes a receipt of a delivered run: the order, its deposit, the events of what paid it out, and who showed each. Whoever is paid checks it with ferry verify at nodes of their own, and need trust neither the payer nor the service. It holds addresses and amounts, and nothing that can sign.',
  args: [{ name: 'run', description: 'the run id or its last characters' }],
  options: {
    output: { short: 'o', value: 'file', description: 'save the receipt, for ferry verify' },
  },
  examples: [
    ['ferry receipt 1f2e3d -o receipt.json', 'for whoever is paid, who types ferry verify receipt.json'],
    ['ferry receipt 1f2e3d --json | ferry verify -', 'made and checked'],
  ],
  output: ReceiptDocument.schema,
  async run({ args, output }, context) {
    const { id, state, problem } = await (await context.runs()).show(args[0] ?? '');
    if (!state) throw problem ?? notDelivered(id, 'unknown');
    Resumption.assertHere(state, { network: context.network, instance: await context.instance() });
    if (!state.quote || Journal.fundsOf(state) !== 'delivered')
      throw notDelivered(id, Journal.outOf(state) ?? Journal.fundsOf(state), Journal.isUnfinished(state));
    const quote = QuoteDocument.toQuote(state.quote.document, context.network);
    const document = await receiptOf(id, quote, state, context);
    if (output !== undefined) {
      const { name } = context.network;
      const envelope = { schema: 'ferry.receipt/1', ok: true, network: name, data: document, warnings: [] };
      await context.files.write(output, `${JsonText.document(envelope)}\n`);
    }
    return document;
  },
  view: ReceiptText.format,
  note: (_, { output }) => TerminalText.savedIn(output),
});

/** Reads what happened, and proves it as whoever is paid will. @throws service.* · verify.unverified */
async function receiptOf(
  run: string,
  quote: Quote.Quote,
  state: Journal.State,
  context: Context,
): Promise<ReceiptDocument.ReceiptDocument> {
  const { origin, destination } = quote.intent;
  const status = await (await context.service()).status(state.taken ?? quote.requestId);
  const paid = paidBy(state) ?? status.inTxHashes?.[0] ?? '';
  const ports = portsOf(context.network, context);
  const read = (chain: Network.Chain) => (hash: string) => transactionAt(chain, hash, ports);
  const deposit = await read(origin.chain)(paid);
  const hashes = status.txHashes ?? [];
  const fills = await Promise.all((hashes.length > 0 ? hashes : [paid]).map(read(destination.chain)));
  const draft = ReceiptDocument.from(quote, { run, deposit, fills, received: 0n, witnesses: [] });
  const { findings, payments = [] } = await ReceiptProof.check(draft, {}, ports);
  // A plain payment names no order: the receipt says so to whoever checks it.
  const missed = findings.filter(
    ({ check, verdict }) => verdict === 'mismatch' || (verdict === 'cannot verify' && check !== ReceiptProof.fillOrder),
  );
  if (missed.length > 0)
    throw new BaseError('verify.unverified', 'Your nodes do not show the whole transfer, so ferry makes no receipt.', {
      facts: missed.map(({ check, expected, found }) => [check, `expected ${expected}, found ${found}`] as const),
      hint: 'A node may lag or keep too little history: try again, or set another one.',
      next: ShellCommand.line`ferry runs show ${run}`,
      funds: 'delivered',
    });
  const witnesses = findings.flatMap(({ check, witnesses: who = [] }) =>
    who.length > 0 ? [{ fact: check, witnesses: [...who] }] : [],
  );
  return ReceiptDocument.from(quote, { run, deposit, fills, received: ReceiptProof.sum(payments), witnesses });
}

/** The transaction of the account, or its transfer on the venue, that paid; undefined if the service submitted it. */
function paidBy({ sent, steps, handed }: Journal.State): string | undefined {
  if (handed?.type === 'signed-transfer') return handed.txHash;
  const last = sent.get((steps?.length ?? 0) - 1);
  return last?.receipt?.txHash ?? last?.attempts.at(-1)?.txHash;
}

async function transactionAt(
  chain: Network.Chain,
  txHash: string,
  { node }: ReceiptProof.Ports,
): Promise<ReceiptDocument.Transaction> {
  const found = chain.vm === 'evm' ? await (await node(chain))?.receipt(txHash as Hex) : undefined;
  return {
    chainId: chain.id,
    txHash,
    blockNumber: found ? String(found.blockNumber) : null,
    logs: ReceiptDocument.toLogs(found?.logs ?? []),
  };
}

function notDelivered(run: string, funds: BaseError['funds'], isUnfinished = false): BaseError {
  return new BaseError('request.unsupported', 'The run is not delivered, so there is nothing to make a receipt of.', {
    facts: [['run', run]],
    next: isUnfinished ? ShellCommand.line`ferry resume ${run}` : ShellCommand.line`ferry runs show ${run}`,
    funds,
  });
}
