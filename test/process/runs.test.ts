/**
 * The folder of the runs on a disk that is full, at some sizes, or at more with CRASHES=all. What many runs cost is measured
 * by `test/bench/history.mjs`.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as JournalCodec from '../../src/core/tracking/JournalCodec.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { useFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { nonceAt } from '../support/node.js';
import { startSandbox } from '../support/sandbox.js';

const built = useFerry();

describe('execute', () => {
  test('error: on a disk that is full nothing more is signed, whenever it fills up', async () => {
    const sandbox = await startSandbox();
    try {
      const nonce = () => nonceAt(sandbox.rpcUrls.alpha, accounts.dev0.address);
      const codes = new Set<string>();
      for (const kibibytes of [2, 14, 64]) {
        const before = await nonce();
        const stateDir = join(built.stateDir, `full-${kibibytes}`);
        const env = { ...built.env, ...at(sandbox), FERRY_STATE_DIR: stateDir } as NodeJS.ProcessEnv;
        const line = `ulimit -f ${kibibytes}; exec "$0" "$@"`;
        const args = [built.path, 'execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'];
        // A limit on the size of files stands for a disk that is full.
        const text = await new Promise<string>((resolve) => {
          execFile('bash', ['-c', line, process.execPath, ...args], { env }, (_, stdout) => resolve(stdout));
        });
        const envelope = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
        const folder = join(stateDir, 'runs');
        const name = existsSync(folder) ? readdirSync(folder).find((each) => each.endsWith('.jsonl')) : undefined;
        const journal = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
        const { lines } = JournalCodec.read(journal);
        const signed = lines.filter(({ entry }) => entry.type === 'signed').length;
        // Both are in the journal before the first is sent.
        expect([kibibytes, (await nonce()) - before]).toEqual([kibibytes, envelope.error ? 0 : signed]);
        codes.add(envelope.error?.code ?? 'done');
        if (envelope.error)
          expect(envelope.error).toMatchObject({ code: 'config.unwritable', exit: 2, funds: 'untouched' });
        else expect([1, 2]).toContain(signed);
      }
      expect([...codes]).toEqual(['config.unwritable', 'done']);
    } finally {
      await sandbox.stop();
    }
  }, 60_000);
});
