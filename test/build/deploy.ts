/**
 * Deploys contracts and liquidity and funds all accounts of a fresh chain, in one block. What comes out is what a chain of
 * the sandbox begins with: `genesis.json`, written by `npm test -- test/sandbox/contracts.test.ts -u`.
 */
import { gunzipSync } from 'node:zlib';

import { concatHex, encodeAbiParameters, encodeFunctionData, numberToHex, parseEther } from 'viem';
import type { Address } from '../../src/core/base/Address.js';
import type { Hex } from '../../src/core/base/Hex.js';
import { gasPrice } from '../../src/sandbox/chain/anvil.js';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { type Deployment, type Token, units } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import bytecode from './bytecode.json' with { type: 'json' };
import runtime from './runtime.json' with { type: 'json' };

const { dev0, dev1, dev2, dev3, dev4, dev5, dev6, dev7, dev8, dev9, deployer, solver, allocator } = accounts;

/** Whole tokens per account, and whole WETH. */
const funds: readonly Holding[] = [
  ...[dev0, dev1, dev2, dev3, dev4, dev5, dev6, dev7, dev8, dev9].map(({ address }) => ({
    holder: address,
    whole: 1_000_000n,
    wholeWeth: 100n,
  })),
  { holder: solver.address, whole: 1_000_000_000n, wholeWeth: 1_000_000n },
];

type Holding = { holder: Address; whole: bigint; wholeWeth: bigint };

/** ETH enough to back all WETH and to pay for any fill. */
const ampleEth = parseEther('100000000');

/** Fixed gas limits, to avoid estimates. All transactions fit into one block. */
const gas = { create: 3_000_000n, call: 120_000n };

/** What stands at an address when a chain begins, as anvil has it: numbers in hexadecimal, and what is not zero alone. */
export type GenesisAccount = { balance: Hex; nonce?: Hex; code?: Hex; storage?: Record<Hex, Hex> };

/**
 * Deploys and funds everything on an anvil that has nothing yet. Resolves to its accounts by address.
 *
 * @throws if a transaction was not mined or reverted
 */
export async function deploy(url: string, deployment: Deployment): Promise<Record<Address, GenesisAccount>> {
  const transactions = [...creations(deployment), ...fundings(deployment)];
  await nodeRpc.call(url, 'evm_setAutomine', false);
  const wallets = Object.values(accounts).map(({ address }) => address);
  await nodeRpc.callAll(
    url,
    wallets.flatMap((address) => [setBalance(address, parseEther('10000')), ['anvil_impersonateAccount', address]]),
  );
  await nodeRpc.callAll(url, [
    setBalance(deployment.minter, ampleEth),
    setBalance(solver.address, ampleEth),
    // dev9 is an account that holds tokens but cannot pay for gas.
    setBalance(dev9.address, 0n),
    // No key could deploy to these addresses.
    setCode(deployment.batchExecutor, runtime.BatchExecutor),
    setCode(deployment.multicall3, runtime.Multicall3),
    setCode(deployment.aggregator, runtime.AggregationRouter),
    setCode(deployment.swapExecutor, runtime.SwapExecutor),
    setCode(deployment.universalRouter, runtime.UniversalRouter),
    setCode(deployment.cheat, runtime.Cheat),
  ]);
  await nodeRpc.callAll(url, toRequests(transactions));
  await nodeRpc.call(url, 'evm_mine');
  const receipts = (await nodeRpc.call(url, 'eth_getBlockReceipts', 'latest')) as readonly { status: string }[];
  const succeeded = receipts.filter((receipt) => receipt.status === '0x1').length;
  if (succeeded < transactions.length) throw new Error(`Only ${succeeded} of ${transactions.length} succeeded.`);

  const dump = Buffer.from(String(await nodeRpc.call(url, 'anvil_dumpState')).slice(2), 'hex');
  type Dumped = { accounts: Record<Address, { balance: Hex; nonce: number; code: Hex; storage: Record<Hex, Hex> }> };
  const dumped = JSON.parse(gunzipSync(dump).toString()) as Dumped;
  return Object.fromEntries(
    Object.entries(dumped.accounts).map(([address, { balance, nonce, code, storage }]) => [
      address,
      {
        balance,
        ...(nonce > 0 && { nonce: numberToHex(nonce) }),
        ...(code !== '0x' && { code }),
        ...(Object.keys(storage).length > 0 && { storage }),
      },
    ]),
  );
}

