import * as z from 'zod/mini';
import * as RequestsV2 from '../../core/api/RequestsV2.js';
import * as RequestsV3 from '../../core/api/RequestsV3.js';
import { inFile } from '../../core/base/Errors.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as FeeBill from '../../core/fees/FeeBill.js';
import * as FeeExpectation from '../../core/fees/FeeExpectation.js';
import * as FeeStatement from '../../core/fees/FeeStatement.js';
import * as RequestReference from '../../core/history/RequestReference.js';
import * as RequestSource from '../../core/history/RequestSource.js';
import * as UnreadableRecord from '../../core/history/UnreadableRecord.js';
import type { Network } from '../../core/network/Network.js';
import type { Expected } from '../../core/ports/UserFiles.js';
import * as Quote from '../../core/quote/Quote.js';
import type { Intent } from '../../core/quote/TransferIntent.js';
import * as FeesText from '../../core/view/FeesText.js';
import { accountOfIndex } from '../../transfer/findVenueAccount.js';
import * as quoteFile from '../../transfer/quoteFile.js';
import { pricingFlags, readPriced, requestQuote, warnOfPrice } from '../../transfer/transferOptions.js';

const flags = {
  ...pricingFlags,
  check: { description: 'exit 12 unless the fees add up and no more was charged than quoted' },
  tolerance: {
    value: 'limit',
    description:
      'with --check: how much more than quoted may be charged, a percentage of the input or dollars (default: 0.5%)',
  },
  strictSchedule: { description: 'with --check: the platform fee must match the schedule' },
} as const satisfies Flags;

