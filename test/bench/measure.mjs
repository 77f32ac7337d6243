/** Timing of whole processes, so that a ratio means something on a machine that is never quiet. */
import { spawnSync } from 'node:child_process';

/** Runs a command and waits. @throws where it does not end with 0: a command that crashes is not fast. */
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
 */
export function medians(commands, { turns, env }) {
  const samples = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let turn = 0; turn <= turns; turn++) {
    for (const [name, command] of Object.entries(commands)) {
      const { ms } = run({ env, ...command });
      if (turn > 0) samples[name].push(ms);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, median(all)]));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
