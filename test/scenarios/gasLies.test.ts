/** A node that lies about gas, in front of a real chain: nothing is signed that can cost more than the cap. */

import { join } from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { afterEach, describe, expect, test } from 'vitest';
import { native as nativeAddress } from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { type GasLiar, gasLiar, type Lie, lies } from '../support/gasLiar.js';
import { forward, json, loopback } from '../support/loopback.js';
import { ask, balanceAt, minedAt, miningAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

afterEach(() => mining(true));

const alpha = Network.chain(network, 'alpha');
const { depository = '', batchExecutor = '' } = alpha.contracts;
const dai = Network.token(alpha, 'dai')?.address ?? '';
const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(sandbox.rpcUrls.alpha, method, ...params);

const mining = (isOn: boolean): Promise<void> => miningAt(sandbox.rpcUrls.alpha, isOn);

/** 25 dollars of gas at the sandbox's price of 2,500 dollars. */
const cap = 10n ** 16n;

/** What a flow may pay besides gas, in wei. */
const amount = 10n ** 15n;

/** What a run of commands did, at a node that lies. */
type Done = { ended: Ended; liar: GasLiar; lost: bigint };

/** Runs a command at a node that tells the lies, and returns what it cost in native currency. */
async function runAt(
  told: readonly Lie[],
  name: Name,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Done> {
  const liar = await gasLiar(sandbox.rpcUrls.alpha, told);
  const before = await balanceAt(sandbox.rpcUrls.alpha, nativeAddress, accounts[name].address);
  const env = { ...at(sandbox), FERRY_RPC_URL_ALPHA: liar.url, FERRY_STATE_DIR: temporaryFolder(), ...more };
  // A replacement is mined once it is sent.
  liar.onSent(() => void mining(true));
  const ended = await ferry([...argv, '--account', name, '--yes', '--json', '--timeout', '1m'], { env });
  const after = await balanceAt(sandbox.rpcUrls.alpha, nativeAddress, accounts[name].address);
  return { ended, liar, lost: before - after };
}

type Flow = (told: readonly Lie[]) => Promise<Done>;

/** Each flow: it prepares the chain honestly, then acts at the liar. */
const flows: Readonly<Record<string, Flow>> = {
  execute: (told) => runAt(told, 'dev1', ['execute', '1', 'alpha/usdc', 'beta/usdc']),
  'execute --one-by-one': (told) => runAt(told, 'dev1', ['execute', '1', 'alpha/usdc', 'beta/usdc', '--one-by-one']),
  'allowance revoke': async (told) => {
    const { address } = accounts.dev2;
    const abi = parseAbi(['function approve(address spender, uint256 amount)']);
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [depository as `0x${string}`, 5n] });
    await minedAt(sandbox.rpcUrls.alpha, { from: address, to: dai, data });
    return runAt(told, 'dev2', ['allowance', 'revoke', 'alpha/dai']);
  },
  'delegation revoke': async (told) => {
    // Enough for the lie: an account that cannot pay leaves the gas to the service.
    await rpc('anvil_setBalance', accounts.dev3.address, `0x${(10n ** 24n).toString(16)}`);
    await rpc('anvil_setCode', accounts.dev3.address, `0xef0100${batchExecutor.slice(2)}`);
    return runAt(told, 'dev3', ['delegation', 'revoke', 'alpha']);
  },
  'runs speed-up': (told) => replaced(told, 'speed-up'),
  'runs cancel': (told) => replaced(told, 'cancel'),
};

/** A run whose payment waits in the pool of an honest node, then is replaced at the liar. */
async function replaced(told: readonly Lie[], how: 'speed-up' | 'cancel'): Promise<Done> {
  const stateDir = join(temporaryFolder(), 'state');
  await mining(false);
  const env = { ...at(sandbox), FERRY_STATE_DIR: stateDir };
  const typed = 'execute 0.001 alpha/eth beta/eth --account dev4 --timeout 300ms --yes --json'.split(' ');
  const { run } = (await ferry(typed, { env })).json().error;
  // A cancellation is believed on two nodes; the first is asked about gas.
  const more = { FERRY_STATE_DIR: stateDir, FERRY_RPC_URLS_ALPHA: sandbox.rpcUrls.alpha };
  return runAt(told, 'dev4', ['runs', how, run], more);
}

const cells: (readonly [string, string, readonly Lie[]])[] = [
  ...Object.keys(flows).map((flow) => [flow, 'all of them', lies] as const),
  ['execute --one-by-one', 'eth_estimateGas', ['eth_estimateGas']],
  ...lies.map((lie) => ['execute', lie, [lie]] as const),
];

/** Whether a lie must be refused. One about the tip is lowered to the bound; not every flow asks for an estimate. */
function isRefused(flow: string, told: readonly Lie[]): boolean {
  const isEstimated = !['execute', 'delegation revoke', 'runs speed-up'].includes(flow);
  // An approval and its deposit have their gas from a simulation.
  const isSimulated = flow === 'execute' && told.includes('eth_simulateV1');
  return told.includes('eth_getBlockByNumber') || isSimulated || (isEstimated && told.includes('eth_estimateGas'));
}

