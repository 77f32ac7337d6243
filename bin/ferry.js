#!/usr/bin/env node
// CommonJS starts faster: a completion request is answered before the ESM loader would be ready.
const { join } = require('node:path');

// Typed by the sources, which are there before dist is.
const dist = join(__dirname, '..', 'dist');
/** @type {typeof import('../src/start.js')} */
const { start } = require(join(dist, 'start.cjs'));
start(process.argv.slice(2), dist);
