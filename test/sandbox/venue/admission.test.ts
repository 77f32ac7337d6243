import fc from 'fast-check';
import { type Hex, toBytes, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { FrameLog } from '../../../src/sandbox/storage/frameLog.js';
import { limits, readTransfer } from '../../../src/sandbox/venue/admission.js';
import { VenueRefusalError } from '../../../src/sandbox/venue/VenueRefusal.js';
import { apiKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { runs } from '../../support/runs.js';
import { thrownBy } from '../../support/thrown.js';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import {
  type Customer as AnyCustomer,
  fields,
  memo,
  open,
  signed,
  signer,
  total,
} from '../../support/venueCustomer.js';
import { transferOf } from '../../support/venueTransfers.js';

type Customer = AnyCustomer & { log: FrameLog };

/** Submits a transaction that must be rejected, and checks that nothing has changed. */
async function send(customer: Customer, tx: TxInfo.TxInfo): Promise<unknown> {
  const before = customer.log.size();
  const { status, body } = await customer.send(tx);
  expect(customer.log.size()).toBe(before);
  expect(customer.venue.isBusy()).toBe(false);
  expect(status).toBe(400);
  return body.code;
}

/** A missing account or key is reported before the signature is checked. */
function expectedOf({ venue }: Customer, { FromAccountIndex, ApiKeyIndex }: TxInfo.TxInfo): number {
  if (!venue.account(Number(FromAccountIndex))) return 21100;
  return apiKeys.some((key) => key.accountIndex === Number(FromAccountIndex) && ApiKeyIndex === 4n) ? 21120 : 21108;
}

describe('validate', () => {
  const numbers = TxInfo.names.map((name) => {
    const [least, greatest] = limits[name];
    return fc.record({ name: fc.constant(name), value: fc.bigInt({ min: least, max: greatest }) });
  });

  test.each(TxInfo.names.map((name, index) => ({ name, arbitrary: numbers[index] })))(
    'error: $name altered after signing',
    async ({ arbitrary }) => {
      const customer = open();
      const tx = await signed();
      if (!arbitrary) throw new Error('There is nothing to alter.');
      await fc.assert(
        fc.asyncProperty(arbitrary, async ({ name, value }) => {
          fc.pre(value !== tx[name]);
          const code = await send(customer, { ...tx, [name]: value });
          expect(code).toBe(expectedOf(customer, { ...tx, [name]: value }));
        }),
        { numRuns: runs(12) },
      );
    },
  );

  /** The bytes with another value at one place. */
  const altered = (bytes: Uint8Array, at: number, by: number) =>
    bytes.map((byte, each) => (each === at ? byte ^ by : byte));

  test.each<[what: string, size: number, alter: (tx: TxInfo.TxInfo, at: number, by: number) => object, code: number]>([
    ['the memo', 32, ({ Memo }, at, by) => ({ Memo: altered(Memo, at, by) }), 21504],
    ['the signature of the API key', 80, ({ Sig }, at, by) => ({ Sig: altered(Sig, at, by) }), 21120],
    [
      "the owner's signature",
      64,
      ({ L1Sig }, at, by) => ({ L1Sig: toHex(altered(toBytes(L1Sig as Hex), at, by)) }),
      21504,
    ],
  ])('error: any byte of %s altered after signing', async (_, size, alter, code) => {
    const customer = open();
    const tx = await signed();
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        expect(await send(customer, { ...tx, ...alter(tx, at, by) })).toBe(code);
      }),
      { numRuns: runs(40) },
    );
  });

  test("error: the owner's signature with the other recovery byte, and one that is of nobody", async () => {
    const tx = await signed();
    const other = `${tx.L1Sig.slice(0, -2)}${tx.L1Sig.endsWith('1b') ? '1c' : '1b'}` as Hex;
    for (const L1Sig of [other, `0x${'ff'.repeat(32)}${tx.L1Sig.slice(66)}` as Hex])
      expect(await send(open(), { ...tx, L1Sig })).toBe(21504);
  });

  test('error: no owner signature on a transfer to another owner', async () => {
    expect(await send(open(), { ...(await signed()), L1Sig: '' })).toBe(21504);
  });

  test('error: signed for another chain', async () => {
    const customer = open();
    const { secret, signMessage } = signer('dev0');
    const here = await signed();
    const there = await TxInfo.sign(fields(here), memo, { secret, signMessage }, 304n);
    expect(await send(customer, there)).toBe(21120);
    // Both signatures are bound to the chain.
    expect(await send(customer, { ...here, Sig: there.Sig })).toBe(21120);
    expect(await send(customer, { ...here, L1Sig: there.L1Sig })).toBe(21504);
  });

  test('error: signed by somebody else', async () => {
    const customer = open();
    for (const name of ['dev1', 'dev5', 'solver', 'relayer'] as const) {
      const [own, other] = [signer('dev0'), signer(name)];
      expect(await send(customer, await TxInfo.sign(fields(), memo, { ...own, secret: other.secret }))).toBe(21120);
      expect(await send(customer, await TxInfo.sign(fields(), memo, { ...other, secret: own.secret }))).toBe(21504);
    }
  });

  test.each([
    ['a future nonce', { Nonce: 1n }, 21104],
    ['an unregistered key', { ApiKeyIndex: 5n }, 21108],
    ['a missing account', { FromAccountIndex: 105n }, 21100],
    ['to a missing account', { ToAccountIndex: 105n }, 21106],
    ['to itself', { ToAccountIndex: 100n, USDCFee: 0n }, 21106],
    ['an expiry in the past', { ExpiredAt: 1n }, 21501],
    ['another asset', { AssetIndex: 1n }, 21805],
    ['another asset on the spot route', { AssetIndex: 1n, FromRouteType: 1n, ToRouteType: 1n }, 21801],
    ['from the spot route', { FromRouteType: 1n }, 21304],
    ['to the spot route', { ToRouteType: 1n }, 21124],
    ['less than a dollar', { Amount: 999_999n }, 21118],
    ['no fee', { USDCFee: 0n }, 21134],
    ['more than the fee', { USDCFee: 3_000_001n }, 21134],
    ['more than the balance', { Amount: 10_000_000_001n }, 21301],
    ['the whole balance, leaving nothing for the fee', { Amount: 10_000_000_000n }, 21305],
    ['one unit more than the balance less the fee', { Amount: 9_997_000_001n }, 21305],
    ['to an inactive account without the activation fee', { ToAccountIndex: 106n }, 21134],
  ] as const)('error: %s, correctly signed', async (_, wish, code) => {
    expect(await send(open(), await signed(wish))).toBe(code);
  });

  test('error: an expiry later than the venue allows, by a millisecond', async () => {
    const customer = open({ clock: () => 1_800_000_000_000, executionMs: 60_000 });
    const at = async (ms: bigint) => signed({ ExpiredAt: 1_800_000_000_000n + ms });
    expect(await send(customer, await at(600_001n))).toBe(21501);
    expect(await send(customer, await at(3_600_000n))).toBe(21501);
    expect(await send(customer, await at(0n))).toBe(21501);
    expect((await customer.send(await at(600_000n))).status).toBe(200);
  });

  test('error: replay of the same signed bytes', async () => {
    const customer = open();
    const tx = await signed();
    const { body } = await customer.send(tx);
    expect((await customer.send(tx)).body).toEqual({ code: 21104, message: 'invalid nonce' });
    await customer.end(body.tx_hash ?? '');
    expect((await customer.send(tx)).body.code).toBe(21104);
    expect(customer.venue.account(100)?.usdc).toBe(9_992_000_000n);
    expect(customer.venue.transfersTo(7)).toHaveLength(1);
  });

  test('error: two concurrent transfers with one nonce', async () => {
    const customer = open();
    const all = await Promise.all([5n, 6n, 7n].map((n) => signed({ Amount: n * 1_000_000n })));
    const answers = await Promise.all(all.map((tx) => customer.send(tx)));
    expect(answers.map(({ body }) => body.code).sort()).toEqual([200, 21104, 21104]);
  });

  test('error: too many pending', async () => {
    const customer = open({ executionMs: 60_000 });
    for (let Nonce = 0n; Nonce < 16n; Nonce++) await customer.pay({ Nonce, Amount: 1_000_000n });
    expect((await customer.send(await signed({ Nonce: 16n, Amount: 1_000_000n }))).body.code).toBe(21506);
  });

  test('behavior: transfers within one owner are free and need only the API key', async () => {
    const customer = open();
    const wish = { FromAccountIndex: 101n, ToAccountIndex: 281474976710654n, Amount: 1n, USDCFee: 0n };
    const { body } = await customer.send({ ...(await signed(wish, 'dev1')), L1Sig: '' });
    expect(await customer.end(body.tx_hash ?? '')).toMatchObject({ status: 'executed', usdcFee: 0n });
    expect(customer.venue.account(281474976710654)?.usdc).toBe(1n);
    expect(customer.venue.account(101)?.usdc).toBe(9_999_999_999n);
  });

  test("behavior: the owner's recovery byte may be 0 or 1", async () => {
    const customer = open();
    const tx = await signed();
    const low = (Number.parseInt(tx.L1Sig.slice(-2), 16) - 27).toString(16).padStart(2, '0');
    const L1Sig = `${tx.L1Sig.slice(0, -2)}${low}` as `0x${string}`;
    expect((await customer.send({ ...tx, L1Sig })).status).toBe(200);
  });
});

