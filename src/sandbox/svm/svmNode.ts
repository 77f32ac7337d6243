/**
 * A chain of Solana's kind in this process: accounts, the token program, and transactions with their effects. It has
 * slots of real time and no blocks. Everything that landed is in its log, from which it is rebuilt.
 *
 * The solver pays USDC out here with the order id as a memo. Nothing is deposited here: the program of the depository
 * comes in no package that could be installed.
 */

import * as BaseCodec from '../../core/order/BaseCodec.js';
import { DamagedLogError, type FrameLog, inMemory } from '../storage/frameLog.js';
import type { Libraries, Transaction, VirtualMachine } from './liteSvm.js';
import { type Payment, signPayment, solverAddress, usdcDecimals, usdcMint } from './solverPayment.js';

type Key = { pubkey: string; signer: boolean; writable: boolean };

/** What a token account holds, by its place among the keys. */
export type TokenBalance = { accountIndex: number; mint: string; owner: string; amount: string };

export type Account = { address: string; lamports: bigint; owner: string; executable: boolean; data: Uint8Array };

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

const lamportsPerSignature = 5_000;

/**
 * Creates the chain, new or as its log has it.
 *
 * @throws DamagedLogError
 */
export function createSvmNode(libraries: Libraries, { clock = Date.now, log = inMemory() }: Continued = {}) {
  const { kit } = libraries;
  let made: VirtualMachine | undefined;
  // Most sandboxes are asked nothing about this chain, and a virtual machine takes 60 ms to make.
  const svm = (): VirtualMachine => {
    made ??= newMachine(libraries);
    return made;
  };
  const accounts = createAccounts(svm, libraries);
  const slots = createSlots(svm, clock);
  const landings = createLandings(log, accounts);
  for (const each of landings.all.values()) slots.pass(each.slot);
  const { slot, blockhash, isGood, tick } = slots;
  const record: Recording = (landed) =>
    landings.record({ ...landed, slot: slots.nextSlot(), blockTime: Math.floor(clock() / 1000) });

  /**
   * Executes a signed transaction. One that would fail is rejected, unless it is to land all the same.
   *
   * @throws RejectedError
   */
  function land(wire: Uint8Array, { mayFail = false, onSigned }: Landing = {}): Landed {
    const transaction = decode(kit, wire);
    const { keys, hash, signatures } = keysOf(kit, transaction);
    const [first] = Object.values(transaction.signatures);
    const signature = first ? BaseCodec.bitcoin.encode(Uint8Array.from(first)) : '';
    if (landings.all.has(signature)) throw new RejectedError('This transaction has already been processed');
    if (!isGood(hash)) throw new RejectedError('Blockhash not found');
    tick();
    if (!mayFail) {
      const tried = svm().simulateTransaction(transaction);
      if ('err' in tried) throw new RejectedError(wordsOf(tried), tried.meta().logs());
    }
    onSigned?.(signature);
    const before = accounts.lamportsOf(keys);
    const tokensBefore = accounts.balances(keys);
    const result = svm().sendTransaction(transaction);
    const failed = 'err' in result;
    return record({
      signature,
      err: failed ? wordsOf(result) : null,
      fee: signatures * lamportsPerSignature,
      logs: (failed ? result.meta() : result).logs(),
      wire: Buffer.from(wire).toString('base64'),
      ...{ keys, before, after: accounts.lamportsOf(keys), tokensBefore, tokensAfter: accounts.balances(keys) },
    });
  }

  return {
    ...{ solver: solverAddress, slot, blockhash, isGood, land },
    account: accounts.read,
    tokens: accounts.tokens,
    rent: (bytes: number): bigint => rentOf(svm(), bytes),
    /** Signs with the solver's key and lands. */
    pay: async (payment: Payment, onSigned: OnSigned): Promise<Landed> =>
      land(await signPayment(libraries, payment, blockhash), { mayFail: payment.shouldFail ?? false, onSigned }),
    /** Tries a transaction without landing it: why it would fail, and its logs. @throws RejectedError */
    simulate(wire: Uint8Array): { err: string | null; logs: readonly string[]; units: bigint } {
      const transaction = decode(kit, wire);
      keysOf(kit, transaction);
      tick();
      const tried = svm().simulateTransaction(transaction);
      const meta = tried.meta();
      return { err: 'err' in tried ? wordsOf(tried) : null, logs: meta.logs(), units: meta.computeUnitsConsumed() };
    },
    /** Gives lamports to an account, as the faucet of a test network does. */
    fund(address: string, lamports: bigint): string {
      tick();
      return record(airdrop(svm(), libraries, address, lamports)).signature;
    },
    landed: (signature: string): Landed | undefined => landings.all.get(signature),
    /** The transactions that named an account, the latest first. */
    history: (address: string): Landed[] =>
      [...landings.all.values()].filter(({ keys }) => keys.some(({ pubkey }) => pubkey === address)).reverse(),
    tokensOf: landings.tokensOf,
    close: (): void => log.close(),
  };
}

