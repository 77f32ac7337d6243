/** What a wallet can claim, in the network's own terms. */
import * as z from 'zod/mini';
import type * as AppFeeClaims from '../api/AppFeeClaims.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Usd from '../base/Usd.js';
import * as Network from '../network/Network.js';
import * as Currency from '../quote/Currency.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';

export type Balance = z.output<typeof row>;
export type Claim = z.output<typeof claimRow>;

/** A balance in one currency. */
export const row = z.object({
  /** The chain's name; null if the network has no such chain. */
  chain: z.nullable(z.string()),
  chainId: z.int(),
  /** `chain/token`, as a user types it; null if the network has no such chain. */
  currency: z.nullable(z.string()),
  address: z.string(),
  symbol: z.string(),
  /** Base units. */
  amount: z.string(),
  /** Units of the token; null if nobody says how many decimals it has. */
  formatted: z.nullable(z.string()),
  /** Dollars, as the service states them. */
  usd: z.nullable(z.string()),
});

/** A claim that was signed. */
export const claimRow = z.object({
  claimId: z.string(),
  /** The service's word: `pending`, `success`, `failure`; it may add words. */
  status: z.string(),
  recipient: z.nullable(z.string()),
  txHash: z.nullable(z.string()),
  /** ISO 8601. */
  createdAt: z.nullable(z.string()),
});

/** The balances with tokens as ferry knows them: a well-known token has its own symbol and decimals, whatever is said. */
export function from({ balances }: AppFeeClaims.Balances, network: Network.Network): Balance[] {
  return balances.map(({ currency, amount, amountUsd }) => {
    const chain = Network.chainById(network, currency.chainId);
    const known = chain && Network.token(chain, currency.address);
    const decimals = known?.decimals ?? currency.decimals ?? undefined;
    const usd = amountUsd == null ? undefined : Usd.from(amountUsd);
    return {
      chain: chain?.name ?? null,
      chainId: currency.chainId,
      currency: chain ? nameOf(chain, currency.address) : null,
      address: currency.address,
      symbol: known?.symbol ?? currency.symbol ?? 'unknown',
      amount,
      formatted: decimals === undefined || decimals > 255 ? null : Amount.format(BigInt(amount), decimals),
      usd: usd === undefined ? null : Usd.formatWire(usd),
    };
  });
}

export function fromClaims({ claims }: AppFeeClaims.Claims): Claim[] {
  return claims.map(({ claimId, status, recipient = null, txHash = null, createdAt = null }) => ({
    claimId,
    status,
    recipient,
    txHash,
    createdAt,
  }));
}

/**
 * The balance to claim: of the currency that the user names, or the only one.
 *
 * @throws submit.insufficient-balance if there is none · usage.missing if there are several
 */
export function choose(balances: readonly Balance[], typed: Currency.Unread | undefined, wallet: string): Balance {
  const there = balances.filter(({ amount }) => BigInt(amount) > 0n);
  const wanted = typed
    ? there.filter((each) => each.chainId === typed.chain.id && Address.isEqual(each.address, addressOf(typed)))
    : there;
  const [first, ...more] = wanted;
  if (!first) {
    const hasOthers = there.length > 0;
    throw new BaseError(
      'submit.insufficient-balance',
      hasOthers ? 'The wallet has no app fees in that currency.' : 'The wallet has no app fees to claim.',
      {
        facts: [
          ['wallet', wallet],
          ...there.map((each) => ['app fees', inWords(each)] as const),
          ...(typed && !hasOthers ? ([['asked for', `${typed.chain.name}/${addressOf(typed)}`]] as const) : []),
        ],
        hint: hasOthers
          ? 'They are claimed on the chain and in the currency that they accrued in.'
          : 'App fees accrue once a transfer that names the wallet with --app-fee is delivered.',
        next: hasOthers ? 'ferry fees claim' : 'ferry fees balance',
      },
    );
  }
  if (more.length > 0)
    throw new BaseError('usage.missing', 'The wallet has app fees in several currencies: name one.', {
      facts: wanted.map((each) => ['app fees', inWords(each)] as const),
      next: ShellCommand.line`ferry fees claim ${wanted[0]?.currency ?? ''}`,
    });
  return first;
}

/** A balance in a few words: `1.5 USDC on alpha`. */
export function inWords({ amount, formatted, symbol, chain, chainId }: Balance): string {
  return `${formatted ?? amount} ${TerminalText.escape(symbol)} on ${chain ?? `chain ${chainId}`}`;
}

function addressOf({ token }: Currency.Unread): string {
  return typeof token === 'string' ? token : token.address;
}

function nameOf(chain: Network.Chain, address: string): string {
  const known = Network.token(chain, address);
  return known ? Currency.format({ chain, token: known }) : `${chain.name}/${TerminalText.escape(address)}`;
}
