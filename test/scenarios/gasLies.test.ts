/** What gas may cost: the cap, who sets it, and a node in front of a real chain that lies. The simulator lies about payments. */

import { join } from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { gasLiar, lies } from '../support/gasLiar.js';
import { forward, json, loopback } from '../support/loopback.js';
import { ask, minedAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const rpc = (method: string, ...params: unknown[]): Promise<unknown> => ask(sandbox.rpcUrls.alpha, method, ...params);

describe('what revokes, at a node that lies about all of it', () => {
  const alpha = Network.chain(network, 'alpha');
  const { depository = '', batchExecutor = '' } = alpha.contracts;

  async function refused(argv: readonly string[]): Promise<void> {
    const liar = await gasLiar(sandbox.rpcUrls.alpha, lies);
    const env = { ...at(sandbox), FERRY_RPC_URL_ALPHA: liar.url, FERRY_STATE_DIR: temporaryFolder() };
    const ended = await ferry([...argv, '--yes', '--json'], { env });
    expect([ended.code, liar.signedFor()]).toEqual([5, []]);
    expect(ended.json().error).toMatchObject({ code: 'verify.cap', funds: 'untouched' });
  }

  test('error: allowance revoke', async () => {
    const dai = Network.token(alpha, 'dai')?.address ?? '';
    const abi = parseAbi(['function approve(address spender, uint256 amount)']);
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [depository as `0x${string}`, 5n] });
    await minedAt(sandbox.rpcUrls.alpha, { from: accounts.dev2.address, to: dai, data });
    await refused(['allowance', 'revoke', 'alpha/dai', '--account', 'dev2']);
  });

  test('error: delegation revoke', async () => {
    const { address } = accounts.dev3;
    // Enough for the lie: an account that cannot pay leaves the gas to the service.
    await rpc('anvil_setBalance', address, `0x${(10n ** 24n).toString(16)}`);
    await rpc('anvil_setCode', address, `0xef0100${batchExecutor.slice(2)}`);
    await refused(['delegation', 'revoke', 'alpha', '--account', 'dev3']);
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
