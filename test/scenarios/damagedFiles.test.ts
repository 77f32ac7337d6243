/**
 * Every file that ferry reads, damaged: it is read as what it says or refused with a typed error that names it. Nothing
 * crashes, nothing is signed, and no secret is printed. A seed decides each damage: to repeat one, set FUZZ_SEED to the
 * number in the failure. The suite damages each kind of file fifty times, and FUZZ=all twenty thousand times.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import { format, toBaseError, toJson } from '../../src/core/text/ErrorReport.js';
import { plain } from '../../src/core/text/TerminalStyle.js';
import { damaged } from '../support/damage.js';
import { temporaryFolder } from '../support/ferry.js';
import { type Kind, kinds } from '../support/fileKinds.js';

const count = process.env.FUZZ === 'all' ? 20_000 : 50;
const first = Number(process.env.FUZZ_SEED ?? 1);

/** Parts of the secrets of a file, so that a damaged one is found too. */
function parts(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => secret.match(/.{12}/g) ?? [secret]);
}

/** What is wrong with a refusal. */
function wrong(thrown: unknown, path: string, { secrets = [] }: Kind): string | undefined {
  const error = toBaseError(thrown);
  if (!(thrown instanceof BaseError) || error.code === 'internal.bug')
    return `a crash: ${thrown instanceof Error ? thrown.stack : String(thrown)}`;
  const text = `${format(error, plain)}\n${JSON.stringify(toJson(error))}`;
  if (!text.includes(basename(path))) return `the file is not named: ${text}`;
  const found = parts(secrets).find((part) => text.includes(part));
  return found === undefined ? undefined : `a part of a secret, ${found}: ${text}`;
}

describe.each(kinds)('$name', (kind) => {
  test(
    'behavior: a damaged file is read as what it says or refused by name',
    async () => {
      const folder = temporaryFolder();
      const path = join(folder, kind.file);
      const valid = await kind.valid();
      await write(path, valid, kind);
      const original = await kind.read(path);
      expect(original).toBeDefined();
      let refused = 0;
      for (let seed = first; seed < first + count; seed++) {
        const bytes = damaged(valid, seed);
        await write(path, bytes, kind);
        const at = `FUZZ_SEED=${seed}: ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`;
        try {
          const found = await kind.read(path);
          if (kind.may && !kind.may(found, original)) expect.fail(`${at}\nis accepted as ${show(found)}`);
        } catch (thrown) {
          if (thrown instanceof Error && thrown.name === 'AssertionError') throw thrown;
          const problem = kind.neverThrows
            ? `it is to be ignored, not refused: ${String(thrown)}`
            : wrong(thrown, path, kind);
          if (problem !== undefined) expect.fail(`${at}\n${problem}`);
          refused++;
        }
      }
      // Else the damage does not reach the reader.
      if (!kind.neverThrows) expect(refused).toBeGreaterThan(count / 10);
    },
    process.env.FUZZ === 'all' ? 600_000 : 60_000,
  );
});

async function write(path: string, bytes: Buffer, { seal }: Kind): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, seal ? seal(bytes) : bytes, { mode: 0o600 });
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)).slice(0, 2_000);
}
