/**
 * Loads the virtual machine of the sandbox's chain that is not an EVM chain: LiteSVM, which runs the programs of Solana
 * in this process. It is an optional package, as anvil is, and so are the libraries that build its transactions.
 */
import { createRequire } from 'node:module';

/** The virtual machine, the chain's own library, and the clients of its token program. */
export type Libraries = {
  lite: typeof import('litesvm');
  kit: typeof import('@solana/kit');
  token: typeof import('@solana-program/token');
};

export type VirtualMachine = InstanceType<Libraries['lite']['LiteSVM']>;
export type Instruction = import('@solana/kit').Instruction;
export type Transaction = import('@solana/kit').Transaction;

/** Why the chain is not there, and what to do. */
export const noSvm = 'the optional package litesvm is not installed (npm install litesvm)';

/** The libraries; undefined if the package is not installed, or not for this machine. */
export function load(): Libraries | undefined {
  try {
    const here = createRequire(import.meta.url);
    // Its own copies, wherever the package manager has put them.
    const its = createRequire(here.resolve('litesvm'));
    return { lite: here('litesvm'), kit: its('@solana/kit'), token: its('@solana-program/token') };
  } catch {
    return undefined;
  }
}
