import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as BatchSeal from '../../../src/core/worker/BatchSeal.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

const submitter = privateKeyToAccount(accounts.dev0.privateKey);

function sealed(lines: number, changed?: number) {
  const seal = BatchSeal.create();
  for (let n = 0; n < lines; n++)
    seal.add({ id: `${n}`, digest: n === changed ? '0x01' : '0x00', account: accounts.dev1.address });
  return seal.end();
}

async function signed(lines: number) {
  const { blocks, digest } = sealed(lines);
  const header: BatchSeal.Header = { name: 'pay', network: 'sandbox', instance: null, store: 's1', lines, digest };
  const signature = await submitter.signMessage({ message: BatchSeal.message(header) });
  return { header, given: { blocks, submitter: submitter.address, signature } };
}

describe('the seal of a batch', () => {
  test.each([1, 255, 256, 257, 1_000])('default: its signature covers each of %i lines', async (lines) => {
    const { header, given } = await signed(lines);
    expect(await BatchSeal.isSigned(header, given)).toBe(true);
    expect(given.blocks).toHaveLength(Math.ceil(lines / BatchSeal.blockLines));
    for (const changed of new Set([0, Math.floor(lines / 2), lines - 1]))
      expect(sealed(lines, changed).digest).not.toBe(header.digest);
  });

  test.each([1, 256, 600])('behavior: the blocks of %i lines are those of their leaves', (lines) => {
    const leaves = Array.from({ length: lines }, (_, n) =>
      BatchSeal.leafOf({ n, id: `${n}`, digest: '0x00', account: accounts.dev1.address }),
    );
    const blocks = Array.from({ length: Math.ceil(lines / BatchSeal.blockLines) }, (_, number) =>
      BatchSeal.blockOf(leaves.slice(number * BatchSeal.blockLines, (number + 1) * BatchSeal.blockLines)),
    );
    expect(sealed(lines)).toEqual({ lines, blocks, digest: BatchSeal.blockOf(blocks) });
  });

  test('behavior: the account counts without the case of its letters', () => {
    const leaf = { n: 0, id: '1', digest: '0x00', account: accounts.dev1.address };
    expect(BatchSeal.leafOf({ ...leaf, account: leaf.account.toLowerCase() })).toBe(BatchSeal.leafOf(leaf));
  });

  test('behavior: what is signed is read by a person', async () => {
    const { header } = await signed(2);
    expect(BatchSeal.message({ ...header, instance: 'i1' })).toBe(
      `ferry batch submit\nname: pay\nnetwork: sandbox i1\nstore: s1\nlines: 2\ndigest: ${header.digest}`,
    );
    // As it was before stores had an id.
    expect(BatchSeal.message({ ...header, store: null })).toBe(
      `ferry batch submit\nname: pay\nnetwork: sandbox\nlines: 2\ndigest: ${header.digest}`,
    );
  });

  test('error: anything else of it is not signed', async () => {
    const { header, given } = await signed(300);
    const { blocks } = given;
    const others: [BatchSeal.Header, typeof given][] = [
      [{ ...header, name: 'other' }, given],
      [{ ...header, network: 'mainnet' }, given],
      [{ ...header, store: 's2' }, given],
      [{ ...header, store: null }, given],
      [{ ...header, instance: 'i1' }, given],
      [{ ...header, lines: 299 }, given],
      [{ ...header, lines: 3 }, given],
      [{ ...header, digest: sealed(300, 7).digest }, given],
      [
        { ...header, digest: sealed(300, 7).digest },
        { ...given, blocks: sealed(300, 7).blocks },
      ],
      [header, { ...given, blocks: blocks.toReversed() }],
      [header, { ...given, blocks: blocks.slice(1) }],
      [header, { ...given, submitter: accounts.dev1.address as typeof given.submitter }],
      [header, { ...given, signature: '0x' as Hex }],
      [header, { ...given, signature: `0x${'11'.repeat(65)}` as Hex }],
    ];
    for (const [other, by] of others) expect(await BatchSeal.isSigned(other, by)).toBe(false);
  });
});
