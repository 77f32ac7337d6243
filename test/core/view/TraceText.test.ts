import { encodeErrorResult, encodeFunctionData, encodeFunctionResult, parseAbi } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { plain, type Style } from '../../../src/core/text/TerminalStyle.js';
import * as TerminalText from '../../../src/core/text/TerminalText.js';
import * as CallTrace from '../../../src/core/trace/CallTrace.js';
import * as Frame from '../../../src/core/trace/Frame.js';
import * as KnownSignatures from '../../../src/core/trace/KnownSignatures.js';
import * as SelectorLookup from '../../../src/core/trace/SelectorLookup.js';
import * as TraceText from '../../../src/core/view/TraceText.js';

const abi = parseAbi([
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function forward(address to, bytes data) returns (bytes returnData)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ForwardFailed(address to, bytes reason)',
  'error Panic(uint256)',
]);
const dev0 = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const usdc = '0xa27bc320252d51eeaa24bccf6cc003979e485860';
const router = '0x10aeafac83d48e2f9ac4baaf94311c45face1404';
const key = {
  signatures: KnownSignatures.signatures(),
  names: new Map([
    [usdc, 'USDC'],
    [router, 'Router'],
  ]),
};

type Call = Record<string, unknown>;

const call = (to: string, input: string, rest: Call = {}): Call => ({
  type: 'CALL',
  from: dev0,
  to,
  input,
  gasUsed: '0x6978',
  ...rest,
});
const taken = encodeFunctionData({ abi, functionName: 'transferFrom', args: [dev0, router, 5_000_000n] });
const short = encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args: [dev0, 0n, 5_000_000n] });
const forwarded = encodeFunctionData({ abi, functionName: 'forward', args: [usdc, taken] });
const yes = encodeFunctionResult({ abi, functionName: 'transferFrom', result: true });
const failing = call(router, forwarded, {
  error: 'execution reverted',
  output: encodeErrorResult({ abi, errorName: 'ForwardFailed', args: [usdc, short] }),
  value: '0x16345785d8a0000',
  calls: [
    call(usdc, taken, { output: yes }),
    call('0x1111111111111111111111111111111111111111', '0xdeadbeef0102', {
      type: 'STATICCALL',
      error: 'out of gas',
      gasUsed: '0xf4240',
    }),
    call(usdc, taken, { error: 'execution reverted', output: short }),
  ],
});

function trace(frame: Call, by = key): CallTrace.Trace {
  return CallTrace.from({ by: 'node', frames: Frame.fromCallTracer(frame) ?? [] }, by);
}

const tags: Style = {
  ...plain,
  ...Object.fromEntries(
    (['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const).map((name) => [
      name,
      (text: string) => `<${name}>${text}</${name}>`,
    ]),
  ),
};

test('headline: the innermost failure first, in 80 columns', () => {
  expect(TraceText.headline(trace(failing), plain)).toMatchInlineSnapshot(`
      "✗ USDC reverted: ERC20InsufficientBalance(sender:
        0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266, balance: 0, needed: 5000000)
        in Router.forward → USDC.transferFrom
        reported as ForwardFailed(to: 0xa27bc320252d51eeaa24bccf6cc003979e485860,
        reason: ERC20InsufficientBalance(sender:
        0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266, balance: 0, needed: 5000000))"
    `);
});

