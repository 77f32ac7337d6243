import { secp256k1 } from '@noble/curves/secp256k1';
import { type Hex, keccak256, serializeTransaction, size } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type { Transaction } from '../../../src/core/ports/Ports.js';
import * as SignedTransaction from '../../../src/core/signing/SignedTransaction.js';
import * as SigningAct from '../../../src/core/signing/SigningAct.js';
import * as SigningAnswer from '../../../src/core/signing/SigningAnswer.js';
import { acts, owner, stranger, transaction, typed, wanted } from '../../support/signingActs.js';
import { failure } from '../../support/workbench.js';

const key = DevelopmentAccount.key(1);
const order = secp256k1.CURVE.n;

/** The 65 bytes over an act. */
async function signed(act: SigningAct.Act, by = key): Promise<Hex> {
  return sign({ hash: SigningAct.digest(act), privateKey: by, to: 'hex' });
}

const read = (answer: string, act: SigningAct.Act) => SigningAnswer.read(answer, act, owner.address);
const refused = (answer: string, act: SigningAct.Act = acts.transaction) =>
  failure('auth.signer', () => read(answer, act));

/** r and s in DER, as key management services give them. */
function der(signature: Hex): Hex {
  return `0x${secp256k1.Signature.fromCompact(signature.slice(2, 130)).toDERHex()}`;
}

