import { recoverMessageAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { network } from '../../../../src/core/network/sandbox.js';
import { accounts } from '../../../../src/sandbox/values/devAccounts.js';
import * as Schnorr from '../../../../src/sandbox/venue/crypto/Schnorr.js';
import * as TxInfo from '../../../../src/sandbox/venue/crypto/TxInfo.js';
import * as TxText from '../../../../src/sandbox/venue/crypto/TxText.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { memo, signed, signer } from '../../../support/venueCustomer.js';
import { bytes, recorded } from '../../../support/venueVectors.js';

const rows = recorded.transfers.map((row, index) => {
  const numbers = Object.fromEntries(Object.entries(row.fields).map(([name, digits]) => [name, BigInt(digits)]));
  return { ...row, index, fields: numbers as TxInfo.Fields, chain: BigInt(row.signingChainId) };
});

describe('chainId', () => {
  test("behavior: matches the client's network", () => {
    expect(TxInfo.chainId).toBe(BigInt(network.venue?.signingChainId ?? 0));
  });
});

describe('hash', () => {
  test.each(rows)('behavior: vector $index', ({ fields, chain, txHashHex }) => {
    expect(TxInfo.formatHash(fields, chain)).toBe(txHashHex);
  });
});

describe('l1Message', () => {
  test.each(rows)('behavior: vector $index', ({ fields, chain, memoHex, l1Message }) => {
    expect(TxInfo.l1Message(fields, bytes(memoHex), chain)).toBe(l1Message);
  });
});

describe('sign', () => {
  test('default: both signatures, each by its key', async () => {
    const tx = await signed();
    expect(Schnorr.isSignedBy(Schnorr.publicKey(signer('dev0').secret), TxInfo.hash(tx), tx.Sig)).toBe(true);
    const message = TxInfo.l1Message(tx, memo);
    const owner = tx.L1Sig === '' ? '' : await recoverMessageAddress({ message, signature: tx.L1Sig });
    expect(owner).toBe(accounts.dev0.address);
  });
});

describe('toJson', () => {
  test("default: the venue's field order", () => {
    const tx: TxInfo.TxInfo = {
      FromAccountIndex: 509564n,
      ApiKeyIndex: 4n,
      ToAccountIndex: 722011n,
      AssetIndex: 3n,
      FromRouteType: 0n,
      ToRouteType: 0n,
      Amount: 2n ** 60n - 1n,
      USDCFee: 3000000n,
      ExpiredAt: 1795187183228n,
      Nonce: 7n,
      Memo: new Uint8Array(32).fill(95),
      Sig: new Uint8Array(80),
      L1Sig: '',
    };
    expect(TxInfo.toJson(tx)).toBe(
      '{"FromAccountIndex":509564,"ApiKeyIndex":4,"ToAccountIndex":722011,"AssetIndex":3,"FromRouteType":0,' +
        '"ToRouteType":0,"Amount":1152921504606846975,"USDCFee":3000000,' +
        `"Memo":[${Array(32).fill(95)}],"ExpiredAt":1795187183228,"Nonce":7,` +
        `"Sig":"${Buffer.alloc(80).toString('base64')}","L1Sig":"","L2TxAttributes":null}`,
    );
    expect(TxText.read(TxInfo.toJson(tx))).toEqual(tx);
  });
});

describePublished('the published transfers', () => {
  type Published = {
    transfer: readonly { name: string; chainId: number; fields: Record<string, string>; messageHashHex: string }[];
    transferL1Messages: readonly { fieldsOf: string; memoHex: string; body: string }[];
  };
  const published = (): Published => readPublished('venue-vectors.json') as Published;
  const numbers = (of: Record<string, string>): TxInfo.Fields =>
    Object.fromEntries(Object.entries(of).map(([name, digits]) => [name, BigInt(digits)])) as TxInfo.Fields;

  test('behavior: their hashes', () => {
    for (const { chainId, fields, messageHashHex } of published().transfer)
      expect(TxInfo.formatHash(numbers(fields), BigInt(chainId))).toBe(messageHashHex);
  });

  test('behavior: their messages', () => {
    const { transfer, transferL1Messages } = published();
    for (const { fieldsOf, memoHex, body } of transferL1Messages) {
      const row = transfer.find(({ name }) => name === fieldsOf);
      if (row) expect(TxInfo.l1Message(numbers(row.fields), bytes(memoHex), BigInt(row.chainId))).toBe(body);
    }
  });
});
