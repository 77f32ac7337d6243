/** `npm run simulate`; takes the arguments of `simulate.ts`. */
import { load } from './bundle.mjs';

await load('simulate.ts');
