// Compiles src/sandbox/contracts/*.sol to bytecode.json and runtime.json beside this file: `npm run contracts`. With `--check`,
// as CI does, it fails if they are not what the sources compile to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const folder = new URL('../../src/sandbox/contracts/', import.meta.url);
const require = createRequire(import.meta.url);

/** Of the contracts that transactions create: what creates them. */
const bytecodePath = new URL('bytecode.json', import.meta.url);

/** Of the contracts that are placed at addresses known everywhere: what stands there. They have no constructor. */
const runtimePath = new URL('runtime.json', import.meta.url);

const placed = ['AggregationRouter', 'BatchExecutor', 'Cheat', 'Multicall3', 'SwapExecutor', 'UniversalRouter'];

/** @typedef {Record<string, { bytecode: string, runtime: string }>} Contracts */

/**
 * What is used of the compiler's answer.
 *
 * @typedef {object} Output
 * @property {{ formattedMessage: string }[]} [errors]
 * @property {Record<string, Record<string, Compiled>>} contracts by file and name
 */

/**
 * @typedef {object} Compiled
 * @property {import('viem').Abi} abi
 * @property {{ bytecode: { object: string }, deployedBytecode: { object: string } }} evm
 */

/**
 * The ABI of every contract of the folder, by name: without bytecode it takes a fifth of the time.
 *
 * @returns {Record<string, import('viem').Abi>}
 */
export function interfaces() {
  return Object.fromEntries(compiled(['abi']).map(([name, { abi }]) => [name, abi]));
}

/**
 * The creation bytecode of every contract of the folder by name, and its code once it stands.
 *
 * @returns {Contracts}
 */
function compile() {
  const contracts = compiled(['evm.bytecode.object', 'evm.deployedBytecode.object']);
  const hex = (/** @type {{ object: string }} */ { object }) => `0x${object}`;
  return Object.fromEntries(
    contracts.map(([name, { evm }]) => [name, { bytecode: hex(evm.bytecode), runtime: hex(evm.deployedBytecode) }]),
  );
}

/**
 * @param {string[]} wanted what the compiler is to say of each contract
 * @returns {[name: string, said: Compiled][]}
 */
function compiled(wanted) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sol'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 10_000 },
      evmVersion: 'cancun',
      // Without the hash the bytecode depends on the code alone, not on comments or paths.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': wanted } },
    },
  };
  /** @type {Output} */
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  return files.map((file) => {
    const name = file.replace('.sol', '');
    const said = output.contracts[file]?.[name];
    if (!said) throw new Error(`${file} has no contract ${name}.`);
    return [name, said];
  });
}

/**
 * The text of bytecode.json.
 *
 * @param {Contracts} contracts
 */
function render(contracts) {
  const created = Object.entries(contracts).filter(([name]) => !placed.includes(name));
  return toText(created.map(([name, { bytecode }]) => [name, bytecode]));
}

/**
 * The text of runtime.json.
 *
 * @param {Contracts} contracts
 */
function renderRuntime(contracts) {
  return toText(placed.map((name) => [name, contracts[name]?.runtime]));
}

/** @param {[name: string, code: string | undefined][]} entries */
function toText(entries) {
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** @param {string} path */
function read(path) {
  return { contents: readFileSync(require.resolve(path), 'utf8') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const contracts = compile();
  const isChecked = process.argv.includes('--check');
  for (const [path, text] of /** @type {const} */ ([
    [bytecodePath, render(contracts)],
    [runtimePath, renderRuntime(contracts)],
  ]))
    if (!isChecked) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text)
      throw new Error(`${fileURLToPath(path)} is not what the contracts compile to. Run: npm run contracts`);
}
