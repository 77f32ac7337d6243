/** The accounts of a chain of Solana's kind, as its virtual machine has them, and what token accounts hold. */
import type { Libraries, VirtualMachine } from './liteSvm.js';

export type Key = { pubkey: string; signer: boolean; writable: boolean };

/** What a token account holds, by its place among the keys. */
export type TokenBalance = { accountIndex: number; mint: string; owner: string; amount: string };

/** A stored account. */
export type Account = { address: string; lamports: bigint; owner: string; executable: boolean; data: Uint8Array };

const tokenAccountBytes = 165;

export function createAccounts(svm: () => VirtualMachine, { kit, token }: Libraries) {
  function write({
    address,
    lamports,
    owner,
    data,
    executable = false,
  }: Omit<Account, 'executable' | 'data'> & { executable?: boolean; data: ArrayLike<number> }): void {
    const bytes = Uint8Array.from(data);
    svm().setAccount({
      address: kit.address(address),
      lamports: kit.lamports(lamports),
      programAddress: kit.address(owner),
      executable,
      space: BigInt(bytes.length),
      data: bytes,
    });
  }

  function read(address: string): Account | undefined {
    const found = svm().getAccount(kit.address(address));
    if (!found.exists || found.lamports === 0n) return undefined;
    const { lamports, programAddress, executable, data } = found;
    return { address, lamports, owner: programAddress, executable, data: Uint8Array.from(data) };
  }

  /** What a token account holds; undefined if it is none. */
  function tokens(address: string): { mint: string; owner: string; amount: bigint } | undefined {
    const found = read(address);
    if (found?.owner !== token.TOKEN_PROGRAM_ADDRESS || found.data.length !== tokenAccountBytes) return undefined;
    const { mint: of, owner, amount } = token.getTokenDecoder().decode(found.data);
    return { mint: of, owner, amount };
  }

  function balances(keys: readonly Key[]): TokenBalance[] {
    return keys.flatMap(({ pubkey }, accountIndex) => {
      const held = tokens(pubkey);
      return held ? [{ accountIndex, mint: held.mint, owner: held.owner, amount: String(held.amount) }] : [];
    });
  }

  function lamportsOf(keys: readonly Key[]): number[] {
    return keys.map(({ pubkey }) => Number(svm().getBalance(kit.address(pubkey)) ?? 0n));
  }

  return { write, read, tokens, balances, lamportsOf };
}
