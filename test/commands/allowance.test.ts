import { describe, expect, test } from 'vitest';
import * as Address from '../../src/core/base/Address.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, type Envelope, ferry, soon } from '../support/ferry.js';
import { json, reset } from '../support/loopback.js';
import { allowanceAt, approveAt, ask, inFrontOf, miningAt, nonceAt, passOn } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';
import { compile, deploy } from '../support/solidity.js';

const { sandbox } = useSandbox();

const alpha = Network.chain(network, 'alpha');
const { depository = '', approvalProxy = '', router = '' } = alpha.contracts;
const stranger = Address.from('0x00000000000000000000000000000000c0ffee01');
const addressOf = (symbol: string): string => Network.token(alpha, symbol)?.address ?? '';
const nonceOf = (name: Name): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, accounts[name].address);
const approve = (name: Name, symbol: string, spender: string, amount: bigint): Promise<void> =>
  approveAt(sandbox.rpcUrls.alpha, addressOf(symbol), accounts[name].address, spender, amount);
const allowed = (name: Name, symbol: string, spender: string = depository): Promise<bigint> =>
  allowanceAt(sandbox.rpcUrls.alpha, addressOf(symbol), accounts[name].address, spender);

const run = (name: Name, argv: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> =>
  ferry([...argv, '--account', name, '--yes', '--json'], { env: { ...at(sandbox), ...env } });

/** The same until a deadline ends it. */
const late = (name: Name, argv: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> =>
  ferry([...argv, ...soon.args, '--account', name, '--yes', '--json'], {
    env: { ...at(sandbox), ...env },
    pace: soon.pace,
  });

describe('allowance', () => {
  test('default: what the known contracts may take is shown, taken back one by one, and then there is nothing to do', async () => {
    for (const [spender, amount] of [
      [depository, 100_000_000n],
      [router, 7_000_000n],
    ] as const)
      await approve('dev1', 'dai', spender, amount);
    const shown = (await run('dev1', ['allowance', 'show', 'alpha/dai'])).json().data;
    expect(shown).toMatchObject({ account: accounts.dev1.address, currency: 'alpha/dai', symbol: 'DAI' });
    expect(shown.allowances).toEqual([
      { spender: depository, contract: 'depository', amount: '100000000', formatted: '0.0000000001' },
      { spender: approvalProxy, contract: 'approvalProxy', amount: '0', formatted: '0' },
      { spender: router, contract: 'router', amount: '7000000', formatted: '0.000000000007' },
    ]);
    const before = await nonceOf('dev1');
    const ended = await run('dev1', ['allowance', 'revoke', 'alpha/dai']);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const { data } = ended.json();
    expect(data.paidBy).toBe('account');
    expect(data.revoked.map((each: Envelope) => [each.contract, each.amount, BigInt(each.gas.amount) > 0n])).toEqual([
      ['depository', '100000000', true],
      ['router', '7000000', true],
    ]);
    expect([await allowed('dev1', 'dai'), await allowed('dev1', 'dai', router)]).toEqual([0n, 0n]);
    const again = (await run('dev1', ['allowance', 'revoke', 'alpha/dai'])).json().data;
    expect(again).toMatchObject({ revoked: [], paidBy: null });
    expect(await nonceOf('dev1')).toBe(before + 2);
  });

  test('behavior: of anybody who is named, in words for a person', async () => {
    await approve('dev1', 'usdt', stranger, 2n ** 256n - 1n);
    const does = (what: string, ...more: string[]) =>
      ferry(['allowance', what, 'alpha/usdt', stranger, '--account', 'dev1', ...more], { env: at(sandbox) });
    expect((await does('show')).stdout).toMatch(new RegExp(`unknown +${stranger} +any amount USDT`));
    const question = `Revoke the allowance of any amount USDT on alpha for ${stranger}?`;
    expect((await does('revoke')).stderr).toContain(question);
    expect(await allowed('dev1', 'usdt', stranger)).not.toBe(0n);
    expect((await does('revoke', '--yes')).stdout).toContain(`${stranger} can no longer spend USDT of`);
    expect(await allowed('dev1', 'usdt', stranger)).toBe(0n);
    const again = await does('revoke', '--yes');
    expect(again.stdout).toBe('Network  sandbox\nNo USDT allowance on alpha: nothing was sent.\n');
  });

  test('behavior: an answer that is lost is looked for on the chain', async () => {
    await approve('dev1', 'gull', depository, 5n);
    const lost = passOn(sandbox.rpcUrls.alpha, reset);
    const { url: node } = await inFrontOf(sandbox.rpcUrls.alpha, { eth_sendRawTransaction: lost });
    const ended = await run('dev1', ['allowance', 'revoke', 'alpha/gull'], { FERRY_RPC_URL_ALPHA: node });
    expect([ended.code, ended.json().data.revoked.length]).toEqual([0, 1]);
    expect(await allowed('dev1', 'gull')).toBe(0n);
  });

  test('error: a token that takes the transaction and revokes nothing', async () => {
    const stubborn = compile(`contract Stubborn {
      string public constant symbol = 'STUB';
      uint8 public constant decimals = 6;
      mapping(address owner => mapping(address spender => uint256)) public allowance;
      function balanceOf(address) external pure returns (uint256) { return 0; }
      function approve(address spender, uint256 value) external returns (bool) {
        if (value == 0) return false;
        allowance[msg.sender][spender] = value;
        return true;
      }
    }`);
    const endpoint = { name: 'alpha', id: alpha.id, rpcUrl: sandbox.rpcUrls.alpha };
    const token = await deploy(endpoint, accounts.dev8, stubborn);
    await approveAt(sandbox.rpcUrls.alpha, token, accounts.dev1.address, stranger, 5_000_000n);
    const ended = await run('dev1', ['allowance', 'revoke', `alpha/${token}`, stranger]);
    const facts = { 'still allowed': '5 STUB' };
    expect(ended.json().error).toMatchObject({ code: 'submit.reverted', funds: 'untouched', facts });
  });

  test('error: not mined in time moves nothing, and may be repeated', async () => {
    await approve('dev1', 'gull', depository, 5n);
    await miningAt(sandbox.rpcUrls.alpha, false);
    const ended = await late('dev1', ['allowance', 'revoke', 'alpha/gull']);
    await miningAt(sandbox.rpcUrls.alpha, true);
    const next = `ferry allowance show alpha/gull ${depository} --account dev1`;
    expect(ended.json().error).toMatchObject({ code: 'track.unfinished', funds: 'untouched', next });
    expect((await run('dev1', ['allowance', 'revoke', 'alpha/gull'])).json().data.revoked).toEqual([]);
  });

  test('error: one that a node refuses may be sent all the same, and what it said is shown', async () => {
    await approve('dev1', 'gull', depository, 5n);
    const refused = json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'only whitelisted senders' } });
    const { url: node } = await inFrontOf(sandbox.rpcUrls.alpha, { eth_sendRawTransaction: refused });
    const argv = ['allowance', 'revoke', 'alpha/gull'];
    const { error } = (await late('dev1', argv, { FERRY_RPC_URL_ALPHA: node })).json();
    expect(error).toMatchObject({ code: 'track.unfinished', funds: 'untouched' });
    expect(error.message).toContain('may have been sent and is not mined yet');
    expect(error.facts['the node says']).toBe('only whitelisted senders');
  });

  test('error: an account without gas, and what is no token', async () => {
    const { address } = accounts.dev9;
    await ask(sandbox.rpcUrls.alpha, 'anvil_setBalance', address, '0xde0b6b3a7640000');
    await approve('dev9', 'usdc', depository, 5n);
    await ask(sandbox.rpcUrls.alpha, 'anvil_setBalance', address, '0x0');
    const poor = await run('dev9', ['allowance', 'revoke', 'alpha/usdc']);
    expect([poor.code, poor.json().error.code]).toEqual([6, 'submit.insufficient-gas']);
    for (const none of ['alpha/eth', 'lighter/usdc']) {
      const ended = await run('dev1', ['allowance', 'show', none]);
      expect([ended.code, ended.json().error.code]).toEqual([2, 'request.unsupported']);
    }
  });
});
