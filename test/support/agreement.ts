/** One transfer through the sandbox's service, from quote to record, with its effects on the chains and the venue. */

import type { Hex } from 'viem';
import { expect } from 'vitest';
import * as Step from '../../src/core/api/schema/Step.js';
import * as Usd from '../../src/core/base/Usd.js';
import type { Chain } from '../../src/sandbox/chain/startChains.js';
import type * as RecordV3 from '../../src/sandbox/ledger/RecordV3.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { key, type Service, type Wish } from './customer.js';
import { bodyOf, signPermit } from './gasless.js';
import { gaslessCustomer } from './gaslessCustomer.js';
import { connect, connectAs } from './nodeClients.js';
import { indexOf, settled } from './venueTransfer.js';

export type Way = 'own' | 'batch' | 'sponsored batch' | 'permit';

/** A transfer from an account to itself or to another account. */
export type Case = {
  from: string;
  to: string;
  amount: string;
  way: Way;
  account: Name;
  rest: Partial<Wish>;
};

export type Observed = {
  quote: QuoteAnswer.Response & { requestId: string };
  record: RecordV3.Record;
  /** Balance changes of the user in base units, by currency such as `alpha/USDC`. */
  changes: Record<string, bigint>;
  /** Gas cost of the user's transactions in wei, from their receipts; on the venue, its fee in millionths of USDC. */
  outsideCost: bigint;
  /** What the sponsor paid, in millionths of a dollar. */
  sponsorPaid: bigint;
};

/** Quotes, pays as the case says, waits for the outcome and reads everything twice: from the record and the chains. */
export async function observe(service: Service, { from, to, way, account, rest, ...asked }: Case): Promise<Observed> {
  const { sponsorBalance } = gaslessCustomer(service);
  const quote = await service.quote({
    from,
    to,
    amount: asked.amount,
    account,
    headers: key,
    recipient: holderOf(to, account),
    ...(way === 'batch' && { originGasOverhead: 80_000 }),
    ...(way === 'permit' && { usePermit: true }),
    ...rest,
  });
  const native = `${from.split('/')[0]}/${from.startsWith('lighter') ? 'USDC' : 'ETH'}`;
  const currencies = [...new Set([from, to, native])];
  const holdings = () => Promise.all(currencies.map((each) => holds(service, each, account, quote)));
  const [before, sponsorBefore] = [await holdings(), sponsorBalance()];
  const outsideCost = await pay(service, quote, way, account);
  expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
  const after = await holdings();
  return {
    quote,
    record: await service.record(quote.requestId),
    changes: Object.fromEntries(currencies.map((each, index) => [each, (after[index] ?? 0n) - (before[index] ?? 0n)])),
    outsideCost,
    sponsorPaid: sponsorBefore - sponsorBalance(),
  };
}

/** The gas of a mined transaction by its receipt, in wei. */
export async function gasOf(chain: Chain, hash: string): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await connect(chain).getTransactionReceipt({ hash: hash as Hex });
  return gasUsed * effectiveGasPrice;
}

/** A decimal dollar amount in millionths. */
export function micro(text: string | null | undefined): bigint {
  const found = Usd.from(text ?? '');
  if (found === undefined) throw new Error(`${text} is no amount of dollars.`);
  return found;
}

async function pay(service: Service, quote: Observed['quote'], way: Way, account: Name): Promise<bigint> {
  const { chainId } = quote.details.currencyIn.currency;
  const { alpha, beta } = service.chains;
  const chain = [alpha, beta].find(({ id }) => id === chainId);
  if (!chain) return (await settled(service.venue, await service.pay(quote, account))).usdcFee;
  if (way === 'own') return await payOneByOne(service, chain, quote, account);
  if (way === 'permit') {
    const { path, body } = await signPermit(quote, account);
    expect((await service.post(path, body)).status).toBe(200);
    return 0n;
  }
  const body = await bodyOf(chain, account, quote);
  const executionOptions = { ...body.executionOptions, subsidizeFees: way === 'sponsored batch' };
  const answer = await service.post('/execute', { ...body, executionOptions }, key);
  expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
  return 0n;
}

/** Sends the quote's transactions as a wallet does; returns their cost from the receipts. */
async function payOneByOne(
  service: Service,
  chain: Chain,
  quote: QuoteAnswer.Response,
  account: Name,
): Promise<bigint> {
  const client = connectAs(chain, accounts[account]);
  let cost = 0n;
  for (const { data } of quote.steps.flatMap((step) => step.items)) {
    const { to, data: calldata, value, gas } = Step.evmTransaction.parse(data);
    const hash = await client.sendTransaction({ to, data: calldata, value: BigInt(value), gas: BigInt(gas ?? 0) });
    await client.waitForTransactionReceipt({ hash });
    cost += await gasOf(chain, hash);
    // A wallet notifies the service at once; otherwise the service would notice a moment later.
    await service.post('/transactions/single', {
      requestId: quote.requestId,
      chainId: String(chain.id),
      tx: JSON.stringify({ hash, from: accounts[account].address, to, data: calldata, value, chainId: chain.id }),
    });
  }
  return cost;
}

function holderOf(currency: string, account: Name): string {
  return currency.startsWith('lighter') ? String(indexOf(account)) : accounts[account].address;
}

/** The balance of the account; on the venue, of the account in the quote. */
async function holds(service: Service, currency: string, account: Name, quote: QuoteAnswer.Response): Promise<bigint> {
  if (!currency.startsWith('lighter')) return await service.holds(accounts[account].address, currency);
  const { recipient } = quote.details;
  const index = /^\d+$/.test(recipient) ? Number(recipient) : indexOf(account);
  return service.venue.account(index)?.usdc ?? 0n;
}
