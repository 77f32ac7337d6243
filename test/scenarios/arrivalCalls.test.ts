/** Calls on arrival: made by the router with what is delivered, held to what was asked for, and read from the chain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as OrderData from '../../src/core/api/schema/OrderData.js';
import type { Address } from '../../src/core/base/Address.js';
import { network } from '../../src/core/network/sandbox.js';
import * as OrderId from '../../src/sandbox/quote/OrderId.js';
import * as sandboxAbi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { cast } from '../support/cast.js';
import { addFault, clearFaults } from '../support/faults.js';
import { type Ended, ferry, questionOf, type Surroundings, temporaryFolder } from '../support/ferry.js';
import { loopback, passTo } from '../support/loopback.js';
import { balanceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';
import { compile, deploy } from '../support/solidity.js';

const { dev1, dev2 } = accounts;
const beta = network.chains.find(({ name }) => name === 'beta');
const router = beta?.contracts.router ?? '';
const usdc = (beta?.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '') as Address;

/** A vault that keeps what it is given for somebody, while it is open. */
const source = `
interface IERC20 {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

contract Coffer {
  IERC20 private immutable asset;
  bool private isClosed;
  mapping(address owner => uint256) public shares;
  mapping(address owner => uint256) public ether_;

  constructor(address asset_) {
    asset = IERC20(asset_);
  }

  function close() external {
    isClosed = true;
  }

  function deposit(uint256 assets, address receiver) external returns (uint256) {
    require(!isClosed, 'the vault is closed');
    require(asset.transferFrom(msg.sender, address(this), assets));
    shares[receiver] += assets;
    return assets;
  }

  function depositEther(address receiver) external payable {
    ether_[receiver] += msg.value;
  }
}
`;
const abi = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function depositEther(address receiver) payable',
]);

const { sandbox, env } = useSandbox();
let vault: Address;
let coffer: ReturnType<typeof compile>;

beforeAll(async () => {
  coffer = compile(source);
  vault = await newVault();
});

function newVault(): Promise<Address> {
  const chain = { name: 'beta', id: beta?.id ?? 0, rpcUrl: sandbox.rpcUrls.beta ?? '' };
  return deploy(chain, accounts.dev7, coffer, [usdc]);
}

const approval = (amount: bigint, to: Address = vault): Hex =>
  encodeFunctionData({ abi, functionName: 'approve', args: [to, amount] });
const deposit = (amount: bigint, receiver: Address): Hex =>
  encodeFunctionData({ abi, functionName: 'deposit', args: [amount, receiver] });

/** The options of a deposit into the vault. */
function into(amount: bigint, receiver: Address, to: Address = vault): string[] {
  return ['--call', `${usdc}:${approval(amount, to)}`, '--call', `${to}:${deposit(amount, receiver)}`];
}

function run(line: string, more: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return ferry([...line.split(' '), ...more], { env, ...surroundings });
}

async function shares(of: Address, at: Address = vault): Promise<bigint> {
  const text = await cast('call', at, 'shares(address)(uint256)', of, '--rpc-url', sandbox.rpcUrls.beta ?? '');
  return BigInt(text.split(' ')[0] ?? '');
}

async function close(its: Address): Promise<void> {
  const { privateKey } = accounts.dev7;
  await cast('send', its, 'close()', '--private-key', privateKey, '--rpc-url', sandbox.rpcUrls.beta ?? '');
}

