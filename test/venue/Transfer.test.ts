import fc from 'fast-check';
import { hashMessage } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import * as Poseidon2 from '../../src/venue/Poseidon2.js';
import * as Schnorr from '../../src/venue/Schnorr.js';
import * as Transfer from '../../src/venue/Transfer.js';
import { describePublished } from '../support/published.js';
import {
  digits,
  l1Signature,
  memo,
  outside,
  signature,
  text,
  transfer,
  transferOf,
  transfers,
} from '../support/venueTransfers.js';
import { bigints, bytes, chance, published, recorded } from '../support/venueVectors.js';

describe('from', () => {
  test('default', () => {
    expect(Transfer.from(transfer)).toEqual(transfer);
    expect(Transfer.from({ ...transfer, memo: `0x${'5F'.repeat(32)}` })).toEqual(transfer);
  });

  test.each(outside.map(([field, value]) => [field, String(value), value] as const))(
    'error: %s %s, in every function that signs or sends',
    (field, shown, value) => {
      const spoilt = { ...transfer, [field]: value } as Transfer.Transfer;
      const refused = expect.objectContaining({
        code: 'sign.failed',
        facts: [
          ['field', field],
          ['expected', expect.any(String)],
          ['found', shown],
        ],
      });
      expect(() => Transfer.from(spoilt)).toThrow(refused);
      expect(() => Transfer.hash(spoilt, 304)).toThrow(refused);
      expect(() => Transfer.l1Message(spoilt, 304)).toThrow(refused);
      expect(() => Transfer.toTxInfo({ transfer: spoilt, signature, l1Signature })).toThrow(refused);
    },
  );
});

describe('hash and txHash', () => {
  test.each(recorded.transfers)('default: $txHashHex', (row) => {
    const transfer = transferOf(row.fields, row.memoHex);
    expect(Transfer.hash(transfer, row.signingChainId)).toEqual(bytes(row.txHashHex));
    expect(Transfer.txHash(transfer, row.signingChainId)).toBe(row.txHashHex);
  });

  test('behavior: does not cover the memo, but everything else', () => {
    fc.assert(
      fc.property(transfers, transfers, (one, other) => {
        const hash = Transfer.txHash(one, 304);
        expect(Transfer.txHash({ ...one, memo: other.memo }, 304)).toBe(hash);
        for (const [name, value] of Object.entries(other))
          if (name !== 'memo' && value !== one[name as keyof Transfer.Transfer])
            expect(Transfer.txHash({ ...one, [name]: value }, 304)).not.toBe(hash);
        expect(Transfer.txHash(one, 300)).not.toBe(hash);
      }),
      { numRuns: 30 },
    );
  });

  test('behavior: a negative index wraps to 64 bits before reduction modulo p', () => {
    const elements = [
      304n,
      12n,
      7n,
      1795187183228n,
      2n ** 32n - 2n,
      4n,
      722011n,
      3n,
      0n,
      0n,
      1000000n,
      0n,
      3000000n,
      0n,
    ];
    const hash = Goldilocks.toBytes(Poseidon2.hash(elements));
    expect(Transfer.hash({ ...transfer, fromAccountIndex: -1n }, 304)).toEqual(hash);
  });

  test.each([3586256, 0, -304, 304.5, Number.NaN, 2 ** 53])('error: the chain id %d', (id) => {
    const refused = expect.objectContaining({ code: 'config.invalid', message: expect.stringContaining(String(id)) });
    expect(() => Transfer.hash(transfer, id)).toThrow(refused);
    expect(() => Transfer.txHash(transfer, id)).toThrow(refused);
    expect(() => Transfer.l1Message(transfer, id)).toThrow(refused);
  });
});