describe('a node that lies about gas', () => {
  test.each(cells)('%s: %s', async (flow, _, told) => {
    const { ended, liar, lost } = await (flows[flow] as Flow)(told);
    expect(liar.signedFor().reduce((sum, each) => sum + each, 0n)).toBeLessThanOrEqual(cap);
    expect(lost).toBeLessThanOrEqual(cap + amount);
    if (isRefused(flow, told)) {
      expect([ended.code, liar.signedFor()]).toEqual([5, []]);
      expect(ended.json().error).toMatchObject({
        code: 'verify.cap',
        funds: expect.stringMatching(/untouched|in-flight/),
      });
      expect(ended.json().error.hint).toMatch(/--max-gas-usd|--allow gas/);
    } else expect([ended.code, ended.json().error]).toEqual([0, undefined]);
  });
});

describe('the cap', () => {
  const bridge = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev1'];
  const env = () => ({ ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() });

  test('default: what the gas can cost is shown before anything is signed, in each form', async () => {
    const planned = (await ferry([...bridge, '--dry-run', '--json'], { env: env() })).json().data;
    expect(planned.maxGas).toMatchObject({ symbol: 'ETH', usd: expect.stringMatching(/^\d+\.\d{6}$/) });
    expect(BigInt(planned.maxGas.amount)).toBeGreaterThan(0n);
    const text = await ferry([...bridge, '--dry-run'], { env: env() });
    expect(text.stdout).toMatch(/Gas costs at most 0\.\d+ ETH \(\$\d/);
    expect(text.stderr).toMatch(/gas costs at most 0\.\d+ ETH \(\$\d/);
    const asked = (await ferry([...bridge, '--json'], { env: env() })).json().error;
    expect(asked.facts.question).toMatch(
      /^On sandbox, 0x\w{40} pays\. In short: [^.]+\.\d+, [^.]+\.\d+\. Gas costs at most 0\.\d+ ETH \(\$[\d.]+\)\. Send 1 USDC/,
    );
  });

  test('error: a cap of the user, by flag, variable and file', async () => {
    const tight = '0.000001';
    const byFlag = await ferry([...bridge, '--yes', '--json', '--max-gas-usd', tight], { env: env() });
    expect([byFlag.code, byFlag.json().error.code]).toEqual([5, 'verify.cap']);
    expect(byFlag.json().error.facts).toMatchObject({ allowed: '$0.0000', gas: expect.stringMatching(/^at most/) });
    const byVariable = await ferry([...bridge, '--yes', '--json'], { env: { ...env(), FERRY_MAX_GAS_USD: tight } });
    expect(byVariable.json().error.code).toBe('verify.cap');
    const home = temporaryFolder();
    await ferry(['config', 'set', 'maxGasUsd', tight], { home });
    expect((await ferry([...bridge, '--yes', '--json'], { env: env(), home })).json().error.code).toBe('verify.cap');
  });

  test('behavior: a base fee that has doubled since the quote is paid', async () => {
    const [folder, surroundings] = [temporaryFolder(), env()];
    const setBaseFee = async (wei: bigint) => {
      await rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
      await rpc('evm_mine');
    };
    try {
      await setBaseFee(10n ** 9n);
      const file = join(folder, 'quote.json');
      const quoted = await ferry(['quote', ...bridge.slice(1), '-o', file, '--json'], { env: surroundings });
      expect(quoted.code).toBe(0);
      await setBaseFee(2n * 10n ** 9n);
      const paid = await ferry(['execute', file, '--account', 'dev1', '--yes', '--json'], { env: surroundings });
      expect([paid.code, paid.json().error]).toEqual([0, undefined]);
    } finally {
      await setBaseFee(7n);
    }
  });

  test('behavior: a maximum tip of the user', async () => {
    const liar = await gasLiar(sandbox.rpcUrls.alpha, ['eth_feeHistory']);
    const at1 = { ...env(), FERRY_RPC_URL_ALPHA: liar.url, FERRY_MAX_TIP: '0.002' };
    const paid = await ferry([...bridge, '--yes', '--json'], { env: at1 });
    expect([paid.code, paid.json().error]).toEqual([0, undefined]);
    expect(liar.tips()).toEqual([2_000_000n, 2_000_000n]);
    expect(paid.json().warnings).toEqual([expect.stringMatching(/^The node of alpha suggests a tip of 50000000 gwei/)]);
  });
});

describe('a rollup', () => {
  test('behavior: what it takes for the data of a transaction is part of the gas paid', async () => {
    const dataFee = 10n ** 15n;
    const { url } = await loopback((response, request) => {
      void forward(sandbox.rpcUrls.alpha, request).then(({ text }) => {
        const answers = JSON.parse(text) as { result?: { effectiveGasPrice?: string; l1Fee?: string } }[];
        for (const { result } of [answers].flat())
          if (result?.effectiveGasPrice) result.l1Fee = `0x${dataFee.toString(16)}`;
        json(answers)(response, request);
      });
    });
    const env = { ...at(sandbox), FERRY_RPC_URL_ALPHA: url };
    const argv = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev6', '--yes', '--json'];
    const { data } = (await ferry(argv, { env })).json();
    expect(data.transactions.length).toBe(2);
    expect(BigInt(data.gas.amount)).toBeGreaterThan(2n * dataFee);
  });
});
