/** The immutable part of the chain of Solana's kind: its names, and what the solver pays out there. */
import { network } from '../../core/network/sandbox.js';
import type * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';

/** Dollars per SOL, in millionths, which price the fees of the chain. */
const solUsd = 150_000_000n;

export const svmDescription: Market.SvmChain = describe();

/** What lamports are worth, in millionths of a dollar. */
export function lamportsToUsd(lamports: bigint): bigint {
  return (lamports * solUsd) / 1_000_000_000n;
}

function describe(): Market.SvmChain {
  const chain = network.chains.find(({ vm }) => vm === 'svm');
  if (!chain) throw new Error('The network has no chain of this kind.');
  const { id, slug, displayName, native, tokens } = chain;
  return {
    ...{ vm: 'svm', id, slug, displayName },
    tokens: [native, ...tokens].map((token) => ({
      ...{ symbol: token.symbol, name: token.name, decimals: token.decimals },
      address: PartyAccount.key(token.address as PartyAccount.Key),
      ...{ priceUsd: token === native ? solUsd : 1_000_000n },
    })),
  };
}