describe('conservation', () => {
  test('behavior: the total balance is constant whatever is sent', async () => {
    const customer = open({ executionMs: 0 });
    const before = total(customer);
    const names = ['dev0', 'dev1', 'dev2'] as const;
    const move = fc.record({
      from: fc.nat(2),
      to: fc.constantFrom(7n, 100n, 101n, 102n, 106n, 281474976710654n),
      amount: fc.bigInt({ min: 1n, max: 3_000_000_000n }),
      feeAside: fc.constantFrom(0n, 0n, 0n, 1n),
      fails: fc.constantFrom(false, false, false, true),
    });
    await fc.assert(
      fc.asyncProperty(move, async ({ from, to, amount, feeAside, fails }) => {
        await customer.control('DELETE', '/sandbox/faults');
        if (fails) await customer.fault({ kind: 'sequencer', does: 'fail' });
        const Nonce = BigInt(await customer.nonce(100 + from));
        const due = customer.venue.transferFee(100 + from, Number(to)) + customer.venue.activationFee(Number(to));
        const fee = due + feeAside;
        const wish = { Nonce, FromAccountIndex: 100n + BigInt(from), ToAccountIndex: to, Amount: amount, USDCFee: fee };
        const { body } = await customer.send(await signed(wish, names[from] ?? 'dev0'));
        if (body.tx_hash) await customer.end(body.tx_hash);
        expect(total(customer)).toBe(before);
      }),
      // The first move is one that the venue takes, whatever the others are.
      {
        numRuns: runs(40),
        examples: [[{ from: 0, to: 7n, amount: 5_000_000n, feeAside: 0n, fails: false }]],
      },
    );
    expect(customer.venue.transfersTo(7)[0]).toMatchObject({ status: 'executed', amount: 5_000_000n });
  });
});

