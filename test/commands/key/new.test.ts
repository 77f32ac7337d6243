import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/key.js';
import * as KeyListing from '../../../src/core/accounts/KeyListing.js';
import type { Context } from '../../../src/core/command/Context.js';
import type { Prompt } from '../../../src/core/ports/Ports.js';
import { createKeystore } from '../../../src/io/keys/keystoreFolder.js';
import { cast } from '../../support/cast.js';
import { ferry, temporaryFolder } from '../../support/ferry.js';
import { context, failure, run, workbench } from '../../support/workbench.js';

describe('run', () => {
  test('default', async () => {
    const parts = await context(workbench(), { answers: ['long secret', 'long secret'] });
    const made = await run(commands.new, { args: ['main'] }, parts);
    expect((await parts.keystore.list()).map(KeyListing.from)).toEqual([made]);
  });

  test('error: nobody to ask', async () => {
    const parts = await context(workbench());
    await failure('prompt.unavailable', () => run(commands.new, { args: ['main'] }, parts));
  });
});

describe('--mnemonic', () => {
  /** Answers as somebody does who writes the words down. */
  function writer(): Prompt & { paper: string[] } {
    const paper: string[] = [];
    const refuse = async (): Promise<never> => {
      throw new Error('nobody expected this question');
    };
    return {
      paper,
      async confirm(_, __, secret = '') {
        for (const [, at, word = ''] of secret.matchAll(/(\d+) ([a-z]+) /g)) paper[Number(at) - 1] = word;
        return true;
      },
      async password(question, object) {
        const [, at] = /^Word (\d+)$/.exec(question) ?? [];
        const answer = at === undefined ? 'long secret' : (paper[Number(at) - 1] ?? '');
        expect(await object?.(answer)).toBeUndefined();
        return answer;
      },
      ...{ text: refuse, choose: refuse, search: refuse },
    };
  }

  test.each([
    ['12', '0'],
    ['24', '3'],
  ])('default: a key of %s words at %s, which cast derives from them', async (words, mnemonicIndex) => {
    const { host } = workbench();
    const prompt = writer();
    const config = { passwordFile: { value: undefined, source: { kind: 'default' as const } } };
    const keystore = createKeystore({ host, config, prompt, interactive: true });
    const parts = { keystore } as Partial<Context> as Context;
    const made = await run(commands.new, { args: ['main'], mnemonic: true, words, mnemonicIndex }, parts);
    expect(prompt.paper).toHaveLength(Number(words));
    const address = await cast(
      'wallet',
      'address',
      '--mnemonic',
      prompt.paper.join(' '),
      '--mnemonic-index',
      mnemonicIndex,
    );
    expect(made.address).toBe(address.trim());
    // A word alone may be the name of a field, or hexadecimal.
    expect(readFileSync(made.path, 'utf8')).not.toContain(prompt.paper.slice(0, 2).join(' '));
  });

  test('behavior: the words are not left on the terminal', async () => {
    const home = temporaryFolder();
    const file = join(home, 'password');
    writeFileSync(file, 'long secret', { mode: 0o600 });
    const { stderr } = await ferry(['key', 'new', 'main', '--mnemonic', '--password-file', file], {
      ...{ home, terminals: { stdin: true, stderr: true } },
      keys: [[/written them down/, 'n\n']],
    });
    const left = stderr.split('(y/N)').at(-1);
    expect(stderr).toMatch(/ 1 [a-z]+ .* 2 [a-z]+/);
    expect(left).toContain('Have you written them down? no');
    expect(left).not.toMatch(/ 1 [a-z]+/);
  });

  test.each([
    ['a pipe', {}, ['--mnemonic']],
    ['JSON on a terminal', { stdin: true, stderr: true, stdout: true }, ['--mnemonic', '--json']],
    ['--yes', {}, ['--mnemonic', '--yes']],
  ])('error: %s would lose the words, or keep them', async (_, terminals, flags) => {
    const home = temporaryFolder();
    const file = join(home, 'password');
    writeFileSync(file, 'long secret', { mode: 0o600 });
    const ended = await ferry(['key', 'new', 'main', '--password-file', file, ...flags], { home, terminals });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('New words are shown on a terminal only')]);
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  test.each([
    [['--mnemonic-index', '1'], 'add --mnemonic'],
    [['--words', '24'], 'add --mnemonic'],
    [['--mnemonic', '--words', '13'], '12, 24'],
    [['--mnemonic', '--mnemonic-index', '-1'], 'whole number'],
  ])('error: %j', async (flags, message) => {
    const { code, json } = await ferry(['key', 'new', 'main', ...flags, '--json']);
    expect([code, json().error.message]).toEqual([2, expect.stringContaining(message)]);
  });
});
