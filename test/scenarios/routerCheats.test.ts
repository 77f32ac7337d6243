import { join } from 'node:path';
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Address from '../../src/core/base/Address.js';
import { native } from '../../src/core/base/Address.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { castFolder } from '../support/cast.js';
import { at, type Ended, type Envelope, ferry } from '../support/ferry.js';
import { loopback, passTo } from '../support/loopback.js';
import { ask, balanceAt, inFrontOf, passOn, receiptAt } from '../support/node.js';
import type { Endpoint } from '../support/nodeClients.js';
import * as calldata from '../support/routerCalldata.js';
import { useSandbox } from '../support/sandbox.js';
import { compile, deploy } from '../support/solidity.js';

const { sandbox } = useSandbox();

const { USDC, DAI } = deployments.alpha.tokens;
const swap = ['100', 'alpha/usdc', 'alpha/dai'];
const gasless = ['--gasless', '--sponsor', 'all'];

type Deed = { ended: Ended; spent: bigint; gained: bigint };

/** Executes at a service whose router trades by a cheat, and reads what the account has less and more. */
async function robbing(sign: Sign, name: Name, argv: readonly string[], more: Partial<Meeting> = {}): Promise<Deed> {
  const user = accounts[name].address;
  const cheat = more.cheat ?? (await deployCheat(sandbox.rpcUrls.alpha, sign, user));
  const output = more.output ?? DAI.address;
  const baseUrl = await serviceOf(cheat, sandbox.baseUrl);
  const env = { ...at(sandbox), FERRY_BASE_URL: baseUrl, ...more.env };
  const [usdc = 0n, got = 0n] = await held(user, output);
  const { pace = 1 } = more;
  const by = more.signer === undefined ? [name] : [user, '--account-signer', more.signer];
  const argvOf = ['execute', ...argv, '--account', ...by, '--yes', '--json', '--timeout', '1m'];
  const ended = await ferry(argvOf, { env, pace });
  const [usdcAfter = 0n, gotAfter = 0n] = await held(user, output);
  return { ended, spent: usdc - usdcAfter, gained: gotAfter - got };
}

type Meeting = {
  cheat: `0x${string}`;
  output: `0x${string}`;
  env: Record<string, string>;
  pace: number;
  /** A command that signs. */
  signer: string;
};

const untouched = { spent: 0n, gained: 0n };

describe('attack: a router that sees a simulation', () => {
  test.each<[Sign, string]>([
    ['always', 'verify.unverified'],
    ['no gas price', 'verify.mismatch'],
    ['no base fee', 'verify.mismatch'],
    ['no randomness', 'verify.mismatch'],
    ['much gas', 'verify.mismatch'],
    ['never', 'verify.mismatch'],
  ])('error: by %s: refused under --yes', async (sign, code) => {
    const { ended, ...moved } = await robbing(sign, 'dev1', [...swap, '--min-out', '99']);
    expect(ended.json()).toMatchObject({ ok: false, error: { code, exit: 5, funds: 'untouched' } });
    expect(moved).toEqual(untouched);
  });

  test('error: what it does is shown by simulation alone, and the hint names the cures', async () => {
    const { ended } = await robbing('always', 'dev1', swap);
    const { error } = ended.json();
    expect(error.facts.swap).toContain('shown by simulation alone: a call of 0x');
    expect(error.hint).toMatch(/--gasless.*--allow swap/);
  });

  test('behavior: with --allow swap what behaves under the real fees is paid', async () => {
    const { ended, spent, gained } = await robbing('always', 'dev2', [...swap, '--allow', 'swap']);
    expect([ended.code, spent]).toEqual([0, 100_000_000n]);
    expect(gained).toBeGreaterThan(99n * 10n ** 18n);
  });

  test('error: with --allow swap, one that has changed since the proof is caught before the payment', async () => {
    const cheat = await deployCheat(sandbox.rpcUrls.alpha, 'before it is armed', accounts.dev4.address);
    // The approval is the first transaction that is sent; then it is armed.
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {
      eth_sendRawTransaction: (response, request) => {
        void armed(cheat).then(() => passOn(sandbox.rpcUrls.alpha)(response, request));
      },
    });
    const env = { FERRY_RPC_URL_ALPHA: proxy.url };
    const { ended, ...moved } = await robbing('always', 'dev4', [...swap, '--allow', 'swap'], { cheat, env });
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'verify.changed', exit: 5, funds: 'untouched' });
    expect(error.hint).toContain('The payment was not sent.');
    expect(moved).toEqual(untouched);
  });

  test('error: with --allow swap, one that changes while a command signs is caught before the payment leaves', async () => {
    const cheat = await deployCheat(sandbox.rpcUrls.alpha, 'before it is armed', accounts.dev3.address);
    const [cast, node] = [join(castFolder, 'cast'), sandbox.rpcUrls.alpha];
    // It is armed once the payment is to be signed, which then takes a moment, as with a device.
    const payment = `${cast} send --rpc-url ${node} --private-key $ARMING ${cheat} 'arm()' > /dev/null; sleep 1.2`;
    const digest = `$(printf %s "$act" | sed 's/.*"digest":"//; s/".*//')`;
    const signer = `act=$(cat); case $act in *'"data":"0x095ea7b3'*) ;; *) ${payment};; esac; ${cast} wallet sign --no-hash --private-key $SIGNING ${digest}`;
    const env = { ARMING: accounts.dev5.privateKey, SIGNING: accounts.dev3.privateKey };
    const { ended, ...moved } = await robbing('always', 'dev3', [...swap, '--allow', 'swap'], { cheat, env, signer });
    expect(ended.json().error).toMatchObject({ code: 'verify.changed', exit: 5, funds: 'untouched' });
    expect(moved).toEqual(untouched);
  });
});