describe('tree', () => {
  test('default: drops names before cutting values, and marks the failing path', () => {
    expect(TraceText.tree(trace(failing), plain, { native: 'ETH' })).toMatchInlineSnapshot(`
      "      gas  calls
         27,000  ✗ CALL Router.forward(0xa27b…5860, 0x23b8…4b40 (100 bytes))  0.1 ETH
                 │ ↳ ForwardFailed(to: 0xa27b…5860, reason: ERC20InsufficientBalance(…
         27,000  ├ CALL USDC.transferFrom(0xf39f…2266, 0x10ae…1404, 5000000) → true
      1,000,000  ├ ! STATICCALL 0x1111…1111.0xdeadbeef(0x0102)
                 │   ↳ caught: out of gas
         27,000  └ ✗ CALL USDC.transferFrom(0xf39f…2266, 0x10ae…1404, 5000000)
                     ↳ ERC20InsufficientBalance(sender: 0xf39f…2266, balance: 0, need…"
    `);
  });

  test('behavior: the same text in color', () => {
    const text = TraceText.tree(trace(failing), tags, { native: 'ETH' });
    expect(text.replace(/<\/?[a-z]+>/g, '')).toBe(TraceText.tree(trace(failing), plain, { native: 'ETH' }));
    const lines = text.split('\n');
    expect(lines[1]).toContain('<red>✗ </red><dim>CALL </dim><red>Router</red>.<bold>forward</bold>(');
    expect(lines[1]).toContain('<yellow>  0.1 ETH</yellow>');
    expect(lines[3]).toContain('<cyan>USDC</cyan>.<bold>transferFrom</bold>(');
    expect(lines[3]).toContain('<green> → true</green>');
    expect(lines[4]).toContain('<yellow>! </yellow>');
    expect(lines[7]).toContain('<red>↳ ERC20');
  });

  test('behavior: nothing is cut in full', () => {
    const text = TraceText.tree(trace(failing), plain, { calldata: 'full' });
    expect(text).toContain(`forward(to: ${usdc}, data: ${taken})  100000000000000000 wei`);
    expect(text).toContain(`STATICCALL 0x1111…1111.0xdeadbeef(0x0102)`);
    expect(text).toContain(`↳ ERC20InsufficientBalance(sender: ${dev0}, balance: 0, needed: 5000000)`);
    expect(text).not.toMatch(/\d…$/m);
  });

  test('behavior: two functions of one selector, bare calls, new contracts', () => {
    const rival = SelectorLookup.fromWritten(['function many_msg_babbage(bytes1)']);
    const by = { ...key, signatures: SelectorLookup.merge(key.signatures, rival) };
    const calls = [
      call(usdc, `0xa9059cbb${'0'.repeat(128)}`),
      call(dev0, '0x', { value: '0x1' }),
      call(usdc, '0x6080', { type: 'CREATE', output: '0x60' }),
      { type: 'CREATE', from: dev0, input: '0x6080', error: 'execution reverted' },
      call(usdc, '0xdeadbeef', { output: `0x${'ab'.repeat(40)}` }),
      call('0x0000000000000000000000000000000000000002', '0x616263'),
    ];
    const text = TraceText.tree(trace(call(router, '0x', { calls }), by), plain);
    expect(text.split('\n').map((line) => line.slice(8))).toEqual([
      'calls',
      'CALL Router',
      '├ CALL USDC.transfer(address,uint256) or many_msg_babbage(bytes1)(0x00…)',
      '├ CALL 0xf39f…2266  1 wei',
      '├ CREATE USDC',
      '├ ! CREATE (2 bytes of code)',
      '│   ↳ caught: no reason given',
      '├ CALL USDC.0xdeadbeef() → 0xabababababababab…',
      '└ CALL 0x0000…0002(0x616263)',
    ]);
  });

  test('behavior: no line is wider than the terminal, whatever is in it', () => {
    const wild = 'ж日\u001b[2J'.repeat(60);
    const odd = SelectorLookup.fromWritten(['function say(string words) returns (string)']);
    const say = parseAbi(['function say(string words) returns (string)']);
    const input = encodeFunctionData({ abi: say, functionName: 'say', args: [wild] });
    const output = encodeFunctionResult({ abi: say, functionName: 'say', result: wild });
    const reason = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [wild] });
    let frame = call(usdc, input, { error: 'execution reverted', output: reason });
    for (let depth = 0; depth < 600; depth++)
      frame = call(depth % 2 ? usdc : dev0, input, {
        value: `0x${'f'.repeat(24)}`,
        ...(depth < 300 ? { output } : { error: 'execution reverted', output: reason }),
        calls: [frame, call(usdc, input, { output })],
      });
    const found = trace(frame, { signatures: odd, names: new Map([[usdc, 'A'.repeat(90)]]) });
    for (const width of [40, 80, 200]) {
      const lines = TraceText.tree(found, { ...plain, width }).split('\n');
      expect(lines.length).toBeGreaterThan(1_200);
      expect(lines.filter((line) => TerminalText.width(line) > width)).toEqual([]);
      expect(lines.filter((line) => /\p{Cc}|\p{Cf}/u.test(line))).toEqual([]);
    }
  });
});

test('guidesOf: behavior: levels beyond the drawn depth are numbered', () => {
  function drawn(depths: readonly number[], width = 80): string[] {
    const frames = depths.map((depth) => ({ depth }));
    return TraceText.guidesOf(frames, width).map(({ before }, index) => `${before}${depths[index]}`);
  }
  const deep = drawn(Array.from({ length: 600 }, (_, depth) => depth));
  expect(deep[13]).toBe(`${'  '.repeat(12)}└ 13`);
  expect(deep[14]).toBe(`${'  '.repeat(12)}14 └ 14`);
  expect(deep[599]).toBe(`${'  '.repeat(12)}599 └ 599`);
  const [narrow] = drawn([0, 1, 2, 3, 4, 5, 6], 20).slice(-1);
  expect(narrow).toBe('      6 └ 6');
});
