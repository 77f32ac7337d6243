/**
 * Reads, decodes and renders generated traces of growing size, and has viem decode the same, in turns; prints the seconds of
 * the processor that both take, and the bytes that are kept. Bundled and run by run.mjs.
 */
import { toFunctionSelector } from 'viem';
import { plain } from '../../src/core/text/TerminalStyle.js';
import * as CallTrace from '../../src/core/trace/CallTrace.js';
import * as KnownSignatures from '../../src/core/trace/KnownSignatures.js';
import * as TraceFile from '../../src/core/trace/TraceFile.js';
import * as TraceText from '../../src/core/view/TraceText.js';
import { decode } from './bareTrace.js';

type Call = { calls: Call[] } & Record<string, unknown>;

const depth = 500;
const isOnce = process.argv[2] === 'once';
const turns = isOnce ? 1 : 3;
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const key = { signatures: KnownSignatures.signatures(), names: new Map<string, string>() };
const cleanup = toFunctionSelector('cleanupErc20s(address[],address[],uint256[])');
measure(1_000);
const measured = (isOnce ? [500, 600, 700] : [1_000, 10_000, 100_000]).map(measure);
process.stdout.write(JSON.stringify({ ok: true, data: { measured } }));

function measure(size: number) {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: generate(size) });
  const [own, bare]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let turn = 0; turn < turns; turn++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    const started = process.cpuUsage();
    const { source } = TraceFile.from(text, 'trace.json');
    const trace = CallTrace.from(source, key);
    const shown = [TraceText.headline(trace, plain), TraceText.tree(trace, plain)].join('\n\n');
    own.push(secondsSince(started));
    collect();
    bytes = process.memoryUsage().heapUsed - before;
    // Named here, so that it is not thrown away before the bytes are counted.
    if (trace.frames.length !== size || shown.split('\n').length < size || trace.failure?.path.length !== depth)
      throw new Error('not the whole trace');
    if (trace.frames.some(({ args }) => !args)) throw new Error('not all of it was decoded');
    const begun = process.cpuUsage();
    const { calls, decoded } = decode(text);
    bare.push(secondsSince(begun));
    if (calls !== size || decoded !== size) throw new Error('viem did not decode all of it');
  }
  return { size, seconds: median(own), bare: median(bare), bytes };
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** So many calls, no two alike, nested as deep as said; the deepest reverts and takes all above it along. */
function generate(size: number): Call {
  const chain = Array.from({ length: depth }, (_, at) => call(at, true));
  chain.forEach((each, at) => {
    const below = chain[at + 1];
    if (below) each.calls.push(below);
  });
  // What is left is spread over the levels, before the call that fails.
  for (let at = depth; at < size; at++) chain[(at * 7) % (depth - 1)]?.calls.unshift(call(at, false));
  return chain[0] as Call;
}

function call(at: number, fails: boolean): Call {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const address = (value: number): string => `0x${(value * 7919).toString(16).padStart(40, 'a')}`;
  const transfer = `0x23b872dd${word(at)}${word(at + 1)}${word(at * 1_000_003)}`;
  const list = (value: number): string => `${word(2)}${word(value)}${word(value + 1)}`;
  const sweep = `${cleanup}${word(96)}${word(192)}${word(288)}${list(at)}${list(at + 2)}${list(at * 1_000_003)}`;
  const forward = `0x6fadcf72${word(at)}${word(64)}${word(300)}${'ab'.repeat(320)}`;
  const reason = `0x08c379a0${word(32)}${word(6)}${'706175736564'.padEnd(64, '0')}`;
  return {
    type: at % 3 === 0 ? 'STATICCALL' : 'CALL',
    from: address(at),
    to: address(at + 1),
    gas: '0x5f5e100',
    gasUsed: `0x${(at + 21_000).toString(16)}`,
    value: at % 5 === 0 ? '0xde0b6b3a7640000' : '0x0',
    input: [transfer, sweep, forward][at % 3],
    ...(fails ? { error: 'execution reverted', output: reason } : { output: `0x${word(1)}` }),
    calls: [],
  };
}
