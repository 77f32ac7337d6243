import * as Address from '../../core/base/Address.js';
import * as Amount from '../../core/base/Amount.js';
import { BaseError } from '../../core/base/Errors.js';
import * as ClaimableFees from '../../core/claims/ClaimableFees.js';
import * as ClaimProof from '../../core/claims/ClaimProof.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as Currency from '../../core/quote/Currency.js';
import * as PriceOnly from '../../core/quote/PriceOnly.js';

const flags = {
  amount: { value: 'amount', description: 'how much to claim, in units of the token (default: all)' },
  to: { value: 'address', description: 'who is paid (default: the wallet that earned the fees)' },
  account: {
    value: 'account',
    description: 'the wallet that earned the fees: a key’s name, its address, or dev0 to dev9 on the sandbox',
  },
  dryRun: { description: 'show what the service wants signed, as a result and not as an error' },
} as const satisfies Flags;

export const command = define({
  description:
    'Prepares a claim of app fees and shows what the service wants signed: 32 bytes that only the service can read. ferry does not sign them. They may as well be the hash of a transaction of a contract wallet that the key owns, on any chain.',
  args: [
    {
      name: 'currency',
      description: 'the currency to claim, as chain/token (default: the only one there is)',
      optional: true,
    },
  ],
  options: flags,
  examples: [
    ['ferry fees claim --dry-run', 'everything, to the wallet that earned it'],
    ['ferry fees claim alpha/usdc --amount 25 --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --dry-run', 'a part'],
  ],
  output: ClaimProof.schema,
  run,
  placed: true,
  view: ClaimProof.format,
});

async function run(options: Options<typeof flags>, context: Context): Promise<ClaimProof.ClaimDocument> {
  const [typed] = options.args;
  const { network } = context;
  const named = typed === undefined ? undefined : Currency.parse(typed, network);
  const wallet = await context.sender();
  const recipient = options.to === undefined ? wallet : recipientFrom(options.to);
  const service = await context.service();
  const received = await service.appFees(wallet);
  const balance = ClaimableFees.choose(ClaimableFees.from(received, network), named, wallet);
  const currency = await currencyOf(balance, context);
  const amount = amountOf(options.amount, balance, currency);

  const request = { chainId: currency.chain.id, currency: currency.token.address, recipient, amount: String(amount) };
  const id = ClaimProof.idOf(await service.prepareClaim(wallet, request));
  const claim: ClaimProof.Claim = { id, wallet, recipient, currency, amount };
  if (options.dryRun) return ClaimProof.from(claim);
  throw ClaimProof.opaqueClaim(claim);
}

function recipientFrom(text: string): Address.Address {
  const recipient = Address.from(text, 'recipient');
  if (PriceOnly.isNobody(recipient)) throw PriceOnly.ownedByNobody('recipient');
  if (Address.isEqual(recipient, Address.native))
    throw new BaseError('request.invalid-address', 'The zero address cannot be paid.');
  return recipient;
}

/** The currency of a balance. The network must have its chain: the payment is looked up there. */
async function currencyOf(balance: ClaimableFees.Balance, context: Context): Promise<Currency.Currency> {
  const { network } = context;
  if (balance.currency === null)
    throw new BaseError(
      'request.unknown-chain',
      `The fees are paid on a chain that the network ${network.name} does not have.`,
      {
        facts: [['app fees', ClaimableFees.inWords(balance)]],
        hint: 'Use the network that they were earned on.',
      },
    );
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
