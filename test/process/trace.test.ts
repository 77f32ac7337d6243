/**
 * The calls of transactions that fail in every way, beside what Foundry's cast makes of the same ones. The suite tries every
 * third; all of them:
 * WHOLE=1 npm test -- test/process/trace.test.ts
 */
import { type Abi, encodeAbiParameters, encodeFunctionData, encodePacked, type Hex } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { castRun, count, toBlame } from '../support/castTree.js';
import { type Ended, ferry } from '../support/ferry.js';
import { ask, receiptAt } from '../support/node.js';
import { sampled } from '../support/sampled.js';
import { useSandbox } from '../support/sandbox.js';

const { alpha } = deployments;
const dev0 = accounts.dev0.address;
const { USDC, USDT, WETH } = alpha.tokens;
const pool = alpha.pools[0]?.address ?? '0x';

const { sandbox, env } = useSandbox();
let rpcUrl: string;

beforeAll(async () => {
  rpcUrl = sandbox.rpcUrls.alpha ?? '';
});

function call(of: Abi, functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi: of, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

/** A mined transaction of dev0 with a fixed gas limit, whether it reverts or not. */
async function sent(to: string, data: Hex, gas = 0x100000): Promise<Hex> {
  const transaction = { from: dev0, to, data, gas: `0x${gas.toString(16)}` };
  const hash = (await ask(rpcUrl, 'eth_sendTransaction', transaction)) as Hex;
  return (await receiptAt(rpcUrl, hash)).transactionHash;
}

async function traced(hash: string, ...more: string[]): Promise<Ended> {
  return ferry(['trace', hash, ...more], { env });
}

const reverter = (name: string, ...args: unknown[]): Hex => call(abi.reverter, name, ...args);
const forwarder = (name: string, to: string, data: Hex): Hex => call(abi.forwarder, name, to, data);
const much = 10n ** 30n;

describe('ferry trace and cast run', () => {
  const { delegationManager, delegator, multicall3, depository } = alpha;
  const redeem = call(
    abi.delegationManager,
    'redeemDelegations',
    [encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [delegator, 1n])],
    [`0x${'0'.repeat(64)}`],
    [encodePacked(['address', 'uint256', 'bytes'], [alpha.reverter, 0n, reverter('empty')])],
  );
  const batch = call(abi.multicall3, 'aggregate3Value', [
    { target: alpha.reverter, allowFailure: true, value: 0n, callData: reverter('panic', 1n) },
    { target: alpha.reverter, allowFailure: false, value: 0n, callData: reverter('errorString', 'no') },
  ]);
  const panics = [0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51];
  const nested = forwarder('forward', alpha.forwarder, forwarder('wrap', alpha.reverter, reverter('panic', 0x32n)));

  const failing = [
    ['USDC without balance', USDC.address, call(abi.token, 'transfer', dev0, much), 'USDC', 'customError'],
    ['USDT without balance', USDT.address, call(abi.tether, 'transfer', dev0, much), 'USDT', /./],
    [
      'a deposit without allowance',
      depository,
      call(abi.depository, 'depositErc20', dev0, USDT.address, much, `0x${'1'.repeat(64)}`),
      'USDT',
      /./,
    ],
    ['a swap below its minimum', pool, call(abi.pool, 'swapExactIn', WETH.address, 10n, much, dev0), /Pool|WETH/, /./],
    ['an error string', alpha.reverter, reverter('errorString', 'no "today"'), 'Reverter', 'errorString'],
    [
      'an empty string',
      alpha.forwarder,
      forwarder('forward', alpha.reverter, reverter('errorString', '')),
      'Reverter',
      'errorString',
    ],
    ...panics.map((code) => [
      `panic ${code.toString(16)}`,
      alpha.forwarder,
      forwarder('forward', alpha.reverter, reverter('panic', BigInt(code))),
      'Reverter',
      'panic',
    ]),
    [
      'a custom error that is wrapped',
      alpha.forwarder,
      forwarder('wrap', alpha.reverter, reverter('customError', dev0, 1n, 2n)),
      'Reverter',
      'customError',
    ],
    ['an unknown error', alpha.reverter, reverter('unknownError', 7n), 'Reverter', 'unknownCustomError'],
    ['nothing', alpha.forwarder, forwarder('forward', alpha.reverter, reverter('empty')), 'Reverter', 'empty'],
    ['a panic, passed on and wrapped', alpha.forwarder, nested, 'Reverter', 'panic'],
    ['a delegation that has expired', delegationManager, redeem, 'Delegator', 'customError'],
    ['a batch whose second call fails', multicall3, batch, 'Reverter', 'errorString'],
  ] as [string, string, Hex, string | RegExp, string | RegExp][];
  test.each(sampled(failing, failing.length / 3))(
    'behavior: %s: cast agrees on the innermost call and the reason',
    async (_, to, data, contract, type) => {
      const hash = await sent(to, data);
      const ended = await traced(hash, '--json');
      const { transaction, trace } = ended.json().data;
      expect([ended.code, transaction.status, trace.failed]).toEqual([0, 'reverted', true]);
      const { innermost, path, revert } = trace.failure;
      const blamed = trace.frames[innermost];
      expect(blamed.contract).toMatch(contract);
      expect(revert.type).toMatch(type);
      expect(path.map((index: number) => trace.frames[index].depth)).toEqual(path.map((_: number, i: number) => i));

      const whole = await castRun(hash, rpcUrl);
      const said = toBlame(whole);
      expect(trace.frames).toHaveLength(count(whole));
      expect(blamed.to).toBe(said.address);
      expect(said.end).toBe('Revert');
      if (revert.type === 'errorString') expect(said.words).toBe(revert.reason);
      else if (revert.type === 'panic') expect(said.words).toContain(`(${/0x\w+/.exec(revert.reason)?.[0]})`);
      else if (revert.type === 'empty') expect(said.words).toBe('EvmError: Revert');
      else expect(said.words).toContain(revert.selector);

      const text = await traced(hash);
      expect([text.code, text.stdout.split('\n')[0]?.startsWith('✗ ')]).toEqual([0, true]);
      expect(text.stdout.replace(/\n {2}/g, ' ')).toContain(trace.summary);
    },
  );

  test('behavior: a call that runs out of gas', async () => {
    const hash = await sent(USDC.address, call(abi.token, 'transfer', accounts.dev1.address, 1n), 30_000);
    const { trace } = (await traced(hash, '--json')).json().data;
    expect(trace.summary).toBe('USDC ran out of gas');
    expect(trace.failure.revert.type).toBe('halt');
    expect(toBlame(await castRun(hash, rpcUrl)).words).toMatch(/OutOfGas|OOG/);
  });
});