type Continued = { clock?: (() => number) | undefined; log?: FrameLog | undefined };
type OnSigned = (signature: string) => void;
type Landing = { mayFail?: boolean; onSigned?: OnSigned };

type Recording = (landed: Omit<Landed, 'slot' | 'blockTime'>) => Landed;

/** @throws RejectedError */
function airdrop(svm: VirtualMachine, { kit }: Libraries, address: string, lamports: bigint): Parameters<Recording>[0] {
  const source = svm.airdrop(kit.address(address), kit.lamports(lamports));
  if (!source || 'err' in source) throw new RejectedError('The faucet has not paid.');
  const after = Number(svm.getBalance(kit.address(address)) ?? 0n);
  return {
    ...{ signature: BaseCodec.bitcoin.encode(Uint8Array.from(source.signature())), err: null, fee: 0 },
    ...{ logs: source.logs(), wire: '', keys: [{ pubkey: address, signer: false, writable: true }] },
    ...{ before: [after - Number(lamports)], after: [after], tokensBefore: [], tokensAfter: [] },
  };
}

/** A virtual machine with what the chain begins with. */
function newMachine(libraries: Libraries): VirtualMachine {
  const svm = new libraries.lite.LiteSVM().withBlockhashCheck(false);
  const { write } = createAccounts(() => svm, libraries);
  for (const each of firstAccounts(svm, libraries)) write(each);
  return svm;
}

/** Its USDC, and a solver with lamports. */
function firstAccounts(svm: VirtualMachine, { kit, token }: Libraries): Omit<Account, 'executable'>[] {
  const data = token.getMintEncoder().encode({
    ...{ mintAuthority: kit.some(kit.address(solverAddress)), supply: 10n ** 15n, decimals: usdcDecimals },
    ...{ isInitialized: true, freezeAuthority: kit.none() },
  });
  return [
    {
      ...{ address: usdcMint, lamports: rentOf(svm, 82), owner: token.TOKEN_PROGRAM_ADDRESS },
      data: Uint8Array.from(data),
    },
    { address: solverAddress, lamports: 10n ** 15n, owner: systemProgram, data: new Uint8Array() },
  ];
}

function rentOf(svm: VirtualMachine, bytes: number): bigint {
  return svm.minimumBalanceForRentExemption(BigInt(bytes));
}

type Saved = { landed: Landed; accounts: readonly SavedAccount[] };
type SavedAccount = Omit<Account, 'lamports' | 'data'> & { lamports: string; data: string };

