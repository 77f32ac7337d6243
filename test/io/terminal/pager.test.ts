import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ferry, type Surroundings, temporaryFolder } from '../../support/ferry.js';

const terminals = { stdin: true, stdout: true, stderr: true };

/** Prints the help of a command with a pager that writes to a file. */
async function help(more: Surroundings = {}, ...argv: string[]) {
  const file = join(temporaryFolder(), 'paged');
  const env = { PAGER: `cat > ${file}; env >> ${file}`, FERRY_PRIVATE_KEY: '0xsecret', ...more.env };
  const ended = await ferry(argv.length > 0 ? argv : ['execute', '--help'], { rows: 24, terminals, ...more, env });
  return { ...ended, paged: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

test('default: help that is longer than the terminal, without a setting of ferry', async () => {
  const { code, stdout, paged } = await help();
  expect([code, stdout]).toEqual([0, '']);
  expect(paged).toMatch(/^Usage: ferry execute/);
  expect(paged).toContain('LESS=FRX');
  expect(paged).not.toContain('0xsecret');
});

test.each([
  ['in a pipe', { terminals: {} }],
  ['on a terminal that is long enough', { rows: 1_000 }],
  ['on a terminal of unknown length', { rows: 0 }],
  ['on a dumb terminal', { env: { TERM: 'dumb' } }],
  ['without PAGER', { env: { PAGER: '' } }],
])('behavior: none %s', async (_, more: Surroundings) => {
  const { stdout, paged } = await help(more);
  expect([stdout.slice(0, 6), paged]).toEqual(['Usage:', undefined]);
});

test('behavior: in ASCII where the locale has no UTF-8', async () => {
  const { paged = '’' } = await help({ env: { LC_ALL: 'C' } });
  expect(paged).toContain("the keystore's password");
  expect(paged).not.toContain('’');
});

test('behavior: no result is ever paged, nor help by a pager that there is not', async () => {
  const { stdout, paged } = await help({ rows: 2 }, 'config', 'list');
  expect([stdout.split('\n').length > 10, paged]).toEqual([true, undefined]);
  const without = await help({ env: { PAGER: './nowhere' } });
  expect([without.code, without.stdout.slice(0, 6)]).toEqual([0, 'Usage:']);
});