describe('ferry execute --call', () => {
  test.each([
    ['from the same token', 'alpha/usdc'],
    ['after a swap on the destination', 'alpha/eth'],
  ])('default: a deposit into a vault, %s', async (_, from) => {
    const before = await shares(dev2.address);
    const kept = await balanceAt(sandbox.rpcUrls.beta ?? '', usdc, router);
    const more = [...into(25_000_000n, dev2.address), '--exact-output', '--account', 'dev1', '--yes', '--json'];
    const ended = await run(`execute 25 ${from} beta/usdc`, more);
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.json().data).toMatchObject({ funds: 'delivered', witnesses: ['the service', 'the node of beta'] });
    expect((await shares(dev2.address)) - before).toBe(25_000_000n);
    expect(await balanceAt(sandbox.rpcUrls.beta ?? '', usdc, router)).toBe(kept);
  });

  test('default: ether for a call that takes it', async () => {
    const data = encodeFunctionData({ abi, functionName: 'depositEther', args: [dev2.address] });
    const more = ['--call', `${vault}:${data}:50000000000000000`];
    const ended = await run('execute 0.05 alpha/eth beta/eth --exact-output --account dev1 --yes --json', more);
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.json().data).toMatchObject({ funds: 'delivered', witnesses: ['the service', 'the node of beta'] });
    expect(await balanceAt(sandbox.rpcUrls.beta ?? '', `0x${'0'.repeat(40)}`, vault)).toBe(50_000_000_000_000_000n);
  });

  test.each([['--gasless'], ['--permit']])('option: %s', async (option) => {
    const before = await shares(dev1.address);
    const more = [...into(3_000_000n, dev1.address), '--exact-output', option, '--account', 'dev9', '--yes', '--json'];
    const ended = await run('execute 3 alpha/usdc beta/usdc', more);
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect((await shares(dev1.address)) - before).toBe(3_000_000n);
    expect(ended.json().data.calls).toEqual([
      { to: usdc, data: approval(3_000_000n), value: '0' },
      { to: getAddress(vault), data: deposit(3_000_000n, dev1.address), value: '0' },
    ]);
  });

  test('behavior: the result names the calls as who was paid', async () => {
    const more = [...into(3_000_000n, dev2.address), '--exact-output', '--account', 'dev1', '--yes'];
    const ended = await run('execute 3 alpha/usdc beta/usdc', more);
    expect(ended.stdout).toContain(' to 2 calls on arrival\n');
    expect(ended.stdout).toMatch(/\n {2}Call 1 +0x\S+ +approve\(spender: /);
    expect(ended.stdout).toMatch(/\n {2}Call 2 +0x\S+ +0x6e553f65: a function that ferry does not know/);
  });

  test('behavior: the question and the quote show each call', async () => {
    const quoted = await run('quote 5 alpha/usdc beta/usdc --exact-output', into(5_000_000n, dev2.address));
    expect(quoted.stdout).toContain(`Call 1     ${usdc}  approve(spender: ${vault.toLowerCase()}, value: 5000000)`);
    expect(quoted.stdout).toMatch(/Call 2 +0x\w{40} {2}0x6e553f65: a function that ferry does not know, 68 bytes/);
    const execute = 'execute 5 alpha/usdc beta/usdc --exact-output --account dev1'.split(' ');
    expect(await questionOf([...execute, ...into(5_000_000n, dev2.address)], { env })).toContain(
      `on beta to 2 calls there: ${usdc} approve(spender: ${vault.toLowerCase()}, value: 5000000)`,
    );
  });

  test('error: a call that reverts when it is made is refunded', async () => {
    const closing = await newVault();
    const home = temporaryFolder();
    await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 1 });
    try {
      const calls = into(7_000_000n, dev2.address, closing);
      const line = 'execute 7 alpha/usdc beta/usdc --exact-output --account dev1 --yes --no-wait --json';
      expect((await run(line, calls, { home })).code).toBe(0);
      await close(closing);
    } finally {
      await clearFaults(sandbox);
    }
    const ended = await run('resume --json', [], { home });
    expect([ended.code, ended.json().error]).toMatchObject([7, { code: 'track.refunded', funds: 'returned' }]);
    expect(JSON.stringify(ended.json())).toContain('EXECUTION_REVERTED');
    expect(await shares(dev2.address, closing)).toBe(0n);
  });

  test('behavior: from a file, and from a saved quote', async () => {
    const home = temporaryFolder();
    const calls = [
      { to: usdc.toLowerCase(), data: `0x${approval(2_000_000n).slice(2).toUpperCase()}` },
      { to: vault, data: deposit(2_000_000n, dev2.address), value: '0' },
    ];
    writeFileSync(join(home, 'calls.json'), JSON.stringify(calls));
    const before = await shares(dev2.address);
    const quoted = await run(
      'quote 2 alpha/usdc beta/usdc --exact-output --calls calls.json --account dev1 -o quote.json --json',
      [],
      { home },
    );
    expect(quoted.json().data.intent.calls).toHaveLength(2);
    const ended = await run('execute quote.json --account dev1 --yes --json', [], { home });
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect((await shares(dev2.address)) - before).toBe(2_000_000n);
  });
});

