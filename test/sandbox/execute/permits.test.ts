import { encodeFunctionData, type Hex, parseSignature } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as SignatureItem from '../../../src/core/api/schema/SignatureItem.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { revert } from '../../support/chains.js';
import { type Answer, key, useService, type Wish } from '../../support/customer.js';
import { bodyOf, type SignedPermit, signPermit } from '../../support/gasless.js';
import { connect } from '../../support/nodeClients.js';

const service = useService();
const { alpha } = service.chains;
const { dev9, relayer } = accounts;

const accepted: Answer = [200, { message: 'Permit accepted' }];

const post = ({ path, body }: Pick<SignedPermit, 'path' | 'body'>) => service.posted(path, body);

/** A bridge of 10 USDC paid by signature. */
function quote(change: Partial<Wish> = {}) {
  return service.quote({ ...bridge, ...change });
}

const bridge: Wish = { from: 'alpha/USDC', to: 'beta/USDC', amount: '10000000', account: 'dev9', usePermit: true };

describe('executePermit', () => {
  test('behavior: an account delegated to the batch executor', async () => {
    const delegating = await service.quote({ ...bridge, account: 'dev8', usePermit: false, originGasOverhead: 80_000 });
    await service.post('/execute', await bodyOf(alpha, 'dev8', delegating), key);
    await service.end(delegating.requestId);
    expect(await connect(alpha).getCode({ address: accounts.dev8.address })).toMatch(/^0xef0100/);
    const asked = await quote({ account: 'dev8' });
    expect(await post(await signPermit(asked, 'dev8'))).toEqual(accepted);
    expect(await service.end(asked.requestId)).toMatchObject({ status: 'success' });
    expect((await service.record(asked.requestId)).features).toEqual(['gasless_execution', 'gasless_swap']);
  });

  test('behavior: an order that cannot be filled is refunded in full', async () => {
    const before = await service.holds(dev9.address, 'alpha/USDC');
    const asked = await quote();
    await service.fault({ kind: 'solver', does: 'refund', match: { requestId: asked.requestId } });
    const permit = await signPermit(asked, 'dev9');
    await post(permit);
    expect(await service.end(asked.requestId)).toMatchObject({ status: 'refund' });
    const lost = before - (await service.holds(dev9.address, 'alpha/USDC'));
    // The same permit once more pays nothing, and does not hide what became of it.
    expect(await post(permit)).toEqual(accepted);
    expect(await service.end(asked.requestId)).toMatchObject({ status: 'refund' });
    expect(before - (await service.holds(dev9.address, 'alpha/USDC'))).toBe(lost);
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThan(10_000n);
  });

  test('behavior: idempotent', async () => {
    const asked = await quote();
    const permit = await signPermit(asked, 'dev9');
    const before = await service.holds(dev9.address, 'alpha/USDC');
    expect(await Promise.all([post(permit), post(permit)])).toEqual([accepted, accepted]);
    await service.end(asked.requestId);
    expect(await post(permit)).toEqual(accepted);
    expect(before - (await service.holds(dev9.address, 'alpha/USDC'))).toBe(10_000_000n);
    const other = `${permit.path.slice(0, -2)}1c`;
    const shifted = other === permit.path ? `${permit.path.slice(0, -2)}1b` : other;
    expect(await post({ ...permit, path: shifted })).toEqual([400, { message: 'The request is executed already' }]);
    expect(await service.holds(alpha.depository, 'alpha/USDC')).toBeGreaterThan(0n);
  });

  test('error: another account’s signature', async () => {
    const asked = await quote();
    expect(await post(await signPermit(asked, 'dev1'))).toEqual([400, { message: 'Invalid signature' }]);
    expect((await service.status(asked.requestId)).status).toBe('waiting');
  });

  test('error: another kind of permit, and a request that takes none', async () => {
    const permit = await signPermit(await quote(), 'dev9');
    const message = 'The permit of the request is of kind eip3009';
    expect(await post({ ...permit, body: { ...permit.body, kind: 'permit2' } })).toEqual([400, { message }]);
    const { requestId } = await quote({ usePermit: false });
    expect(await post({ ...permit, body: { ...permit.body, requestId } })).toEqual([
      400,
      { message: 'The request takes no permit' },
    ]);
  });

  test('error: insufficient balance', async () => {
    const asked = await quote({ amount: '2000000000000' });
    expect(await post(await signPermit(asked, 'dev9'))).toEqual([400, { message: 'ERC20 insufficient balance' }]);
  });

  test("error: a permit that has expired by the service's clock, on a chain whose clock stands still", async () => {
    const asked = await quote({ permitExpiry: 1, account: 'dev7' });
    const permit = await signPermit(asked, 'dev7');
    const before = await service.holds(accounts.dev7.address, 'alpha/USDC');
    service.travel(2_000);
    onTestFinished(() => service.travel(-2_000));
    expect(await post(permit)).toEqual([400, { message: 'Authorization expired' }]);
    expect((await service.status(asked.requestId)).status).toBe('waiting');
    expect(await service.holds(accounts.dev7.address, 'alpha/USDC')).toBe(before);
  });
});

describe('executePermit: scope of a signature', () => {
  test('behavior: an authorization pays only for its own order', async () => {
    const [asked, other] = [await quote(), await quote()];
    const { path, body } = await signPermit(asked, 'dev9');
    expect(await post({ path, body: { ...body, requestId: other.requestId } })).toEqual([
      400,
      { message: 'Invalid signature' },
    ]);
  });

  test('behavior: nobody else can use an authorization, neither at the proxy nor at the token', async () => {
    const asked = await quote();
    const permit = await signPermit(asked, 'dev9');
    const { sign } = SignatureItem.schema.parse(asked.steps[0]?.items[0]?.data);
    if (sign.signatureKind !== 'eip712') throw new Error('no typed data');
    const { validBefore, nonce } = sign.value as { validBefore: number; nonce: Hex };
    const { r, s, v = 0n } = parseSignature(permit.signature);
    const [usdc, value, from] = [alpha.tokens.USDC.address, 10_000_000n, dev9.address];
    const signed = { from, value, validAfter: 0n, validBefore: BigInt(validBefore), v: Number(v), r, s };
    const transfer = encodeFunctionData({
      abi: abi.token,
      functionName: 'transfer',
      args: [accounts.dev1.address, value],
    });
    const theft = { target: usdc, allowFailure: false, value: 0n, callData: transfer };
    const proxied = {
      address: alpha.approvalProxy,
      abi: [...abi.approvalProxy, ...abi.usdCoin],
      functionName: 'permit3009TransferAndMulticall',
      args: [[signed], [usdc], [theft], accounts.dev1.address, accounts.dev1.address, '0x'],
    };
    for (const thief of [accounts.dev1, relayer])
      expect(await revert(alpha, thief, proxied)).toBe('InvalidSignature()');
    const direct = {
      address: usdc,
      abi: abi.usdCoin,
      functionName: 'receiveWithAuthorization',
      args: [from, alpha.approvalProxy, value, 0n, BigInt(validBefore), nonce, Number(v), r, s],
    };
    expect(await revert(alpha, accounts.dev1, direct)).toBe(`CallerMustBePayee(${alpha.approvalProxy})`);
    expect(await post(permit)).toEqual(accepted);
    expect((await service.end(asked.requestId)).status).toBe('success');
  });
});
