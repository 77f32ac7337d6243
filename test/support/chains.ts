/** The sandbox's chains for one test file, and helpers for contract tests. */
import { type Abi, BaseError, ContractFunctionRevertedError, type TransactionReceipt } from 'viem';
import { afterAll, beforeAll } from 'vitest';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import { type Chain, type Chains, start } from '../../src/sandbox/chain/startChains.js';
import { mineStranded } from '../../src/sandbox/chain/upkeep.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { type ChainName, deployments } from '../../src/sandbox/values/deployment.js';
import type { Account } from '../../src/sandbox/values/devAccounts.js';
import { connect, connectAs } from './nodeClients.js';

type Address = `0x${string}`;

/** A call of a contract, by its human-readable interface. */
export type Call = {
  address: Address;
  abi: Abi;
  functionName: string;
  args?: readonly unknown[];
  value?: bigint;
};

/** Chains of this worker that nobody uses. They end with it: its files run one after another. */
const free: Chains[] = [];

/** Both chains as if they were new; `stop` gives them to the next, and undoes all that happened to them. */
export async function borrowChains(): Promise<Chains> {
  const chains = free.pop() ?? (await start());
  const urls = [chains.alpha.rpcUrl, chains.beta.rpcUrl];
  // What was sent to them while they were given back waits for a nonce that they no longer have.
  await Promise.all(urls.map((url) => nodeRpc.call(url, 'anvil_dropAllTransactions')));
  const snapshots = await Promise.all(urls.map((url) => nodeRpc.call(url, 'evm_snapshot')));
  // The last block of a new chain is of now.
  await Promise.all(urls.map((url) => nodeRpc.call(url, 'evm_mine')));
  const restore = async (url: string, index: number): Promise<void> => {
    await nodeRpc.call(url, 'anvil_dropAllTransactions');
    await nodeRpc.call(url, 'evm_revert', snapshots[index]);
    await nodeRpc.call(url, 'evm_setAutomine', true);
    await nodeRpc.call(url, 'evm_setTime', Math.floor(Date.now() / 1000));
  };
  const rest = mineStranded(urls);
  return {
    ...chains,
    async stop() {
      rest();
      try {
        await Promise.all(urls.map(restore));
        free.push(chains);
      } catch {
        // A test has ended one.
        await chains.stop();
      }
    },
  };
}

/** Gives the file's tests both chains: what is on them is known at once, where they are within tests. */
export function useChains(): Both {
  let borrowed: Chains | undefined;
  beforeAll(async () => {
    borrowed = await borrowChains();
  });
  afterAll(() => borrowed?.stop());
  return placed(() => borrowed);
}

export type Both = Readonly<Record<ChainName, Chain>>;

/** The chains, wherever they are when they are asked. */
export function placed(running: () => Chains | undefined): Both {
  const place = (name: ChainName): Chain => {
    const found = running()?.[name];
    if (!found) throw new Error('The chains run within tests only.');
    return found;
  };
  const of = (name: ChainName): Chain => ({
    ...deployments[name],
    get rpcUrl() {
      return place(name).rpcUrl;
    },
    get pid() {
      return place(name).pid;
    },
  });
  return { alpha: of('alpha'), beta: of('beta') };
}

/** Sends the call in a transaction and returns its receipt; throws if the call would revert or did. */
export async function send(chain: Chain, account: Account, call: Call): Promise<TransactionReceipt> {
  const client = connectAs(chain, account);
  const { request } = await client.simulateContract({ ...call, account: client.account });
  const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
  if (receipt.status !== 'success') throw new Error(`${call.functionName} was reverted in ${receipt.transactionHash}`);
  return receipt;
}

/** The result of the call when made by the account, without sending it. */
export async function result(chain: Chain, account: Account, call: Call): Promise<unknown> {
  return (await connect(chain).simulateContract({ ...call, account: account.address })).result;
}

/** Why the call reverts: its error with the arguments, or `''` without a reason; undefined if it succeeds. */
export async function revert(chain: Chain, account: Account, call: Call): Promise<string | undefined> {
  try {
    await connect(chain).simulateContract({ ...call, account: account.address });
    return undefined;
  } catch (error) {
    const cause = error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError);
    if (!(cause instanceof ContractFunctionRevertedError)) throw error;
    if (cause.data) return `${cause.data.errorName}(${(cause.data.args ?? []).join(', ')})`;
    return cause.raw ?? '';
  }
}

/** The token balance of a holder in base units. */
export async function balance(chain: Chain, token: Address, holder: Address): Promise<bigint> {
  return await connect(chain).readContract({
    address: token,
    abi: abi.token,
    functionName: 'balanceOf',
    args: [holder],
  });
}

/** Approves a spender for an amount of the account's tokens. */
export async function approve(chain: Chain, account: Account, token: Address, spender: Address, amount: bigint) {
  await send(chain, account, { address: token, abi: abi.tether, functionName: 'approve', args: [spender, amount] });
}
