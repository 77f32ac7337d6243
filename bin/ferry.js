#!/usr/bin/env node
// CommonJS starts faster: a completion request is answered before the ESM loader would be ready.
const { enableCompileCache } = require('node:module');

enableCompileCache?.();
const [first, ...rest] = process.argv.slice(2);
if (first === '__complete') require('../dist/complete.cjs').answer(rest);
else void import('../dist/main.js').then(({ main }) => main(process.argv.slice(2)));
