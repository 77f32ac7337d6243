#!/usr/bin/env node
// CommonJS starts faster: a completion request is answered before the ESM loader would be ready.
/** @type {typeof import('node:module') & { enableCompileCache?: () => void }} */
const { enableCompileCache } = require('node:module');

enableCompileCache?.();
const [first, ...rest] = process.argv.slice(2);
// Typed by the sources, which are there before dist is.
const dist = '../dist';
/** @type {() => typeof import('../src/complete.js')} */
const completion = () => require(`${dist}/complete.cjs`);
/** @type {() => Promise<typeof import('../src/main.js')>} */
const program = () => import(`${dist}/main.js`);
if (first === '__complete') void completion().answer(rest);
else void program().then(({ main }) => main(process.argv.slice(2)));
