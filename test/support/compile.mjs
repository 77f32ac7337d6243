// Compiles src/sandbox/contracts/*.sol to src/sandbox/contracts/bytecode.json: `node test/support/compile.mjs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const folder = new URL('../../src/sandbox/contracts/', import.meta.url);
const require = createRequire(import.meta.url);

export const bytecodePath = new URL('bytecode.json', folder);

/**
 * Every contract of the folder by name, with its ABI and its creation bytecode.
 *
 * @returns {Record<string, { abi: import('viem').Abi, bytecode: string }>}
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
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = files.map((name) => {
    const contract = name.replace('.sol', '');
    const { abi, evm } = output.contracts[name][contract];
    return [contract, { abi, bytecode: `0x${evm.bytecode.object}` }];
  });
  return Object.fromEntries(contracts);
}

/**
 * The text of bytecode.json.
 *
 * @param {ReturnType<typeof compile>} contracts
 */
export function render(contracts) {
  const bytecodes = Object.entries(contracts).map(([name, { bytecode }]) => [name, bytecode]);
  return `${JSON.stringify(Object.fromEntries(bytecodes), null, 2)}\n`;
}

function read(path) {
  return { contents: readFileSync(require.resolve(path), 'utf8') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(bytecodePath, render(compile()));
