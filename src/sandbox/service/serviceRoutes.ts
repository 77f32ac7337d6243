/** The service's routes: each validates its request and delegates to the component that answers it. */

import { type Context, Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import * as Chains from '../../core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../core/api/catalog/CurrenciesV2.js';
import * as TokenPrice from '../../core/api/catalog/TokenPrice.js';
import * as TokenDetails from '../../core/api/foreign/TokenDetails.js';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import * as StatusV3 from '../../core/api/StatusV3.js';
import * as TransactionsIndex from '../../core/api/TransactionsIndex.js';
import * as TransactionsSingle from '../../core/api/TransactionsSingle.js';
import type { Hex } from '../../core/base/Hex.js';
import { describeChain, type Node } from '../chain/readMarket.js';
import { addressRoutes } from '../deposit/addressRoutes.js';
import type { Sweeper } from '../deposit/sweeper.js';
import { executeRoutes } from '../execute/executeRoutes.js';
import { keyNameOf } from '../http/apiKey.js';
import { faultRoutes } from '../http/faultRoutes.js';
import { codedError, HttpError, messageError, routeNotFound } from '../http/HttpError.js';
import { read, readJson, readQuery } from '../http/validation.js';
import * as StatusAnswer from '../ledger/StatusAnswer.js';
import { RefusalError } from '../pricing/QuoteRefusal.js';
import { type Instance, nodeOf } from '../settlement/instance.js';
import { venueDescription } from '../settlement/readVenue.js';
import type { Relayer } from '../settlement/relayer.js';
import type { Solver } from '../settlement/solver.js';
import type { Watcher } from '../settlement/watcher.js';
import { svmDescription } from '../svm/svmDescription.js';
import { accounts } from '../values/devAccounts.js';
import * as Market from '../values/Market.js';
import { tokenAt } from '../values/Market.js';
import { appFeeRoutes } from './appFeeRoutes.js';
import * as ChainsAnswer from './ChainsAnswer.js';
import * as CurrenciesAnswer from './CurrenciesAnswer.js';
import { deprecatedRoutes } from './deprecatedRoutes.js';
import { fundRoutes } from './fundRoutes.js';
import { quote } from './quoting.js';
import { recordRoutes } from './recordRoutes.js';

/** The components behind the routes. */
export type Components = { solver: Solver; relayer: Relayer; watcher: Watcher; sweeper: Sweeper };

export function createRoutes(instance: Instance, { solver, relayer, watcher, sweeper }: Components): Hono {
  const app = new Hono();
  const chains = [
    ...instance.nodes.map((node) => ({
      ...describeChain(node),
      rpcUrl: publicUrlOf(node),
      solver: accounts.solver.address,
    })),
    venueDescription,
    ...(instance.svm ? [{ ...svmDescription, rpcUrl: instance.svmUrl ?? '', solver: instance.svm.solver }] : []),
  ];

  app.post(QuoteV2.endpoint.path, async (c) => {
    const request = await readJson(c.req.raw, QuoteV2.request);
    return c.json(await quote(instance, request, { keyName: keyNameOf(c.req.raw) }));
  });

  app.get(StatusV3.endpoint.path, (c) => {
    const { requestId } = readQuery(c.req.raw, StatusV3.query);
    const entry = instance.ledger.byRequestId(requestId);
    return c.json(entry ? StatusAnswer.from(entry) : StatusAnswer.unknown);
  });

  app.get(Chains.endpoint.path, (c) => {
    const { includeChains } = readQuery(c.req.raw, Chains.query);
    return c.json(ChainsAnswer.from(chains, includeChains));
  });

  app.post(CurrenciesV2.endpoint.path, async (c) =>
    c.json(CurrenciesAnswer.from(chains, await readJson(c.req.raw, CurrenciesV2.request))),
  );

  app.get(TokenDetails.endpoint.path, (c) => {
    const token = tokenDetails(chains, read(TokenDetails.parameters, 'params', c.req.param()));
    if (!token) throw messageError(400, 'Unsupported currency');
    return c.json(token);
  });

  app.get(TokenPrice.endpoint.path, (c) => {
    const { chainId, address } = readQuery(c.req.raw, TokenPrice.query);
    const chain = chains.find(({ id }) => id === chainId);
    const token = chain && tokenAt(chain, address);
    if (!token) throw new HttpError(400, { error: 'Unsupported currency' });
    return c.json({ price: Number(token.priceUsd) / 1e6 });
  });

  app.post(TransactionsIndex.endpoint.path, async (c) => {
    const { chainId, txHash, requestId } = await readJson(c.req.raw, TransactionsIndex.request);
    await indexTransaction(chainId, txHash, requestId);
    return c.json({ message: 'Transaction indexed' });
  });

  app.post(TransactionsSingle.endpoint.path, async (c) => {
    const { chainId, tx, requestId } = await readJson(c.req.raw, TransactionsSingle.request);
    await indexTransaction(chainId, hashOf(tx), requestId);
    return c.json({ message: 'Transaction indexed' });
  });

  async function indexTransaction(chainId: string, hash: string, requestId: string | undefined): Promise<void> {
    const isVenue = Number(chainId) === venueDescription.id;
    const node = nodeOf(instance, Number(chainId));
    if (!node && !isVenue) throw messageError(400, `Chain ${chainId} is not supported`);
    if (!(isVenue ? isVenueHash(hash) : isHash(hash))) throw messageError(400, 'Invalid transaction hash');
    if (requestId !== undefined && !instance.ledger.byRequestId(requestId))
      throw messageError(404, 'Request not found');
    const found = await inspect(node, hash, requestId);
    if (found === 'unknown') throw messageError(404, 'Transaction not found');
    if (found === 'irrelevant' && requestId !== undefined) {
      throw messageError(400, 'The transaction does not belong to the request');
    }
  }

  /** Looks a hash up on a chain, or on the venue if there is no node. */
  function inspect(node: Node | undefined, hash: string, requestId: string | undefined) {
    return node ? watcher.inspect(node, hash as Hex, requestId) : watcher.inspectVenue(hash.toLowerCase());
  }

  app.get('/lives', (c) => c.json({ status: 'ok' }));

  app.route('/', executeRoutes(instance, relayer));
  app.route('/', recordRoutes(instance));
  app.route('/', deprecatedRoutes(instance));
  app.route('/', appFeeRoutes(instance));
  app.route('/', addressRoutes(instance, sweeper));
  app.get('/sandbox/instance', (c) => {
    const nodes = instance.nodes.map((node) => ({ id: node.id, name: node.name, rpcUrl: publicUrlOf(node) }));
    return c.json({ instance: instance.id, seed: instance.seed, chains: nodes });
  });
  app.route('/sandbox', fundRoutes(instance));
  app.route('/sandbox', faultRoutes({ faults: instance.faults, actor: 'solver', onCleared: solver.release }));

  app.notFound((c) => answer(c, routeNotFound(c.req.method, c.req.path)));
  app.onError((error, c) => {
    if (error instanceof HttpError || error instanceof RefusalError) return answer(c, error);
    return answer(c, codedError(500, 'UNKNOWN_ERROR', 'Unknown error'));
  });
  return app;
}

function publicUrlOf({ rpcUrl, publicUrl = rpcUrl }: Node): string {
  return publicUrl;
}

function answer(c: Context, { status, body }: Pick<HttpError, 'status' | 'body'>): Response {
  c.status(status as StatusCode);
  return c.json(body);
}

/** The hash in a transaction that a client sends as JSON text. */
function hashOf(tx: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(tx);
  } catch {
    throw messageError(400, 'tx must be a transaction as JSON');
  }
  const names = ['txHash', 'hash', 'transactionHash'];
  const found = typeof parsed === 'object' && parsed !== null ? names.map((name) => Reflect.get(parsed, name)) : [];
  const hash = found.find((value) => typeof value === 'string');
  if (typeof hash !== 'string') throw messageError(400, 'tx must have a txHash');
  return hash;
}

function isHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

function isVenueHash(text: string): boolean {
  return /^[0-9a-fA-F]{80}$/.test(text);
}

type Chain = Pick<Market.Chain, 'vm' | 'id' | 'tokens'>;

/** The currency at the address; undefined if the sandbox has no such chain or currency. */
export function tokenDetails(
  chains: readonly Chain[],
  { chainId, address }: TokenDetails.Parameters,
): TokenDetails.Response | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  const token = chain && Market.tokenAt(chain, address);
  if (!token) return undefined;
  const { symbol, name, decimals, logoURI, verified, priceUsd } = token;
  const metadata = { logoURI, verified, isNative: Market.isNative(token) };
  const price = Number(priceUsd) / 1e6;
  return { chainId, address: token.address, symbol, name, decimals, vmType: chain.vm, metadata, price };
}
