/**
 * A chain of Solana's kind in this process: accounts, the token program, and transactions with their effects. It has
 * slots of real time and no blocks. Everything that landed is in its log, from which it is rebuilt.
 *
 * The solver pays USDC out here with the order id as a memo. Nothing is deposited here: the program of the depository
 * comes in no package that could be installed.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { DamagedLogError, type FrameLog, inMemory } from '../storage/frameLog.js';
import * as KeyText from '../values/KeyText.js';
import type { Instruction, Libraries, Transaction } from './liteSvm.js';

/** A transaction that landed, with its effects. Lamports and token amounts are in base units. */
export type Landed = {
  signature: string;
  slot: number;
  /** Unix time in seconds. */
  blockTime: number;
  /** Null if it succeeded, else the virtual machine's word for the failure. */
  err: string | null;
  /** In lamports. */
  fee: number;
  logs: readonly string[];
  /** The signed bytes in base64. */
  wire: string;
  keys: readonly Key[];
  /** Lamports of each key. */
  before: readonly number[];
  after: readonly number[];
  tokensBefore: readonly TokenBalance[];
  tokensAfter: readonly TokenBalance[];
};

export type Key = { pubkey: string; signer: boolean; writable: boolean };

/** What a token account holds, by its place among the keys. */
export type TokenBalance = { accountIndex: number; mint: string; owner: string; amount: string };

/** A stored account. */
export type Account = { address: string; lamports: bigint; owner: string; executable: boolean; data: Uint8Array };

/** A payment of the solver: to a wallet, whose token account is made if there is none. */
export type Payment = { to: string; amount: bigint; memo: string; shouldFail?: boolean };

export type SvmNode = ReturnType<typeof createSvmNode>;

/** Thrown for a transaction that the chain does not take. */
export class RejectedError extends Error {
  override name = 'RejectedError';
  readonly logs: readonly string[];
  constructor(reason: string, logs: readonly string[] = []) {
    super(reason);
    this.logs = logs;
  }
}

/** The mint of the chain's USDC, the hash of "USD Coin of the ferry sandbox", so nobody has its key. */
export const usdcMint = 'CraSYD7pfXDSKeVSAhLhcaLaSjwTntaNqbc6ztqLieAC';
export const usdcDecimals = 6;

/** The seed of the solver's key, which like all of the sandbox's keys is no secret. */
const solverSeed = Buffer.from('the solver of the ferry sandbox!');

const slotMs = 400;
/** Slots for which a block hash may be named, as on Solana. */
const hashLife = 150;
/** How long one block hash is given out. */
const hashMs = 5_000;
const lamportsPerSignature = 5_000;

type Saved = { landed: Landed; accounts: readonly SavedAccount[] };
type SavedAccount = Omit<Account, 'lamports' | 'data'> & { lamports: string; data: string };

/**
 * Creates the chain, new or as its log has it.
 *
 * @throws DamagedLogError
 */
