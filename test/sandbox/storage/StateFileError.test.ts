import { describe, expect, test } from 'vitest';
import { StateFileError } from '../../../src/sandbox/storage/StateFileError.js';

describe('StateFileError', () => {
  test('default: says what happened, what is lost and what to type', () => {
    const error = new StateFileError('/a/ledger.log', 'written', new Error('ENOSPC: no space left on device, write'));
    expect(error).toMatchObject({
      code: 'config.unwritable',
      message: 'The state of the sandbox cannot be written.',
      facts: [
        ['file', '/a/ledger.log'],
        ['reason', 'ENOSPC: no space left on device, write'],
      ],
      hint: expect.stringContaining('What it has answered so far is kept'),
      next: 'ferry sandbox start',
    });
  });

  test('behavior: unreadable', () => {
    expect(new StateFileError('/a', 'read', 'x')).toMatchObject({ next: 'ferry sandbox reset --yes' });
  });
});
