import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Abi, encodeAbiParameters, encodeFunctionData, encodePacked, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/commands/trace.js';
import * as SimulationFailure from '../../src/core/api/schema/SimulationFailure.js';
import { envelopeOf } from '../../src/core/command/OutputSchema.js';
import * as TerminalText from '../../src/core/text/TerminalText.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { castRun, count, toBlame } from '../support/castTree.js';
import { type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';
import { inFrontOf, minedAt } from '../support/node.js';
import { describePublished, read as readPublished } from '../support/published.js';
import { read } from '../support/recorded.js';
import { sampled } from '../support/sampled.js';
import { useSandbox } from '../support/sandbox.js';

const bodies = read('execute-errors') as Record<string, { body: Record<string, unknown> }>;
const { alpha } = deployments;
const dev0 = accounts.dev0.address;
const { USDC, USDT, WETH } = alpha.tokens;

const { sandbox, env, user } = useSandbox();

function call(of: Abi, functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi: of, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

/** A mined transaction of dev0 with a fixed gas limit, whether it reverts or not. */
async function sent(to: string, data: Hex, gas = 0x100000): Promise<Hex> {
  const transaction = { from: dev0, to, data, gas: `0x${gas.toString(16)}` };
  return minedAt(sandbox.rpcUrls.alpha, transaction);
}

async function traced(hash: string, ...more: string[]): Promise<Ended> {
  return ferry(['trace', hash, ...more], { env });
}

const reverter = (name: string, ...args: unknown[]): Hex => call(abi.reverter, name, ...args);
const forwarder = (name: string, to: string, data: Hex): Hex => call(abi.forwarder, name, to, data);

/** Its first call fails and is caught, its second fails it. */
const batch = call(abi.multicall3, 'aggregate3Value', [
  { target: alpha.reverter, allowFailure: true, value: 0n, callData: reverter('panic', 1n) },
  { target: alpha.reverter, allowFailure: false, value: 0n, callData: reverter('errorString', 'no') },
]);

describe('transactions of the sandbox', () => {
  test('default: a bridge, on either of its chains', async () => {
    const there = user();
    const { requestId, run } = (await there.run('execute', '100', 'alpha/usdc', 'beta/weth')).json().data;
    const { inTxHashes, outTxHashes } = (await ferry(['status', requestId, '--json'], { env })).json().data;
    const deposit = await traced(inTxHashes[0], '--json');
    const args = [{ name: 'depositor' }, { value: USDC.address.toLowerCase() }, { value: '100000000' }, {}];
    const { transaction, native, trace } = deposit.json().data;
    expect(transaction).toMatchObject({ hash: inTxHashes[0], chain: 'alpha', chainId: 313371, status: 'success' });
    expect([native, trace]).toMatchObject(['ETH', { by: 'node', failed: false, summary: 'It succeeded' }]);
    expect(trace.frames[0]).toMatchObject({ contract: 'Depository', function: 'depositErc20', args });
    // By the run, the payment is meant.
    const ofRun = await there.run('trace', run.slice(-6));
    expect(ofRun.json().data).toEqual(deposit.json().data);
    const fill = await traced(outTxHashes[0]);
    expect([fill.code, fill.stderr]).toEqual([0, '']);
    expect(fill.stdout).toContain('✓ It succeeded');
    expect(fill.stdout).toMatch(/Chain +beta, block \d+/);
    expect(fill.stdout).toMatch(/CALL ApprovalProxy\.transferAndMulticall\(/);
    expect(fill.stdout).toMatch(/└ CALL Router\.multicall\(/);
    expect(fill.stdout).toMatch(/Pool WETH\/USDC\.swapExactIn\(/);
    expect(fill.stdout).toMatch(/CALL WETH\.transfer\(0xf39f…2266, \d+\) → true$/m);
    const widths = fill.stdout.split('\n').map(TerminalText.width);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    const whole = await castRun(outTxHashes[0], sandbox.rpcUrls.beta ?? '');
    expect((await traced(outTxHashes[0], '--json')).json().data.trace.frames).toHaveLength(count(whole));
  });

  test('behavior: a failure that was caught is none', async () => {
    const hash = await sent(alpha.forwarder, forwarder('attempt', alpha.reverter, reverter('panic', 1n)));
    const ended = await traced(hash);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('✓ It succeeded; 1 inner call failed and was caught');
    expect(ended.stdout).toContain('↳ caught: an assertion failed (panic 0x01)');
  });

  test('behavior: what a contract says cannot act on the terminal', async () => {
    const hash = await sent(alpha.reverter, reverter('errorString', 'x\u001b[2J\u202e\nok'));
    const ended = await traced(hash, '--calldata', 'full');
    expect(ended.stdout).toContain('Reverter reverted: "x\\x1b[2J\\u{202e}\\x0aok"');
    expect(ended.stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect((await traced(hash, '--json')).json().data.trace.failure.revert.reason).toBe('x\u001b[2J\u202e\nok');
  });

  test('behavior: --depth keeps the failing path, --calldata full cuts nothing', async () => {
    const hash = await sent(alpha.multicall3, batch);
    const flat = (await traced(hash, '--depth', '0', '--json')).json().data.trace;
    expect(flat.frames.map(({ function: name, hidden }: Record<string, unknown>) => [name, hidden])).toEqual([
      ['aggregate3Value', 1],
      ['errorString', undefined],
    ]);
    expect((await traced(hash, '--depth', '0')).stdout).toContain('… 1 inner call');
    expect((await traced(hash)).stdout).not.toContain(reverter('panic', 1n));
    expect((await traced(hash, '--calldata', 'full')).stdout).toContain(reverter('panic', 1n));
  });

  test('behavior: --abi and signatures.txt name what ferry does not know', async () => {
    const hash = await sent(alpha.reverter, reverter('unknownError', 7n));
    const { revert } = (await traced(hash, '--json')).json().data.trace.failure;
    expect(revert).toMatchObject({ type: 'unknownCustomError', selector: expect.stringMatching(/^0x\w{8}$/) });
    expect((await traced(hash)).stdout).toContain('--abi FILE');

    const folder = temporaryFolder();
    const abiOf = (name: string): object[] => [{ type: 'error', name, inputs: [{ name: 'value', type: 'uint256' }] }];
    writeFileSync(join(folder, 'Other.json'), JSON.stringify(abiOf('Other')));
    writeFileSync(join(folder, 'Reverter.json'), JSON.stringify({ abi: abiOf('Unpublished') }));
    const abis = ['--abi', 'Other.json', '--abi', 'Reverter.json'];
    const by = await ferry(['trace', hash, ...abis], { env, cwd: folder });
    expect(by.stdout).toContain('Reverter reverted: Unpublished(value: 7)');

    writeFileSync(join(folder, 'signatures.txt'), 'error Unpublished(uint256 n)\n');
    const listed = await ferry(['trace', hash], { env: { ...env, FERRY_CONFIG_DIR: folder } });
    expect(listed.stdout).toContain('Reverter reverted: Unpublished(n: 7)');

    writeFileSync(join(folder, 'signatures.txt'), 'error Unpublished(uint256 n)\nwhat is this?\n');
    const broken = await ferry(['trace', hash, '--json'], { env: { ...env, FERRY_CONFIG_DIR: folder } });
    expect(broken.json().error).toMatchObject({ code: 'config.invalid', message: expect.stringContaining('Line 2') });
  });

  test('behavior: two functions of one selector are both shown', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'signatures.txt'), 'function many_msg_babbage(bytes1)\n');
    const hash = await sent(USDC.address, call(abi.token, 'transfer', `0x${'0'.repeat(40)}`, 0n));
    const ended = await ferry(['trace', hash, '--json'], { env: { ...env, FERRY_CONFIG_DIR: folder } });
    const signatures = ['many_msg_babbage(bytes1)', 'transfer(address,uint256)'];
    expect(ended.json().data.trace.frames[0].signatures).toEqual(signatures);
  });

  test('behavior: what it prints can be read again, by pipe', async () => {
    const hash = await sent(alpha.multicall3, batch);
    const first = await traced(hash, '--json');
    const again = await ferry(['trace', '-', '--json'], { env, stdin: first.stdout });
    expect(again.json().data.trace).toEqual(first.json().data.trace);
    expect(again.json().data.transaction).toBeNull();
  });

  test('error: a hash that no chain has', async () => {
    const ended = await traced(`0x${'1'.repeat(64)}`, '--json');
    expect(ended.json().error).toMatchObject({
      code: 'chain.unknown-transaction',
      exit: 3,
      facts: { asked: 'alpha, beta' },
      hint: expect.stringContaining('not mined yet'),
    });
  });

  test('error: a hash where one chain does not answer, and where none does', async () => {
    const hash = await sent(alpha.reverter, reverter('succeed', 1n));
    const dead = Loopback.nobody;
    const half = { ...env, FERRY_RPC_URL_BETA: dead };
    expect((await ferry(['trace', hash], { env: half })).code).toBe(0);
    const unknown = await ferry(['trace', `0x${'1'.repeat(64)}`, '--json'], { env: half });
    expect(unknown.json().error.facts).toMatchObject({ asked: 'alpha', 'no answer': 'beta' });
    const none = await ferry(['trace', hash, '--json'], { env: { ...half, FERRY_RPC_URL_ALPHA: dead } });
    expect(none.json().error.code).toBe('chain.unreachable');
  });

  test('error: a node that does not trace', async () => {
    const hash = await sent(alpha.reverter, reverter('succeed', 1n));
    const error = { code: -32601, message: 'the method debug_traceTransaction does not exist/is not available' };
    const proxy = await inFrontOf(sandbox.rpcUrls.alpha, {
      debug_traceTransaction: Loopback.json({ jsonrpc: '2.0', id: 1, error }),
    });
    const ended = await ferry(['trace', hash, '--json'], { env: { ...env, FERRY_RPC_URL_ALPHA: proxy.url } });
    expect(ended.json().error).toMatchObject({
      code: 'chain.refused',
      txHash: hash,
      hint: expect.stringContaining('FERRY_RPC_URL_ALPHA'),
      next: 'export FERRY_RPC_URL_ALPHA=<url>',
    });
  });
});

/** The suite tries every third; WHOLE=1 npm test -- test/commands/trace.test.ts tries all. */
describe('transactions that fail in every way, beside what Foundry’s cast makes of them', () => {
  const { delegationManager, delegator, multicall3, depository, pools } = alpha;
  const pool = pools[0]?.address ?? '0x';
  const much = 10n ** 30n;
  const redeem = call(
    abi.delegationManager,
    'redeemDelegations',
    [encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [delegator, 1n])],
    [`0x${'0'.repeat(64)}`],
    [encodePacked(['address', 'uint256', 'bytes'], [alpha.reverter, 0n, reverter('empty')])],
  );
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

      const whole = await castRun(hash, sandbox.rpcUrls.alpha);
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
    expect(toBlame(await castRun(hash, sandbox.rpcUrls.alpha)).words).toMatch(/OutOfGas|OOG/);
  });
});