export function createSvmNode(
  { lite, kit, token }: Libraries,
  { clock = Date.now, log = inMemory() }: { clock?: (() => number) | undefined; log?: FrameLog | undefined } = {},
) {
  const svm = new lite.LiteSVM().withBlockhashCheck(false);
  const key = privateKey(solverSeed);
  const solver = kit.address(KeyText.encode(publicKey(key)));
  const mint = kit.address(usdcMint);
  const landed = new Map<string, Landed>();
  /** Every account that a transaction named. */
  const known = new Set<string>();
  const hashes: { hash: string; slot: number; atMs: number }[] = [];
  const firstMs = Date.UTC(2025, 0, 1);
  let latestSlot = 0;

  begin();
  for (const { content } of log.frames()) restore(content);

  function begin(): void {
    const authority = kit.some(solver);
    const supply = 10n ** 15n;
    const mintData = token.getMintEncoder().encode({
      ...{ mintAuthority: authority, supply, decimals: usdcDecimals, isInitialized: true },
      freezeAuthority: kit.none(),
    });
    setAccount({ address: mint, lamports: rent(82), owner: token.TOKEN_PROGRAM_ADDRESS, data: mintData });
    setAccount({ address: solver, lamports: 10n ** 15n, owner: systemProgram, data: new Uint8Array() });
  }

  /** The solver's own token account is made with the first payment. */
  function setAccount({
    address,
    lamports,
    owner,
    data,
    executable = false,
  }: Omit<Account, 'executable' | 'data'> & { executable?: boolean; data: ArrayLike<number> }): void {
    const bytes = Uint8Array.from(data);
    svm.setAccount({
      address: kit.address(address),
      lamports: kit.lamports(lamports),
      programAddress: kit.address(owner),
      executable,
      space: BigInt(bytes.length),
      data: bytes,
    });
  }

  function restore(content: Buffer): void {
    let saved: Saved;
    try {
      saved = JSON.parse(content.toString()) as Saved;
    } catch {
      throw new DamagedLogError('It has a transaction that cannot be read.');
    }
    for (const each of saved.accounts)
      setAccount({ ...each, lamports: BigInt(each.lamports), data: Buffer.from(each.data, 'base64') });
    remember(saved.landed);
  }

  function remember(each: Landed): void {
    landed.set(each.signature, each);
    latestSlot = Math.max(latestSlot, each.slot);
    for (const { pubkey } of each.keys) known.add(pubkey);
  }

  function rent(bytes: number): bigint {
    return svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** The slot of the clock, or a later one that something has landed in. */
  function slot(): number {
    latestSlot = Math.max(latestSlot, Math.floor((clock() - firstMs) / slotMs));
    return latestSlot;
  }

  /** The slot to land in: after every one that anybody was told of, as on a chain whose slots are as short as a transfer. */
  function nextSlot(): number {
    latestSlot = slot() + 1;
    return latestSlot;
  }

  /** The latest block hash; the one before stays good for a minute. */
  function blockhash(): { hash: string; lastValidSlot: number } {
    const now = clock();
    const latest = hashes.at(-1);
    // Slots run ahead of the clock while much lands.
    if (!latest || now - latest.atMs >= hashMs || slot() - latest.slot >= hashLife / 2) {
      svm.expireBlockhash();
      hashes.push({ hash: svm.latestBlockhash(), slot: slot(), atMs: now });
    }
    while (hashes[0] && hashes[0].slot + hashLife < slot()) hashes.shift();
    const found = hashes.at(-1);
    if (!found) throw new Error('There is no block hash.');
    return { hash: found.hash, lastValidSlot: found.slot + hashLife };
  }

  function isGood(hash: string): boolean {
    return hashes.some((each) => each.hash === hash && each.slot + hashLife >= slot());
  }

  function account(address: string): Account | undefined {
    const found = svm.getAccount(kit.address(address));
    if (!found.exists || found.lamports === 0n) return undefined;
    const { lamports, programAddress, executable, data } = found;
    return { address, lamports, owner: programAddress, executable, data: Uint8Array.from(data) };
  }

  /** What a token account holds; undefined if it is none. */
  function tokens(address: string): { mint: string; owner: string; amount: bigint } | undefined {
    const found = account(address);
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

  /** The keys that a signed transaction names. @throws RejectedError */
  function keysOf({ messageBytes }: Transaction): { keys: Key[]; hash: string; signatures: number } {
    const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
    if ('addressTableLookups' in message && message.addressTableLookups?.length)
      throw new RejectedError('Address lookup tables are not supported');
    const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
    const keys = message.staticAccounts.map((pubkey, index) => ({
      pubkey,
      signer: index < numSignerAccounts,
      writable:
        index < numSignerAccounts
          ? index < numSignerAccounts - numReadonlySignerAccounts
          : index < message.staticAccounts.length - numReadonlyNonSignerAccounts,
    }));
    return { keys, hash: message.lifetimeToken ?? '', signatures: numSignerAccounts };
  }

  /**
   * Executes a signed transaction. One that would fail is rejected, unless it is to land all the same.
   *
   * @throws RejectedError
   */
  function land(
    wire: Uint8Array,
    { mayFail = false, onSigned }: { mayFail?: boolean; onSigned?: OnSigned } = {},
  ): Landed {
    const transaction = decoded(wire);
    const { keys, hash, signatures } = keysOf(transaction);
    const [first] = Object.values(transaction.signatures);
    const signature = first ? KeyText.encode(Uint8Array.from(first)) : '';
    if (landed.has(signature)) throw new RejectedError('This transaction has already been processed');
    if (!isGood(hash)) throw new RejectedError('Blockhash not found');
    tick();
    if (!mayFail) {
      const tried = svm.simulateTransaction(transaction);
      if ('err' in tried) throw new RejectedError(wordsOf(tried), tried.meta().logs());
    }
    onSigned?.(signature);
    const before = lamportsOf(keys);
    const tokensBefore = balances(keys);
    const result = svm.sendTransaction(transaction);
    const failed = 'err' in result;
    const each: Landed = {
      signature,
      slot: nextSlot(),
      blockTime: Math.floor(clock() / 1000),
      err: failed ? wordsOf(result) : null,
      fee: signatures * lamportsPerSignature,
      logs: (failed ? result.meta() : result).logs(),
      wire: Buffer.from(wire).toString('base64'),
      keys,
      before,
      after: lamportsOf(keys),
      tokensBefore,
      tokensAfter: balances(keys),
    };
    record(each);
    return each;
  }

  function record(each: Landed): void {
    const accounts = each.keys
      .filter(({ writable }) => writable)
      .flatMap(({ pubkey }) => {
        const found = account(pubkey);
        return found
          ? [{ ...found, lamports: String(found.lamports), data: Buffer.from(found.data).toString('base64') }]
          : [];
      });
    log.append(Buffer.from(JSON.stringify({ landed: each, accounts } satisfies Saved)));
    remember(each);
  }

  function decoded(wire: Uint8Array): Transaction {
    try {
      return kit.getTransactionDecoder().decode(wire);
    } catch {
      throw new RejectedError('failed to deserialize the transaction');
    }
  }

  /** Lets the programs see the time. */
  function tick(): void {
    const now = svm.getClock();
    now.slot = BigInt(slot());
    now.unixTimestamp = BigInt(Math.floor(clock() / 1000));
    svm.setClock(now);
  }

  function lamportsOf(keys: readonly Key[]): number[] {
    return keys.map(({ pubkey }) => Number(svm.getBalance(kit.address(pubkey)) ?? 0n));
  }

  /** Signs with the solver's key and lands. */
  async function pay({ to, amount, memo, shouldFail = false }: Payment, onSigned: OnSigned): Promise<Landed> {
    const signer = kit.createNoopSigner(solver);
    const [source, destination] = await Promise.all(
      [solver, kit.address(to)].map(async (owner) => {
        const [found] = await token.findAssociatedTokenPda({ owner, mint, tokenProgram: token.TOKEN_PROGRAM_ADDRESS });
        return { owner, ata: found };
      }),
    );
    if (!source || !destination) throw new Error('There is no token account.');
    const [own, other] = [source, destination].map(({ owner, ata }) =>
      token.getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata, owner, mint }),
    );
    const minted = token.getMintToInstruction({ mint, token: source.ata, mintAuthority: signer, amount });
    const moved = token.getTransferCheckedInstruction({
      ...{ source: source.ata, mint, destination: destination.ata, authority: signer },
      // More than there is, if it is to fail.
      amount: shouldFail ? 2n ** 63n : amount,
      decimals: usdcDecimals,
    });
    const noted: Instruction = {
      programAddress: kit.address(memoProgram),
      data: new TextEncoder().encode(memo),
    };
    return land(signed([own, minted, other, moved, noted].filter((each) => each !== undefined)), {
      mayFail: shouldFail,
      onSigned,
    });
  }

  function signed(instructions: readonly Instruction[]): Uint8Array {
    const { hash, lastValidSlot } = blockhash();
    const lifetime = { blockhash: kit.blockhash(hash), lastValidBlockHeight: BigInt(lastValidSlot) };
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (made) => kit.setTransactionMessageFeePayer(solver, made),
      (made) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
      (made) => kit.appendTransactionMessageInstructions(instructions, made),
    );
    const { messageBytes } = kit.compileTransaction(message);
    const signature = sign(null, Buffer.from(messageBytes), key) as unknown as Uint8Array;
    const whole = { messageBytes, signatures: { [solver]: signature } } as unknown as Transaction;
    return Uint8Array.from(kit.getTransactionEncoder().encode(whole));
  }

  return {
    solver: solver as string,
    slot,
    blockhash,
    isGood,
    rent,
    account,
    tokens,
    land,
    pay,
    /** Tries a transaction without landing it: why it would fail, and its logs. @throws RejectedError */
    simulate(wire: Uint8Array): { err: string | null; logs: readonly string[]; units: bigint } {
      const transaction = decoded(wire);
      keysOf(transaction);
      tick();
      const tried = svm.simulateTransaction(transaction);
      const meta = tried.meta();
      return { err: 'err' in tried ? wordsOf(tried) : null, logs: meta.logs(), units: meta.computeUnitsConsumed() };
    },
    /** Gives lamports to an account, as the faucet of a test network does. */
    fund(address: string, lamports: bigint): string {
      tick();
      const source = svm.airdrop(kit.address(address), kit.lamports(lamports));
      if (!source || 'err' in source) throw new RejectedError('The faucet has not paid.');
      const signature = KeyText.encode(Uint8Array.from(source.signature()));
      const after = Number(account(address)?.lamports ?? 0n);
      record({
        ...{
          signature,
          slot: nextSlot(),
          blockTime: Math.floor(clock() / 1000),
          err: null,
          fee: 0,
          logs: source.logs(),
        },
        ...{ wire: '', keys: [{ pubkey: address, signer: false, writable: true }] },
        ...{ before: [after - Number(lamports)], after: [after], tokensBefore: [], tokensAfter: [] },
      });
      return signature;
    },
    landed: (signature: string): Landed | undefined => landed.get(signature),
    /** The transactions that named an account, the latest first. */
    history: (address: string): Landed[] =>
      [...landed.values()].filter(({ keys }) => keys.some(({ pubkey }) => pubkey === address)).reverse(),
    /** The token accounts of a wallet. */
    tokensOf: (owner: string) =>
      [...known].flatMap((address) => {
        const held = tokens(address);
        return held?.owner === owner ? [{ address, ...held }] : [];
      }),
    close: (): void => log.close(),
  };
}

type OnSigned = (signature: string) => void;

/** What a wallet gained of a token in a transaction, in base units. */
export function gained({ tokensBefore, tokensAfter }: Landed, owner: string, mint: string): bigint {
  const held = (balances: readonly TokenBalance[]): bigint =>
    balances.reduce((sum, each) => (each.owner === owner && each.mint === mint ? sum + BigInt(each.amount) : sum), 0n);
  return held(tokensAfter) - held(tokensBefore);
}

const systemProgram = '11111111111111111111111111111111';
const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const tokenAccountBytes = 165;

/** The virtual machine's word for a failure: `InstructionError(3, Custom(1))`. */
function wordsOf(failed: { toString(): string }): string {
  const text = failed.toString();
  return /\berr: (.*?), meta: /s.exec(text)?.[1] ?? text.slice(0, 200);
}

/** The key of an Ed25519 seed, as PKCS #8. */
function privateKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function publicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}
