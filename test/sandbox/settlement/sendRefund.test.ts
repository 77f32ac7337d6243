import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { describeChain } from '../../../src/sandbox/chain/readMarket.js';
import type * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import { waitFor } from '../../../src/sandbox/ledger/minedTransactions.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as sendRefund from '../../../src/sandbox/settlement/sendRefund.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, send, useChains } from '../../support/chains.js';
import { instanceOn } from '../../support/instances.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0 } = accounts;
const orderId = `0x${'17'.repeat(32)}` as const;
const never = new AbortController().signal;
const hooks = { onSent: () => undefined, signal: never };
let strangers = 0;

function stranger(): `0x${string}` {
  strangers += 1;
  return `0x${strangers.toString(16).padStart(40, 'c')}`;
}

const instance = (): Instance => instanceOn(chains.current);

async function deposited(currency: 'USDC' | 'ETH', amount: bigint): Promise<Deposit.OnChain> {
  const { alpha } = chains.current;
  const address = currency === 'ETH' ? native : alpha.tokens.USDC.address;
  if (currency === 'USDC') await approve(alpha, dev0, address, alpha.depository, amount);
  const { transactionHash, logs } = await send(alpha, dev0, {
    address: alpha.depository,
    abi: abi.depository,
    ...(currency === 'ETH'
      ? { functionName: 'depositNative', args: [dev0.address, orderId], value: amount }
      : { functionName: 'depositErc20', args: [dev0.address, address, amount, orderId] }),
  });
  const logIndex = logs.at(-1)?.logIndex ?? 0;
  return {
    orderId,
    chainId: alpha.id,
    hash: transactionHash,
    logIndex,
    depositor: dev0.address,
    currency: address,
    amount,
  };
}

describe('send', () => {
  test.each([
    ['USDC', 10_000_000n],
    ['ETH', parseEther('0.01')],
  ] as const)('default: %s goes back less the gas, which the rest pays for', async (currency, amount) => {
    const { alpha } = chains.current;
    const deposit = await deposited(currency, amount);
    const to = stranger();
    const sent = await sendRefund.send(instance(), deposit, to, hooks);
    if ('refundFailReason' in sent) throw new Error(sent.refundFailReason);
    const mined = await waitFor(alpha, sent.hash as `0x${string}`, never);
    expect(mined.isSuccess).toBe(true);
    const received =
      currency === 'ETH'
        ? await connect(alpha).getBalance({ address: to })
        : await balance(alpha, deposit.currency, to);
    expect(received).toBe(sent.amount);
    const token = describeChain(alpha).tokens.find(({ address }) => address === deposit.currency);
    const kept = ((amount - received) * (token?.priceUsd ?? 0n) * 10n ** 18n) / 10n ** BigInt(token?.decimals ?? 0);
    const cost = mined.fee * 2_500_000_000n;
    expect(kept).toBeGreaterThanOrEqual(cost);
    expect(kept).toBeLessThan((cost * 13n) / 10n + 10n ** 18n);
  });

  test('error: an account of the venue', async () => {
    const deposit = await deposited('USDC', 10_000_000n);
    expect(await sendRefund.send(instance(), deposit, '100', hooks)).toEqual({
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
    });
  });

  test('error: less than the gas', async () => {
    expect(await sendRefund.send(instance(), await deposited('USDC', 100n), stranger(), hooks)).toEqual({
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    });
  });

  test('error: more than the depository holds', async () => {
    const deposit = { ...(await deposited('USDC', 1n)), amount: 10n ** 30n };
    expect(await sendRefund.send(instance(), deposit, stranger(), hooks)).toEqual({
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
    });
  });

  test('error: an address that rejects payment', async () => {
    const refusing = `0x${'8'.repeat(40)}` as const;
    // PUSH0 PUSH0 REVERT
    await nodeRpc.call(chains.current.alpha.rpcUrl, 'anvil_setCode', refusing, '0x5f5ffd');
    const deposit = await deposited('ETH', parseEther('0.1'));
    expect(await sendRefund.send(instance(), deposit, refusing, hooks)).toEqual({
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
    });
  });
});