describe('saved bodies', () => {
  const validate = new Ajv2020().compile(envelopeOf('trace', command.output));

  test.each(SimulationFailure.revertTypes)('default: %s as text and as JSON', async (type) => {
    const stdin = JSON.stringify(bodies[type]?.body);
    const text = await ferry(['trace', '-'], { stdin });
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(Math.max(...text.stdout.split('\n').map(TerminalText.width))).toBeLessThanOrEqual(80);
    await expect(text.stdout).toMatchFileSnapshot(`../recorded/traces/${type}.txt`);
    const json = await ferry(['trace', '-', '--json'], { stdin });
    expect(json.code).toBe(0);
    validate(json.json());
    expect(validate.errors).toBeNull();
    await expect(pretty(json.json())).toMatchFileSnapshot(`../recorded/traces/${type}.json`);
  });

  test('error: a run that the service has submitted is where it is, though no transaction of it is on a chain', async () => {
    const { run } = user();
    const paid = await run('execute', '1', 'alpha/usdc', 'beta/usdc', '--gasless', '--account', 'dev9');
    const { error } = (await run('trace', paid.json().data.run)).json();
    expect(error).toMatchObject({ code: 'trace.unreadable', funds: 'delivered' });
  });

  test.each([
    [['trace', 'nowhere.json'], '', 'trace.unreadable', /no such file/],
    [['trace', '.'], '', 'trace.unreadable', /folder/],
    [['trace', '-'], '', 'trace.unreadable', /not JSON/],
    [['trace', '-'], '{"error":"to is required"}', 'trace.unreadable', /without details/],
    [['trace', '-', '--calldata', 'some'], '{}', 'usage.invalid', /cut, full/],
    [['trace', '-', '--abi', 'nowhere.json'], '{}', 'trace.unreadable', /no such file/],
    [['trace'], '', 'usage.missing', /./],
  ])('error: %j with %j', async (argv, stdin, code, words) => {
    const ended = await ferry([...argv, '--json'], { stdin });
    expect(ended.json().error).toMatchObject({ code, exit: 2, message: expect.stringMatching(words) });
  });
});

describePublished('the published body', () => {
  test('default', async () => {
    const ended = await ferry(['trace', '-'], { stdin: JSON.stringify(readPublished('execute-400-simulation.json')) });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(
      /^✗ Permit2 reverted: InvalidSignature\(\)\n {2}in Multicall3\.aggregate3Value → Permit2\./,
    );
  });
});

/** JSON over several lines, lists of numbers in one. */
function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, list: string) => `[${list.replace(/,\s+/g, ', ')}]`)}\n`;
}
