/** Names for the contracts in a trace, by address. They are for display only and decide nothing. */
import { type Address, isEqual } from '../base/Address.js';
import type { Chain, Network } from '../network/Network.js';

/** Names by lowercase address. */
export type Names = ReadonlyMap<string, string>;

/** The names of contracts on the given chains. An address with two different names gets none. */
export function from(network: Network, chains: readonly Chain[]): Names {
  const names = new Map<string, string>();
  const clashing = new Set<string>();
  const own = network.name === 'sandbox' ? sandbox : {};
  for (const chain of chains)
    for (const [address, name] of [...contracts(chain), ...Object.entries({ ...own.any, ...own[chain.name] })]) {
      const key = address.toLowerCase();
      const known = names.get(key);
      if (known !== undefined && known !== name) clashing.add(key);
      names.set(key, name);
    }
  for (const key of clashing) names.delete(key);
  for (const [address, name] of Object.entries(everywhere)) names.set(address.toLowerCase(), name);
  return names;
}

/** Whether an address is an Ethereum precompile. Precompiles take raw bytes and have no functions. */
export function isPrecompile(address: string): boolean {
  return address.startsWith(nearlyZero) && /^(0[1-9a-f]|1[01])$/i.test(address.slice(nearlyZero.length));
}

const nearlyZero = `0x${'0'.repeat(38)}`;

function contracts({ contracts: { depository, router, approvalProxy, wrapped }, tokens }: Chain): [string, string][] {
  const placed: readonly (readonly [Address | undefined, string])[] = [
    [depository, 'Depository'],
    [router, 'Router'],
    [approvalProxy, 'ApprovalProxy'],
    [wrapped, tokens.find(({ address }) => wrapped && isEqual(address, wrapped))?.symbol ?? 'Wrapped'],
  ];
  return [
    ...placed.flatMap(([address, name]): [string, string][] => (address ? [[address, name]] : [])),
    ...tokens.map(({ address, symbol }): [string, string] => [address, symbol]),
  ];
}

/** Contracts with the same address on every chain. */
const everywhere: Readonly<Record<Address, string>> = {
  '0xcA11bde05977b3631167028862bE2a173976CA11': 'Multicall3',
  '0x000000000022D473030F116dDEE9F6B43aC78BA3': 'Permit2',
  '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00': 'Calibur',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032': 'EntryPoint',
  '0x0000000000000000000000000000000000000001': 'ECRecover',
  '0x0000000000000000000000000000000000000002': 'SHA256',
  '0x0000000000000000000000000000000000000003': 'RIPEMD160',
  '0x0000000000000000000000000000000000000004': 'Identity',
  '0x0000000000000000000000000000000000000005': 'ModExp',
  '0x0000000000000000000000000000000000000006': 'ECAdd',
  '0x0000000000000000000000000000000000000007': 'ECMul',
  '0x0000000000000000000000000000000000000008': 'ECPairing',
  '0x0000000000000000000000000000000000000009': 'Blake2F',
  '0x000000000000000000000000000000000000000a': 'PointEvaluation',
};

/** Contracts of the sandbox that appear in no quote, by chain. */
const sandbox: Readonly<Record<string, Readonly<Record<Address, string>>>> = {
  any: {
    '0xD89c1432EaA169C54dC7610C744c68a2F4b6B3e5': 'DelegationManager',
    '0x4425918ff69Fe214AC093710cF41216AE9149c3A': 'Delegator',
    '0x58c1c343c185Aa5CD3c2Cc1c2b7d7bD055F1bf98': 'Forwarder',
    '0x749d20D85555330d20862770b58a72939285c42a': 'Reverter',
    '0x5c4A427Fbc88c761db3887d88606D97D32e95c3B': 'Feed ETH/USD',
    '0xcA88B57549db9f89C1f9D3603b4e04A15242e100': 'Feed GULL/USD',
  },
  alpha: {
    '0xF8f7754dACc9F8f4293C21476d920DE9Ba11F22e': 'Pool WETH/USDC',
    '0x45a4ad99d85173469525ad61842eD6Dc75926Bb0': 'Pool USDT/USDC',
    '0xacC09486C9e34aa1Dff13b2E64d5482A3648D018': 'Pool DAI/USDC',
    '0x8E6c252223A9E220B72339D13fb57668694feEff': 'Pool GULL/USDC',
    '0x5904E6E3fB62b1fdaFfF6D40575cC0c9B4E8EB56': 'Pool KELP/USDC',
  },
  beta: {
    '0x71EF432a9BDB258732972e86427b42853E238f6a': 'Pool WETH/USDC',
    '0x7E7A0E795e14a11E62b20efAEC48407003BFdc8F': 'Pool USDT/USDC',
    '0x40cca3dA6ceAd6DaDa9e9fFc4c06e9039791876A': 'Pool DAI/USDC',
    '0x59BA6340a85e311f8f43071372De1d0f5fB90dc4': 'Pool GULL/USDC',
    '0xe0983CeDD797b38090E6dcde54Af88aA6eB22EDc': 'Pool KELP/USDC',
  },
};
