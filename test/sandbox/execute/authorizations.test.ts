import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as Wire from '../../../src/core/api/schema/Authorization.js';
import { readAuthorizations } from '../../../src/sandbox/execute/authorizations.js';
import { HttpError } from '../../../src/sandbox/http/HttpError.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { authorize } from '../../support/gasless.js';

const { alpha, beta } = useChains();
const { dev1 } = accounts;

/** The order of the curve. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const field = 'authorizationList';

async function complaint(list: readonly Wire.Authorization[]): Promise<unknown> {
  try {
    await readAuthorizations(alpha, list, field);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return error.body.error;
    throw error;
  }
}

describe('readAuthorizations', () => {
  test('behavior: several of one account, with consecutive nonces', async () => {
    const list = [await authorize(alpha, 'dev9'), await authorize(alpha, 'dev9', { nonce: 1 })];
    expect(await complaint(list)).toBeUndefined();
    expect(await complaint(list.toReversed())).toMatch(/^authorizationList\[0\]\.nonce is 1, but the account/);
    expect(await complaint([...list, ...list])).toMatch(/^authorizationList\[2\]\.nonce is 0, .* is at 2$/);
  });

  test('behavior: signature values without leading zeros', async () => {
    const signer = privateKeyToAccount(dev1.privateKey);
    // Some delegate yields a signature with a leading zero byte.
    for (let tries = 1n; ; tries++) {
      const contractAddress = `0x${tries.toString(16).padStart(40, '0')}` as const;
      const signed = await signer.signAuthorization({ chainId: alpha.id, contractAddress, nonce: 0 });
      if (!signed.r.startsWith('0x00')) continue;
      const { chainId, address, nonce, yParity = 0, s } = signed;
      const short = { chainId, address, nonce, yParity, r: `0x${BigInt(signed.r).toString(16)}` as const, s };
      const [read] = await readAuthorizations(alpha, [short], field);
      expect(read).toMatchObject({ authority: dev1.address, r: signed.r });
      return;
    }
  });

  test('error: chain 0, which every chain accepts, and another chain', async () => {
    expect(await complaint([await authorize(alpha, 'dev9', { chainId: 0 })])).toBe(
      'authorizationList[0].chainId is 0, which every chain takes',
    );
    expect(await complaint([await authorize(beta, 'dev9')])).toBe(`authorizationList[0].chainId is not ${alpha.id}`);
  });

  test('error: malformed signature', async () => {
    const authorization = await authorize(alpha, 'dev9');
    const { s, yParity } = authorization;
    const changes: Partial<Wire.Authorization>[] = [
      { r: 'r' },
      { r: '0x' },
      { s: `${s}00` },
      { yParity: 2 },
      { yParity: 0.5 },
      { r: `0x${'0'.repeat(64)}` },
      { r: `0x${'f'.repeat(64)}` },
      // The high-s form of the same signature.
      { s: `0x${(order - BigInt(s)).toString(16)}`, yParity: 1 - yParity },
    ];
    for (const change of changes)
      expect(await complaint([{ ...authorization, ...change }]), JSON.stringify(change)).toBe(
        'authorizationList[0] has an invalid signature',
      );
  });
});