export const command = define({
  description:
    'Explains what a transfer costs: each part of the price, what it is for and who receives it, costs that the breakdown leaves out, quoted against charged once the request is filled, and whether it all adds up. Takes a saved quote, a response or record of the service, a request id or run, or an amount and two currencies, which need no key.',
  args: [
    {
      name: 'what',
      description: '<amount> <from> <to>, or a file, or - for stdin, or a request id or run',
      names: 'bill',
      variadic: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry fees explain 100 alpha/usdc beta/eth', 'a new quote'],
    ['ferry fees explain 100 base/usdc arbitrum/usdc --network mainnet', 'a price, without any key'],
    ['ferry fees explain quote.json', 'a saved quote, offline'],
    ['ferry fees explain 0x17…', 'a request: quoted against charged'],
    ['ferry fees explain 1f2e3d', 'the same, by the run that made it'],
    ['ferry fees explain 0x17… --check --tolerance 0.1% --json', 'in CI: exit 12 if it does not add up'],
    ['ferry quote 1 alpha/eth beta/gull --json | ferry fees explain -', 'from a pipe'],
  ],
  output: z.extend(FeeStatement.schema, {
    /** The network of the request, or of the file. */
    network: z.string(),
  }),
  async run(options, context) {
    const subject = await readBill(options, context);
    const expectation = expectationOf(options);
    const statement = FeeStatement.from(subject.bill, { ...subject, expectation });
    if (expectation) for (const each of uncheckedWarnings(statement)) context.warn(each);
    return { ...statement, network: subject.network.name };
  },
  placed: ({ network }) => network,
  view: (statement, style) => FeesText.format(statement, style),
  outcome: ({ expectation }) => (expectation?.met === false ? 'expect.unmet' : undefined),
});

/** Warnings for what `--check` could not check, which is neither a pass nor a failure. */
function uncheckedWarnings({ checks, source, status, total }: FeeStatement.Statement): string[] {
  const unknown = checks.filter(({ verdict }) => verdict === 'cannot tell');
  return [
    ...unknown.map(({ check }) => `${check} could not be checked: figures are missing.`),
    ...(source === 'record' && total.difference === null
      ? [
          `Quoted and charged could not be compared: the request ${/^(refund|fail)/.test(status ?? '') ? `ended as "${status}"` : 'is not filled yet'}.`,
        ]
      : []),
  ];
}

/** What `--check` expects; each of its options implies `--check`. */
function expectationOf({
  check,
  tolerance,
  strictSchedule,
}: Options<typeof flags>): FeeExpectation.Expectation | undefined {
  if (!check && tolerance === undefined && !strictSchedule) return undefined;
  return {
    tolerance: tolerance === undefined ? FeeExpectation.initial : FeeExpectation.toleranceFrom(tolerance),
    isScheduleStrict: strictSchedule === true,
  };
}

export type Subject = {
  bill: FeeBill.FeeBill;
  network: Network;
  /** Whether the venue account to credit is active; undefined if the venue was not asked. */
  isActive: boolean | undefined;
};

const billed: Expected = {
  ...quoteFile.expected,
  hints: { missing: quoteFile.noTransfer, notPiped: 'ferry quote … --json | ferry fees explain -' },
};

/**
 * The bill of `<amount> <from> <to>`, of a request id or run, or of a file: a saved quote, a bare response or a record.
 *
 * @throws usage.* · request.* · service.* · quote.unreadable · auth.refused
 */
export async function readBill(options: Options<typeof pricingFlags>, context: Context): Promise<Subject> {
  const [first = '', ...more] = options.args;
  if (more.length > 0) return ofNewQuote(options, context);
  if (/^0x[0-9a-fA-F]{64}$/.test(first) || RequestReference.isOfRun(first)) {
    const bill = await ofRequest(await RequestReference.read(first, context.runs), context);
    return { bill, network: context.network, isActive: undefined };
  }
  const text = await context.files.read(first, billed);
  try {
    return await ofFile(quoteFile.json(text), context);
  } catch (error) {
    throw inFile(error, first);
  }
}

/** The bill of a new quote. For a venue deposit, also reads whether the account to credit is active. */
async function ofNewQuote(options: Options<typeof pricingFlags>, context: Context): Promise<Subject> {
  const intent = await readPriced(options, context);
  const { quote } = await requestQuote(intent, context);
  warnOfPrice([intent], context);
  const isDeposit = intent.destination.chain.vm === 'lvm';
  const account = isDeposit ? await accountOfIndex(intent.recipient, context) : undefined;
  return { bill: ofQuote(quote, intent), network: context.network, isActive: account?.isActive };
}

/** The bill of a request from the service's records, v3 or v2. @throws service.unknown-request */
async function ofRequest(
  requestId: string,
  context: Context,
  { isRetry = false }: { isRetry?: boolean } = {},
): Promise<FeeBill.FeeBill> {
  const source = RequestSource.reading(context, {
    v3: (record, of) => ({ id: record.id, bill: () => FeeBill.fromV3(record, of) }),
    v2: (record, of) => ({ id: record.id, bill: () => FeeBill.fromV2(record, of) }),
  });
  const { entries } = await source.page({ id: requestId, limit: 1 });
  const isSame = (id: string): boolean => id.toLowerCase() === requestId.toLowerCase();
  for (const entry of entries) {
    if (entry.ok && isSame(entry.request.id)) return entry.request.bill();
    if (!entry.ok && isSame(entry.unreadable.requestId ?? requestId))
      throw UnreadableRecord.unreadableRecord(entry.unreadable);
  }
  // Of a transaction, or of an order.
  const found = isRetry ? undefined : await RequestReference.find(requestId, RequestSource.from(context));
  if (found) return ofRequest(found.requestId, context, { isRetry: true });
  throw RequestReference.unknownRequest(requestId, context.network.name);
}

async function ofFile(value: unknown, context: Context): Promise<Subject> {
  const record = recordOf(value);
  if (record !== undefined) {
    const network = await quoteFile.networkWith(record.chainIds, context);
    return { bill: record.bill(network), network, isActive: undefined };
  }
  const file = quoteFile.fromJson(value);
  const network = await quoteFile.networkOf(file, context);
  if (file.kind === 'saved') {
    const { quote } = quoteFile.savedQuote(file, network, { seal: undefined, nowMs: 0, isReview: true });
    warnOfPrice([quote.intent], context);
    return { bill: ofQuote(quote, quote.intent), network, isActive: undefined };
  }
  // No fee depends on the least that arrives, which old answers do not state.
  const { details } = file.response;
  const currencyOut = { ...details.currencyOut, minimumAmount: details.currencyOut.minimumAmount ?? '0' };
  const answer = Quote.read({ ...file.response, details: { ...details, currencyOut } });
  const bill = FeeBill.fromAnswer(answer, { isGasless: undefined, appFees: [] });
  return { bill, network, isActive: undefined };
}

function ofQuote(quote: Quote.Quote, { gasless, appFees }: Intent): FeeBill.FeeBill {
  return FeeBill.fromAnswer(quote, {
    isGasless: gasless !== undefined,
    appFees: appFees.map(({ recipient, bps }) => ({ recipient, bps: String(bps) })),
  });
}

type Recorded = { chainIds: readonly number[]; bill(network: Network): FeeBill.FeeBill };

/** A record, v3 or v2, alone or as the only one of a response; undefined for anything else. */
function recordOf(value: unknown): Recorded | undefined {
  const list = z.safeParse(z.looseObject({ requests: z.tuple([z.unknown()]) }), value);
  const alone = list.success ? list.data.requests[0] : value;
  const old = z.safeParse(RequestsV2.record, alone);
  const { expandedPriceImpact, feesUsd, metadata } = (old.success && old.data.data) || {};
  // Old ones have the deprecated fees alone.
  if (old.success && (expandedPriceImpact || feesUsd || metadata)) {
    const { currencyIn, currencyOut } = metadata ?? {};
    const chainIds = idsOf([currencyIn?.currency?.chainId, currencyOut?.currency?.chainId]);
    return { chainIds, bill: (network) => FeeBill.fromV2(old.data, network) };
  }
  const record = z.safeParse(RequestsV3.record, alone);
  if (record.success && record.data.data?.fees) {
    const { origin, destination } = record.data.data.route?.quoted ?? {};
    const sides = [origin?.inputCurrency?.currency?.chainId, destination?.outputCurrency?.currency?.chainId];
    return { chainIds: idsOf(sides), bill: (network) => FeeBill.fromV3(record.data, network) };
  }
  // A record without fees is still none of the other kinds of file: its bill says what is missing.
  return old.success && old.data.data
    ? { chainIds: [], bill: (network) => FeeBill.fromV2(old.data, network) }
    : undefined;
}

function idsOf(ids: readonly (number | null | undefined)[]): number[] {
  return ids.filter((id) => typeof id === 'number');
}
