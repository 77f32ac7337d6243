/** Currencies: a token on a chain, written `chain/token` by the user. */
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import * as Network from '../network/Network.js';
import type { Chain } from '../ports/Ports.js';
import { nearest } from '../text/DidYouMean.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';

/** A token on a chain. */
export type Currency = { chain: Network.Chain; token: Network.Token };

/** A currency whose token may be just an address, its symbol and decimals not yet read from the chain. */
export type Unread = { chain: Network.Chain; token: Network.Token | Address.Address };

/**
 * Parses `base/usdc`, `8453/0x8335…` or `lighter/usdc`. A symbol must be one of ferry's well-known tokens. An address
 * that is not among them is returned as an address, for `read` to complete.
 *
 * @throws request.invalid-currency · request.unknown-chain · request.unknown-token · request.invalid-address
 */
export function parse(text: string, network: Network.Network): Unread {
  const [chainText, tokenText, ...rest] = text.split('/');
  if (!chainText || !tokenText || rest.length > 0) {
    const example = `${network.chains[0]?.name ?? 'base'}/usdc`;
    const isAmount = /^\d[\d.,]*$/.test(text);
    throw new BaseError('request.invalid-currency', `"${text}" is not a currency.`, {
      hint: isAmount
        ? `One amount, without spaces, stands before the currencies: 1500 ${example}.`
        : `Write a currency as chain/token, for example ${example}.`,
      next: isAmount ? undefined : 'ferry tokens',
    });
  }
  const chain = Network.chain(network, chainText);
  const token = Network.token(chain, tokenText);
  if (token) return { chain, token };
  if (chain.vm === 'evm' && /^0x/i.test(tokenText)) return { chain, token: Address.from(tokenText, 'token') };
  throw unknownToken(chain, tokenText);
}

/** How many characters of a symbol or a name are shown that a contract chooses. */
const longest = 32;

/**
 * Completes a currency: reads the symbol, name and decimals of an unknown token from its contract.
 *
 * @param nodeOf the node of a chain, called only if the contract must be read
 * @throws chain.*
 */
export async function read(
  { chain, token }: Unread,
  nodeOf: (chain: Network.Chain) => Pick<Chain, 'token'> | Promise<Pick<Chain, 'token'>>,
): Promise<Currency> {
  if (typeof token !== 'string') return { chain, token };
  const node = await nodeOf(chain);
  const { symbol, name, decimals } = await node.token(token);
  return {
    chain,
    token: {
      address: token,
      symbol: TerminalText.brief(symbol, longest),
      name: TerminalText.brief(name, longest),
      decimals,
    },
  };
}

/** The currency as a user would type it: `alpha/usdc`, or with an address if the token is not well known. */
export function format({ chain, token }: Currency): string {
  const known = Network.token(chain, token.symbol);
  const name = known && Address.isEqual(known.address, token.address) ? token.symbol.toLowerCase() : token.address;
  return `${chain.name}/${name}`;
}

/** An amount in base units, for a person: `1.5 USDC`. */
export function inWords(base: bigint, { decimals, symbol }: Pick<Network.Token, 'decimals' | 'symbol'>): string {
  return `${Amount.format(base, decimals)} ${symbol}`;
}

/** Whether the currency is the chain's native asset. */
export function isNative({ chain, token }: Currency): boolean {
  return Address.isEqual(chain.native.address, token.address);
}

/** The symbol is not a well-known token of the chain. */
function unknownToken(chain: Network.Chain, text: string): BaseError {
  const symbols = [chain.native, ...chain.tokens].map((t) => t.symbol);
  // One letter in place of another makes the name of another token: USDS is not USDC.
  const near = nearest(
    text,
    symbols.filter((symbol) => symbol.length !== text.length || lettersOf(symbol) === lettersOf(text)),
  );
  const meant = near && `Did you mean ${chain.name}/${near.toLowerCase()}?`;
  const others =
    chain.vm === 'evm' ? 'Any token can be named by its address.' : 'ferry knows no other token of this chain.';
  return new BaseError('request.unknown-token', `Unknown token "${text}" on ${chain.name}.`, {
    facts: [['tokens', symbols.join(', ')]],
    hint: meant ? `${meant} ${others}` : others,
    next: ShellCommand.line`ferry tokens ${chain.name}`,
  });
}

function lettersOf(symbol: string): string {
  return [...symbol.toLowerCase()].sort().join('');
}
