import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { ApiKey, VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import type { Account } from '../../../src/core/ports/Ports.js';
import * as WithdrawalSigning from '../../../src/core/withdrawal/WithdrawalSigning.js';
import * as Transfer from '../../../src/venue/Transfer.js';
import { failure as failed } from '../../support/failures.js';
import { apiKeyOf, planWith, signed, signingChainId, startVenue, transfer, walletOf } from '../../support/venue.js';
import { failure } from '../../support/workbench.js';

const { publicKey } = apiKeyOf(1);
const terms = { apiKeyIndex: 4, nonce: 7n, expiredAtMs: 1_795_187_183_228, signingChainId };
const unsigned = WithdrawalSigning.transferOf(planWith(transfer), terms);
const account: VenueAccount = {
  index: 101,
  wallet: DevelopmentAccount.address(1),
  isMaster: true,
  isActive: true,
  assets: [],
};
const slot = (index: number, key = publicKey): ApiKey => ({ index, publicKey: key, nonce: 0n });
const other = 'ab'.repeat(40);

/** What a signing command would answer for another transfer or with other keys; the wallet's signature may be missing. */
async function answer(
  changed: Partial<Transfer.Transfer> = {},
  { apiKey = 1, wallet = 1, chainId = signingChainId }: { apiKey?: number; wallet?: number; chainId?: number } = {},
): Promise<string> {
  const of = { ...unsigned, ...changed };
  const local = wallet < 0 ? undefined : privateKeyToAccount(DevelopmentAccount.key(wallet));
  return Transfer.toTxInfo({
    transfer: of,
    signature: apiKeyOf(apiKey).sign(Transfer.hash(of, chainId)),
    l1Signature: await local?.signMessage({ message: Transfer.l1Message(of, chainId) }),
  });
}

/** What a signing command was asked, ten seconds ago. */
const asked = {
  transfer: unsigned,
  signingChainId,
  publicKey,
  owner: DevelopmentAccount.address(1),
  nowMs: terms.expiredAtMs - WithdrawalSigning.defaultValidForMs + 10_000,
};

async function fromSigner(text: string): Promise<WithdrawalSigning.Signed> {
  return WithdrawalSigning.fromSigner(text, asked, () => walletOf(1));
}

describe('slotOf', () => {
  const signer = apiKeyOf(1);

  test('default: the slot whose registered key is the one at hand', () => {
    const registered = [slot(3, other), slot(4), slot(9)];
    expect(WithdrawalSigning.slotOf(account, registered, signer, undefined).index).toBe(4);
    expect(WithdrawalSigning.slotOf(account, registered, signer, 9).index).toBe(9);
  });

  test.each([
    ['no keys are registered', [], undefined, 'no keys'],
    ['others are', [slot(3, other), slot(5, other)], undefined, 'slot 3, slot 5'],
    ['it is in another slot than was said', [slot(4), slot(5, other)], 5, 'slot 4, slot 5'],
    ['the slot that was said is empty', [slot(4)], 6, 'slot 4'],
  ])('error: %s', async (_, registered, wanted, listed) => {
    const error = await failure('auth.venue-key', () => WithdrawalSigning.slotOf(account, registered, signer, wanted));
    expect(error).toMatchObject({ exit: 4, next: 'ferry venue account 101' });
    expect(error.facts).toContainEqual(['registered', listed]);
    if (wanted === 5) expect(error.facts).toContainEqual(['slot 5', other]);
    if (wanted === 6) expect(error.facts).toContainEqual(['slot 6', 'empty']);
  });
});

describe('soleSlot', () => {
  test('default: the only one, or the one that was asked for', () => {
    expect(WithdrawalSigning.soleSlot(account, [slot(4)], undefined).index).toBe(4);
    expect(WithdrawalSigning.soleSlot(account, [slot(4), slot(5, other)], 5).publicKey).toBe(other);
  });

  test.each([
    ['no key', [], undefined, 'not clear'],
    ['two keys', [slot(4), slot(5)], undefined, 'not clear'],
    ['another slot', [slot(4)], 5, 'no API key in slot 5'],
  ])('error: %s', async (_, registered, wanted, words) => {
    const error = await failure('auth.venue-key', () => WithdrawalSigning.soleSlot(account, registered, wanted));
    expect(error.message).toContain(words);
  });
});

test('tokenOf: the sandbox’s venue takes it, for that account and that time', async () => {
  const { client } = await startVenue();
  const nowMs = Date.now();
  const token = WithdrawalSigning.tokenOf({ accountIndex: 101, apiKeyIndex: 4, nowMs }, apiKeyOf(1));
  expect(token).toMatch(new RegExp(`^${Math.floor(nowMs / 1000) + 600}:101:4:[0-9a-f]{160}$`));
  expect(await client.transferFee(101, 7, token)).toBe(3_000_000n);
  const late = WithdrawalSigning.tokenOf({ accountIndex: 101, apiKeyIndex: 4, nowMs: nowMs - 601_000 }, apiKeyOf(1));
  const strange = WithdrawalSigning.tokenOf({ accountIndex: 101, apiKeyIndex: 4, nowMs }, apiKeyOf(2));
  for (const each of [late, strange])
    expect(await failed(client.transferFee(101, 7, each))).toMatchObject({ code: 'venue.refused' });
});

describe('sign', () => {
  test('default: the venue takes it, and knows it by the hash that it has here', async () => {
    const { client, served } = await startVenue();
    const own = await signed();
    expect(await client.send(own.txInfo)).toEqual({ verdict: 'accepted', hash: own.txHash });
    await expect.poll(() => served.transfer(own.txHash)?.status).toBe('executed');
    expect(served.transfer(own.txHash)).toMatchObject({ from: 101, to: 7, amount: 5_000_000n, memo: transfer.memo });
  });

  test('error: a wallet that signs as another', async () => {
    const [dev1, dev2] = await Promise.all([walletOf(1), walletOf(2)]);
    const liar: Account = { ...dev2, address: dev1.address };
    const keys = { apiKey: apiKeyOf(1), wallet: liar };
    const error = await failure('auth.signer', () => WithdrawalSigning.sign(unsigned, terms, keys));
    expect(error.facts).toEqual([['wallet', `signed by ${dev2.address} instead of ${dev1.address}`]]);
  });

  test('behavior: the bytes carry the signature that the key has made', async () => {
    const apiKey = apiKeyOf(1);
    const made: Uint8Array[] = [];
    const sign = (hash: Uint8Array) => {
      const signature = apiKey.sign(hash);
      made.push(signature);
      return signature;
    };
    const { txInfo } = await WithdrawalSigning.sign(unsigned, terms, {
      apiKey: { ...apiKey, sign },
      wallet: await walletOf(1),
    });
    expect(made).toHaveLength(1);
    expect(Transfer.fromTxInfo(txInfo).signature).toEqual(made[0]);
  });

  test('error: a development wallet signs for no other venue', async () => {
    const keys = { apiKey: apiKeyOf(1), wallet: await walletOf(1) };
    await failure('auth.development-key', () => WithdrawalSigning.sign(unsigned, { signingChainId: 304 }, keys));
  });
});

describe('toAction', () => {
  test('default: one line of JSON with all that the signatures cover', () => {
    const text = WithdrawalSigning.toAction(unsigned, terms);
    expect(text).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(text)).toEqual({
      action: {
        type: 'transfer',
        parameters: {
          toAccountIndex: 7,
          assetIndex: 3,
          fromRouteType: 0,
          toRouteType: 0,
          amount: 5_000_000,
          usdcFee: 3_000_000,
          memo: transfer.memo,
        },
      },
      accountIndex: 101,
      apiKeyIndex: 4,
      nonce: 7,
      expiredAt: 1_795_187_183_228,
      strings: {
        toAccountIndex: '7',
        amount: '5000000',
        usdcFee: '3000000',
        accountIndex: '101',
        nonce: '7',
        expiredAt: '1795187183228',
      },
      signingChainId,
      l1Message: Transfer.l1Message(unsigned, signingChainId),
      txHash: Transfer.txHash(unsigned, signingChainId),
    });
  });

  test('behavior: the 64-bit integers once more, beyond 2^53 exactly', () => {
    const large = { ...unsigned, amount: 2n ** 60n - 1n, usdcFee: 2n ** 53n + 1n, nonce: 2n ** 63n - 1n };
    expect(JSON.parse(WithdrawalSigning.toAction(large, terms)).strings).toMatchObject({
      amount: '1152921504606846975',
      usdcFee: '9007199254740993',
      nonce: '9223372036854775807',
    });
  });
});

