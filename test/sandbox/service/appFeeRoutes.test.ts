import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import type * as Step from '../../../src/core/api/schema/Step.js';
import type { Address } from '../../../src/core/base/Address.js';
import { stateOf } from '../../../src/sandbox/execute/claims.js';
import { type Account, accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { instanceOn } from '../../support/instances.js';
import type { Endpoint } from '../../support/nodeClients.js';
import { describePublished, read } from '../../support/published.js';
import * as Shape from '../../support/shape.js';
import { compile, deploy } from '../../support/solidity.js';

const source = `
contract SmartWallet {
  address private immutable owner = msg.sender;

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 65) revert();
    address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
  }
}`;

/** Deploys a wallet of an account; resolves to its address. */
function deployWallet(chain: Endpoint, owner: Account): Promise<Address> {
  return deploy(chain, owner, compile(source));
}

const service = useService();
const { asked: ask, posted: post } = service;
const { alpha } = service.chains;

const usdc = alpha.tokens.USDC.address;
const { dev5: app, dev6: receiver } = accounts;
const stranger = `0x${'7'.repeat(40)}`;
const whole = { chainId: alpha.id, currency: usdc, recipient: receiver.address };

async function balance(
  wallet: string = app.address,
): Promise<Record<keyof AppFeeClaims.Balances | 'availableBalanceUsd', unknown>> {
  const [status, body] = await ask(`/app-fees/${wallet}/balances`);
  expect(status).toBe(200);
  expect(AppFeeClaims.balances.safeParse(body).success).toBe(true);
  return body as Awaited<ReturnType<typeof balance>>;
}

async function claims(query = '') {
  const [, body] = await ask(`/app-fees/${app.address}/claims${query}`);
  expect(AppFeeClaims.claims.parse(body)).toEqual(body);
  return body as AppFeeClaims.Claims & { continuation?: string };
}

/** The claim's id and the body to post with its signature. */
async function prepare(change: object = {}, wallet = app.address): Promise<{ requestId: string; body: unknown }> {
  const [status, body] = await post(`/app-fees/${wallet}/claim`, { ...whole, ...change });
  expect(status).toBe(200);
  expect(AppFeeClaims.claimResponse.parse(body)).toEqual(body);
  const { steps } = body as { steps: Step.Step[] };
  const data = steps[0]?.items[0]?.data as { sign: { message: string }; post: { body: { requestId: string } } };
  expect(data.post.body.requestId).toBe(data.sign.message);
  return { requestId: data.sign.message, body: data.post.body };
}

async function sign(id: string, { privateKey }: { privateKey: `0x${string}` }): Promise<string> {
  return await privateKeyToAccount(privateKey).signMessage({ message: { raw: id as `0x${string}` } });
}

async function submit(
  claim: { requestId: string; body: unknown },
  signer: { privateKey: `0x${string}` } = app,
): Promise<[number, unknown]> {
  return await post(`/execute/permits?signature=${await sign(claim.requestId, signer)}`, claim.body);
}

/** Earns 1% of 100 USDC. */
async function earn(recipient = app.address): Promise<void> {
  const appFees = [{ recipient, fee: '100' }];
  const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '100000000', appFees });
  await service.pay(quote);
  expect(await service.end(quote.requestId)).toMatchObject({ status: 'success' });
}

