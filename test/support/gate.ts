/** A node behind the sandbox's gate, for one test file. The gate's faults are cleared after each test. */
import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Chains } from '../../src/sandbox/chain/startChains.js';
import { type ChainServer, serveChain } from '../../src/sandbox/chainProxy/chainServer.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { borrowChains } from './chains.js';
import { addFaultAt, clearFaultsAt } from './faults.js';
import { ask, signedBy } from './node.js';
import * as Until from './until.js';

export type Gate = {
  /** The public URL, which is the gate's. */
  readonly url: string;
  /** The URL of the node behind it. */
  readonly nodeUrl: string;
  readonly server: ChainServer;
  fault(fault: Input): Promise<string>;
  clear(): Promise<void>;
  /** Sends a request through the gate. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  /** Sends a request to the node itself. */
  node(method: string, ...params: unknown[]): Promise<unknown>;
  /** A signed transaction of `dev0` or another account, at its next nonce on the node. */
  sign(extra?: Parameters<typeof signedBy>[1], who?: Parameters<typeof signedBy>[0]): Promise<Hex>;
  /** Signs and submits one through the gate; resolves to its hash. */
  send(...what: Parameters<Gate['sign']>): Promise<unknown>;
  /** Signs one and submits it to the node itself; resolves to its receipt. */
  mine(...what: Parameters<Gate['sign']>): Promise<Record<string, unknown>>;
  /** Polls the node for a receipt. */
  receipt(hash: unknown): Promise<Record<string, unknown>>;
  /** A block of the node, with its transactions. */
  block(number?: unknown): Promise<{ number: string; hash: string; timestamp: string; transactions: unknown[] }>;
  /** Asserts that neither the node nor the gate has a transaction, and that none is pending. */
  expectForgotten(hash: unknown): Promise<void>;
  /** Asserts that the node mines what is submitted. */
  expectMining(): Promise<void>;
  /** Polls the node until it returns a result. */
  until(method: string, ...params: unknown[]): Promise<Record<string, unknown>>;
};

export function useGate(): Gate {
  let nodeUrl = '';
  let borrowed: Chains | undefined;
  let server: ChainServer | undefined;
  const running = (): ChainServer => {
    if (!server) throw new Error('The gate stands within tests only.');
    return server;
  };
  beforeAll(async () => {
    borrowed = await borrowChains();
    nodeUrl = borrowed.alpha.rpcUrl;
    server = await serveChain({ rpcUrl: nodeUrl, instance: 'test' });
  });
  afterEach(() => clearFaultsAt(running().url));
  afterAll(async () => {
    await server?.close();
    await borrowed?.stop();
  });

  const until: Gate['until'] = async (method, ...params) =>
    (await Until.until(() => ask(nodeUrl, method, ...params), method)) as Record<string, unknown>;
  const sign: Gate['sign'] = async (extra = {}, who = 'dev0') => {
    const nonce = Number(await ask(nodeUrl, 'eth_getTransactionCount', accounts[who].address, 'pending'));
    return await signedBy(who, { nonce, ...extra });
  };
  const receipt: Gate['receipt'] = (hash) => until('eth_getTransactionReceipt', hash);

  return {
    get url() {
      return running().url;
    },
    get nodeUrl() {
      return nodeUrl;
    },
    get server() {
      return running();
    },
    fault: (fault) => addFaultAt(running().url, fault),
    clear: () => clearFaultsAt(running().url),
    ask: (method, ...params) => ask(running().url, method, ...params),
    node: (method, ...params) => ask(nodeUrl, method, ...params),
    sign,
    until,
    send: async (...what) => ask(running().url, 'eth_sendRawTransaction', await sign(...what)),
    mine: async (...what) => receipt(await ask(nodeUrl, 'eth_sendRawTransaction', await sign(...what))),
    receipt,
    block: async (number = 'latest') =>
      (await ask(nodeUrl, 'eth_getBlockByNumber', number, true)) as Awaited<ReturnType<Gate['block']>>,
    async expectForgotten(hash) {
      // The node counts the nonce of a block before it clears its pool.
      await expect.poll(() => ask(nodeUrl, 'txpool_content')).toEqual({ pending: {}, queued: {} });
      for (const url of [nodeUrl, running().url]) {
        expect(await ask(url, 'eth_getTransactionByHash', hash)).toBeNull();
        expect(await ask(url, 'eth_getTransactionReceipt', hash)).toBeNull();
      }
    },
    async expectMining() {
      expect(await ask(nodeUrl, 'anvil_getAutomine')).toBe(true);
      const hash = await ask(nodeUrl, 'eth_sendRawTransaction', await sign({ value: 0n }, 'dev2'));
      expect(await receipt(hash)).toMatchObject({ status: '0x1' });
    },
  };
}