describe('what is refused before anything is signed', () => {
  test('error: a call that would revert is refused by the service, and the node says which and why', async () => {
    const closed = await newVault();
    await close(closed);
    const more = [...into(4_000_000n, dev2.address, closed), '--exact-output', '--account', 'dev1'];
    const ended = await run('execute 4 alpha/usdc beta/usdc --yes --json', more);
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([3, { code: 'service.refused', funds: 'untouched', httpStatus: 400 }]);
    expect(error.facts).toMatchObject({
      code: 'DESTINATION_TX_FAILED',
      detail: 'execution reverted: the vault is closed',
      'call 2': expect.stringMatching(new RegExp(`^${closed} 0x6e553f65: `, 'i')),
      'at the node of beta': 'it reverts: the vault is closed',
    });
    expect(error.requestId).toMatch(/^0x/);
    const quoted = await run('quote 4 alpha/usdc beta/usdc', more);
    expect(quoted.code).toBe(3);
    expect(quoted.stderr).toMatch(/call 2 +0x\w{40} 0x6e553f65/);
    expect(quoted.stderr).toMatch(/at the node of beta +it reverts: the vault is closed/);
  });

  test('error: a call whose error has a name, of which the service says nothing', async () => {
    const data = encodeFunctionData({
      abi: sandboxAbi.reverter,
      functionName: 'customError',
      args: [dev2.address, 5n, 7n],
    });
    const more = [...into(4_000_000n, dev2.address), '--call', `${deployments.beta.reverter}:${data}`];
    const { error } = (await run('quote 4 alpha/usdc beta/usdc --exact-output --json', more)).json();
    expect(error.facts.detail).toBe('execution reverted');
    expect(error.facts).toHaveProperty('call 3');
    expect(error.facts['at the node of beta']).toMatch(/LimitExceeded|0x\w{8}/);
    // Without a node there is what the service says.
    const alone = { ...env, FERRY_RPC_URL_BETA: 'http://127.0.0.1:1' };
    const less = (await run('quote 4 alpha/usdc beta/usdc --exact-output --json', more, { env: alone })).json().error;
    expect(less).toMatchObject({ code: 'service.refused', facts: { detail: 'execution reverted' } });
    expect(less.facts).not.toHaveProperty('call 3');
  });

  test('error: a call that reverts since the quote', async () => {
    const closing = await newVault();
    const home = temporaryFolder();
    const calls = into(4_000_000n, dev2.address, closing);
    const line = 'quote 4 alpha/usdc beta/usdc --exact-output --account dev1 -o quote.json --json';
    expect((await run(line, calls, { home })).code).toBe(0);
    await close(closing);
    const ended = await run('execute quote.json --account dev1 --yes --json', [], { home });
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
    expect(JSON.stringify(ended.json().error.facts)).toContain('the vault is closed');
  });

  test('error: calldata for an address without code, which would do nothing', async () => {
    const data = encodeFunctionData({ abi, functionName: 'depositEther', args: [dev2.address] });
    const more = ['--call', `${dev2.address}:${data}:1000000000000000`];
    const ended = await run('execute 0.001 alpha/eth beta/eth --exact-output --account dev1 --yes --json', more);
    expect(ended.json().error).toMatchObject({ code: 'verify.unverified', funds: 'untouched' });
    expect(JSON.stringify(ended.json().error.facts)).toContain(`${dev2.address} has no code`);
  });

  test('error: calls that leave something in the router', async () => {
    const more = [...into(4_000_000n, dev2.address), '--exact-output', '--account', 'dev1', '--yes', '--json'];
    const ended = await run('execute 5 alpha/usdc beta/usdc', more);
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
    expect(JSON.stringify(ended.json().error.facts)).toContain('1000000 base units are left in the router');
    expect(ended.json().error.hint).toContain('the calls that you gave');
  });

  const tokens = 'alpha/usdc beta/usdc --exact-output';
  const ether = '5 alpha/eth beta/eth --exact-output';
  test.each<[string, string, readonly string[], RegExp]>([
    ['no exact output', '5 alpha/usdc beta/usdc', [`${usdc}:0x`], /need --exact-output/],
    ['one chain', '5 alpha/usdc alpha/dai --exact-output', [`${usdc}:0x`], /need another EVM chain/],
    ['the venue', '5 alpha/usdc lighter/usdc --exact-output', [`${usdc}:0x`], /need another EVM chain/],
    ['no calldata', `5 ${tokens}`, [usdc], /whole bytes/],
    ['calldata without 0x', `5 ${tokens}`, [`${usdc}:a9059cbb`], /whole bytes/],
    ['half a byte', `5 ${tokens}`, [`${usdc}:0x123`], /whole bytes/],
    ['more calldata than a block has room for', `5 ${tokens}`, [`${usdc}:0x${'00'.repeat(50_001)}`], /50000 bytes/],
    ['a fourth part', `5 ${tokens}`, [`${usdc}:0x:1:2`], /more than a target/],
    ['no address', `5 ${tokens}`, ['0x12:0x'], /target of a call/],
    ['a wrong checksum', `5 ${tokens}`, [`${dev2.address.toUpperCase().replace('X', 'x')}:0x`], /checksum/],
    ['a value with a token', `5 ${tokens}`, [`${usdc}:0x:1`], /can send no ETH/],
    ['another sum', ether, [`${usdc}:0x:1`, `${usdc}:0x:4999999999999999998`], /must add up/],
    ['half a wei', ether, [`${usdc}:0x:1.5`], /number of wei/],
    ['a negative value', ether, [`${usdc}:0x:-1`], /number of wei/],
    ['a huge value', ether, [`${usdc}:0x:${2n ** 256n}`], /number of wei/],
    ['more calls than a block has room for', `5 ${tokens}`, Array(51).fill(`${usdc}:0x`), /at most 50/],
  ])('error: %s', async (_, line, calls, message) => {
    const more = [...calls.flatMap((each) => ['--call', each]), '--account', 'dev1', '--yes', '--json'];
    const ended = await run(`execute ${line}`, more);
    expect(ended.json().error).toMatchObject({ funds: 'untouched', message: expect.stringMatching(message) });
  });

  test.each([
    ['no such file', ['--calls', 'none.json'], /none\.json/],
    ['both', ['--calls', 'x', '--call', `${usdc}:0x`], /cannot be combined/],
  ])('error: %s', async (_, more, message) => {
    const ended = await run(`execute 5 ${tokens}`, [...more, '--account', 'dev1', '--yes', '--json']);
    expect(ended.json().error).toMatchObject({ funds: 'untouched', message: expect.stringMatching(message) });
  });

  test.each([
    ...['{}', '[]', '[{"to":1}]', 'not JSON', '[{"to":"0x1","more":1}]'],
    ...[`[{"to":"${dev2.address}","value":5}]`, `[{"to":"${dev2.address}","to":"${dev1.address}"}]`],
  ])('error: a file of %s', async (text) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'calls.json'), text);
    const ended = await run(`quote 5 ${tokens} --calls calls.json --json`, [], { home });
    expect(ended.json().error).toMatchObject({
      code: 'usage.invalid',
      message: expect.stringContaining('calls.json'),
    });
  });
});