/** The same signature with `s` in the upper half, as services give half of theirs. */
function upper(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}`;
}

async function serialized(changed: Partial<Transaction> = {}, by = owner): Promise<Hex> {
  return by.signTransaction(SignedTransaction.form({ ...transaction, ...changed }));
}

async function authorization(changed: object = {}, by = owner): Promise<Hex> {
  const { r, s, yParity = 0, ...rest } = await by.signAuthorization({ ...wanted, ...changed });
  return SignedTransaction.authorizationBytes({ ...rest, r, s, yParity });
}

describe('read', () => {
  test.each(Object.entries(acts))('default: a signature alone, of a %s', async (_, act) => {
    const full = await signed(act);
    const expected = SigningAnswer.toHex(await read(full, act));
    expect(expected).toBe(full);
    const compact = full.slice(0, 130);
    const forms = [compact, der(full), upper(full), der(upper(full)), compact.slice(2).toUpperCase()];
    for (const form of [...forms, `${compact}00`, `${compact}01`, `${compact}1b`])
      expect(SigningAnswer.toHex(await read(form, act))).toBe(full);
  });

  test('default: a signed transaction, and a signed authorization', async () => {
    const bytes = await serialized();
    expect(SignedTransaction.toBytes(transaction, await read(bytes, acts.transaction))).toBe(bytes);
    const { r, s, yParity } = await owner.signAuthorization(wanted);
    expect(await read(await authorization(), acts.authorization)).toEqual({ r, s, yParity });
  });

  test('behavior: only the last line counts', async () => {
    expect(await read(`Unlocking {…}\n\n${await serialized()}\r\n\n`, acts.transaction)).toBeDefined();
  });

  test.each([
    ['nonce', { nonce: 8 }, '8 instead of 7'],
    ['chainId', { chainId: 1 }, '1 instead of 31337001'],
    ['to', { to: stranger.address }, `${stranger.address.toLowerCase()} instead of ${transaction.to.toLowerCase()}`],
    ['value', { value: 6n }, '6 instead of 5'],
    ['data', { data: '0x' }, '0x instead of 0x1234ab'],
    ['gas', { gas: 60_001n }, '60001 instead of 60000'],
    ['maxFeePerGas', { maxFeePerGas: 3_000_000_000n }, '3000000000 instead of 2000000000'],
    ['maxPriorityFeePerGas', { maxPriorityFeePerGas: 2_000_000_000n }, '2000000000 instead of 1000000000'],
  ] as const)('error: a transaction with another %s', async (field, changed, shown) => {
    const error = await refused(await serialized(changed));
    expect(error.facts).toEqual([[field, shown]]);
    expect(error).toMatchObject({ exit: 4, funds: 'untouched', message: expect.stringContaining('It is not sent.') });
  });

  test('error: every other field is named, and long calldata is cut', async () => {
    const { facts } = await refused(await serialized({ nonce: 9, data: `0x${'ab'.repeat(200)}` }));
    expect(facts.map(([name]) => name)).toEqual(['nonce', 'data']);
    expect(facts[1]?.[1]).toContain('(200 bytes) instead of 0x1234ab');
  });

  test('error: a transaction of another type, or with an access list', async () => {
    const { to, data, value, gas, nonce, chainId } = transaction;
    const common = { to, data, value, gas, nonce, chainId };
    const legacy = await owner.signTransaction({ type: 'legacy', ...common, gasPrice: 1n });
    expect((await refused(legacy)).facts).toContainEqual(['type', 'legacy instead of eip1559']);
    const accessList = [{ address: stranger.address, storageKeys: [] }];
    const listed = await owner.signTransaction({ ...SignedTransaction.form(transaction), accessList } as never);
    expect((await refused(listed)).facts).toEqual([
      ['accessList', `${stranger.address.toLowerCase()} instead of none`],
    ]);
  });

  test('error: a delegation that was not asked for, left out, or to another contract', async () => {
    const list = async (changed: object = {}) => {
      const { r, s, yParity = 0, ...rest } = await owner.signAuthorization({ ...wanted, ...changed });
      return [{ ...rest, r, s, yParity }];
    };
    const asked: SigningAct.Act = {
      type: 'transaction',
      transaction: { ...transaction, authorizationList: await list() },
    };
    const fields = async (bytes: Hex, act: SigningAct.Act) => (await refused(bytes, act)).facts.map(([name]) => name);
    expect(await fields(await serialized({ authorizationList: await list() }), acts.transaction)).toEqual(['type']);
    expect(await fields(await serialized(), asked)).toEqual(['type']);
    const other = await list({ address: stranger.address });
    expect(await fields(await serialized({ authorizationList: other }), asked)).toEqual(['authorizationList']);
  });

  test('error: what is asked, signed by another account', async () => {
    for (const answer of [await serialized({}, stranger), await signed(acts.transaction, DevelopmentAccount.key(2))])
      expect((await refused(answer)).facts).toEqual([
        ['account', owner.address],
        ['signed by', stranger.address],
      ]);
    // Without a parity it cannot be said by whom.
    const compact = (await signed(acts.transaction, DevelopmentAccount.key(2))).slice(0, 130);
    expect((await refused(compact)).facts).toEqual([['account', owner.address]]);
  });

  test.each([
    [
      'typed-data',
      () =>
        owner.signTypedData({
          ...typed,
          primaryType: 'Part',
          message: { id: `0x${'00'.repeat(32)}`, data: '0x' },
        } as never),
    ],
    ['typed-data', () => owner.signTypedData({ ...typed, domain: { ...typed.domain, chainId: 1 } } as never)],
    ['message', () => owner.signMessage({ message: 'Transfer\n6 USDC' })],
    ['authorization', () => signed({ type: 'authorization', wanted: { ...wanted, nonce: 9 } })],
    ['transaction', () => signed({ type: 'transaction', transaction: { ...transaction, value: 6n } })],
  ] as const)('error: the account’s signature over another %s', async (type, answer) => {
    const { facts } = await refused(await answer(), acts[type]);
    expect(facts[0]).toEqual(['account', owner.address]);
  });

  test.each([
    ['address', { address: stranger.address }],
    ['chainId', { chainId: 1 }],
    ['nonce', { nonce: 9 }],
  ])('error: an authorization with another %s', async (field, changed) => {
    const { facts } = await refused(await authorization(changed), acts.authorization);
    expect(facts.map(([name]) => name)).toEqual([field]);
  });

  test('error: an authorization by another account', async () => {
    expect((await refused(await authorization({}, stranger), acts.authorization)).facts).toContainEqual([
      'signed by',
      stranger.address,
    ]);
  });

  test.each([
    ['text', 'signed!', '7 characters, not hexadecimal'],
    ['JSON', '{"raw":"0x00"}', '14 characters, not hexadecimal'],
    ['half a byte', '0x123', '5 characters, not hexadecimal'],
    ['bytes', '0x1234', '2 bytes, which are no transaction and no signature'],
    ['65 bytes with a strange end', `0x${'11'.repeat(64)}09`, '65 bytes, which are no transaction and no signature'],
    ['half a DER signature', '0x30440220', '4 bytes, which are no transaction and no signature'],
  ])('error: %s', async (_, answer, found) => {
    const error = await refused(answer);
    expect(error.facts).toEqual([['answer', found]]);
    expect(error.message).toContain('Nothing was sent.');
  });

  test('error: an answer that may be a key is not repeated', async () => {
    const error = await refused(key, acts.message);
    expect(JSON.stringify([error.message, error.facts, error.hint])).not.toContain(key.slice(2, 20));
  });

  test('error: a transaction that is not signed', async () => {
    const unsigned = serializeTransaction(SignedTransaction.form(transaction));
    expect((await refused(unsigned)).facts).toEqual([['answer', 'the transaction, which is not signed']]);
  });

  test.each([
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(64)}1b`,
    `0x${'00'.repeat(32)}${'11'.repeat(32)}`,
    `0x${order.toString(16)}${'11'.repeat(32)}`,
  ])('error: numbers that are no signature: %s', async (answer) => {
    expect((await refused(answer)).facts).toEqual([['account', owner.address]]);
  });

  test('error: the hash of a transaction: it may have been sent', async () => {
    const hash = keccak256(await serialized());
    expect(size(hash)).toBe(32);
    const error = await failure('submit.unknown', () => read(hash, acts.transaction));
    expect(error).toMatchObject({ exit: 10, funds: 'unknown' });
  });

  test('behavior: an account whose key begins with zeros', async () => {
    const odd = privateKeyToAccount(`0x${'00'.repeat(31)}07`);
    for (const nonce of Array(40).keys()) {
      const act: SigningAct.Act = { type: 'authorization', wanted: { ...wanted, nonce } };
      const full = await sign({ hash: SigningAct.digest(act), privateKey: `0x${'00'.repeat(31)}07`, to: 'hex' });
      // Of 40 signatures some have an r or an s with a leading zero or a high bit.
      expect(SigningAnswer.toHex(await SigningAnswer.read(der(full), act, odd.address))).toBe(full);
    }
  });
});
