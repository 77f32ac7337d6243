/**
 * The sandbox: two EVM chains and one of Solana's kind on this machine. Contract addresses are the same in every
 * sandbox, because the same accounts deploy the same contracts in the same order. The URLs of the service and the
 * chains are known once it runs.
 */
import type { Address } from '../base/Address.js';
import * as ChainRow from './ChainRow.js';
import type { Chain, Contracts, Network } from './Network.js';

const contracts = {
  depository: '0xfbfbfDdd6e35dA57b7B0F9a2C10E34Be70B3A4E9',
  router: '0x10Aeafac83d48E2f9ac4bAAf94311c45fACe1404',
  approvalProxy: '0xCABEe62adFB2a4d4172Fc2F7536f324FC52C274a',
  // Not deployed but placed at the address that it has on every public chain.
  batchExecutor: '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00',
  // Likewise, at an address that they have on public chains.
  kyberSwap: '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5',
  universalRouter: '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af',
  depositFactory: '0x8fFbf6bED8E989688A9BF15203697F87CB63Dd2A',
  depositImplementation: '0x199D494a870212874b235463B52faE4F987a2089',
} as const satisfies Contracts;

/** KELP has none: its price is the service's word alone. */
const feeds: Chain['feeds'] = {
  ETH: { address: '0x5c4A427Fbc88c761db3887d88606D97D32e95c3B', decimals: 8, heartbeat: 3600 },
  GULL: { address: '0xcA88B57549db9f89C1f9D3603b4e04A15242e100', decimals: 8, heartbeat: 3600 },
};

export const network: Network = {
  name: 'sandbox',
  baseUrl: undefined,
  realMoney: false,
  apiKey: 'sandbox-key',
  referrer: 'sandbox-referrer',
  solver: {
    chainSlug: 'alpha',
    addresses: ['0x71bE63f3384f5fb98995898A86B02Fb2426c5788'],
    relayers: ['0xFABB0ac9d68B0B445fB7357272Ff202C5651694a'],
  },
  venue: {
    baseUrl: undefined,
    signingChainId: 313373,
    // Of dev0 to dev4, and of dev6.
    accounts: {
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266': '100',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8': '101',
      '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc': '102',
      '0x90f79bf6eb2c4f870365e785982e1f101e93b906': '103',
      '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65': '104',
      '0x976ea74026e726554db657fa54763abd0c3a0aa9': '106',
    },
  },
  chains: [
    evmChain(313371, 'alpha', 'Alpha', {
      weth: '0xd0F350b13465B5251bb03E4bbf9Fa1DbC4a378F3',
      usdc: '0xa27bC320252d51EEAA24BCCF6cc003979E485860',
      usdt: '0x920bE130B50Dc729e778C8b4DcFE5A94D733AbF6',
      dai: '0xfBECbd548B8BdA886BA45cA496C89C9227a51d4F',
      gull: '0xB40a90fdB0163cA5C82D1959dB7e56B50A0dC016',
      kelp: '0x2e7663a37789dD74484773275F722A7944480A08',
    }),
    evmChain(313372, 'beta', 'Beta', {
      weth: '0x538D2755B5Fb9A4f7c5769bdcf5103E569D6E241',
      usdc: '0x2bC4bda66711B1CEC35AC6492eC2d8d90A17D6e5',
      usdt: '0x198c46853A9050A236bD0990bCeb99FD72D69F39',
      dai: '0x7016805f0f1aB369A1e308038Db22EEfe3d4b49f',
      gull: '0xB7B759dBFE611c61d456F3D4C670a74b79853213',
      kelp: '0x5b153c8e24ca62436eF836a1F179DD8ADe2D5aCD',
    }),
    ChainRow.venue(['7']),
    ChainRow.toOther([
      313374,
      'svm',
      'SVM',
      'svm',
      ['SOL', 'Solana', '11111111111111111111111111111111', 9],
      [['USDC', 'USD Coin', 'CraSYD7pfXDSKeVSAhLhcaLaSjwTntaNqbc6ztqLieAC', 6, 'USD']],
      undefined,
      undefined,
    ]),
  ],
};

type EvmTokens = Record<'weth' | 'usdc' | 'usdt' | 'dai' | 'gull' | 'kelp', Address>;

function evmChain(id: number, name: string, displayName: string, tokens: EvmTokens): Chain {
  const rows: readonly ChainRow.TokenRow[] = [
    ['WETH', 'Wrapped Ether', tokens.weth, 18, 'ETH'],
    ['USDC', 'USD Coin', tokens.usdc, 6, 'USD'],
    ['USDT', 'Tether USD', tokens.usdt, 6, 'USD'],
    ['DAI', 'Dai Stablecoin', tokens.dai, 18, 'USD'],
    ['GULL', 'Gull', tokens.gull, 18, 'GULL'],
    ['KELP', 'Kelp', tokens.kelp, 18],
  ];
  const native = ['ETH', 'Ether', 18, 'ETH'] as const;
  const chain = ChainRow.toChain([id, name, displayName, contracts, native, undefined, undefined, 'WETH', rows]);
  return { ...chain, feeds };
}
