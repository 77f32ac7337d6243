/** Work factors for the key files of tests that look at something else than their protection. */
import type { ScryptCost } from '../../src/core/accounts/Keystore.js';

export const lightScrypt: ScryptCost = { n: 2 ** 4, r: 8, p: 1 };
