import { describe, expect, test } from 'vitest';
import * as ReceiptDocument from '../../../src/core/receipt/ReceiptDocument.js';

describe('read', () => {
  test.each([[undefined], [null], [{}], [{ run: '1' }], [[]]])('error: %j is no receipt', (value) => {
    expect(() => ReceiptDocument.read(value)).toThrow('is not a receipt made by ferry');
  });
});

describe('toLogs', () => {
  test('default: a copy, field by field', () => {
    const topics = ['0x01'] as const;
    const [log] = ReceiptDocument.toLogs([{ address: '0xaa', topics, data: '0x' }]);
    expect(log).toEqual({ address: '0xaa', topics: ['0x01'], data: '0x' });
    expect(log?.topics).not.toBe(topics);
  });
});