type Transaction = { from: Address; to?: Address; data: Hex; value?: bigint; gas: bigint };
/** Ordered: addresses depend on the deployer's nonce. */
function creations({
  depository,
  router,
  delegationManager,
  minter,
  tokens,
  pools,
}: Deployment): readonly Transaction[] {
  const createPool = ({ token0, token1, feeBps }: Deployment['pools'][number]): Transaction =>
    create(minter, 'Pool', ['address', 'address', 'uint256'], [token0, token1, feeBps]);
  const poolOf = (symbol: 'WETH' | 'GULL') => pools.find(({ token0 }) => token0 === tokens[symbol].address)?.address;
  const createFeed = (pool: Address | undefined, description: string): Transaction =>
    create(deployer.address, 'PriceFeed', ['address', 'uint256', 'string'], [pool, 18, description]);
  const [first, last] = [pools.slice(0, -1), pools.slice(-1)];
  return [
    create(deployer.address, 'Depository', ['address'], [allocator.address]),
    create(deployer.address, 'Router'),
    create(deployer.address, 'ApprovalProxy', ['address'], [router]),
    create(deployer.address, 'DelegationManager'),
    create(deployer.address, 'Delegator', ['address'], [delegationManager]),
    create(deployer.address, 'Forwarder'),
    create(deployer.address, 'Reverter'),
    create(minter, 'WETH9'),
    create(minter, 'UsdCoin'),
    create(minter, 'Tether'),
    createToken(minter, tokens.DAI),
    createToken(minter, tokens.GULL),
    ...first.map(createPool),
    createToken(minter, tokens.KELP),
    ...last.map(createPool),
    createFeed(poolOf('WETH'), 'ETH / USD'),
    createFeed(poolOf('GULL'), 'GULL / USD'),
    create(deployer.address, 'DepositAddressFactory', ['address'], [depository]),
  ];
}

function fundings(deployment: Deployment): readonly Transaction[] {
  const { minter, tokens, pools } = deployment;
  const { WETH, ...minted } = tokens;
  const credits: readonly (readonly [token: Address, to: Address, amount: bigint])[] = [
    ...pools.flatMap(({ address, token0, token1, liquidity0, liquidity1 }) => [
      [token0, address, liquidity0] as const,
      [token1, address, liquidity1] as const,
    ]),
    ...funds.flatMap(({ holder, whole, wholeWeth }) => [
      [WETH.address, holder, units(WETH, wholeWeth)] as const,
      ...Object.values(minted).map((token) => [token.address, holder, units(token, whole)] as const),
    ]),
  ];
  const wrapped = credits.reduce((sum, [token, , amount]) => (token === WETH.address ? sum + amount : sum), 0n);
  return [
    call(minter, WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), wrapped),
    ...credits.map(([token, to, amount]) =>
      call(
        minter,
        token,
        // WETH is never minted: the minter deposits ETH once and transfers the WETH.
        encodeFunctionData({
          abi: abi.token,
          functionName: token === WETH.address ? 'transfer' : 'mint',
          args: [to, amount],
        }),
      ),
    ),
  ];
}

function createToken(from: Address, { name, symbol, decimals }: Token): Transaction {
  return create(from, 'Token', ['string', 'string', 'uint8'], [name, symbol, decimals]);
}

function create(
  from: Address,
  contract: keyof typeof bytecode,
  types: readonly string[] = [],
  values: readonly unknown[] = [],
): Transaction {
  const parameters = encodeAbiParameters(
    types.map((type) => ({ type })),
    values,
  );
  return { from, data: concatHex([bytecode[contract] as Hex, parameters]), gas: gas.create };
}

function call(from: Address, to: Address, data: Hex, value = 0n): Transaction {
  return { from, to, data, value, gas: gas.call };
}

/** Assigns nonces here because the node may process the batch in any order. */
function toRequests(transactions: readonly Transaction[]): readonly nodeRpc.Call[] {
  const nonces = new Map<Address, number>();
  return transactions.map(({ from, to, data, value = 0n, gas }) => {
    const nonce = nonces.get(from) ?? 0;
    nonces.set(from, nonce + 1);
    return [
      'eth_sendTransaction',
      {
        from,
        to,
        data,
        nonce: numberToHex(nonce),
        value: numberToHex(value),
        gas: numberToHex(gas),
        maxFeePerGas: numberToHex(gasPrice.maxFeePerGas),
        maxPriorityFeePerGas: numberToHex(gasPrice.maxPriorityFeePerGas),
      },
    ];
  });
}

function setBalance(holder: Address, wei: bigint): nodeRpc.Call {
  return ['anvil_setBalance', holder, numberToHex(wei)];
}

function setCode(address: Address, code: string): nodeRpc.Call {
  return ['anvil_setCode', address, code];
}
