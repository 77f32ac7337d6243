/** Submits a batch to the store: every line is checked first, then all are written with one signature over them. */
import { BaseError } from '../../core/base/Errors.js';
import { once } from '../../core/base/Once.js';
import * as BatchLine from '../../core/batch/BatchLine.js';
import * as BatchMistakes from '../../core/batch/BatchMistakes.js';
import type { Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import { apiKeysOf } from '../../core/network/Network.js';
import * as RateLimit from '../../core/network/RateLimit.js';
import type { TextLine } from '../../core/ports/UserFiles.js';
import * as Currency from '../../core/quote/Currency.js';
import * as Place from '../../core/text/Place.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import * as BatchSeal from '../../core/worker/BatchSeal.js';
import type { SubmittedLine } from '../../core/worker/BatchStore.js';
import * as Estimate from '../../core/worker/Estimate.js';
import { checkExecution } from '../executeTransfer.js';
import { partiesOf } from '../transferOptions.js';
import { createLineContexts, currencyReader, lineFormat } from './batch.js';

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @throws usage.* · batch.* · store.* · auth.* · prompt.declined */
export async function submitBatch(
  {
    file,
    name,
    account,
    hold,
    priority,
  }: {
    file: string;
    name: string;
    account: string | undefined;
    hold: boolean;
    priority: number;
  },
  context: Context,
): Promise<{ isNew: boolean; estimate: Estimate.Estimate }> {
  if (!nameForm.test(name))
    throw new BaseError('usage.invalid', '--name must be up to 64 letters, digits, dots, dashes and underscores.', {
      hint: 'It names the batch for good: payroll-2026-11.',
    });
  const { network, config } = context;
  const batches = await context.batches();
  const instance = (await context.instance()) ?? null;
  // A batch of no instance would be one that no worker finds: the service says why it does not answer.
  if (context.network.name === 'sandbox' && instance === null) await (await context.service()).chains();
  const payerOf = createPayerReader(account, context);
  const source = await context.files.reread(file, lineFormat);
  try {
    const { sealed, byAccount, chainId } = await readAll(source.lines(), { file, payerOf, context });
    const { lines, blocks, digest } = sealed;
    if (lines === 0)
      throw new BaseError('batch.unreadable', `${TerminalText.escape(file)} has no lines.`, {
        hint: `A line looks like this: ${BatchLine.example}`,
      });
    const header = { name, network: network.name, instance, store: await batches.store(), lines, digest };
    const perMinute = config.rateLimit.value ?? RateLimit.published.quote ?? Number.POSITIVE_INFINITY;
    const estimate = Estimate.from(byAccount, perMinute, Math.max(1, apiKeysOf(network).length));
    context.waiting('');
    await context.confirm(
      `On ${Place.inWords(network)}: submit ${TerminalText.count(lines, 'line')} of ${TerminalText.count(byAccount.size, 'account')} as ${name}? It takes ${Estimate.format(estimate)}.`,
    );
    const signer = await context.account();
    const signature = await signer.signMessage(BatchSeal.message(header), chainId);
    const state = hold ? 'paused' : 'ready';
    const batch = { ...header, submitter: signer.address, signature, state, priority } as const;
    const writing = async function* (): AsyncGenerator<SubmittedLine, void> {
      let n = 0;
      // Every line was checked and signed at the first reading.
      for await (const raw of source.lines()) {
        const line = BatchLine.again(raw);
        const { payer } = await payerOf(line);
        yield { n: n++, id: line.id, digest: line.digest, account: payer, doc: raw.text };
      }
    };
    const result = await batches.submit(batch, blocks, writing());
    return { isNew: result === 'new', estimate };
  } finally {
    source.close();
  }
}

type PayerOf = (line: BatchLine.BatchLine) => Promise<{ payer: string; typed: Options; within: Context }>;

/** Tells who pays a line. */
function createPayerReader(account: string | undefined, context: Context): PayerOf {
  const contextOf = createLineContexts({ args: [], ...(account === undefined ? {} : { account }) } as Options, context);
  const known = new WeakMap<Context, { payer: string; within: Context }>();
  return async (line) => {
    const { typed, within: shared } = contextOf(line);
    let paying = known.get(shared);
    if (!paying) {
      // Keys are at the workers: here an address is enough.
      const within = { ...shared, sender: once(shared.watched), signer: once(shared.signer) };
      const parties = await partiesOf(typed, within);
      if (!parties)
        throw new BaseError(
          'auth.unknown-account',
          `Nobody knows the address that pays line ${line.number} before its key is unlocked.`,
          {
            hint: 'Name the account by its address.',
          },
        );
      paying = { payer: parties.payer.toLowerCase(), within };
      known.set(shared, paying);
    }
    return { typed, ...paying };
  };
}

type All = {
  sealed: ReturnType<ReturnType<typeof BatchSeal.create>['end']>;
  /** The number of lines of each account. */
  byAccount: ReadonlyMap<string, number>;
  /** The chain that the first line pays on. */
  chainId: number;
};

/** @throws batch.unreadable, with every mistake that is known without the service */
async function readAll(
  lines: AsyncIterable<TextLine>,
  { file, payerOf, context }: { file: string; payerOf: PayerOf; context: Context },
): Promise<All> {
  const seal = BatchSeal.create();
  const byAccount = new Map<string, number>();
  const currency = currencyReader(context);
  const read = BatchLine.createReader('execute', file);
  let chainId: number | undefined;
  let mistakes = BatchMistakes.none;
  for await (const raw of lines) {
    context.signal.throwIfAborted();
    let id: string | undefined;
    try {
      const line = read(raw);
      const { payer, typed, within } = await payerOf(line);
      id = line.id;
      await checkExecution(typed, within, currency);
      chainId ??= Currency.parse(line.from, context.network).chain.id;
      seal.add({ id: line.id, digest: line.digest, account: payer });
      byAccount.set(payer, (byAccount.get(payer) ?? 0) + 1);
    } catch (error) {
      if (!BatchMistakes.isOne(error)) throw error;
      mistakes = BatchMistakes.add(mistakes, { number: raw.number, id, error });
    }
  }
  BatchMistakes.assertNone(mistakes);
  return { sealed: seal.end(), byAccount, chainId: chainId ?? 0 };
}
