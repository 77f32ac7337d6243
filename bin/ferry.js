#!/usr/bin/env node
// CommonJS, which starts sooner: a shell that asks for words is answered before the loader of modules would be ready.
const { enableCompileCache } = require('node:module');

enableCompileCache?.();
const [first, ...rest] = process.argv.slice(2);
if (first === '__complete') require('../dist/complete.cjs').answer(rest);
else void import('../dist/main.js').then(({ main }) => main(process.argv.slice(2)));
