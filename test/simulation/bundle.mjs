/** Bundles the simulator, with libraries that remember what they have computed: the same values come in many runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Costly functions without an effect, of which the same values are asked again and again. */
const costly = [
  ['viem/_esm/utils/hash/keccak256.js', 'keccak256'],
  ['viem/_esm/utils/hash/sha256.js', 'sha256'],
  ['viem/_esm/utils/signature/recoverPublicKey.js', 'recoverPublicKey'],
  ['src/core/base/Secp256k1.ts', 'recoverMessage'],
];

/** Makes a module's function remember its results, unless what was asked is long. */
const once = `
const results = new Map();
const inDigits = (_, each) => (typeof each === 'bigint' ? String(each) : each);
const keyOf = (of) => {
  if (of instanceof Uint8Array) return Buffer.from(of).toString('latin1');
  return typeof of === 'string' ? of : JSON.stringify(of, inDigits);
};
const remember = (compute, asked) => {
  const key = asked.map(keyOf).join(' ');
  if (key.length > 20_000) return compute();
  if (!results.has(key)) {
    if (results.size > 10_000) results.clear();
    results.set(key, compute());
  }
  return results.get(key);
};
`;

const remembering = {
  name: 'remembering',
  /** @param {import('esbuild').PluginBuild} building */
  setup(building) {
    for (const [file, name] of costly)
      building.onLoad({ filter: new RegExp(`${file}$`) }, ({ path }) => {
        const whole = readFileSync(path, 'utf8');
        const renamed = whole.replace(new RegExp(`export ((async )?function) ${name}\\b`), `$1 ${name}Computed`);
        const wrapped = `export function ${name}(...asked) { return remember(() => ${name}Computed(...asked), asked); }`;
        return { loader: path.endsWith('.ts') ? 'ts' : 'js', contents: [renamed, once, wrapped].join('\n') };
      });
  },
};

/**
 * Bundles a file of this folder.
 *
 * @param {string} entry
 * @param {string} outfile
 * @param {import('esbuild').Plugin[]} more
 */
export async function bundle(entry, outfile, more = []) {
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [...more, remembering],
    // What is never run here, and what a bundle of one file cannot hold.
    external: ['litesvm', '@solana/*', '@solana-program/*', 'pg', 'undici', 'ws'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}

/**
 * @param {string} entry a file of this folder
 * @returns {Promise<any>} what it exports
 */
export async function load(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-simulate-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    await bundle(entry, join(folder, 'bundled.mjs'));
    return await import(pathToFileURL(join(folder, 'bundled.mjs')).href);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
