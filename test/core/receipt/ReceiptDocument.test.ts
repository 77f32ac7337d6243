import { expect, test } from 'vitest';
import * as ReceiptDocument from '../../../src/core/receipt/ReceiptDocument.js';

test.each([[undefined], [null], [{}], [{ run: '1' }], [[]]])('read: error: %j is no receipt', (value) => {
  expect(() => ReceiptDocument.read(value)).toThrow('is not a receipt made by ferry');
});
