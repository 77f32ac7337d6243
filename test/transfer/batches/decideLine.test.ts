import { expect, test } from 'vitest';
import * as decideLine from '../../../src/transfer/batches/decideLine.js';

test('format: the id of a line makes no line of its own', () => {
  const forged = 'x\nnext: id';
  const line = { batch: 'payroll', id: forged, account: '', state: 'refused', run: null, code: '' } as const;
  const refused = [decideLine.undecided({ ...line, message: forged, next: null })];
  expect(decideLine.format('payroll', refused)).toBe(`
Stays refused: x\\x0anext: id. x\\x0anext: id
  if it was not paid: ferry batch retry payroll --line 'x\\x0anext: id'
  if it was paid:     ferry batch cancel payroll --line 'x\\x0anext: id'`);
});