describe('fromSigner', () => {
  test('default: what it signed, checked like our own', async () => {
    const text = await answer();
    const own = await fromSigner(text);
    expect(own).toMatchObject({ transfer: unsigned, publicKey, signingChainId });
    expect(own.txHash).toBe(Transfer.txHash(unsigned, signingChainId));
    expect(JSON.parse(own.txInfo)).toEqual(JSON.parse(text));
    expect(await fromSigner(`\n ${JSON.stringify(JSON.parse(text), null, 2)}\n`)).toEqual(own);
  });

  test('behavior: a wallet’s signature that is missing is added', async () => {
    const own = await fromSigner(await answer({}, { wallet: -1 }));
    expect(JSON.parse(own.txInfo).L1Sig).toMatch(/^0x[0-9a-f]{130}$/);
  });

  test.each<[keyof Transfer.Transfer, bigint | number | string]>([
    ['fromAccountIndex', 102n],
    ['apiKeyIndex', 5],
    ['toAccountIndex', 8n],
    ['assetIndex', 1],
    ['fromRouteType', 1],
    ['toRouteType', 1],
    ['amount', 5_000_001n],
    ['usdcFee', 0n],
    ['memo', `0x${'5e'.repeat(32)}`],
    ['nonce', 8n],
  ])('error: another %s', async (field, value) => {
    const text = await answer({ [field]: value });
    const error = await failure('auth.signer', () => fromSigner(text));
    expect(error.facts).toEqual([[field, `${value} instead of ${unsigned[field]}`]]);
    expect(error).toMatchObject({ exit: 4, funds: 'untouched' });
  });

  test.each([
    ['another API key', { apiKey: 2 }, 'signature'],
    ['another wallet', { wallet: 2 }, 'wallet'],
    ['another chain', { chainId: 304 }, 'signature'],
  ])('error: signed by or for %s', async (_, keys, fact) => {
    const text = await answer({}, keys);
    const error = await failure('auth.signer', () => fromSigner(text));
    expect(error.facts[0]?.[0]).toBe(fact);
  });

  test('error: by another API key, and the wallet’s signature is missing: the wallet is not asked', async () => {
    const said: string[] = [];
    const wallet = await walletOf(1);
    const watched: Account = {
      ...wallet,
      signMessage: (message, chainId) => {
        said.push(message);
        return wallet.signMessage(message, chainId);
      },
    };
    const open = async () => {
      said.push('opened');
      return watched;
    };
    const foreign = await answer({}, { apiKey: 2, wallet: -1 });
    const error = await failure('auth.signer', () => WithdrawalSigning.fromSigner(foreign, asked, open));
    expect([error.facts[0]?.[0], said]).toEqual(['signature', []]);
    await WithdrawalSigning.fromSigner(await answer({}, { wallet: -1 }), asked, open);
    expect(said).toEqual(['opened', Transfer.l1Message(unsigned, signingChainId)]);
  });

  test('behavior: with the owner’s signature no wallet is opened', async () => {
    const closed = async () => {
      throw new Error('The wallet was opened.');
    };
    const own = await WithdrawalSigning.fromSigner(await answer(), asked, closed);
    expect(JSON.parse(own.txInfo).L1Sig).toMatch(/^0x[0-9a-f]{130}$/);
    const foreign = await answer({}, { wallet: 2 });
    const error = await failure('auth.signer', () => WithdrawalSigning.fromSigner(foreign, asked, closed));
    expect(error.facts[0]?.[0]).toBe('wallet');
  });

  test('error: the owner’s signature over another memo or for another venue', async () => {
    const wallet = privateKeyToAccount(DevelopmentAccount.key(1));
    const honest = Transfer.fromTxInfo(await answer());
    const other = { ...unsigned, memo: `0x${'5e'.repeat(32)}` } as const;
    for (const message of [Transfer.l1Message(other, signingChainId), Transfer.l1Message(unsigned, 304)]) {
      const l1Signature = await wallet.signMessage({ message });
      const error = await failure('auth.signer', () => fromSigner(Transfer.toTxInfo({ ...honest, l1Signature })));
      expect(error.facts[0]?.[0]).toBe('wallet');
    }
  });

  const minutes = (count: number) => count * 60_000;
  test.each([
    ['a millisecond from now', asked.nowMs + 1],
    ['earlier than asked', terms.expiredAtMs - minutes(5)],
    ['ten minutes less a second, as the official signers take it', asked.nowMs + minutes(10) - 1000],
    ['the same, two minutes after it was asked', asked.nowMs - 10_000 + minutes(12) - 1000],
    ['three minutes later than asked', terms.expiredAtMs + minutes(3)],
  ])('behavior: the signer sets the expiry: %s', async (_, expiredAtMs) => {
    const own = await fromSigner(await answer({ expiredAtMs }));
    expect(own.transfer).toEqual({ ...unsigned, expiredAtMs });
    expect(own.txHash).toBe(Transfer.txHash({ ...unsigned, expiredAtMs }, signingChainId));
    expect(JSON.parse(own.txInfo).ExpiredAt).toBe(expiredAtMs);
  });

  test.each([
    ['now', asked.nowMs, 'has expired', /clock/],
    ['at the beginning of time', 0, 'has expired', /clock/],
    ['over three minutes later than asked', terms.expiredAtMs + minutes(3) + 1, 'expires too late', /--valid-for/],
    ['at the end of time', 2 ** 48 - 1, 'expires too late', /--valid-for/],
  ])('error: the signer sets the expiry: %s', async (_, expiredAtMs, words, hint) => {
    const text = await answer({ expiredAtMs });
    const error = await failure('auth.signer', () => fromSigner(text));
    expect(error).toMatchObject({ exit: 4, funds: 'untouched', hint: expect.stringMatching(hint) });
    expect(error.message).toContain(words);
    expect(error.facts[0]).toEqual(['expires', new Date(expiredAtMs).toISOString()]);
  });

  test('error: an expiry that the API key has not signed', async () => {
    const text = await answer();
    const other = text.replace(String(terms.expiredAtMs), String(terms.expiredAtMs - 1));
    const error = await failure('auth.signer', () => fromSigner(other));
    expect(error.facts[0]?.[0]).toBe('signature');
  });
});
