import { expect, test } from 'vitest';
import * as FeeStage from '../../../src/core/fees/FeeStage.js';

const breakdown = {
  swap: { usd: '-1.999380', amount: '1999380' },
  execution: { usd: '-0.001160', amount: '1160' },
  someword: { usd: '0.000000', amount: '0' },
  app: { usd: '-4.998625', amount: '5000000' },
  sponsored: { usd: '6.999165', amount: '7001090' },
};

test('from: dollars and stated base units, under any name of the platform; undefined without a breakdown', () => {
  const phase = FeeStage.from(breakdown, 0n);
  expect(phase?.fees).toEqual({
    swap: -1_999_380n,
    execution: -1_160n,
    platform: 0n,
    app: -4_998_625n,
    sponsored: 6_999_165n,
  });
  expect(phase?.amounts).toMatchObject({ app: 5_000_000n, platform: 0n });
  expect(FeeStage.from(null, 0n)).toBeUndefined();
  expect(FeeStage.from({ ...breakdown, swap: { usd: '…' } }, 0n)).toBeUndefined();
});

test('sponsoring: rent is included', () => {
  const phase = (impactUsd: bigint | undefined) => {
    const read = FeeStage.from({ ...breakdown, rent: { usd: '-0.000005' } }, impactUsd);
    if (!read) throw new Error('readable');
    return read;
  };
  expect(FeeStage.sponsoring(phase(-5n))).toBe('inside');
  expect(FeeStage.sponsoring(phase(-6_999_170n))).toBe('beside');
  expect(FeeStage.sponsoring(phase(100n))).toBeUndefined();
  expect(FeeStage.sponsoring(phase(undefined))).toBe('inside');
});

test('total: with or without the sponsored amount', () => {
  const phase = FeeStage.from(breakdown, 0n);
  if (!phase) throw new Error('readable');
  expect(FeeStage.total(phase, 'inside')).toBe(0n);
  expect(FeeStage.total(phase, 'beside')).toBe(-6_999_165n);
});