describe('a service that lies about the calls', () => {
  type Output = { calls: Hex[]; payments: { recipient: string }[] };
  type Protocol = { orderId: Hex; orderSignature?: Hex; orderData: OrderData.OrderData };

  /** The answer with a change, whose order is hashed and signed anew, wherever its id is. */
  async function remade(
    body: { protocol: { v2: Protocol } },
    change: (output: Output) => void,
  ): Promise<{ protocol: { v2: Protocol } }> {
    const { orderData, orderId } = body.protocol.v2;
    change(orderData.output as unknown as Output);
    const raw = OrderId.from(orderData);
    const answer = JSON.parse(JSON.stringify(body).replaceAll(orderId.slice(2), raw.slice(2)));
    const solver = privateKeyToAccount(accounts.solver.privateKey);
    answer.protocol.v2.orderSignature = await solver.signMessage({ message: { raw } });
    return answer;
  }

  test.each<[what: string, change: (output: Output) => void]>([
    ['no calls', (output) => output.calls.splice(0)],
    [
      'another receiver',
      (output) => {
        const [one, other] = [dev2, accounts.dev8].map(({ address }) => address.slice(2).toLowerCase());
        output.calls[1] = output.calls[1]?.replace(one ?? '', other ?? '') as Hex;
      },
    ],
  ])('attack: %s, in an order that hashes to its id and is signed by the solver', async (_, change) => {
    const altered = async (text: string): Promise<string> => {
      const body = JSON.parse(text) as { protocol?: { v2: Protocol } };
      return body.protocol ? JSON.stringify(await remade(body as { protocol: { v2: Protocol } }, change)) : text;
    };
    const service = await loopback(passTo(sandbox.baseUrl, altered));
    const more = [...into(6_000_000n, dev2.address), '--exact-output', '--account', 'dev1', '--yes', '--json'];
    const ended = await run('execute 6 alpha/usdc beta/usdc', more, { env: { ...env, FERRY_BASE_URL: service.url } });
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
    expect(JSON.stringify(error.facts)).toMatch(/order-calls|order-recipient/);
    expect(JSON.stringify(error.facts)).not.toMatch(/order-id|solver-signature/);
  });
});