describe('l1Message', () => {
  test.each(recorded.transfers)('default: $txHashHex', (row) => {
    expect(Transfer.l1Message(transferOf(row.fields, row.memoHex), row.signingChainId)).toBe(row.l1Message);
  });

  test('behavior: does not cover the expiry, but everything else', () => {
    fc.assert(
      fc.property(transfers, transfers, (one, other) => {
        const message = Transfer.l1Message(one, 304);
        expect(Transfer.l1Message({ ...one, expiredAtMs: other.expiredAtMs }, 304)).toBe(message);
        for (const [name, value] of Object.entries(other))
          if (name !== 'expiredAtMs' && value !== one[name as keyof Transfer.Transfer])
            expect(Transfer.l1Message({ ...one, [name]: value }, 304)).not.toBe(message);
      }),
    );
  });

  test('behavior: a negative index wraps to 64 bits', () => {
    expect(Transfer.l1Message({ ...transfer, toAccountIndex: -1n }, 304)).toContain('\nto: 0xffffffffffffffff (route');
  });
});

describe('toTxInfo', () => {
  test('default', () => {
    expect(Transfer.toTxInfo({ transfer, signature, l1Signature: undefined })).toBe(text);
    const signed = text.replace('"L1Sig":""', `"L1Sig":"${l1Signature}"`);
    expect(Transfer.toTxInfo({ transfer, signature, l1Signature })).toBe(signed);
  });

  test('error: signatures of the wrong length', () => {
    const refused = 'The venue does not accept this transfer.';
    expect(() => Transfer.toTxInfo({ transfer, signature: signature.subarray(1), l1Signature })).toThrow(refused);
    expect(() => Transfer.toTxInfo({ transfer, signature, l1Signature: '0x' })).toThrow(refused);
  });
});