describe('attack: the same against a batch with a guard', () => {
  test('default: the guard is a second witness: no flag is needed, and an unknown router is paid', async () => {
    const { ended, spent, gained } = await robbing('always', 'dev6', [...swap, ...gasless]);
    expect(ended.json()).toMatchObject({ ok: true, data: { status: 'success' } });
    expect(spent).toBe(100_000_000n);
    expect(gained).toBeGreaterThan(99n * 10n ** 18n);
    expect(ended.lines().find(({ type }) => type === 'verified')?.single).toEqual([]);
    expect(ended.lines().find(({ type }) => type === 'batch-signed')).toMatchObject({ calls: 3 });
  });

  test.each([
    ['a token', swap, DAI.address],
    ['the native asset', ['100', 'alpha/usdc', 'alpha/eth'], native],
  ] as const)('error: into %s: the router that cheats after the last simulation reverts', async (_, argv, output) => {
    const cheat = await deployCheat(sandbox.rpcUrls.alpha, 'before it is armed', accounts.dev7.address);
    const before = await held(accounts.dev7.address, output);
    await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', false);
    // Nothing is mined meanwhile: it waits in vain for the nonce to be used.
    const how = { cheat, output, pace: 200 };
    const { ended } = await robbing('always', 'dev7', [...argv, ...gasless, '--no-wait'], how);
    expect(ended.lines().find(({ type }) => type === 'batch-signed')).toMatchObject({ calls: 3 });
    // Its transaction waits with the others; the cheat's owner pays more to be first.
    await expect.poll(pending).toBe(1);
    await arm(cheat, '0x174876e800');
    await expect.poll(pending).toBe(2);
    await ask(sandbox.rpcUrls.alpha, 'evm_mine');
    await ask(sandbox.rpcUrls.alpha, 'evm_setAutomine', true);
    const block = (await ask(sandbox.rpcUrls.alpha, 'eth_getBlockByNumber', 'latest', false)) as Envelope;
    expect(await Promise.all(block.transactions.map(statusOf))).toEqual(['0x1', '0x0']);
    expect(await held(accounts.dev7.address, output)).toEqual(before);
  });

  test('error: one that looks at the submitter is caught before the signature leaves', async () => {
    const { ended, ...moved } = await robbing('no submitter', 'dev0', [...swap, ...gasless]);
    expect([ended.code, ended.json().error.code]).toEqual([5, 'verify.changed']);
    expect(ended.lines().some(({ type }) => type === 'submitted')).toBe(false);
    expect(moved).toEqual(untouched);
  });

  test('error: a swap before a deposit has no guard: it stays single', async () => {
    const { ended, ...moved } = await robbing('always', 'dev8', ['100', 'alpha/gull', 'beta/usdc', '--gasless']);
    const { error } = ended.json();
    expect(error).toMatchObject({ code: 'verify.unverified', funds: 'untouched' });
    expect(error.facts.swap).toContain('shown by simulation alone');
    expect(moved).toEqual(untouched);
  });

  test('error: where the chain has no contract that checks, it stays single', async () => {
    const at = deployments.alpha.universalRouter;
    const code = await ask(sandbox.rpcUrls.alpha, 'eth_getCode', at, 'latest');
    await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', at, '0x');
    try {
      const { ended, ...moved } = await robbing('always', 'dev8', [...swap, ...gasless]);
      expect(ended.json().error).toMatchObject({ code: 'verify.unverified', funds: 'untouched' });
      expect(moved).toEqual(untouched);
      // One that lets everything pass is none.
      await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', at, '0x00');
      expect((await robbing('always', 'dev8', [...swap, ...gasless])).ended.json().error.code).toBe(
        'verify.unverified',
      );
    } finally {
      await ask(sandbox.rpcUrls.alpha, 'anvil_setCode', at, code);
    }
  });
});

/** Balances of the input and of the output. */
function held(owner: string, output: string): Promise<bigint[]> {
  return Promise.all([USDC.address, output].map((token) => balanceAt(sandbox.rpcUrls.alpha, token, owner)));
}