test('attack: what calls pay to somebody is not counted for a payment to them as well', async () => {
  const transfer = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    args: [dev2.address, 7_000_000n],
  });
  const home = temporaryFolder();
  const common = ['--account', 'dev1', '--yes', '--json'];
  const paying = `execute 7 alpha/usdc beta/usdc --recipient ${dev2.address}`;
  // It is kept until the end, and called delivered by the fill of the calls.
  await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck', times: 1 });
  const kept = (await run(`${paying} --no-wait`, common, { home })).json().data;
  const calls = ['--call', `${usdc}:${transfer}`, ...common];
  const called = await run('execute 7 alpha/usdc beta/usdc --exact-output', calls, { home });
  const [fill] = called.json().data.fills;
  const service = await loopback(
    passTo(sandbox.baseUrl, (text, { path }) =>
      path.startsWith('/intents/status/v3') && path.includes(kept.requestId)
        ? JSON.stringify({ ...JSON.parse(text), status: 'success', txHashes: [fill.txHash] })
        : text,
    ),
  );
  const more = { home, env: { ...env, FERRY_BASE_URL: service.url }, pace: 40 };
  const { error } = (await run(`resume ${kept.run} --timeout 20s`, common, more)).json();
  await clearFaults(sandbox);
  expect(error).toMatchObject({ code: 'track.unwitnessed', funds: 'unknown' });
});