describe('app fees', () => {
  beforeAll(() => earn());

  test('default: earned when the transfer is delivered, claimed with a signature, paid on the chain', async () => {
    const { balances, totalBalanceUsd, availableBalanceUsd } = await balance();
    expect(balances).toMatchObject([
      {
        currency: { chainId: alpha.id, symbol: 'USDC' },
        amount: '1000000',
        amountFormatted: '1.0',
        amountUsd: '1.000000',
      },
    ]);
    expect([totalBalanceUsd, availableBalanceUsd]).toEqual([1, 1]);

    const before = await service.holds(receiver.address, 'alpha/USDC');
    const claim = await prepare({ amount: '400000' });
    expect((await balance()).balances).toMatchObject([{ amount: '1000000' }]);
    expect((await claims()).claims).toEqual([]);
    expect(await submit(claim)).toEqual([200, { message: 'Claim submitted' }]);
    await expect.poll(async () => (await claims()).claims[0]?.status).toBe('success');
    const received = (await service.holds(receiver.address, 'alpha/USDC')) - before;
    // The network gas is withheld.
    expect(received).toBeGreaterThan(390_000n);
    expect(received).toBeLessThan(400_000n);
    expect((await balance()).balances).toMatchObject([{ amount: '600000' }]);
    expect((await claims()).claims).toMatchObject([
      {
        claimId: claim.requestId,
        wallet: app.address,
        recipient: receiver.address,
        currency: { amount: '400000' },
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);

    // A second time nothing is paid.
    expect((await submit(claim))[0]).toBe(200);
    expect((await service.holds(receiver.address, 'alpha/USDC')) - before).toBe(received);
    expect((await claims()).claims).toHaveLength(1);
  });

  test('behavior: of two claims of everything, one is paid', async () => {
    const both = [await prepare(), await prepare()];
    expect(both[0]?.requestId).not.toBe(both[1]?.requestId);
    const answers = await Promise.all(both.map((claim) => submit(claim)));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 400]);
    expect(answers).toContainEqual([400, { message: 'Insufficient balance' }]);
    expect((await balance()).balances).toEqual([]);
  });

  test('behavior: claims are listed by page, and survive a restart', async () => {
    await expect.poll(async () => (await claims()).claims.map(({ status }) => status)).toEqual(['success', 'success']);
    const { claims: all } = await claims();
    const first = await claims('?limit=1');
    const second = await claims(`?limit=1&continuation=${first.continuation}`);
    expect([...first.claims, ...second.claims]).toEqual(all);
    expect(second.continuation).toBe(undefined);
    await service.restart();
    expect((await claims()).claims).toEqual(all);
    expect((await balance()).balances).toEqual([]);
  });

  test('error: another signer, another kind, a recipient that cannot be paid', async () => {
    await earn();
    const claim = await prepare();
    expect(await submit(claim, receiver)).toEqual([400, { message: 'Invalid signature' }]);
    const other = { ...claim, body: { kind: 'eip3009', requestId: claim.requestId } };
    expect(await submit(other)).toEqual([400, { message: 'The request is a claim' }]);
    const tiny = await prepare({ amount: '1' });
    expect(await submit(tiny)).toEqual([400, { message: 'The amount is too low to pay for the network gas' }]);
    expect((await balance()).balances).toMatchObject([{ amount: '1000000' }]);
  });

  test.each([
    ['more than there is', { amount: '1000001' }, 'Insufficient balance'],
    ['nothing', { amount: '0' }, 'Insufficient balance'],
    ['another currency', { currency: stranger }, `App fees are paid in USDC on chain ${alpha.id}`],
    ['another chain', { chainId: 1 }, `App fees are paid in USDC on chain ${alpha.id}`],
    ['no recipient', { recipient: 'me' }, 'Invalid address me'],
  ])('error: a claim of %s', async (_, change, message) => {
    expect(await post(`/app-fees/${app.address}/claim`, { ...whole, ...change })).toEqual([400, { message }]);
  });

  test('error: a wallet that has earned nothing, and one that is none', async () => {
    expect(await balance(stranger)).toMatchObject({ balances: [], totalBalanceUsd: 0 });
    expect(await post(`/app-fees/${stranger}/claim`, whole)).toEqual([400, { message: 'Insufficient balance' }]);
    expect(await ask('/app-fees/me/balances')).toEqual([400, { message: 'Invalid address me' }]);
    expect(await ask(`/app-fees/${app.address}/claims?continuation=x`)).toMatchObject([400, {}]);
  });
});

test('behavior: a claim whose payment no node knows is pending', async () => {
  const claim = { id: '0x1', wallet: app.address, recipient: app.address, chainId: alpha.id, amount: 1n } as const;
  const instance = instanceOn(service.chains);
  expect(await stateOf(instance, { ...claim, createdAtMs: 1, hash: `0x${'1'.repeat(64)}` })).toBe('pending');
});

describe('a wallet that is a contract', () => {
  test('default: its own judgement counts, and that of nobody else', async () => {
    const wallet = await deployWallet(alpha, app);
    await earn(wallet);
    const claim = await prepare({}, wallet);
    const before = await service.holds(receiver.address, 'alpha/USDC');
    expect(await submit(claim, receiver)).toEqual([400, { message: 'Invalid signature' }]);
    expect(await post('/execute/permits?signature=0x12', claim.body)).toEqual([400, { message: 'Invalid signature' }]);
    expect(await submit(claim, app)).toEqual([200, { message: 'Claim submitted' }]);
    await expect.poll(() => service.holds(receiver.address, 'alpha/USDC')).toBeGreaterThan(before + 900_000n);
  });
});

describePublished('the published claim', () => {
  test('behavior: the same fields and words', async () => {
    const [, body] = await post(`/app-fees/${app.address}/claim`, whole);
    const live = read('live/app-fees-claim-1.json') as { steps: Step.Step[] };
    const [here, there] = [Shape.from(body), Shape.from(live)];
    expect([...Shape.differences(here, there), ...Shape.differences(there, here)]).toEqual([]);
    const words = live.steps.map(({ id, action, description, kind }) => ({ id, action, description, kind }));
    expect(body).toMatchObject({ steps: words });
  });
});
