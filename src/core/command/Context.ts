/** The environment of a command: configuration and ports. `cli/createContext` builds it. */
import type * as z from 'zod/mini';
import type * as KeyStores from '../accounts/KeyStores.js';
import type { Address } from '../base/Address.js';
import type { Seal } from '../base/Seal.js';
import type { BatchLedger } from '../batch/BatchLedger.js';
import type * as BatchResult from '../batch/BatchResult.js';
import type * as Installation from '../completion/Installation.js';
import type * as Config from '../config/Config.js';
import type { ConfigFiles } from '../config/ConfigFile.js';
import type { Chain, Network } from '../network/Network.js';
import type { PinStore } from '../network/TrustedContracts.js';
import type * as Ports from '../ports/Ports.js';
import type { ControlPlane, SandboxProcess } from '../ports/SandboxProcess.js';
import type { StoreControl } from '../ports/StoreControl.js';
import type { SystemInfo } from '../ports/SystemInfo.js';
import type { UserFiles } from '../ports/UserFiles.js';
import type { Place } from '../text/Place.js';
import type { Runs } from '../tracking/RunStore.js';
import type { StoreDoubt } from '../tracking/StoreDoubt.js';
import type { Batches, LineWitness } from '../worker/BatchStore.js';
import type { Page, PageServer } from '../worker/WorkerPage.js';

export type Context = Ports.Reach & {
  config: Config.Config;
  /** The network in use: shipped and configured values, overlaid with the user's pins. */
  network: Network;
  /** The network as every question and result of a payment names it, with the user's names for addresses. */
  place: Place;
  pins: PinStore;
  clock: Ports.Clock;
  signal: AbortSignal;
  prompt: Ports.Prompt;
  interactive: boolean;
  /** Whether stdout carries nothing but JSON. */
  json: boolean;
  yes: boolean;
  /** Asks for confirmation of an irreversible action; `--yes` confirms. @throws prompt.declined · usage.confirmation */
  confirm(question: string, enter?: 'yes' | 'no'): Promise<void>;
  /** Shows on a terminal what ferry waits for, until there is something else to show. Prints nothing elsewhere. */
  waiting(text: string): void;
  /** Prints a warning to stderr, and adds it to the envelope's warnings. */
  warn(text: string): void;
  /** A node for final reads: it still answers after Ctrl-C, for a short time. @throws chain.no-rpc */
  afterwards(chain: Chain): Promise<Ports.Chain>;
  /** Shows a text as a QR code, if stderr is a terminal. */
  showCode(text: string): Promise<void>;
  /** The network with its URLs. Starts the sandbox if it is not running. */
  located(): Promise<Network>;
  /** The ports of this or another network with a time limit, after which reads fail with a `TimeoutError`. */
  within(limitMs: number, network?: Network): Ports.Reach;
  /** Runs the user's signing command with `input` on stdin, and returns its stdout. @throws auth.signer */
  runSigner(command: string, input: string): Promise<string>;
  /** Lets the user edit a copy of a text in their editor; the path names its kind. @throws usage.invalid */
  edit(text: string, path: string): Promise<string>;
  /** Opens a page in the user's browser, if stdout is a terminal; whether it did. */
  browse(url: string): Promise<boolean>;
  /** The sender's address, without unlocking anything. @throws auth.no-account · auth.unknown-account */
  sender(): Promise<Address>;
  /** The address to price and to read for: the sender's, or the one that was selected without a key. @throws auth.* */
  watched(): Promise<Address>;
  /** The account that signs, unlocked. @throws auth.* */
  account(): Promise<Ports.Account>;
  /** The account that would sign, without a prompt or unlocking. @throws auth.* */
  signer(): Promise<KeyStores.NamedSigner>;
  machine(): Promise<SystemInfo>;
  /** Turns for nonces: taken before a nonce is read, released once it is used. */
  nonces: Ports.Nonces;
  keystore: KeyStores.Keystore;
  venueKeys(): Promise<KeyStores.VenueKeys>;
  configFiles: ConfigFiles;
  completionFiles: Installation.Files;
  sandbox: SandboxProcess;
  /** The control plane of the sandbox in use. */
  control(): ControlPlane;
  /** The id of the sandbox's instance in use; undefined on other networks. */
  instance(): Promise<string | undefined>;
  runs(): Promise<Runs>;
  counted: Ports.Counted;
  /** The database that is set as the store. @throws store.unconfigured · store.unreachable · store.refused */
  store(): Promise<StoreControl>;
  /** What the store of all machines may have forgotten; undefined if nothing, or without one. @throws store.* */
  storeDoubt(): Promise<StoreDoubt | undefined>;
  batches(): Promise<Batches>;
  /** What this machine has begun of them. */
  lineWitness(): Promise<LineWitness>;
  /** From now on, the first signal asks, and only the second one aborts. */
  drain(): Drain;
  /** Serves pages at `HOST:PORT` until they are closed. @throws usage.invalid */
  serve(at: string, answer: (path: string) => Promise<Page | undefined>): Promise<PageServer>;
  /**
   * This user's secret, which seals what ferry saves for itself; undefined if there is none and none is made.
   *
   * @throws state.untrusted · config.unreadable · config.unwritable
   */
  seal(options: { make: boolean }): Promise<Seal | undefined>;
  files: UserFiles;
  /** Opens or creates the ledger of a batch. @throws batch.ledger · config.unwritable */
  ledger(path: string, owner: BatchResult.Owner): Promise<BatchLedger>;
  /** The fields of a result selected by `--fields`; the whole result without it. */
  pick(data: unknown): unknown;
  /** Removes the configuration's secrets from a text that will be stored. */
  conceal(text: string): string;
  /** Every command of the program, with the schema of its result. */
  commands: readonly { name: string; load(): Promise<{ output: z.ZodMiniType }> }[];
  version: string;
  /** The context of one of several transfers: with additional options, and with confirmations answered. */
  derive(options: Readonly<Record<string, unknown>>): Context;
};

/** A command that ends in its own time when it is asked to. */
export type Drain = {
  asked: AbortSignal;
  /** Aborts what is under way, as a second signal does. */
  abort(): void;
};
