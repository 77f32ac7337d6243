/** What the sides of a quote are worth by prices that are not the service's. */
import * as Network from '../../network/Network.js';
import type { Answer } from '../../quote/Quote.js';
import * as Prices from './Prices.js';

/** The values are millionths of a dollar, or any common unit if both sides are the same asset. */
export type Valuation = {
  input: bigint;
  output: bigint;
  /** Whether the values are dollars. */
  isUsd: boolean;
  /** What the input is worth in millionths of a dollar; undefined if no price feed of it was read. */
  inputUsd?: bigint | undefined;
  /** Where the prices are from. */
  source: string;
};

/** An amount in base units, and what it is an amount of by shipped data; a reason stands for what ferry does not know. */
export type Sum = { amount: bigint; asset: string; decimals: number } | { why: string };

/** What is paid, and what is had for it. */
export type Pair = { input: Sum; output: Sum };

type WireCurrency = Answer['response']['details']['currencyIn']['currency'];

/** An amount of a currency. The user's own currencies are compared with their decimals elsewhere. */
export function sumOf(amount: bigint, currency: WireCurrency, network: Network.Network): Sum {
  const chain = Network.chainById(network, currency.chainId);
  const token = chain && Network.tokenAt(chain, currency.address);
  if (token?.asset === undefined) return { why: `ferry knows no price of ${currency.symbol ?? currency.address}` };
  if (typeof currency.decimals !== 'number') return { why: 'the decimals are not stated' };
  return { amount, asset: token.asset, decimals: token.decimals };
}

/** Both sides of a quote: its input, and what is expected to arrive. */
export function sidesOf(answer: Pick<Answer, 'response' | 'input' | 'output'>, network: Network.Network): Pair {
  const { currencyIn, currencyOut } = answer.response.details;
  return {
    input: sumOf(answer.input, currencyIn.currency, network),
    output: sumOf(answer.output, currencyOut.currency, network),
  };
}

/** The assets whose prices a valuation needs; none if both sides are the same asset, or dollars. */
export function needed({ input, output }: Pair): readonly string[] {
  if ('why' in input || 'why' in output || input.asset === output.asset) return [];
  return [input.asset, output.asset].filter((asset) => asset !== Network.dollar);
}

/** Values both sides; the reason if that is impossible. */
export function from({ input, output }: Pair, prices: Prices.Prices): Valuation | { why: string } {
  if ('why' in input) return input;
  if ('why' in output) return output;
  if (input.asset === output.asset) {
    const isUsd = input.asset === Network.dollar;
    const most = Math.max(input.decimals, output.decimals, 6);
    const unit = isUsd ? 10n ** BigInt(most - 6) : 1n;
    const scaled = ({ amount, decimals }: { amount: bigint; decimals: number }): bigint =>
      (amount * 10n ** BigInt(most - decimals)) / unit;
    const price = isUsd ? Prices.dollar : prices.get(input.asset);
    const inputUsd = Prices.isPrice(price) ? worth(input, price) : undefined;
    return { input: scaled(input), output: scaled(output), isUsd, inputUsd, source: 'the amounts' };
  }
  const [paid, had] = [input, output].map(({ asset }) =>
    asset === Network.dollar ? Prices.dollar : prices.get(asset),
  );
  const missing = [paid, had].find((reading) => !Prices.isPrice(reading));
  if (!Prices.isPrice(paid) || !Prices.isPrice(had))
    return { why: missing && 'why' in missing ? missing.why : 'no price feed was read' };
  const sources = [paid, had].filter((price) => price !== Prices.dollar);
  const inputUsd = worth(input, paid);
  return {
    input: inputUsd,
    output: worth(output, had),
    isUsd: true,
    inputUsd,
    source: sources.map(({ source }) => source).join(' and '),
  };
}

/** Millionths of a dollar. */
function worth(
  { amount, decimals }: { amount: bigint; decimals: number },
  { answer, decimals: fine }: Prices.Price,
): bigint {
  return (amount * answer * 1_000_000n) / 10n ** BigInt(decimals + fine);
}
