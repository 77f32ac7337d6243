#!/usr/bin/env node
// CommonJS starts faster: a completion request is answered before the ESM loader would be ready. What this file itself
// needs, every version of Node has.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

// Typed by the sources, which are there before dist is.
const dist = join(__dirname, '..', 'dist');
const argv = process.argv.slice(2);
const missing = whatIsMissing();
if (missing) refuse(missing);
else if (argv[0] === '__complete') {
  /** @type {typeof import('../src/complete.js')} */
  const { answer } = require(join(dist, 'complete.cjs'));
  void answer(argv.slice(1));
} else {
  /** @type {typeof import('../src/start.js')} */
  const { start } = require(join(dist, 'start.cjs'));
  start(argv, dist);
}

/**
 * What ferry cannot start without.
 *
 * @returns {{ message: string, hint: string, next: string | null } | undefined}
 */
function whatIsMissing() {
  const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && (minor < 18 || (minor === 18 && patch < 1)));
  // Node 21 and the first releases of 22 are newer by number, and lack what later ones of 20 have.
  if (isOld || typeof process.getBuiltinModule !== 'function')
    return {
      message: `ferry needs Node 20.18.1 or newer, or 22.3 or newer. This is Node ${process.versions.node}.`,
      hint: 'Install a release of Node with long-term support. Nothing was done.',
      next: null,
    };
  // A build that was interrupted has left some of them.
  const files = ['start', 'complete', 'overview', 'program'].map((name) => `${name}.cjs`);
  const absent = files.filter((name) => !existsSync(join(dist, name)));
  if (absent.length > 0)
    return {
      message: `ferry is not built: ${absent.length < files.length ? `dist/${absent[0]}` : 'the folder dist'} is missing.`,
      hint: 'An install without scripts, such as npm ci --ignore-scripts, does not build it. Nothing was done.',
      next: 'npm run build',
    };
  return undefined;
}

/**
 * Says what is missing, as every other error is said.
 *
 * @param {{ message: string, hint: string, next: string | null }} missing
 */
function refuse({ message, hint, next }) {
  process.exitCode = 2;
  if (argv[0] === '__complete') return;
  const code = 'system.unsupported';
  if (argv.indexOf('--json') >= 0) {
    const error = { code, message, facts: {}, hint, next, retryable: false, funds: 'untouched', exit: 2 };
    process.stdout.write(`${JSON.stringify({ schema: 'ferry.error/1', ok: false, network: null, error })}\n`);
  }
  process.stderr.write(`error: ${message} (${code})\n  ${hint}${next ? `\n  next: ${next}` : ''}\n`);
}
