/** An answer of the sandbox of every endpoint and kind that the service's SDK has types for. */

import { encodeFunctionData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import { native } from '../../src/core/base/Address.js';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { createSandbox } from '../../src/sandbox/service/service.js';
import { svmDescription } from '../../src/sandbox/svm/svmDescription.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { key, type Service, type Wish } from './customer.js';
import { bodyOf, callsOf, signPermit, sponsored } from './gasless.js';
import { connectAs } from './nodeClients.js';
import { indexOf } from './venueTransfer.js';

export type Answer = {
  /** As the types name it: `/chains/{chainId}/currencies/{address}`. */
  endpoint: string;
  method: 'get' | 'post';
  status: number;
  /** What was asked for. */
  kind: string;
  body: unknown;
};

type Quote = QuoteAnswer.Response & { requestId: string };

const { alpha } = deployments;
const { dev0, dev1, dev6, dev9 } = accounts;
const appFees = [{ recipient: dev6.address, fee: '30' }];
const someFees: Pick<QuoteV2.Request, 'subsidizeFees' | 'sponsoredFeeComponents' | 'maxSubsidizationAmount'> = {
  subsidizeFees: true,
  sponsoredFeeComponents: ['execution', 'swap', 'relay', 'app', 'rent'],
  maxSubsidizationAmount: '1000',
};
const unknownId = `0x${'00'.repeat(32)}`;

/** Asks for all of them. Takes transfers through every state on the way. */
export async function collect(service: Service): Promise<Answer[]> {
  const answers: Answer[] = [];

  async function get(endpoint: string, kind: string, path = endpoint, headers = {}): Promise<unknown> {
    return await keep({ endpoint, method: 'get', kind }, await service.get(path, headers));
  }
  async function post(endpoint: string, kind: string, body: unknown, path = endpoint, headers = {}): Promise<unknown> {
    return await keep({ endpoint, method: 'post', kind }, await service.post(path, body, headers));
  }
  async function keep(asked: Pick<Answer, 'endpoint' | 'method' | 'kind'>, answer: Response): Promise<unknown> {
    const body: unknown = await answer.json();
    answers.push({ ...asked, status: answer.status, body });
    return body;
  }
  async function quote(kind: string, wish: Wish): Promise<Quote> {
    const found = await service.quote(wish);
    answers.push({ endpoint: '/quote/v2', method: 'post', status: 200, kind, body: found });
    return found;
  }
  /** The status of a request in all versions, and its records. */
  async function states(kind: string, { requestId }: { requestId: string }): Promise<void> {
    await get('/intents/status/v3', kind, `/intents/status/v3?requestId=${requestId}`);
    await get('/intents/status/v2', kind, `/intents/status/v2?requestId=${requestId}`);
    await get('/requests/v3', kind, `/requests/v3?id=${requestId}&includeAuthenticatedData=true`, key);
    await get('/requests/v2', kind, `/requests/v2?id=${requestId}&includeOrderData=true`);
  }
  async function paid(kind: string, asked: Quote): Promise<void> {
    await service.pay(asked);
    await service.end(asked.requestId);
    await states(kind, asked);
  }

  const bridge = { from: 'alpha/USDC', to: 'beta/USDC', amount: '10000000' } as const;
  await quotes();
  await refusals();
  await transfers();
  await calls();
  await arrivals();
  await appFeeAnswers();
  await depositAddresses();
  await lists();
  return answers;

  async function quotes(): Promise<void> {
    const kinds: Record<string, Wish> = {
      'a bridge of native currency': { from: 'alpha/ETH', to: 'beta/ETH', amount: `${10n ** 16n}` },
      'a swap on the origin chain': { from: 'alpha/GULL', to: 'beta/USDC', amount: `${10n ** 20n}` },
      'a swap on the destination chain': { ...bridge, to: 'beta/GULL' },
      'swaps on both chains': { from: 'alpha/GULL', to: 'beta/DAI', amount: `${10n ** 20n}` },
      'an exact output': { ...bridge, tradeType: 'EXACT_OUTPUT' },
      'an expected output': { ...bridge, to: 'beta/GULL', tradeType: 'EXPECTED_OUTPUT', amount: `${10n ** 18n}` },
      'a swap of native currency on one chain': { from: 'alpha/ETH', to: 'alpha/USDC', amount: `${10n ** 16n}` },
      'an unwrap': { from: 'alpha/WETH', to: 'alpha/ETH', amount: `${10n ** 16n}` },
      'a send of native currency': { from: 'alpha/ETH', to: 'alpha/ETH', amount: '5', recipient: dev1.address },
      'a quote with origin gas': { ...bridge, originGasOverhead: 80_000 },
      'a quote with the solver’s signature': { ...bridge, includeProtocolData: true },
      'a quote after a reset of the allowance': { from: 'alpha/USDT', to: 'beta/USDT', amount: '10000000' },
      'a deposit to the venue': { ...bridge, to: 'lighter/USDC', recipient: String(indexOf('dev0')) },
      'a withdrawal from the venue': { ...bridge, from: 'lighter/USDC', recipient: dev0.address },
      'a share of the fees sponsored': {
        ...bridge,
        to: 'beta/USDT',
        subsidizeFees: true,
        subsidizationBps: 5_000,
        headers: key,
      },
      'all fees sponsored': { ...bridge, to: 'beta/USDT', subsidizeFees: true, headers: key },
      'some fees sponsored': { ...bridge, to: 'beta/USDT', ...someFees, headers: key },
    };
    for (const [kind, wish] of Object.entries(kinds)) await quote(kind, wish);
    const body = {
      user: dev0.address,
      originChainId: alpha.id,
      destinationChainId: deployments.beta.id,
      originCurrency: native,
      destinationCurrency: native,
      tradeType: 'EXACT_INPUT',
      amount: `${10n ** 16n}`,
    };
    const more: Record<string, object> = {
      'a bridge of native currency': body,
      'a swap on one chain': { ...body, destinationChainId: alpha.id, destinationCurrency: alpha.tokens.USDC.address },
      'a send': { ...body, destinationChainId: alpha.id, recipient: dev1.address },
      'a permit': { ...body, originCurrency: alpha.tokens.USDC.address, amount: '10000000', usePermit: true },
      'a token': {
        ...body,
        originCurrency: alpha.tokens.DAI.address,
        amount: `${10n ** 19n}`,
        includeProtocolData: true,
      },
    };
    for (const [kind, asked] of Object.entries(more)) await post('/quote', kind, asked);
    const toUsdc = { ...body, destinationCurrency: deployments.beta.tokens.USDC.address };
    await post('/quote', 'some fees sponsored', { ...toUsdc, ...someFees }, '/quote', key);
    await service.fault({ kind: 'status', status: 429, match: { path: '/quote' } });
    await post('/quote', 'too many requests', body);
    await post('/price', 'a referrer without a key', { ...body, referrer: 'somebody' });
    await post('/price', 'a bridge of native currency', body);
    await post('/price', 'too little', { ...body, amount: '1' });
    await post('/quote', 'too little', { ...body, amount: '1' });
    await post('/quote', 'a referrer without a key', { ...body, referrer: 'somebody' });
  }

  /** One that is paid, and asked for again. */
  async function depositAddresses(): Promise<void> {
    const byAddress = { useDepositAddress: true, strict: true };
    const kind = 'a deposit address';
    // Of a token the types state the gas as text, where the service states a number.
    const asked = await quote(kind, { from: 'alpha/ETH', to: 'beta/ETH', amount: `${10n ** 16n}`, ...byAddress });
    const address = asked.steps[0]?.depositAddress as `0x${string}`;
    await paid(kind, asked);
    await get('/deposit-addresses/v1', kind, `/deposit-addresses/v1?address=${address}`, key);
    await get('/deposit-addresses/v1', 'without a key', `/deposit-addresses/v1?address=${address}`);
    await get('/deposit-addresses/v1', 'an unknown one', `/deposit-addresses/v1?address=${dev0.address}`, key);
    const { DAI } = alpha.tokens;
    const client = connectAs(service.chains.alpha, dev0);
    const args = [address, 5n * 10n ** 18n] as const;
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args });
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: DAI.address, data }) });
    const body = { chainId: alpha.id, depositAddress: address, currency: DAI.address };
    await post('/transactions/deposit-address/reindex', 'another token', body);
    await post('/transactions/deposit-address/reindex', 'too soon', body);
    await post('/transactions/deposit-address/reindex', 'an unknown one', { ...body, depositAddress: dev0.address });
    await post('/transactions/deposit-address/reindex', 'no currency', { ...body, currency: '5' });
  }

  async function refusals(): Promise<void> {
    const body = { user: dev0.address, tradeType: 'EXACT_INPUT', amount: '1' };
    const chains = { originChainId: alpha.id, destinationChainId: deployments.beta.id };
    const currencies = { originCurrency: native, destinationCurrency: native };
    const asked = { ...body, ...chains, ...currencies };
    await post('/quote/v2', 'too little', asked);
    await post('/quote/v2', 'an unknown chain', { ...asked, originChainId: 1 });
    await post('/quote/v2', 'a referrer without a key', { ...asked, referrer: 'somebody' });
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'errorString', args: ['no'] });
    const calling = {
      ...asked,
      destinationCurrency: deployments.beta.tokens.USDC.address,
      amount: '1000000',
      tradeType: 'EXACT_OUTPUT',
      txs: [{ to: deployments.beta.reverter, value: '0', data }],
    };
    for (const endpoint of ['/quote/v2', '/quote', '/price']) await post(endpoint, 'calls that revert', calling);
    await service.fault({ kind: 'status', status: 429, match: { path: '/quote/v2' } });
    await post('/quote/v2', 'too many requests', asked);
    await withoutChains(asked);
    await post(
      '/execute/permits',
      'an unknown request',
      { kind: 'eip3009', requestId: unknownId },
      `/execute/permits?signature=0x00`,
    );
    await get('/intents/status/v3', 'an unknown request', `/intents/status/v3?requestId=${unknownId}`);
    await get('/intents/status/v2', 'an unknown request', `/intents/status/v2?requestId=${unknownId}`);
    await get('/requests/v3', 'none', `/requests/v3?id=${unknownId}`, key);
    await get('/requests/v2', 'none', `/requests/v2?id=${unknownId}`);
    await post('/transactions/index', 'an unknown chain', { chainId: '1', txHash: unknownId });
    await post('/transactions/index', 'an unknown transaction', { chainId: String(alpha.id), txHash: unknownId });
  }

  /** The errors of a service whose nodes do not answer. */
  async function withoutChains(asked: unknown): Promise<void> {
    const nodes = [service.chains.alpha, service.chains.beta].map((node) => ({
      ...node,
      rpcUrl: 'http://127.0.0.1:1',
    }));
    const broken = await createSandbox({ chains: nodes, seed: 'broken', instance: 'broken' });
    const send = (path: string, init?: RequestInit): Promise<Response> =>
      broken.fetch(new Request(`http://localhost${path}`, init));
    const headers = { ...key, 'content-type': 'application/json' };
    const call = sponsored(service.chains.alpha, dev1.address, '0x');
    for (const [endpoint, body] of Object.entries({
      '/quote/v2': asked,
      '/quote': asked,
      '/price': asked,
      '/execute': call,
    }))
      await keep(
        { endpoint, method: 'post', kind: 'no chain answers' },
        await send(endpoint, { method: 'POST', headers, body: JSON.stringify(body) }),
      );
    const path = `/config/v2?originChainId=${alpha.id}&destinationChainId=${deployments.beta.id}`;
    await keep({ endpoint: '/config/v2', method: 'get', kind: 'no chain answers' }, await send(path));
    await broken.stop();
  }

  async function transfers(): Promise<void> {
    const first = await quote('a bridge', { ...bridge, appFees });
    await states('waiting', first);
    const txHash = await service.pay(first);
    await post('/transactions/index', 'a deposit', { chainId: String(alpha.id), txHash, requestId: first.requestId });
    await service.end(first.requestId);
    await states('a bridge', first);

    const stuck = await quote('a bridge', bridge);
    await service.fault({ kind: 'solver', does: 'stuck', match: { requestId: stuck.requestId } });
    await service.pay(stuck);
    await service.until(stuck.requestId, 'pending');
    await states('pending', stuck);
    await service.clearFaults();
    await service.end(stuck.requestId);

    // No block takes up the fill until it was asked for.
    const { rpcUrl } = service.chains.beta;
    const submitted = await quote('a bridge', bridge);
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    await service.pay(submitted);
    await service.until(submitted.requestId, 'submitted');
    await states('submitted', submitted);
    await nodeRpc.call(rpcUrl, 'evm_mine');
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
    await service.end(submitted.requestId);

    const rejected = await quote('a bridge of native currency', {
      from: 'alpha/ETH',
      to: 'beta/ETH',
      amount: `${10n ** 16n}`,
      refundTo: alpha.reverter,
    });
    const failReason = 'SOLVER_CAPACITY_EXCEEDED';
    await service.fault({ kind: 'solver', does: 'refund', failReason, match: { requestId: rejected.requestId } });
    await service.pay(rejected);
    await service.end(rejected.requestId);
    await states('a refund that is rejected', rejected);

    for (const does of ['refund', 'revert', 'fail'] as const) {
      const asked = await quote('a bridge', bridge);
      await service.fault({ kind: 'solver', does, match: { requestId: asked.requestId } });
      await service.pay(asked);
      await service.end(asked.requestId);
      await states(does, asked);
    }
    await service.clearFaults();

    await paid(
      'a swap on one chain',
      await quote('a swap on one chain', { from: 'alpha/USDC', to: 'alpha/WETH', amount: '10000000' }),
    );
    const broken = await quote('a wrap', { from: 'alpha/ETH', to: 'alpha/WETH', amount: `${10n ** 15n}` });
    const [call] = callsOf(broken);
    if (!call) throw new Error('A wrap has a call.');
    const hash = await connectAs(service.chains.alpha, dev0).sendTransaction({ ...call, gas: 22_000n });
    const { requestId } = broken;
    const tx = JSON.stringify({ txHash: hash });
    await post('/transactions/single', 'a reverted wrap', { chainId: String(alpha.id), requestId, tx });
    await service.end(requestId);
    await states('a reverted wrap', broken);

    const onOneChain: Record<string, Wish> = {
      'a wrap': { from: 'alpha/ETH', to: 'alpha/WETH', amount: `${10n ** 15n}` },
      'a send': { from: 'alpha/USDC', to: 'alpha/USDC', amount: '5', recipient: dev1.address },
    };
    for (const [kind, wish] of Object.entries(onOneChain)) {
      const asked = await quote(kind, wish);
      await post('/transactions/single', kind, {
        chainId: String(alpha.id),
        requestId: asked.requestId,
        tx: JSON.stringify({ txHash: await service.pay(asked) }),
      });
      await service.end(asked.requestId);
      await states(kind, asked);
    }
    await paid(
      'a deposit to the venue',
      await quote('a deposit to the venue', { ...bridge, to: 'lighter/USDC', recipient: String(indexOf('dev0')) }),
    );
    await paid(
      'a sponsored swap',
      await quote('a sponsored swap', { ...bridge, to: 'beta/USDT', subsidizeFees: true, headers: key }),
    );
    await paid(
      'a swap sponsored in part',
      await quote('a swap sponsored in part', { ...bridge, to: 'beta/USDT', ...someFees, headers: key }),
    );
  }

  async function calls(): Promise<void> {
    const reverter = { abi: abi.reverter };
    const data: Record<string, `0x${string}`> = {
      'an error string': encodeFunctionData({ ...reverter, functionName: 'errorString', args: ['no'] }),
      'a panic': encodeFunctionData({ ...reverter, functionName: 'panic', args: [0x11n] }),
      'a custom error': encodeFunctionData({ ...reverter, functionName: 'customError', args: [dev0.address, 5n, 7n] }),
      'an unknown custom error': encodeFunctionData({ ...reverter, functionName: 'unknownError', args: [7n] }),
      'an empty revert': encodeFunctionData({ ...reverter, functionName: 'empty' }),
    };
    for (const [how, calldata] of Object.entries(data)) {
      const kind = `a simulation that ends in ${how}`;
      const to = how === 'a panic' ? alpha.forwarder : alpha.reverter;
      const args = [alpha.reverter, calldata] as const;
      const forwarded = encodeFunctionData({ abi: abi.forwarder, functionName: 'forward', args });
      await post(
        '/execute',
        kind,
        sponsored(service.chains.alpha, to, to === alpha.forwarder ? forwarded : calldata),
        '/execute',
        key,
      );
    }
    const whole = sponsored(service.chains.alpha, dev1.address, '0x');
    await post('/execute', 'no key', whole);
    await post('/execute', 'an invalid body', { ...whole, data: {} }, '/execute', key);
    const done = (await post('/execute', 'a call', whole, '/execute', key)) as { requestId: string };
    await service.end(done.requestId);
    await states('a call', done);

    const asked = await quote('a bridge', { ...bridge, account: 'dev9', originGasOverhead: 80_000 });
    await post('/execute', 'a quote', await bodyOf(service.chains.alpha, 'dev9', asked), '/execute', key);
    await states('queued', asked);
    await service.end(asked.requestId);
    await states('a gasless bridge', asked);

    const permitted = await quote('a permit by EIP-3009', { ...bridge, account: 'dev9', usePermit: true });
    const permit = await signPermit(permitted, 'dev9');
    await post('/execute/permits', 'a permit', permit.body, permit.path);
    await service.end(permitted.requestId);
    await states('a permit', permitted);
  }

  /** What arrives otherwise than as a plain payment. */
  async function arrivals(): Promise<void> {
    const topup = { ...bridge, to: 'beta/DAI', topupGas: true } as const;
    const topped = await quote('a gas top-up', topup);
    await states('a gas top-up, waiting', topped);
    await paid('a gas top-up', topped);
    const { tokens } = deployments.beta;
    await post('/quote', 'a gas top-up', {
      ...{ user: dev0.address, originChainId: alpha.id, destinationChainId: deployments.beta.id },
      ...{ originCurrency: alpha.tokens.USDC.address, destinationCurrency: tokens.USDC.address },
      ...{ tradeType: 'EXACT_INPUT', amount: '10000000', topupGas: true },
    });
    const { address: to } = tokens.USDC;
    const args = [dev1.address, 10_000_000n] as const;
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args });
    const txs = [{ to, value: '0', data }];
    await paid('calls', await quote('calls', { ...bridge, tradeType: 'EXACT_OUTPUT', txs }));
    if (!service.hasSvm) return;
    const onSvm = { ...bridge, to: 'svm/USDC', recipient: 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE' };
    await paid('a payment on svm', await quote('a payment on svm', onSvm));
    const failing = await quote('a payment on svm', onSvm);
    await service.fault({ kind: 'solver', does: 'revert', match: { requestId: failing.requestId } });
    await paid('a payment on svm that fails', failing);
    await service.clearFaults();
    const { id, tokens: svmTokens } = svmDescription;
    for (const { address } of svmTokens) {
      await get('/currencies/token/price', 'svm', `/currencies/token/price?chainId=${id}&address=${address}`);
      await get('/chains/{chainId}/currencies/{address}', 'svm', `/chains/${id}/currencies/${address}`);
    }
    await post('/currencies/v2', 'svm', { chainIds: [id] });
  }

  async function appFeeAnswers(): Promise<void> {
    const of = (wallet: string, what: string): string => `/app-fees/${wallet}/${what}`;
    await get('/app-fees/{wallet}/balances', 'something earned', of(dev6.address, 'balances'));
    await get('/app-fees/{wallet}/balances', 'nothing earned', of(dev9.address, 'balances'));
    await get('/app-fees/{wallet}/balances', 'no wallet', of('0x12', 'balances'));
    const claim = { chainId: alpha.id, currency: alpha.tokens.USDC.address, recipient: dev6.address };
    await post('/app-fees/{wallet}/claim', 'more than there is', claim, of(dev9.address, 'claim'));
    for (const amount of ['10000', undefined]) {
      const kind = amount === undefined ? 'everything' : 'some';
      const body = { ...claim, ...(amount !== undefined && { amount }) };
      const prepared = (await post('/app-fees/{wallet}/claim', kind, body, of(dev6.address, 'claim'))) as Claim;
      const { sign, post: to } = prepared.steps[0].items[0].data;
      const signature = await privateKeyToAccount(dev6.privateKey).signMessage({ message: { raw: sign.message } });
      await post('/execute/permits', 'a claim', to.body, `${to.endpoint}?signature=${signature}`);
    }
    await get('/app-fees/{wallet}/claims', 'a page', of(dev6.address, 'claims?limit=1'));
    await get('/app-fees/{wallet}/claims', 'one', of(dev6.address, 'claims'));
    await get('/app-fees/{wallet}/claims', 'no wallet', of('0x12', 'claims'));
  }

  async function lists(): Promise<void> {
    const usdc = alpha.tokens.USDC.address;
    const venue = 3586256;
    await get('/chains', 'all');
    await post('/currencies/v2', 'all', {});
    await get('/currencies/token/price', 'a token', `/currencies/token/price?chainId=${alpha.id}&address=${usdc}`);
    await get('/currencies/token/price', 'an unknown token', `/currencies/token/price?chainId=1&address=${usdc}`);
    const details = '/chains/{chainId}/currencies/{address}';
    await get(details, 'a token', `/chains/${alpha.id}/currencies/${usdc}`);
    await get(details, 'a currency of the venue', `/chains/${venue}/currencies/0`);
    await get(details, 'an unknown token', `/chains/1/currencies/${usdc}`);
    const pair = `originChainId=${alpha.id}&destinationChainId=${deployments.beta.id}`;
    await get('/config/v2', 'a bridge', `/config/v2?${pair}&user=${dev0.address}&currency=usdc`);
    await get('/config/v2', 'no bridge', `/config/v2?${pair}&currency=xpl`);
    await get('/lives', 'all');
    await get('/requests/v3', 'a page', '/requests/v3?limit=1&includeTotal=true', key);
    await get('/requests/v2', 'a page', '/requests/v2?limit=1');
  }
}

type Claim = {
  steps: [{ items: [{ data: { sign: { message: `0x${string}` }; post: { endpoint: string; body: unknown } } }] }];
};
