import * as Address from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import * as ClaimableFees from '../../core/claims/ClaimableFees.js';
import * as ClaimDocument from '../../core/claims/ClaimDocument.js';
import * as ClaimExecution from '../../core/claims/ClaimExecution.js';
import * as ClaimProof from '../../core/claims/ClaimProof.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import * as SignedBatch from '../../core/gasless/SignedBatch.js';
import type * as Network from '../../core/network/Network.js';
import * as Currency from '../../core/quote/Currency.js';
import * as PriceOnly from '../../core/quote/PriceOnly.js';
import * as Place from '../../core/text/Place.js';
import * as EventText from '../../core/view/EventText.js';
import { keyFlags } from '../../transfer/transferOptions.js';

const flags = {
  amount: { type: 'string', value: 'amount', description: 'how much to claim, in units of the token (default: all)' },
  to: { type: 'string', value: 'address', description: 'who is paid (default: the wallet that earned the fees)' },
  account: {
    type: 'string',
    value: 'account',
    description: 'the wallet that earned the fees: a key’s name, its address, or dev0 to dev9 on the sandbox',
  },
  ...keyFlags,
  dryRun: { type: 'boolean', description: 'show what would be signed, and stop' },
  noWait: { type: 'boolean', description: 'exit once the service has accepted the claim' },
  timeout: { type: 'string', value: 'time', description: 'how long to wait for the payment (default: 5m)' },
  again: { type: 'boolean', description: 'claim even if an earlier claim is not paid yet' },
} as const satisfies Flags;

export const command = define({
  description:
    'Claims app fees: the wallet that earned them signs the claim’s id, the service pays, and ferry waits until your own node shows the payment. Costs no gas; the service takes that of its payment from the amount. The signature covers the id alone, so the amount and the recipient are the service’s word until they are on the chain; ferry signs nothing but such an id.',
  args: [
    {
      name: 'currency',
      description: 'the currency to claim, as chain/token (default: the only one there is)',
      optional: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry fees claim', 'everything, to the wallet that earned it'],
    [
      'ferry fees claim alpha/usdc --amount 25 --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      'a part, to another address',
    ],
    ['ferry fees claim --dry-run', 'show what would be signed'],
    ['ferry fees claim --yes --json', 'in a script'],
  ],
  output: ClaimDocument.schema,
  streams: true,
  pays: true,
  run,
  placed: true,
  view: ClaimDocument.format,
  logLine: EventText.format,
});

async function* run(
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, ClaimDocument.ClaimDocument> {
  const [typed] = options.args;
  const { network, place } = context;
  const named = typed === undefined ? undefined : Currency.parse(typed, network);
  const wallet = await context.sender();
  const recipient = options.to === undefined ? wallet : recipientFrom(options.to);
  const service = await context.service();
  const [received, signed] = await Promise.all([service.appFees(wallet), service.appFeeClaims(wallet)]);
  const earlier = ClaimableFees.fromClaims(signed);
  const open = ClaimableFees.openOf(earlier);
  if (open && !options.again) throw new OpenClaimError(open, wallet);
  const balance = ClaimableFees.choose(ClaimableFees.from(received, network), named, wallet);
  const currency = await currencyOf(balance, context);
  const amount = amountOf(options.amount, balance, currency);

  const node = await context.chain(currency.chain);
  ClaimProof.assertPlain(wallet, SignedBatch.delegateOf(await node.code(wallet)), currency.chain);
  const request = { chainId: currency.chain.id, currency: currency.token.address, recipient, amount: String(amount) };
  const answer = await service.prepareClaim(wallet, request);
  const provable = ClaimProof.check(
    answer,
    earlier.map(({ claimId }) => claimId),
  );
  const claim: ClaimExecution.Claim = { ...provable, wallet, recipient, currency, amount };
  if (options.dryRun) return ClaimDocument.from(claim, undefined);

  const units = `${Amount.format(amount, currency.token.decimals)} ${currency.token.symbol}`;
  await context.confirm(
    `On ${Place.inWords(network)}: sign claim ${claim.id} for ${units} on ${currency.chain.name}, to be paid to ${Place.withName(recipient, place)}? ${ClaimDocument.caveat}`,
  );
  const account = await context.account();
  const { clock, signal, warn, config } = context;
  const world = { service, node, account, clock, signal, warn };
  const patience = { wait: !options.noWait, timeoutMs: config.timeoutMs.value };
  return ClaimDocument.from(claim, yield* ClaimExecution.run(claim, world, patience));
}

function recipientFrom(text: string): Address.Address {
  const recipient = Address.from(text, 'recipient');
  if (PriceOnly.isNobody(recipient)) throw new PriceOnly.NobodyError('recipient');
  if (Address.isEqual(recipient, Address.native))
    throw new BaseError('request.invalid-address', 'The zero address cannot be paid.');
  return recipient;
}

/** The currency of a balance. The network must have its chain: the payment is looked up there. */
async function currencyOf(balance: ClaimableFees.Balance, context: Context): Promise<Currency.Currency> {
  const { network } = context;
  if (balance.currency === null) throw new ForeignChainError(balance, network);
  return await Currency.read(Currency.parse(balance.currency, network), context.chain);
}

/** Base units to claim. @throws request.* · submit.insufficient-balance */
function amountOf(typed: string | undefined, balance: ClaimableFees.Balance, { token }: Currency.Currency): bigint {
  const whole = BigInt(balance.amount);
  if (typed === undefined) return whole;
  const amount = Amount.from(typed, token.decimals);
  if (amount <= 0n) throw new Amount.InvalidAmountError(typed, 'The amount must be more than zero.');
  if (amount > whole)
    throw new BaseError('submit.insufficient-balance', 'The wallet has earned less than that.', {
      facts: [['app fees', ClaimableFees.inWords(balance)]],
      hint: 'Without --amount everything is claimed.',
    });
  return amount;
}

/** A claim that was signed before may still be paid. */
export class OpenClaimError extends BaseError {
  override name = 'OpenClaimError';
  constructor({ claimId, status, recipient }: ClaimableFees.Claim, wallet: string) {
    super('run.unfinished', 'An earlier claim of the wallet is not paid yet.', {
      facts: [
        ['claim', claimId],
        ['status', status],
        ...(recipient === null ? [] : ([['recipient', recipient]] as const)),
      ],
      hint: 'Wait for it, or use --again for a second claim.',
      next: `ferry fees balance ${wallet}`,
    });
  }
}

/** The fees are paid on a chain that the network does not have. */
export class ForeignChainError extends BaseError {
  override name = 'ForeignChainError';
  constructor(balance: ClaimableFees.Balance, { name }: Network.Network) {
    super('request.unknown-chain', `The fees are paid on a chain that the network ${name} does not have.`, {
      facts: [['app fees', ClaimableFees.inWords(balance)]],
      hint: 'Use the network that they were earned on.',
    });
  }
}
