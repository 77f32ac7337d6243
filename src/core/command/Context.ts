/** What a command is given besides its options. `cli/createContext` makes it. */
import type * as z from 'zod/mini';
import type * as KeyStores from '../accounts/KeyStores.js';
import type { Address } from '../base/Address.js';
import type { BatchLedger } from '../batch/BatchLedger.js';
import type * as BatchResult from '../batch/BatchResult.js';
import type * as Installation from '../completion/Installation.js';
import type * as Config from '../config/Config.js';
import type { ConfigFiles } from '../config/ConfigFile.js';
import type { Chain, Network } from '../network/Network.js';
import type { PinStore } from '../network/TrustedContracts.js';
import type * as Ports from '../ports/Ports.js';
import type { SandboxProcess } from '../ports/SandboxProcess.js';
import type { Machine } from '../ports/SystemInfo.js';
import type { Files } from '../ports/UserFiles.js';
import type { Runs } from '../tracking/RunStore.js';

export type Context = Ports.Reach & {
  config: Config.Config;
  /** Shipped and configured, with the user's pins laid over. */
  network: Network;
  pins: PinStore;
  clock: Ports.Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  prompt: Ports.Prompt;
  /** Whether somebody can be asked. */
  interactive: boolean;
  /** Whether stdout has ferry's own JSON alone. */
  json: boolean;
  /** Whether --yes answers confirmations. */
  yes: boolean;
  /** Asks before something that cannot be undone; --yes answers. @throws prompt.declined · usage.confirmation */
  confirm(question: string, enter?: 'yes' | 'no'): Promise<void>;
  /** A line for stderr, also collected in the envelope's warnings. */
  warn(text: string): void;
  /** A node for what is still to be said at the end: it answers after Ctrl-C, and for a moment only. @throws chain.no-rpc */
  afterwards(chain: Chain): Promise<Ports.Chain>;
  /** The network with its URLs: those of the sandbox are known once it runs. */
  located(): Promise<Network>;
  /** For so long alone: what is asked then still fails with a `TimeoutError`. Also of another network. */
  within(limitMs: number, network?: Network): Ports.Reach;
  /** Runs a command of the user's own that signs: a text on its stdin, its stdout back. @throws auth.signer */
  runSigner(command: string, input: string): Promise<string>;
  /** The sender's address, without unlocking anything. @throws auth.no-account · auth.unknown-account */
  sender(): Promise<Address>;
  /** The account that signs, unlocked. @throws auth.* */
  account(): Promise<Ports.Account>;
  /** Who that would be, without asking or opening anything. @throws auth.* */
  signer(): Promise<KeyStores.NamedSigner>;
  machine(): Promise<Machine>;
  /** Taken before a nonce is read, released when it is used up. */
  nonces: Ports.Nonces;
  keystore: KeyStores.Keystore;
  venueKeys(): Promise<KeyStores.VenueKeys>;
  configFiles: ConfigFiles;
  completionFiles: Installation.Files;
  sandbox: SandboxProcess;
  /** The id of the sandbox's instance in use; undefined on other networks. */
  instance(): Promise<string | undefined>;
  runs(): Promise<Runs>;
  files: Files;
  /** Takes the ledger of a batch up, or begins one. @throws batch.ledger · config.unwritable */
  ledger(path: string, owner: BatchResult.Owner): Promise<BatchLedger>;
  /** The fields of a result that are wanted; all of it where none are named. */
  pick(data: unknown): unknown;
  /** Takes the secrets of the configuration out of a text that is kept somewhere. */
  conceal(text: string): string;
  /** Every command of the program, with the schema of its result. */
  commands: readonly { name: string; load(): Promise<{ output: z.ZodMiniType }> }[];
  /** ferry's own version. */
  version: string;
  /** The same with more options typed and its confirmations answered: what one of several transfers runs in. */
  derive(options: Readonly<Record<string, unknown>>): Context;
};