const tx: TxInfo.TxInfo = { ...fields(), Memo: memo, Sig: new Uint8Array(80).fill(7), L1Sig: `0x${'ab'.repeat(65)}` };
const text = TxInfo.toJson(tx);

/** What the text says. */
const transfer = transferOf(fieldsOf(tx), '5f'.repeat(32));
const stated = { transfer, signature: tx.Sig, l1Signature: tx.L1Sig };

/** The error code. */
const codeOf = (of: string) => thrownBy(VenueRefusalError, () => readTransfer(of))?.code;

/** The text with one member replaced. */
function spelt(name: string, value: string): string {
  return text.replace(new RegExp(`"${name}":(-?\\d+|"[^"]*"|\\[[^\\]]*\\]|null)`), `"${name}":${value}`);
}

describe('readTransfer: read', () => {
  test('default', () => {
    expect(readTransfer(text)).toEqual(stated);
  });

  test('behavior: every number within its limits, without loss of precision', () => {
    for (const name of TxInfo.names) {
      const [least, greatest] = limits[name];
      fc.assert(
        fc.property(fc.bigInt({ min: least, max: greatest }), (value) => {
          const read = readTransfer(spelt(name, String(value)));
          expect(read.transfer).toEqual(transferOf({ ...fieldsOf(tx), [name]: String(value) }, '5f'.repeat(32)));
        }),
      );
    }
  });

  test.each(TxInfo.names)('error: %s beyond its limits', (name) => {
    const [least, greatest, below, above] = limits[name];
    expect(codeOf(spelt(name, String(least - 1n)))).toBe(below);
    expect(codeOf(spelt(name, String(greatest + 1n)))).toBe(above);
  });

  test.each(TxInfo.names)('error: %s is not an integer', (name: keyof TxInfo.Fields) => {
    for (const value of ['"4"', '4.0', '4e0', '4.5', 'null', 'true', '[4]', '{}']) {
      expect(codeOf(spelt(name, value))).toBe(21501);
    }
  });

  test('behavior: whitespace and another order', () => {
    const members = Object.entries(JSON.parse(text)).reverse();
    expect(readTransfer(JSON.stringify(Object.fromEntries(members), null, 2))).toEqual(stated);
  });

  test('behavior: numeric strings are rejected', () => {
    expect(readTransfer(spelt('L1Sig', '""')).l1Signature).toBeUndefined();
    expect(codeOf(spelt('Sig', '"12 -5 1e3"'))).toBe(21120);
  });

  test.each([
    ['not JSON', '{', 21501],
    ['an array', '[]', 21501],
    ['nothing', '', 21501],
    ['an unknown member', text.replace('{', '{"X":1,'), 21501],
    ['a member in another case', text.replace('"Nonce"', '"nonce"'), 21501],
    ['__proto__', text.replace('{', '{"__proto__":{},'), 21501],
    ['attributes', spelt('L2TxAttributes', '{"4":1}'), 21501],
    ['a memo of 31 bytes', spelt('Memo', `[${Array(31).fill(1)}]`), 21501],
    ['a memo with a byte of 256', spelt('Memo', `[256,${Array(31).fill(1)}]`), 21501],
    ['a memo in hex', spelt('Memo', `"${'5f'.repeat(32)}"`), 21501],
    ['a signature of 79 bytes', spelt('Sig', `"${Buffer.alloc(79).toString('base64')}"`), 21120],
    ['a signature in another base64 alphabet', spelt('Sig', `"${Buffer.alloc(80, 255).toString('base64url')}"`), 21120],
    ['no signature', spelt('Sig', 'null'), 21120],
    ["an owner's signature of 64 bytes", spelt('L1Sig', `"0x${'ab'.repeat(64)}"`), 21504],
    ["an owner's signature without a prefix", spelt('L1Sig', `"${'ab'.repeat(66)}"`), 21504],
  ])('error: %s', (_, of, code) => {
    expect(codeOf(of)).toBe(code);
  });
});

/** Its integers as digits. */
function fieldsOf(of: TxInfo.TxInfo): Record<keyof TxInfo.Fields, string> {
  return Object.fromEntries(TxInfo.names.map((name) => [name, String(of[name])])) as Record<
    keyof TxInfo.Fields,
    string
  >;
}
