/** The test deployment of the service. It has little liquidity for swaps. Written by test/build/networks.mjs: change it there. */
import type { Network } from './Network.js';

export const network: Network = {
  name: 'testnet',
  baseUrl: 'https://api.testnets.relay.link',
  realMoney: false,
  venue: { baseUrl: 'https://testnet.zklighter.elliot.ai', signingChainId: 300 },
  chains: [
    {
      id: 11155111,
      name: 'sepolia',
      displayName: 'Sepolia',
      slug: 'sepolia',
      vm: 'evm',
      native: { symbol: 'ETH', name: 'Ether', address: '0x0000000000000000000000000000000000000000', decimals: 18 },
      rpcUrl: 'https://11155111.rpc.thirdweb.com',
      explorerUrl: 'https://sepolia.etherscan.io',
      contracts: {
        depository: '0x5Feab8dB4534F9F7E2669Bb260c57a01aD1c12e3',
        wrapped: '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14',
        batchExecutor: '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00',
      },
      tokens: [
        { symbol: 'WETH', name: 'Wrapped Ether', address: '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14', decimals: 18 },
        { symbol: 'USDC', name: 'USD Coin', address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', decimals: 6 },
      ],
    },
    {
      id: 84532,
      name: 'base-sepolia',
      displayName: 'Base Sepolia',
      slug: 'base-sepolia',
      vm: 'evm',
      native: { symbol: 'ETH', name: 'Ether', address: '0x0000000000000000000000000000000000000000', decimals: 18 },
      rpcUrl: 'https://sepolia.base.org',
      explorerUrl: 'https://sepolia.basescan.org',
      contracts: {
        depository: '0x5Feab8dB4534F9F7E2669Bb260c57a01aD1c12e3',
        wrapped: '0x4200000000000000000000000000000000000006',
        batchExecutor: '0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00',
      },
      tokens: [
        { symbol: 'WETH', name: 'Wrapped Ether', address: '0x4200000000000000000000000000000000000006', decimals: 18 },
        { symbol: 'USDC', name: 'USD Coin', address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', decimals: 6 },
      ],
    },
  ],
};
