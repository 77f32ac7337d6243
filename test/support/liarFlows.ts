/** The ways to pay, each by somebody new, and what the chains and the venue truly show of it. */
import { join } from 'node:path';
import { type Hex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, keccak256, parseAbi, stringToBytes } from 'viem/utils';
import type { Address } from '../../src/core/base/Address.js';
import { native } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { attacker } from './mutations.js';
import { ask, balanceAt, receiptAt } from './node.js';
import type { TestSandbox } from './sandbox.js';
import { usdcOf } from './venueBooks.js';
import type { Lie, Party } from './witnesses.js';

/** What is true of a transfer, in base units. */
export type Truth = {
  /** What the payer has left of the input. */
  held: bigint;
  /** What the recipient has of the output. */
  got: bigint;
  /** The payer's native asset. */
  native: bigint;
  /** Everything of the attacker. */
  loot: bigint;
};

/** A transfer that is about to be made. */
export type Transfer = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  truth(): Promise<Truth>;
};

export type Flow = {
  name: string;
  /** Base units that leave the payer, besides what others charge. */
  asked: bigint;
  /** What the venue charges. */
  charge: bigint;
  prepare(sandbox: TestSandbox): Promise<Transfer>;
  /** What is done honestly before a file is altered, for flows in which files are the witnesses. */
  begin?: Begin;
};

export type Begin = {
  party: 'quote file' | 'state folder';
  argv(transfer: Transfer, folder: string): readonly string[];
  /** What goes wrong meanwhile, so that something is left to do. */
  trouble?: Lie;
  /** The command that reads the file. */
  next(run: string, folder: string, transfer: Transfer): readonly string[];
};

const usdc = (chain: 'alpha' | 'beta'): Address =>
  (Network.token(Network.chain(network, chain), 'usdc')?.address ?? native) as Address;

let made = 0;

/** Somebody who was never seen before. */
function somebody(): { address: Address; privateKey: `0x${string}` } {
  made += 1;
  const privateKey = keccak256(stringToBytes(`somebody ${made}`));
  return { address: privateKeyToAccount(privateKey).address, privateKey };
}

async function loot({ rpcUrls, ...rest }: TestSandbox): Promise<bigint> {
  const { address } = attacker;
  const all = [
    balanceAt(rpcUrls.alpha, usdc('alpha'), address),
    balanceAt(rpcUrls.beta, usdc('beta'), address),
    balanceAt(rpcUrls.alpha, native, address),
    balanceAt(rpcUrls.beta, native, address),
    usdcOf(rest, 103),
  ];
  return (await Promise.all(all)).reduce((sum, each) => sum + each, 0n);
}

const chained = (name: string, flags: readonly string[], wei: bigint): Flow => ({
  name,
  asked: 10_000_000n,
  charge: 0n,
  async prepare(sandbox) {
    const { alpha, beta } = sandbox.rpcUrls;
    const [payer, recipient] = [somebody(), somebody().address];
    const data = encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 amount)']),
      args: [payer.address, 50_000_000n],
    });
    const funding = { from: accounts.dev7.address, to: usdc('alpha'), data };
    await receiptAt(alpha, (await ask(alpha, 'eth_sendTransaction', funding)) as Hex);
    if (wei > 0n) await ask(alpha, 'anvil_setBalance', payer.address, toHex(wei));
    return {
      argv: ['execute', '10', 'alpha/usdc', 'beta/usdc', '--recipient', recipient, ...flags],
      env: { FERRY_PRIVATE_KEY: payer.privateKey },
      truth: async () => ({
        held: await balanceAt(alpha, usdc('alpha'), payer.address),
        got: await balanceAt(beta, usdc('beta'), recipient),
        native: await balanceAt(alpha, native, payer.address),
        loot: await loot(sandbox),
      }),
    };
  },
});

const cutOff = (party: Party, key: string, nth?: number): Lie => {
  return { party, key, nth, acts: false, tell: () => 'cut off' };
};

const resumed = (flow: Flow, name: string, trouble: Lie): Flow => ({
  ...flow,
  name: `resumed ${name}, ${flow.name}`,
  begin: {
    party: 'state folder',
    argv: ({ argv }) => [...argv, '--timeout', '1s'],
    trouble,
    next: (run) => ['resume', run],
  },
});

const ownGas = chained('own gas', [], 10n ** 18n);
const gasless = chained('gasless', ['--gasless'], 0n);
const permit = chained('permit', ['--permit'], 0n);

export const flows: readonly Flow[] = [
  {
    ...ownGas,
    name: 'saved quote',
    begin: {
      party: 'quote file',
      argv: ({ argv }, folder) => ['quote', ...argv.slice(1), '-o', join(folder, 'quote.json')],
      next: (_, folder) => ['execute', join(folder, 'quote.json')],
    },
  },
  resumed(ownGas, 'unsent', cutOff('alpha', 'eth_sendRawTransaction', 2)),
  resumed(ownGas, 'unfollowed', cutOff('service', 'GET /intents/status/v3')),
  resumed(gasless, 'unsent', cutOff('service', 'POST /execute')),
  resumed(permit, 'unsent', cutOff('service', 'POST /execute/permits')),
  ownGas,
  gasless,
  permit,
  {
    name: 'venue deposit',
    asked: 10_000_000n,
    charge: 0n,
    prepare: async (sandbox) => {
      const { alpha } = sandbox.rpcUrls;
      const { address } = accounts.dev0;
      return {
        argv: ['execute', '10', 'alpha/usdc', 'lighter/usdc', '--account', 'dev0'],
        env: {},
        truth: async () => ({
          held: await balanceAt(alpha, usdc('alpha'), address),
          got: await usdcOf(sandbox, 100),
          native: await balanceAt(alpha, native, address),
          loot: await loot(sandbox),
        }),
      };
    },
  },
  {
    name: 'withdrawal',
    asked: 10_000_000n,
    charge: 3_000_000n,
    prepare: async (sandbox) => {
      const recipient = somebody().address;
      return {
        argv: ['venue', 'withdraw', '10', 'alpha/usdc', '--recipient', recipient, '--account', 'dev2'],
        env: {},
        truth: async () => ({
          held: await usdcOf(sandbox, 102),
          got: await balanceAt(sandbox.rpcUrls.alpha, usdc('alpha'), recipient),
          native: 0n,
          loot: await loot(sandbox),
        }),
      };
    },
  },
];
