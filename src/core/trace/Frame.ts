/** The calls of a trace as reported by their source: in call order, each with its depth. */
import * as z from 'zod/mini';
import type * as SimulationFailure from '../api/schema/SimulationFailure.js';

/** A call. All text is untrusted. Gas and wei are in decimal digits, bytes in lowercase hexadecimal. */
export const schema = z.object({
  /** 0 for the top call; the inner calls of a call follow it, one level deeper. */
  depth: z.int().check(z.nonnegative(), z.maximum(100_000)),
  /** `CALL`, `DELEGATECALL`, `CREATE` and so on. */
  type: z.string(),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  /** The source's own names of the contract and the function. */
  contract: z.optional(z.string()),
  function: z.optional(z.string()),
  selector: z.optional(z.string()),
  /** In wei. */
  value: z.optional(z.string()),
  gas: z.optional(z.string()),
  gasUsed: z.optional(z.string()),
  input: z.optional(z.string()),
  output: z.optional(z.string()),
  /** The source's reason for the failure; undefined if the call succeeded. */
  error: z.optional(z.string()),
  revertReason: z.optional(z.string()),
});

export type Frame = z.output<typeof schema>;

/** Flattens the result of a node's `callTracer`, of any size and depth. Undefined if it is not one. */
export function fromCallTracer(answer: unknown): readonly Frame[] | undefined {
  const frames: Frame[] = [];
  // An explicit stack, since a trace may be nested more deeply than the JavaScript stack allows.
  const stack: { node: unknown; depth: number }[] = [{ node: answer, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next;
    if (!isCall(node)) return undefined;
    frames.push({
      depth,
      type: node.type.toUpperCase(),
      from: hexadecimal(node.from),
      to: hexadecimal(node.to),
      value: digits(node.value),
      gas: digits(node.gas),
      gasUsed: digits(node.gasUsed),
      input: hexadecimal(node.input),
      output: hexadecimal(node.output),
      error: words(node.error),
      revertReason: words(node.revertReason),
    });
    const calls = Array.isArray(node.calls) ? node.calls : [];
    for (let at = calls.length - 1; at >= 0; at--) stack.push({ node: calls[at], depth: depth + 1 });
  }
  return frames;
}

/** The frames of the service's simulation failure, from the top call down to the one that failed. */
export function fromDetails({ topLevel, innermost, path }: SimulationFailure.Details): readonly Frame[] {
  const calls = [...path];
  const first = calls[0];
  if (first && isSame(topLevel, first)) calls[0] = { ...topLevel, ...first };
  else calls.unshift(topLevel);
  const last = calls.at(-1);
  if (last && isSame(innermost, last)) calls[calls.length - 1] = { ...innermost, ...last };
  else calls.push(innermost);
  return calls.map(claimed);
}

/** A frame of a document, which somebody may have written. */
export function fromDocument(frame: Frame): Frame {
  return { ...frame, value: digits(frame.value), gas: digits(frame.gas), gasUsed: digits(frame.gasUsed) };
}

/** Whether the depths form a tree in preorder: one top call, and each step at most one level deeper. */
export function isTree(frames: readonly Pick<Frame, 'depth'>[]): boolean {
  return frames.every(({ depth }, index) =>
    index === 0 ? depth === 0 : depth > 0 && depth <= (frames[index - 1]?.depth ?? 0) + 1,
  );
}

type Call = Readonly<Record<string, unknown>> & { type: string };

function isCall(node: unknown): node is Call {
  if (typeof node !== 'object' || node === null || typeof (node as { type?: unknown }).type !== 'string') return false;
  return 'from' in node || 'to' in node || 'input' in node || 'calls' in node;
}

function claimed(call: SimulationFailure.CallFrame, depth: number): Frame {
  const { type, address, contract, selector, gasUsed, error, revertReason } = call;
  const name = call.function;
  return {
    depth,
    type,
    to: hexadecimal(address),
    contract,
    // The service prefixes the function with the contract.
    function: name && contract && name.startsWith(`${contract}.`) ? name.slice(contract.length + 1) : name,
    selector: hexadecimal(selector),
    gasUsed: digits(gasUsed),
    error,
    revertReason,
  };
}

/** Whether two frames have no conflicting fields, so one may complete the other. */
function isSame(a: SimulationFailure.CallFrame, b: SimulationFailure.CallFrame): boolean {
  return Object.entries(a).every(([key, value]) => {
    const other = b[key as keyof SimulationFailure.CallFrame];
    return other === undefined || String(other).toLowerCase() === String(value).toLowerCase();
  });
}

function hexadecimal(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^0x[0-9a-f]*$/.test(value)) return value;
  return /^0x[0-9a-fA-F]*$/.test(value) ? value.toLowerCase() : undefined;
}

function digits(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== 'string' || !/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(value)) return undefined;
  return value.length < 14 ? String(Number(value)) : BigInt(value).toString();
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
