import fc from 'fast-check';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as ChainVm from '../../../src/core/network/ChainVm.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import * as OrderId from '../../../src/core/order/OrderId.js';
import { changedValues } from '../../support/orders.js';
import { withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import { runs } from '../../support/runs.js';
import vectors from './order-ids.json' with { type: 'json' };

const vmOf = ChainVm.of([...mainnet.chains, ...sandbox.chains]);

type Named = { orderId: string; orderData: Record<string, unknown>; orderSignature?: string };

describe('id', () => {
  test.each(vectors.orders)('default: $name', ({ orderData, orderId }) => {
    expect(OrderId.id(orderData, ChainVm.of([]))).toEqual({ ok: true, id: orderId });
  });

  test.each([
    'quote-bridge',
    'quote-deposit-address',
    'quote-permit-eip3009',
    'quote-permit-permit2',
    'quote-sponsored',
    'quote-swap',
    'quote-venue-deposit',
    'quote-venue-withdrawal',
  ])('default: %s', (name) => {
    const { orderData, orderId } = recorded(name);
    expect(OrderId.id(orderData, ChainVm.of(sandbox.chains))).toEqual({ ok: true, id: orderId });
  });

  test('behavior: ignores the case of hexadecimal digits', () => {
    const { orderData, orderId } = recorded('quote-bridge');
    const upper = JSON.parse(JSON.stringify(orderData).replace(/(?<=0x)[0-9a-f]+/gi, (digits) => digits.toUpperCase()));
    expect(OrderId.id(upper, vmOf)).toEqual({ ok: true, id: orderId });
  });

  const huge = (2n ** 256n).toString();
  const bad: readonly (readonly [string, unknown, string])[] = [
    ['version', 'v2', 'version: "v2" is not "v1"'],
    ['version', undefined, 'version: missing, expected a string'],
    ['version', 1, 'version: expected a string'],
    ['relayer', '0x', 'relayer: unknown field'],
    ['solverChainId', 'Base', 'solverChainId: unknown chain "Base"'],
    ['solverChainId', 'solana', 'solverChainId: "solana" is not an EVM chain'],
    ['solver', '0x12', 'solver: "0x12" is not a valid EVM account'],
    ['salt', '0x12', 'salt: expected 32 bytes (0x and 64 hexadecimal digits)'],
    ['inputs.0.payment.chainId', 'nowhere', 'inputs[0].payment.chainId: unknown chain "nowhere"'],
    ['inputs.0.payment.chainId', 'constructor', 'inputs[0].payment.chainId: unknown chain "constructor"'],
    ['inputs.0.payment.currency', 'usdc', 'inputs[0].payment.currency: "usdc" is not a valid ethereum-vm currency'],
    ['inputs.0.payment.amount', '', 'inputs[0].payment.amount: expected a string of digits'],
    ['inputs.0.payment.amount', '-1', 'inputs[0].payment.amount: expected a string of digits'],
    ['inputs.0.payment.amount', '0x10', 'inputs[0].payment.amount: expected a string of digits'],
    ['inputs.0.payment.amount', '007', 'inputs[0].payment.amount: "007" is not a uint256'],
    ['inputs.0.payment.amount', huge, `inputs[0].payment.amount: "${huge}" is not a uint256`],
    ['inputs.0.payment.amount', '9'.repeat(500), 'inputs[0].payment.amount: expected at most 100 characters'],
    ['inputs.0.refunds.0.deadline', 2 ** 32, 'inputs[0].refunds[0].deadline: 4294967296 is not a uint32'],
    ['inputs.0.refunds.0.deadline', -1, 'inputs[0].refunds[0].deadline: expected at least 0'],
    ['inputs.0.refunds.0.deadline', 1.5, 'inputs[0].refunds[0].deadline: expected an integer'],
    ['inputs.0.refunds.0.deadline', '1', 'inputs[0].refunds[0].deadline: expected a number'],
    ['output.deadline', 2 ** 32, 'output.deadline: 4294967296 is not a uint32'],
    ['output.chainId', 'sui', 'output.chainId: unknown chain "sui"'],
    ['output.payments.0.recipient', '0x', 'output.payments[0].recipient: "0x" is not a valid ethereum-vm account'],
    ['output.extraData', '0x1', 'output.extraData: expected bytes (0x and pairs of hexadecimal digits)'],
    ['output.calls', ['0x', 'x'], 'output.calls[1]: expected bytes (0x and pairs of hexadecimal digits)'],
    ['fees', null, 'fees: expected an array'],
  ];

  test.each(bad)('error: %s %j', (path, value, why) => {
    expect(OrderId.id(put(recorded('quote-bridge').orderData, path.split('.'), value), vmOf)).toEqual({
      ok: false,
      why,
    });
  });

  test('error: an address of a different VM type', () => {
    const { orderData } = recorded('quote-bridge');
    expect(OrderId.id(put(orderData, ['output', 'chainId'], 'solana'), vmOf)).toEqual({
      ok: false,
      why: expect.stringMatching(
        /^output\.payments\[0\]\.recipient: "0x\w{40}" is not a valid solana-vm account \(and 1 more\)$/,
      ),
    });
  });

  test('error: an unknown field at any level', () => {
    const { orderData } = recorded('quote-bridge');
    expect(OrderId.id(withUnknownFields(orderData), vmOf)).toEqual({
      ok: false,
      why: expect.stringMatching(/: unknown field \(and 6 more\)$/),
    });
    const text = JSON.stringify(orderData).replace('"weight":', '"__proto__":{"weight":"2"},"weight":');
    expect(OrderId.id(JSON.parse(text), vmOf)).toEqual({
      ok: false,
      why: 'inputs[0].payment.__proto__: unknown field',
    });
  });

  test('error: a reason stays short, whatever the order contains', () => {
    const long = recorded('quote-bridge').orderData;
    for (const spoilt of [
      { ...long, ['x'.repeat(1e6)]: 1 },
      { ...long, version: 'v'.repeat(1e6) },
    ]) {
      const recomputed = OrderId.id(spoilt, vmOf);
      expect(recomputed.ok ? '' : recomputed.why).toHaveLength(201);
    }
  });

  test('error: any value, or an order with any value in one place, yields a reason and never throws', () => {
    const reason = { ok: false, why: expect.stringMatching(/./) };
    const odd = fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withTypedArray: true });
    fc.assert(
      fc.property(odd, (value) => {
        expect(OrderId.id(value, vmOf)).toEqual(reason);
      }),
    );
    const places = changedValues(recorded('quote-swap').orderData as never).map(({ at }) => at.split('.'));
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.oneof(odd, fc.string()), (path, value) => {
        const { orderData, orderId } = recorded('quote-swap');
        const before = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], orderData);
        fc.pre(!isSame(value, before));
        const recomputed = OrderId.id(put(orderData, path, value), vmOf);
        // A random value may be valid in its place, but then the id differs.
        if (recomputed.ok) expect(recomputed.id).not.toBe(orderId);
        else expect(recomputed).toEqual(reason);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describePublished('id of published orders', () => {
  test('default: every verdict', () => {
    const { orders } = readPublished('order-ids.json') as { orders: (Named & { name: string; verdict: string })[] };
    const verdicts = orders.map(({ name, orderData, orderId }) => {
      const recomputed = OrderId.id(orderData, vmOf);
      return [name, recomputed.ok ? (recomputed.id === orderId ? 'match' : 'mismatch') : recomputed.why];
    });
    expect(verdicts).toEqual(orders.map(({ name, verdict }) => [name, verdict]));
    expect(new Set(orders.map(({ verdict }) => verdict))).toEqual(new Set(['match', 'mismatch']));
  });

  test.each(['quote-deposit-address', 'quote-sponsored', 'quote-venue-deposit', 'quote-venue-withdrawal'])(
    'default: %s',
    (name) => {
      const { orderData, orderId } = orderOf(readPublished(`${name}.json`));
      expect(OrderId.id(orderData, vmOf)).toEqual({ ok: true, id: orderId });
    },
  );
});

describe('solverOf', () => {
  const solver = mnemonicToAccount(`${'test '.repeat(11)}junk`, { addressIndex: 11 });
  const orderId = '0xd84cb1288e18ceedcdaede9bf34b6b639547fcfa3d2f04f3569e4485d169f8e0';
  const sign = (raw: `0x${string}`) => solver.signMessage({ message: { raw } });

  test('default', async () => {
    expect(await OrderId.solverOf(orderId, await sign(orderId))).toBe(solver.address);
  });

  test('behavior: the solver of a recorded order', async () => {
    const { orderId: id, orderData, orderSignature } = recorded('quote-bridge');
    const found = await OrderId.solverOf(id as `0x${string}`, orderSignature ?? '');
    expect(found?.toLowerCase()).toBe(orderData.solver);
  });

  test('behavior: the recovery bit may be 0 or 1', async () => {
    const signature = await sign(orderId);
    const bit = Number.parseInt(signature.slice(-2), 16) - 27;
    expect(await OrderId.solverOf(orderId, `${signature.slice(0, -2)}0${bit}`)).toBe(solver.address);
  });

  test('error: a different order, or the id signed as text, recovers a different signer', async () => {
    const other = `0x${'11'.repeat(32)}` as const;
    expect(await OrderId.solverOf(orderId, await sign(other))).not.toBe(solver.address);
    expect(await OrderId.solverOf(orderId, await solver.signMessage({ message: orderId }))).not.toBe(solver.address);
  });

  test('error: an invalid signature has no signer', async () => {
    const signature = await sign(orderId);
    const bad = ['', '0x', 'x', signature.slice(2), signature.slice(0, -2), `${signature}00`, `${signature}\n`];
    const empty = [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `${signature.slice(0, -2)}02`];
    for (const text of [...bad, ...empty]) expect(await OrderId.solverOf(orderId, text)).toBeUndefined();
  });
});

function recorded(name: string): Named {
  return orderOf(read(name));
}

function orderOf(quote: unknown): Named {
  return (quote as { protocol: { v2: Named } }).protocol.v2;
}

/** Whether two values are equal in an order, ignoring leading zeros of digits. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b;
  return /^\d+$/.test(a) && /^\d+$/.test(b) ? BigInt(a) === BigInt(b) : a === b;
}

function put(whole: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const changed = rest.length > 0 ? put((whole as Record<string, unknown>)[key], rest, value) : value;
  if (Array.isArray(whole)) return whole.with(Number(key), changed);
  const { [key]: _, ...others } = whole as Record<string, unknown>;
  return changed === undefined ? others : { ...others, [key]: changed };
}
