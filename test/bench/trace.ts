/** Reads and renders generated traces of growing size and prints the seconds and the bytes of each; bundled and run by run.mjs. */
import { plain } from '../../src/core/text/TerminalStyle.js';
import * as CallTrace from '../../src/core/trace/CallTrace.js';
import * as Frame from '../../src/core/trace/Frame.js';
import * as KnownSignatures from '../../src/core/trace/KnownSignatures.js';
import * as TraceText from '../../src/core/view/TraceText.js';

type Call = { calls: Call[] } & Record<string, unknown>;

const depth = 500;
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const key = { signatures: KnownSignatures.signatures(), names: new Map<string, string>() };
const sizes = [1_000, 1_000, 10_000, 100_000];
const measured = sizes.map(measure);
process.stdout.write(JSON.stringify({ ok: true, data: { measured: measured.slice(1) } }));

function measure(size: number) {
  const answer = received(size);
  collect();
  const before = process.memoryUsage().heapUsed;
  const started = process.hrtime.bigint();
  const frames = Frame.fromCallTracer(answer) ?? [];
  const trace = CallTrace.from({ by: 'node', frames }, key);
  const text = [TraceText.headline(trace, plain), TraceText.tree(trace, plain)].join('\n\n');
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  const path = trace.failure?.path.length;
  // Named here, so that it is not thrown away before the bytes are counted.
  if (!answer || frames.length !== size || text.split('\n').length < size || path !== depth)
    throw new Error('not the whole trace');
  return { size, seconds, bytes };
}

/** As a node's answer is read. In a function of its own, so that nothing of the making is left when memory is counted. */
function received(size: number): unknown {
  return JSON.parse(JSON.stringify(generate(size)));
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
  const multicall = `0xfe8ec1a7${word(at)}${'0'.repeat(640)}`;
  const forward = `0x6fadcf72${word(at)}${word(64)}${word(300)}${'ab'.repeat(320)}`;
  const reason = `0x08c379a0${word(32)}${word(6)}${'706175736564'.padEnd(64, '0')}`;
  return {
    type: at % 3 === 0 ? 'STATICCALL' : 'CALL',
    from: address(at),
    to: address(at + 1),
    gas: '0x5f5e100',
    gasUsed: `0x${(at + 21_000).toString(16)}`,
    value: at % 5 === 0 ? '0xde0b6b3a7640000' : '0x0',
    input: [transfer, multicall, forward][at % 3],
    ...(fails ? { error: 'execution reverted', output: reason } : { output: `0x${word(1)}` }),
    calls: [],
  };
}