async function pending(): Promise<number> {
  const { pending: waiting } = (await ask(sandbox.rpcUrls.alpha, 'txpool_status')) as { pending: string };
  return Number(waiting);
}

async function statusOf(hash: string): Promise<string> {
  return ((await ask(sandbox.rpcUrls.alpha, 'eth_getTransactionReceipt', hash)) as { status: string }).status;
}

/** Arms it, and waits until it is. */
async function armed(cheat: `0x${string}`): Promise<unknown> {
  return await receiptAt(sandbox.rpcUrls.alpha, await arm(cheat));
}

async function arm(cheat: `0x${string}`, maxPriorityFeePerGas?: `0x${string}`): Promise<`0x${string}`> {
  const data = encodeFunctionData({ abi: cheatAbi, functionName: 'arm' });
  const hash = await ask(sandbox.rpcUrls.alpha, 'eth_sendTransaction', {
    from: accounts.dev8.address,
    to: cheat,
    data,
    ...(maxPriorityFeePerGas ? { maxPriorityFeePerGas, maxFeePerGas: '0x1d1a94a2000' } : {}),
  });
  return hash as `0x${string}`;
}

/** What each takes for a simulation, in Solidity. */
const signs = {
  never: 'false',
  always: 'true',
  'no gas price': 'tx.gasprice == 0',
  'no base fee': 'block.basefee == 0',
  'no randomness': 'block.prevrandao == 0',
  'an old block': 'block.number <= bornIn',
  'much gas': 'gasleft() > 5_000_000',
  'no submitter': 'tx.origin == user',
  'the first payment': 'calls++ == 0',
  'before it is armed': '!isArmed',
} as const;

type Sign = keyof typeof signs;

const source = `
interface IERC20 {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function approve(address spender, uint256 amount) external returns (bool);
}

contract Cheat {
  address private immutable aggregator;
  address private immutable user;
  uint256 private immutable bornIn = block.number;
  uint256 private calls;
  bool private isArmed;
  uint8 private immutable sign;

  constructor(address aggregator_, address user_, uint8 sign_) {
    sign = sign_;
    aggregator = aggregator_;
    user = user_;
  }

  function arm() external {
    isArmed = true;
  }

  function trade(address token, uint256 amount, bytes calldata honest) external {
    IERC20(token).transferFrom(msg.sender, address(this), amount);
    if (!seesSimulation()) return;
    IERC20(token).approve(aggregator, amount);
    (bool success, ) = aggregator.call(honest);
    require(success, 'no swap');
  }

  function seesSimulation() private returns (bool) {
${Object.values(signs)
  .map((sign, index) => `    if (sign == ${index}) return ${sign};`)
  .join('\n')}
    revert('no sign');
  }
}`;

/** Compiled once for all signs. */
let compiled: ReturnType<typeof compile> | undefined;

const cheatAbi = parseAbi(['function trade(address token, uint256 amount, bytes honest)', 'function arm()']);

/** Deploys a cheat on alpha. `user` is whom it wants to rob. */
function deployCheat(rpcUrl: string, sign: Sign, user: Address.Address): Promise<Address.Address> {
  const alpha: Endpoint = { ...deployments.alpha, rpcUrl };
  compiled ??= compile(source);
  const args = [deployments.alpha.aggregator, user, Object.keys(signs).indexOf(sign)];
  return deploy(alpha, accounts.dev8, compiled, args);
}

/** A service in front of an honest one that lets the router trade by another contract. */
async function serviceOf(cheat: Address.Address, baseUrl: string): Promise<string> {
  const { url } = await loopback(
    passTo(baseUrl, (text, { path }) => (path.startsWith('/quote') ? robbed(text, cheat) : text)),
  );
  return url;
}

/** A quote whose router lets the cheat have what the aggregator should. */
function robbed(text: string, cheat: Address.Address): string {
  return text.replaceAll(/0x(?:f9e4bab4|cd6e13f7)[0-9a-f]+/g, (data) => {
    const multicall = calldata.decode(data as Hex);
    const { aggregator } = deployments.alpha;
    const calls = multicall.calls.map((each) => {
      if (Address.isEqual(each.target, aggregator)) {
        const { args } = decodeFunctionData({ abi: calldata.abi, data: each.callData });
        const { srcToken, amount } = (args as unknown as [{ desc: { srcToken: Hex; amount: bigint } }])[0].desc;
        const callData = encodeFunctionData({
          abi: cheatAbi,
          functionName: 'trade',
          args: [srcToken, amount, each.callData],
        });
        return { ...each, target: cheat, callData };
      }
      const spender = aggregator.slice(2).toLowerCase();
      return { ...each, callData: each.callData.replaceAll(spender, cheat.slice(2).toLowerCase()) as Hex };
    });
    return calldata.encode({ ...multicall, calls });
  });
}
