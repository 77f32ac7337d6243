import { describe, expect, test } from 'vitest';
import * as ChainEntry from '../../../src/sandbox/chain/ChainEntry.js';

describe('blockOf', () => {
  test('default: round trip', () => {
    const block = ChainEntry.blockOf({
      number: '0x10',
      hash: '0xaa',
      timestamp: '0x6b032acd',
      transactions: ['0xbb'],
      stateRoot: '0x01',
      receiptsRoot: '0x02',
      gasUsed: '0x03',
    });
    expect(block).toEqual({ number: 16, timestamp: 1_795_369_677, hashes: ['0xbb'], roots: ['0x01', '0x02', '0x03'] });
    expect(ChainEntry.from(ChainEntry.toBuffer({ block }))).toEqual({ block });
  });
});
