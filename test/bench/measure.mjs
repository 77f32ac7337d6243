/** Timing of whole processes, so that a ratio means something on a machine that is never quiet. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const ferry = fileURLToPath(new URL('../../bin/ferry.js', import.meta.url));

/**
 * A command: the arguments of Node, and what its output must be.
 *
 * @typedef {{ args: string[], env?: NodeJS.ProcessEnv, check?: (stdout: string) => void }} Timed
 */

/**
 * Runs a command and waits.
 *
 * @throws if it does not end with 0: a command that crashes is not fast
 * @param {Timed} command
 */
export function run({ args, env, check }) {
  const started = process.hrtime.bigint();
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status ?? signal}:\n${stdout}${stderr}`);
  check?.(stdout);
  return { ms, stdout };
}

/**
 * The medians of several commands in milliseconds, by name. They take turns, so that whatever else the machine does meets
 * all of them; the first turn only warms the disk.
 *
 * @template {string} Name
 * @param {Readonly<Record<Name, Timed>>} commands
 * @param {{ turns: number, env: NodeJS.ProcessEnv }} options
 */
export function medians(commands, { turns, env }) {
  const names = /** @type {Name[]} */ (Object.keys(commands));
  const samples = names.map((name) => ({ name, command: commands[name], all: /** @type {number[]} */ ([]) }));
  for (let turn = 0; turn <= turns; turn++) {
    for (const { command, all } of samples) {
      const { ms } = run({ env, ...command });
      if (turn > 0) all.push(ms);
    }
  }
  return /** @type {Record<Name, number>} */ (Object.fromEntries(samples.map(({ name, all }) => [name, median(all)])));
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/**
 * The environment without what is set for ferry.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function bareEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FERRY|XDG)_/.test(name)));
}

/**
 * Resident memory of a process, on Linux, while it runs; else 0.
 *
 * @param {number | undefined} pid
 */
export function residentMib(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

let missed = 0;

/**
 * Prints a figure with its bound.
 *
 * @param {string} what
 * @param {boolean} isMet
 * @param {string} figures
 */
export function report(what, isMet, figures) {
  if (!isMet) missed++;
  console.log(`${isMet ? 'ok   ' : 'MISS '} ${what}: ${figures}`);
}

/** Ends the process with 1 if a bound was missed. */
export function conclude() {
  process.exitCode = missed ? 1 : 0;
}