/** Everything that landed, by its signature; in the log with the accounts that it left. @throws DamagedLogError */
function createLandings(log: FrameLog, accounts: ReturnType<typeof createAccounts>) {
  const all = new Map<string, Landed>();
  /** Every account that a transaction named. */
  const known = new Set<string>();

  function remember(landed: Landed): void {
    all.set(landed.signature, landed);
    for (const { pubkey } of landed.keys) known.add(pubkey);
  }

  for (const { content } of log.frames()) {
    const saved = savedIn(content);
    for (const each of saved.accounts)
      accounts.write({ ...each, lamports: BigInt(each.lamports), data: Buffer.from(each.data, 'base64') });
    remember(saved.landed);
  }
  return {
    all: all as ReadonlyMap<string, Landed>,
    record(landed: Landed): Landed {
      const changed = landed.keys.flatMap(({ pubkey, writable }) => (writable ? (accounts.read(pubkey) ?? []) : []));
      const saved: Saved = {
        landed,
        accounts: changed.map((each) => ({
          ...each,
          lamports: String(each.lamports),
          data: Buffer.from(each.data).toString('base64'),
        })),
      };
      log.append(Buffer.from(JSON.stringify(saved)));
      remember(landed);
      return landed;
    },
    /** The token accounts of a wallet. */
    tokensOf: (owner: string) =>
      [...known].flatMap((address) => {
        const held = accounts.tokens(address);
        return held?.owner === owner ? [{ address, ...held }] : [];
      }),
  };
}

function savedIn(content: Buffer): Saved {
  try {
    return JSON.parse(content.toString()) as Saved;
  } catch {
    throw new DamagedLogError('It has a transaction that cannot be read.');
  }
}

/** @throws RejectedError */
function decode(kit: Libraries['kit'], wire: Uint8Array): Transaction {
  try {
    return kit.getTransactionDecoder().decode(wire);
  } catch {
    throw new RejectedError('failed to deserialize the transaction');
  }
}

/** The keys that a signed transaction names. @throws RejectedError */
function keysOf(
  kit: Libraries['kit'],
  { messageBytes }: Transaction,
): { keys: Key[]; hash: string; signatures: number } {
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

/** What a wallet gained of a token in a transaction, in base units. */
export function gained({ tokensBefore, tokensAfter }: Landed, owner: string, mint: string): bigint {
  const held = (balances: readonly TokenBalance[]): bigint =>
    balances.reduce((sum, each) => (each.owner === owner && each.mint === mint ? sum + BigInt(each.amount) : sum), 0n);
  return held(tokensAfter) - held(tokensBefore);
}

const systemProgram = '11111111111111111111111111111111';

/** The virtual machine's word for a failure: `InstructionError(3, Custom(1))`. */
function wordsOf(failed: { toString(): string }): string {
  const text = failed.toString();
  return /\berr: (.*?), meta: /s.exec(text)?.[1] ?? text.slice(0, 200);
}

const tokenAccountBytes = 165;

/** The accounts, as the virtual machine has them, and what token accounts hold. */
function createAccounts(svm: () => VirtualMachine, { kit, token }: Libraries) {
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

const slotMs = 400;
/** Slots for which a block hash may be named, as on Solana. */
const hashLife = 150;
/** How long one block hash is given out. */
const hashMs = 5_000;
const firstMs = Date.UTC(2025, 0, 1);

/** The slots, which are of real time, and the block hashes that transactions name. */
function createSlots(svm: () => VirtualMachine, clock: () => number) {
  const hashes: { hash: string; slot: number; atMs: number }[] = [];
  let latestSlot = 0;

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
      svm().expireBlockhash();
      hashes.push({ hash: svm().latestBlockhash(), slot: slot(), atMs: now });
    }
    while (hashes[0] && hashes[0].slot + hashLife < slot()) hashes.shift();
    const found = hashes.at(-1);
    if (!found) throw new Error('There is no block hash.');
    return { hash: found.hash, lastValidSlot: found.slot + hashLife };
  }

  function isGood(hash: string): boolean {
    return hashes.some((each) => each.hash === hash && each.slot + hashLife >= slot());
  }

  return {
    slot,
    nextSlot,
    blockhash,
    isGood,
    /** Something landed in this slot before a restart. */
    pass(landed: number): void {
      latestSlot = Math.max(latestSlot, landed);
    },
    /** Lets the programs see the time. */
    tick(): void {
      const now = svm().getClock();
      now.slot = BigInt(slot());
      now.unixTimestamp = BigInt(Math.floor(clock() / 1000));
      svm().setClock(now);
    },
  };
}
