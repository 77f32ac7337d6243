import { encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import { createInstance, type Instance } from '../../../src/sandbox/settlement/instance.js';
import { type Submission, sendAndWait } from '../../../src/sandbox/settlement/settled.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';

const chains = useChains();
const { address } = accounts.relayer;
const { signal } = new AbortController();

function instance(): Instance {
  const { alpha, beta } = chains.current;
  return createInstance({ chains: [alpha, beta], seed: 's', instance: 'i' });
}

function submission(change: Partial<Submission['transaction']> = {}): Submission {
  const { alpha } = chains.current;
  const data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
  const transaction = { to: alpha.reverter, data, value: 0n, gas: 200_000n, authorizations: [], ...change };
  return { chainId: alpha.id, transaction, sent: undefined };
}

describe('sendAndWait', () => {
  test('default: reports the hash before broadcasting', async () => {
    const seen: string[] = [];
    const mined = await sendAndWait(instance(), submission(), signal, (hash) => seen.push(hash));
    expect(mined).toMatchObject({ hash: seen[0], from: address.toLowerCase(), isSuccess: true });
    expect(seen).toHaveLength(1);
  });

  test('behavior: does not resend a transaction that the chain knows', async () => {
    const at = instance();
    const { hash: sent } = await sendAndWait(at, submission(), signal, () => {});
    const again = await sendAndWait(at, { ...submission(), sent }, signal, () => {
      throw new Error('it was sent again');
    });
    expect(again.hash).toBe(sent);
  });

  test('behavior: resends a transaction that never reached the chain', async () => {
    const sent = `0x${'17'.repeat(32)}` as const;
    const mined = await sendAndWait(instance(), { ...submission(), sent }, signal, () => {});
    expect(mined.hash).not.toBe(sent);
    expect(mined.isSuccess).toBe(true);
  });

  test('behavior: returns a reverted transaction as such', async () => {
    const data = encodeFunctionData({ abi: abi.reverter, functionName: 'empty' });
    expect(await sendAndWait(instance(), submission({ data }), signal, () => {})).toMatchObject({ isSuccess: false });
  });
});