describe('fromTxInfo', () => {
  const put = (name: string, value: string) =>
    text.replace(new RegExp(`"${name}":(\\[[^\\]]*\\]|[^,}]*)`), `"${name}":${value}`);

  test('behavior: round-trips', () => {
    const signed = fc.record({
      transfer: transfers,
      signature: fc.uint8Array({ minLength: 80, maxLength: 80 }),
      l1Signature: fc.option(digits(65), { nil: undefined }),
    });
    fc.assert(
      fc.property(signed, (each) => {
        expect(Transfer.fromTxInfo(Transfer.toTxInfo(each))).toEqual(each);
      }),
    );
  });

  test('behavior: accepts spaces, any order and no attributes', () => {
    const [first = '', ...others] = text
      .slice(1, -1)
      .split(/,(?=")/)
      .reverse();
    expect(first).toBe('"L2TxAttributes":null');
    const spaced = `{ ${others.join(' ,\n ').replaceAll('":', '" : ')} }\n`;
    expect(Transfer.fromTxInfo(spaced)).toEqual({ transfer, signature, l1Signature: undefined });
  });

  test('behavior: accepts integers as decimal strings, beyond 2^53 too', () => {
    const large = { ...transfer, amount: 2n ** 60n - 1n, usdcFee: 2n ** 53n + 1n, nonce: 2n ** 63n - 1n };
    const numbers = Transfer.toTxInfo({ transfer: large, signature, l1Signature });
    const strings = numbers.replaceAll(/:(-?\d+)/g, ':"$1"');
    expect(strings).toContain('"Amount":"1152921504606846975","USDCFee":"9007199254740993"');
    expect(Transfer.fromTxInfo(strings)).toEqual({ transfer: large, signature, l1Signature });
  });

  const base64 = Buffer.from(signature).toString('base64');
  test.each([
    ['FromAccountIndex', '-2'],
    ['FromAccountIndex', '"0509564"'],
    ['ApiKeyIndex', '"0x4"'],
    ['Amount', '"1e6"'],
    ['Amount', '" 1000000"'],
    ['USDCFee', '""'],
    ['USDCFee', '"-0"'],
    ['ApiKeyIndex', '255'],
    ['ToAccountIndex', '281474976710655'],
    ['AssetIndex', '0'],
    ['FromRouteType', '2'],
    ['ToRouteType', 'null'],
    ['Amount', '1152921504606846976'],
    ['Amount', '0'],
    ['Amount', '1e6'],
    ['USDCFee', '-1'],
    ['ExpiredAt', '281474976710656'],
    ['Nonce', '9223372036854775808'],
    ['Memo', '[]'],
    ['Memo', `[${Array.from({ length: 33 }, () => 0).join()}]`],
    ['Memo', `[${Array.from({ length: 31 }, () => 0).join()},256]`],
    ['Memo', `[${Array.from({ length: 31 }, () => 0).join()},-1]`],
    ['Memo', `"${memo}"`],
    ['Sig', '""'],
    ['Sig', `"${base64.slice(0, -1)}"`],
    ['Sig', `"${base64.slice(0, -2)}/="`],
    ['Sig', `"${Buffer.from(signature.subarray(1)).toString('base64')}"`],
    ['Sig', 'null'],
    ['L1Sig', 'null'],
    ['L1Sig', '"0x"'],
    ['L1Sig', `"${l1Signature}00"`],
    ['L2TxAttributes', '{}'],
    ['L2TxAttributes', '""'],
  ])('error: %s %s', (name, value) => {
    expect(put(name, value)).not.toBe(text);
    expect(() => Transfer.fromTxInfo(put(name, value))).toThrow(
      expect.objectContaining({ code: 'sign.failed', facts: expect.arrayContaining([['field', name]]) }),
    );
  });

  test('error: a field that is missing, unknown or duplicated', () => {
    const refused = (field: string) =>
      expect.objectContaining({ code: 'sign.failed', facts: expect.arrayContaining([['field', field]]) });
    const members = text.slice(1, -1).split(/,(?=")/);
    for (const member of members.filter((each) => !each.includes('L2TxAttributes'))) {
      const name = JSON.parse(member.slice(0, member.indexOf(':')));
      const without = `{${members.filter((each) => each !== member).join()}}`;
      expect(() => Transfer.fromTxInfo(without), name).toThrow(refused(name));
      expect(() => Transfer.fromTxInfo(`{${member},${text.slice(1)}`), name).toThrow(refused(name));
    }
    expect(() => Transfer.fromTxInfo(`{"Price":1,${text.slice(1)}`)).toThrow(refused('Price'));
    expect(() => Transfer.fromTxInfo(text.replace('Amount', 'amount'))).toThrow(refused('Amount'));
    expect(() => Transfer.fromTxInfo(`{"__proto__":1,${text.slice(1)}`)).toThrow(refused('__proto__'));
  });
});

describePublished('the published transfers', () => {
  test('default: hash, signature and the owner’s message', () => {
    const rows = published().transfer;
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const transfer = Transfer.from(transferOf(row.fields, row.memoHex ?? ''));
      const message = Transfer.hash(transfer, row.chainId);
      expect(message).toEqual(Goldilocks.toBytes(Poseidon2.hash(bigints(row.hashElements))));
      expect(message).toEqual(bytes(row.messageHashHex));
      expect(Transfer.txHash(transfer, row.chainId)).toBe(row.messageHashHex);
      const privateKey = bytes(row.privateKeyHex);
      expect(Schnorr.publicKey(privateKey)).toEqual(bytes(row.publicKeyHex));
      const signature = Schnorr.sign({ privateKey, message, random: chance(row.nonceKHex) });
      expect(signature).toEqual(bytes(row.signatureHex));
      // One row has no memo and no message.
      if (row.l1Message === undefined) continue;
      expect(Transfer.l1Message(transfer, row.chainId)).toBe(row.l1Message);
      expect(hashMessage(row.l1Message).slice(2)).toBe(row.l1MessageEip191HashHex);
    }
    expect(rows.filter((row) => row.l1Message !== undefined)).toHaveLength(3);
  });

  test('default: owner’s messages with memos', () => {
    const rows = published().transferL1Messages;
    expect(rows).toHaveLength(2);
    for (const { memoHex, fieldsOf, body, eip191HashHex } of rows) {
      const row = published().transfer.find(({ name }) => name === fieldsOf);
      if (row === undefined) throw new Error(`no transfer is called ${fieldsOf}`);
      expect(Transfer.l1Message(transferOf(row.fields, memoHex), row.chainId)).toBe(body);
      expect(hashMessage(body).slice(2)).toBe(eip191HashHex);
    }
  });
});
