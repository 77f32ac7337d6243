// Compiles src/sandbox/contracts/*.sol to bytecode.json and runtime.json beside this file: `node test/build/compile.mjs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const folder = new URL('../../src/sandbox/contracts/', import.meta.url);
const require = createRequire(import.meta.url);

/** Of the contracts that transactions create: what creates them. */
export const bytecodePath = new URL('bytecode.json', import.meta.url);

/** Of the contracts that are placed at addresses known everywhere: what stands there. They have no constructor. */
export const runtimePath = new URL('runtime.json', import.meta.url);

const placed = ['AggregationRouter', 'BatchExecutor', 'Cheat', 'Multicall3', 'SwapExecutor', 'UniversalRouter'];

/** @typedef {Record<string, { abi: import('viem').Abi, bytecode: string, runtime: string }>} Contracts */

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
 * Every contract of the folder by name, with its ABI, its creation bytecode and its code once it stands.
 *
 * @returns {Contracts}
 */
export function compile() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sol'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 10_000 },
      evmVersion: 'cancun',
      // Without the hash the bytecode depends on the code alone, not on comments or paths.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  /** @type {Output} */
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = files.map((name) => {
    const contract = name.replace('.sol', '');
    const compiled = output.contracts[name]?.[contract];
    if (!compiled) throw new Error(`${name} has no contract ${contract}.`);
    const { abi, evm } = compiled;
    return [contract, { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` }];
  });
  return Object.fromEntries(contracts);
}

/**
 * The text of bytecode.json.
 *
 * @param {Contracts} contracts
 */
export function render(contracts) {
  const created = Object.entries(contracts).filter(([name]) => !placed.includes(name));
  return toText(created.map(([name, { bytecode }]) => [name, bytecode]));
}

/**
 * The text of runtime.json.
 *
 * @param {Contracts} contracts
 */
export function renderRuntime(contracts) {
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
  writeFileSync(bytecodePath, render(contracts));
  writeFileSync(runtimePath, renderRuntime(contracts));
}
