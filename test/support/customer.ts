/** The sandbox's service in this process on real chains, and a customer who quotes, pays and waits. */

import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type * as StatusV3 from '../../src/core/api/StatusV3.js';
import * as Step from '../../src/core/api/schema/Step.js';
import { type Address, native } from '../../src/core/base/Address.js';
import type { Chain, Chains } from '../../src/sandbox/chain/startChains.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import type * as RecordV3 from '../../src/sandbox/ledger/RecordV3.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { createSandbox, type Sandbox } from '../../src/sandbox/service/service.js';
import type { Logs } from '../../src/sandbox/settlement/instance.js';
import { inMemory } from '../../src/sandbox/storage/frameLog.js';
import { load } from '../../src/sandbox/svm/liteSvm.js';
import { svmDescription } from '../../src/sandbox/svm/svmDescription.js';
import { createSvmNode } from '../../src/sandbox/svm/svmNode.js';
import { type SvmServer, serveSvm } from '../../src/sandbox/svm/svmServer.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import type { Venue } from '../../src/sandbox/venue/createVenue.js';
import { type Both, balance, borrowChains, placed } from './chains.js';
import { connect, connectAs } from './nodeClients.js';
import * as Until from './until.js';
import { indexOf, parametersOf, transfer } from './venueTransfer.js';

export const key = { 'x-api-key': 'sandbox-key' };

export type Wish = Partial<QuoteV2.Request> & {
  /** `alpha/USDC`, `lighter/USDC`. */
  from: string;
  to: string;
  amount: string;
  account?: Name;
  headers?: Record<string, string>;
};

export type Answer = [status: number, body: unknown];

