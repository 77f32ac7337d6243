/** The service's routes: each validates its request and delegates to the component that answers it. */

import { Hono } from 'hono';
import * as z from 'zod/mini';
import * as AppFeeClaims from '../../core/api/AppFeeClaims.js';
import * as Chains from '../../core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../core/api/catalog/CurrenciesV2.js';
import * as TokenPrice from '../../core/api/catalog/TokenPrice.js';
import * as ForeignApi from '../../core/api/ForeignApi.js';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import * as RequestsV2 from '../../core/api/RequestsV2.js';
import * as RequestsV3 from '../../core/api/RequestsV3.js';
import * as StatusV3 from '../../core/api/StatusV3.js';
import * as Transactions from '../../core/api/Transactions.js';
import { isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { network } from '../../core/network/sandbox.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { describeChain, type Node } from '../chain/readMarket.js';
import { addAddressRoutes } from '../deposit/addressRoutes.js';
import type { Sweeper } from '../deposit/sweeper.js';
import { balanceOf, feeCurrency, prepareClaim, stateOf } from '../execute/claims.js';
import { addExecuteRoutes } from '../execute/executeRoutes.js';
import { keyNameOf, nameOf } from '../http/apiKey.js';
import { successor } from '../http/faultGate.js';
import { faultRoutes } from '../http/faultRoutes.js';
import { codedError, HttpError, messageError, routeNotFound, toResponse } from '../http/HttpError.js';
import { read, readJson, readQuery } from '../http/validation.js';
import { waitFor } from '../ledger/minedTransactions.js';
import * as RecordParts from '../ledger/RecordParts.js';
import * as RecordQuery from '../ledger/RecordQuery.js';
import * as RecordV2 from '../ledger/RecordV2.js';
import * as RecordV3 from '../ledger/RecordV3.js';
import * as StatusAnswer from '../ledger/StatusAnswer.js';
import * as Calldata from '../pricing/Calldata.js';
import { RefusalError } from '../pricing/QuoteRefusal.js';
import { chainContext, type Instance, nodeOf } from '../settlement/instance.js';
import { venueDescription } from '../settlement/readVenue.js';
import type { Relayer } from '../settlement/relayer.js';
import type { Solver } from '../settlement/solver.js';
import type { Watcher } from '../settlement/watcher.js';
import { svmDescription } from '../svm/svmDescription.js';
import { accounts } from '../values/devAccounts.js';
import { tokenAt } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as CatalogAnswers from './CatalogAnswers.js';
import { addDeprecatedRoutes } from './deprecatedRoutes.js';
import { quote } from './quoting.js';

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
    return c.json(CatalogAnswers.chainsOf(chains, includeChains));
  });

  app.post(CurrenciesV2.endpoint.path, async (c) =>
    c.json(CatalogAnswers.currenciesOf(chains, await readJson(c.req.raw, CurrenciesV2.request))),
  );

  app.get(ForeignApi.tokenDetails.path, (c) => {
    const token = CatalogAnswers.tokenDetails(
      chains,
      read(ForeignApi.tokenDetails.parameters, 'params', c.req.param()),
    );
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

  app.post(Transactions.index.endpoint.path, async (c) => {
    const { chainId, txHash, requestId } = await readJson(c.req.raw, Transactions.index.request);
    await indexTransaction(instance, watcher, { chainId, hash: txHash, requestId });
    return c.json({ message: 'Transaction indexed' });
  });

  app.post(Transactions.single.endpoint.path, async (c) => {
    const { chainId, tx, requestId } = await readJson(c.req.raw, Transactions.single.request);
    await indexTransaction(instance, watcher, { chainId, hash: hashOf(tx), requestId });
    return c.json({ message: 'Transaction indexed' });
  });

  app.get('/lives', (c) => c.json({ status: 'ok' }));

  addExecuteRoutes(app, instance, relayer);
  addRecordRoutes(app, instance);
  addDeprecatedRoutes(app, instance);
  addAppFeeRoutes(app, instance);
  addAddressRoutes(app, instance, sweeper);
  app.get('/sandbox/instance', (c) => {
    const nodes = instance.nodes.map((node) => ({ id: node.id, name: node.name, rpcUrl: publicUrlOf(node) }));
    return c.json({ instance: instance.id, seed: instance.seed, chains: nodes });
  });
  app.post('/sandbox/fund', async (c) => c.json({ txHash: await fund(instance, await readJson(c.req.raw, payment)) }));
  app.route('/sandbox', faultRoutes({ faults: instance.faults, actor: 'solver', onCleared: solver.release }));

  app.notFound((c) => toResponse(routeNotFound(c.req.method, c.req.path)));
  app.onError((error) => {
    const isKnown = error instanceof HttpError || error instanceof RefusalError;
    return toResponse(isKnown ? error : codedError(500, 'UNKNOWN_ERROR', 'Unknown error'));
  });
  return app;
}

/** Looks a hash up on a chain, or on the venue. */
async function indexTransaction(
  instance: Instance,
  watcher: Watcher,
  { chainId, hash, requestId }: { chainId: string; hash: string; requestId: string | undefined },
): Promise<void> {
  const isVenue = Number(chainId) === venueDescription.id;
  const node = nodeOf(instance, Number(chainId));
  if (!node && !isVenue) throw messageError(400, `Chain ${chainId} is not supported`);
  if (!(isVenue ? isVenueHash(hash) : isHash(hash))) throw messageError(400, 'Invalid transaction hash');
  if (requestId !== undefined && !instance.ledger.byRequestId(requestId)) throw messageError(404, 'Request not found');
  const found = await (node ? watcher.inspect(node, hash as Hex, requestId) : watcher.inspectVenue(hash.toLowerCase()));
  if (found === 'unknown') throw messageError(404, 'Transaction not found');
  if (found === 'irrelevant' && requestId !== undefined)
    throw messageError(400, 'The transaction does not belong to the request');
}

function publicUrlOf({ rpcUrl, publicUrl = rpcUrl }: Node): string {
  return publicUrl;
}

/** The hash in a transaction that a client sends as JSON text. */
function hashOf(tx: string): string {
  let parsed: Readonly<Record<string, unknown>> | null;
  try {
    parsed = JSON.parse(tx);
  } catch {
    throw messageError(400, 'tx must be a transaction as JSON');
  }
  const names = ['txHash', 'hash', 'transactionHash'];
  const hash = names.map((name) => parsed?.[name]).find((value) => typeof value === 'string');
  if (typeof hash !== 'string') throw messageError(400, 'tx must have a txHash');
  return hash;
}

function isHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

function isVenueHash(text: string): boolean {
  return /^[0-9a-fA-F]{80}$/.test(text);
}

/** The request records: current and deprecated. */
function addRecordRoutes(app: Hono, { ledger }: Instance): void {
  app.get(RequestsV3.endpoint.path, (c) => {
    read(RequestsV3.headers, 'headers', Object.fromEntries(c.req.raw.headers));
    if (keyNameOf(c.req.raw) === undefined) throw messageError(401, 'Unauthorized: Check API Key');
    const query = readQuery(c.req.raw, RequestsV3.query);
    assertOwnKeys(query);
    const { entries, continuation, total } = RecordQuery.page(ledger, query);
    const isAuthenticated = query.includeAuthenticatedData === true;
    return c.json({
      requests: entries.map((entry) => RecordV3.from(entry, { isAuthenticated })),
      ...(continuation !== undefined && { continuation }),
      ...(query.includeTotal && { total }),
    });
  });

  app.get(RequestsV2.endpoint.path, (c) => {
    const query = readQuery(c.req.raw, RequestsV2.query);
    const { entries, continuation } = RecordQuery.page(ledger, query as RecordQuery.Query);
    for (const [name, value] of deprecationHeaders) c.header(name, value, { append: true });
    return c.json({
      requests: entries.map((entry) => RecordV2.from(entry, { withOrder: query.includeOrderData })),
      ...(continuation !== undefined && { continuation }),
      deprecation,
    });
  });
}

/** A client may filter by its own API keys only, and by referrer only along with a key. */
function assertOwnKeys(query: RequestsV3.Query): void {
  const keys = query.apiKey?.split(',').map((key) => key.trim());
  if (query.referrer !== undefined && !keys) throw messageError(400, 'referrer must be used along with apiKey');
  if (keys?.some((key) => nameOf(key) === undefined))
    throw messageError(403, `apiKey must be one of your own (${network.name})`);
}

const deprecation = {
  message: 'GET /requests/v2 is deprecated. Use GET /requests/v3 instead.',
  deprecatedAt: '2026-07-22T00:00:00Z',
  throttledFrom: '2026-09-01T00:00:00Z',
  sunsetAt: '2026-11-24T00:00:00Z',
  ...successor,
};

const deprecationHeaders: readonly (readonly [name: string, value: string])[] = [
  ['deprecation', '@1784678400'],
  ['sunset', 'Tue, 24 Nov 2026 00:00:00 GMT'],
  ['link', `<${successor.migrationGuide}>; rel="deprecation"`],
  ['link', `<${successor.migrationGuide}>; rel="sunset"`],
  ['link', `<${successor.successor}>; rel="successor-version"`],
];

/** App fees: what a wallet has earned, its claims, and a new claim. */
function addAppFeeRoutes(app: Hono, instance: Instance): void {
  app.get(AppFeeClaims.balancesEndpoint.path, (c) => {
    const balance = balanceOf(instance, walletOf(c.req.param()));
    const usd = Number(RecordParts.amountOf(balance, feeCurrency(instance).token).amountUsd);
    return c.json({
      balances: balance > 0n ? [amountOf(balance)] : [],
      totalBalanceUsd: usd,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: usd,
    });
  });

  app.post(AppFeeClaims.claimEndpoint.path, async (c) => {
    const wallet = walletOf(c.req.param());
    return c.json(prepareClaim(instance, wallet, await readJson(c.req.raw, AppFeeClaims.claimRequest)));
  });

  app.get(AppFeeClaims.claimsEndpoint.path, async (c) => {
    const wallet = walletOf(c.req.param());
    const query = readQuery(c.req.raw, AppFeeClaims.claimsQuery);
    const { limit = 20, continuation = '0' } = query;
    if (!/^\d{1,9}$/.test(continuation)) throw messageError(400, 'Invalid continuation');
    const all = instance.ledger.claims().filter((claim) => claim.hash && isEqual(claim.wallet, wallet));
    const start = Number(continuation);
    const page = all.reverse().slice(start, start + limit);
    const claims = await Promise.all(
      page.map(async (claim) => ({
        claimId: claim.id,
        wallet: claim.wallet,
        recipient: claim.recipient,
        currency: amountOf(claim.amount),
        txHash: claim.hash ?? null,
        status: await stateOf(instance, claim),
        createdAt: new Date(claim.createdAtMs).toISOString(),
      })),
    );
    const isLast = start + limit >= all.length;
    return c.json({ claims, ...(!isLast && { continuation: `${start + limit}` }) });
  });

  function amountOf(amount: bigint) {
    const { node, token } = feeCurrency(instance);
    const [currency] = CatalogAnswers.currenciesOf([describeChain(node)], { address: token.address });
    if (!currency) throw new Error(`The sandbox does not list ${token.symbol}.`);
    const { vmType: _, ...listed } = currency;
    return { currency: listed, ...RecordParts.amountOf(amount, token), minimumAmount: amount.toString() };
  }
}

function walletOf(parameters: Record<string, string>): string {
  const { wallet } = read(AppFeeClaims.parameters, 'params', parameters);
  if (!PartyAccount.toAddress(wallet)) throw messageError(400, `Invalid address ${wallet}`);
  return wallet;
}

const payment = z.strictObject({
  chainId: z.int(),
  currency: z.string(),
  to: z.string(),
  amount: z.string().check(z.regex(/^[1-9]\d{0,77}$/)),
});

const minedWithinMs = 10_000;

/** Enough for a contract that is told of what it receives. */
const paymentGas = 200_000n;

const tooMuch = messageError(400, 'The sandbox has not so much, or the receiver refuses it');

/** The control plane's faucet: pays any amount of a currency to an address. Resolves to the transaction's hash. */
async function fund(instance: Instance, { chainId, currency, to, amount }: z.output<typeof payment>): Promise<Hex> {
  const token = PartyAccount.toAddress(currency);
  const receiver = PartyAccount.toAddress(to);
  if (!nodeOf(instance, chainId)) throw messageError(400, `The sandbox has no chain ${chainId}`);
  if (!token || !receiver) throw messageError(400, 'currency and to must be addresses');
  const { node, solver } = chainContext(instance, chainId);
  const known = tokenAt(describeChain(node), token);
  if (!known) throw messageError(400, `The sandbox has no currency ${token} on ${node.name}`);
  // The solver holds more of everything than anybody needs, and its transactions are kept with the chain.
  const txHash = await solver.runExclusive((send) =>
    send({ ...Calldata.transfer(known, receiver, BigInt(amount)), gas: paymentGas }).catch((error: unknown) => {
      throw error instanceof nodeRpc.NodeRpcError ? tooMuch : error;
    }),
  );
  const patience = AbortSignal.timeout(minedWithinMs);
  const { isSuccess } = await waitFor(node, txHash, patience).catch((error: unknown) => {
    throw patience.aborted ? messageError(503, 'The chain does not mine') : error;
  });
  if (!isSuccess) throw tooMuch;
  return txHash;
}
