/** What a quote's two sides are worth by prices that are not the service's. */
import * as Asset from '../../network/Asset.js';
import * as Network from '../../network/Network.js';
import type { Answer } from '../../quote/Quote.js';
import * as Prices from './Prices.js';

/** The values are millionths of a dollar, or any common unit if both sides are the same asset. */
export type Valuation = {
  input: bigint;
  output: bigint;
  /** Whether the values are dollars. */
  isUsd: boolean;
  /** Where the prices are from. */
  source: string;
};

/** Of a quote's two sides: the assets, or why there are none. */
export type Sides = { input: string; output: string } | { why: string };

/** The assets of both sides, by shipped data. */
export function sidesOf(answer: Pick<Answer, 'response'>, network: Network.Network): Sides {
  const { currencyIn, currencyOut } = answer.response.details;
  const [input, output] = [currencyIn, currencyOut].map(({ currency }) => {
    const chain = Network.chainById(network, currency.chainId);
    return chain && Asset.of(chain, currency.address);
  });
  if (input !== undefined && output !== undefined) return { input, output };
  const side = input === undefined ? currencyIn : currencyOut;
  return { why: `ferry knows no price of ${side.currency.symbol ?? side.currency.address}` };
}

/** The assets whose prices a valuation needs; none if both sides are the same asset, or dollars. */
export function needed(sides: Sides): readonly string[] {
  if ('why' in sides || sides.input === sides.output) return [];
  return [sides.input, sides.output].filter((asset) => asset !== Asset.dollar);
}

/** Values both sides; the reason if that is impossible. */
export function from(
  answer: Pick<Answer, 'response' | 'input' | 'output'>,
  sides: Sides,
  prices: Prices.Prices,
): Valuation | { why: string } {
  if ('why' in sides) return sides;
  const { currencyIn, currencyOut } = answer.response.details;
  const decimals = [currencyIn.currency.decimals, currencyOut.currency.decimals];
  const [decimalsIn, decimalsOut] = decimals;
  if (typeof decimalsIn !== 'number' || typeof decimalsOut !== 'number') return { why: 'the decimals are not stated' };
  if (sides.input === sides.output) {
    const isUsd = sides.input === Asset.dollar;
    const most = Math.max(decimalsIn, decimalsOut, 6);
    const scaled = (amount: bigint, fine: number): bigint => amount * 10n ** BigInt(most - fine);
    const unit = isUsd ? 10n ** BigInt(most - 6) : 1n;
    return {
      input: scaled(answer.input, decimalsIn) / unit,
      output: scaled(answer.output, decimalsOut) / unit,
      isUsd,
      source: 'the amounts',
    };
  }
  const [input, output] = [sides.input, sides.output].map((asset) =>
    asset === Asset.dollar ? Prices.dollar : prices.get(asset),
  );
  const missing = [input, output].find((reading) => !Prices.isPrice(reading));
  if (!Prices.isPrice(input) || !Prices.isPrice(output))
    return { why: missing && 'why' in missing ? missing.why : 'no price feed was read' };
  const sources = [input, output].filter((_, index) => [sides.input, sides.output][index] !== Asset.dollar);
  return {
    input: worth(answer.input, decimalsIn, input),
    output: worth(answer.output, decimalsOut, output),
    isUsd: true,
    source: sources.map(({ source }) => source).join(' and '),
  };
}

/** Millionths of a dollar. */
function worth(amount: bigint, decimals: number, { answer, decimals: fine }: Prices.Price): bigint {
  return (amount * answer * 1_000_000n) / 10n ** BigInt(decimals + fine);
}
