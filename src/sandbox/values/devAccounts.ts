/**
 * The sandbox's accounts: the first twenty of the well-known development mnemonic `test test test test test test test
 * test test test test junk`. Listed here because deriving them takes longer than starting both chains.
 */
import type { Address } from '../../core/base/Address.js';
import { addresses, key } from '../../core/network/DevelopmentAccount.js';

export type Account = {
  address: Address;
  privateKey: `0x${string}`;
};

/** Those after dev0 to dev9, which are for users. dev9 holds tokens but no ETH. */
const own = {
  // Deploys the contracts that have the same address on both chains.
  deployer: '0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897',
  // Fills and refunds.
  solver: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
  // Submits gasless transactions.
  relayer: '0xa267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1',
  // Authorizes withdrawals from the depository.
  allocator: '0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd',
  // Pays the fees that an app sponsors.
  sponsor: '0xc526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa',
  // Receives the fees of swaps that run in the user's own transaction.
  feeCollector: '0x8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61',
  // Deploys alpha's tokens and pools, and mints.
  alphaTokens: '0xea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0',
  // Deploys beta's tokens and pools, and mints.
  betaTokens: '0x689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd',
  // Unused.
  spare18: '0xde9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0',
  spare19: '0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e',
} as const;

export type Name = `dev${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}` | keyof typeof own;

const users = addresses.slice(0, 10).map((_, index) => [`dev${index}`, key(index)] as const);

export const accounts = Object.fromEntries(
  [...users, ...Object.entries(own)].map(([name, privateKey], index) => {
    const account: Account = { address: addresses[index] as Address, privateKey };
    return [name, account];
  }),
) as Readonly<Record<Name, Account>>;