export type Service = {
  chains: Both;
  sandbox: Sandbox;
  /** Whether there is the chain of Solana's kind. */
  hasSvm: boolean;
  /** Moves the service's clock, not the chains'. */
  travel(ms: number): void;
  /** The venue of the same sandbox, on its own API. */
  venue: Venue;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The same, with the JSON of the answer. */
  asked(path: string, headers?: Record<string, string>): Promise<Answer>;
  posted(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A quote that refunds to the user, unless the wish says otherwise. */
  quote(wish: Wish): Promise<QuoteAnswer.Response & { requestId: string }>;
  /** Sends the quote's transactions in order, or its venue transfer; returns the last hash. */
  pay(quote: QuoteAnswer.Response, account?: Name): Promise<string>;
  status(requestId: string): Promise<StatusV3.Response>;
  /** Waits for one of these statuses. */
  until(requestId: string, ...states: readonly string[]): Promise<StatusV3.Response>;
  /** Waits for the final status, whichever it is. */
  end(requestId: string): Promise<StatusV3.Response>;
  record(requestId: string): Promise<RecordV3.Record>;
  fault(fault: Input): Promise<string>;
  /** All of them, or one. */
  clearFaults(id?: string): Promise<void>;
  /** The balance in base units of a currency such as `alpha/USDC`; `alpha/ETH` is the native asset. */
  holds(holder: Address, currency: string): Promise<bigint>;
  /**
   * Replaces the service with a new one on the same chains, which continues from the logs of it and its venue, or from
   * others.
   */
  restart(other?: Partial<Logs>): Promise<void>;
  /** What the service has written. */
  logs: Logs;
};

/**
 * Starts the service before the file's tests, on chains that are new to it, and stops it afterwards. The chain of Solana's
 * kind is there if it is asked for and installed. Faults, also the venue's, are cleared after each test.
 */
export function useService({ withSvm = false }: { withSvm?: boolean } = {}): Service {
  let chains: Chains | undefined;
  let sandbox: Sandbox | undefined;
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const both = placed(() => chains);
  const running = (): Sandbox => {
    if (!sandbox) throw new Error('The service runs within tests only.');
    return sandbox;
  };
  const libraries = withSvm ? load() : undefined;
  const svm = libraries && createSvmNode(libraries, { clock });
  let svmServer: SvmServer | undefined;
  let logs: Logs = { ledger: inMemory(), venue: inMemory() };
  const create = async () => {
    sandbox = await createSandbox({
      chains: [both.alpha, both.beta],
      seed: 'test',
      instance: 'test',
      clock,
      logs,
      svm,
      svmUrl: svmServer?.url,
    });
  };

  beforeAll(async () => {
    chains = await borrowChains();
    svmServer = svm && (await serveSvm(svm));
    await create();
  });
  const clearFaults: Service['clearFaults'] = async (id) => {
    const path = id === undefined ? '/sandbox/faults' : `/sandbox/faults/${id}`;
    await running().fetch(new Request(`http://localhost${path}`, { method: 'DELETE' }));
  };
  afterEach(async () => {
    await clearFaults();
    await running().venue.fetch(new Request('http://localhost/sandbox/faults', { method: 'DELETE' }));
  });
  afterAll(async () => {
    await sandbox?.stop();
    await svmServer?.close();
    await chains?.stop();
  });

  const get: Service['get'] = (path, headers = {}) =>
    running().fetch(new Request(`http://localhost${path}`, { headers }));
  const post: Service['post'] = (path, body, headers = {}) =>
    running().fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
  const told = async (answer: Response): Promise<Answer> => [answer.status, await answer.json()];
  const status: Service['status'] = async (requestId) =>
    (await (await get(`/intents/status/v3?requestId=${requestId}`)).json()) as StatusV3.Response;
  const until: Service['until'] = (requestId, ...states) =>
    Until.until(async () => {
      const found = await status(requestId);
      return states.includes(found.status) ? found : undefined;
    }, states.join(' or '));

  return {
    chains: both,
    get sandbox() {
      return running();
    },
    hasSvm: svm !== undefined,
    get venue() {
      return running().venue;
    },
    travel(ms) {
      offsetMs += ms;
    },
    get,
    post,
    asked: async (...what) => told(await get(...what)),
    posted: async (...what) => told(await post(...what)),
    async quote({ from, to, account = 'dev0', headers = {}, ...rest }) {
      const [origin, destination] = [currency(both, from), currency(both, to)];
      const user = origin.id === venueId ? String(indexOf(account)) : accounts[account].address;
      const response = await post(
        '/quote/v2',
        {
          user,
          refundTo: user,
          originChainId: origin.id,
          destinationChainId: destination.id,
          originCurrency: origin.address,
          destinationCurrency: destination.address,
          tradeType: 'EXACT_INPUT',
          ...rest,
        },
        headers,
      );
      const quote = (await response.json()) as QuoteAnswer.Response & { requestId: string };
      expect(quote).toHaveProperty('steps');
      return quote;
    },
    async pay(quote, account = 'dev0') {
      if (quote.details.currencyIn.currency.chainId === venueId)
        return await transfer(running().venue, account, parametersOf(quote));
      let last: Hex | undefined;
      for (const { data } of quote.steps.flatMap((step) => step.items)) {
        const { to, data: calldata, value, chainId, gas } = Step.evmTransaction.parse(data);
        const client = connectAs(chainById(both, chainId), accounts[account]);
        const call = { to, data: calldata, value: BigInt(value) };
        last = await client.sendTransaction(gas === undefined ? call : { ...call, gas: BigInt(gas) });
        await client.waitForTransactionReceipt({ hash: last });
      }
      if (!last) throw new Error('The quote has no transactions.');
      return last;
    },
    status,
    until,
    end: (requestId) => until(requestId, 'success', 'refund', 'failure'),
    async record(requestId) {
      const answer = (await (await get(`/requests/v3?id=${requestId}`, key)).json()) as { requests: RecordV3.Record[] };
      const [record] = answer.requests;
      if (!record) throw new Error(`There is no record of ${requestId}.`);
      return record;
    },
    async fault(fault) {
      const { fault: added } = (await (await post('/sandbox/faults', fault)).json()) as { fault: { id: string } };
      return added.id;
    },
    clearFaults,
    async holds(holder, text) {
      const { id, address } = currency(both, text);
      const chain = chainById(both, id);
      if (address === native) return await connect(chain).getBalance({ address: holder });
      return await balance(chain, address as Address, holder);
    },
    async restart(other) {
      await running().stop();
      logs = { ...logs, ...other };
      await create();
    },
    get logs() {
      return logs;
    },
  };
}

const venueId = 3586256;

/** The chain's id and the token's address of `alpha/USDC`. */
function currency(chains: Both, text: string): { id: number; address: string } {
  const [name, symbol] = text.split('/');
  if (name === 'lighter') return { id: venueId, address: '0' };
  if (name === 'svm') {
    const found = svmDescription.tokens.find((token) => token.symbol === symbol);
    if (!found) throw new Error(`There is no ${text}.`);
    return { id: svmDescription.id, address: found.address };
  }
  const chain = name === 'alpha' ? chains.alpha : chains.beta;
  if (symbol === 'ETH') return { id: chain.id, address: native };
  const found = Object.values(chain.tokens).find((token) => token.symbol === symbol);
  if (!found) throw new Error(`There is no ${text}.`);
  return { id: chain.id, address: found.address };
}

function chainById(chains: Both, id: number): Chain {
  return id === chains.alpha.id ? chains.alpha : chains.beta;
}
