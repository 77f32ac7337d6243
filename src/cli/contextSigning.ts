/** What a command is given to sign with: the accounts of its settings, and the signing commands of the user. */
import { once } from '../core/base/Once.js';
import type { Context } from '../core/command/Context.js';
import type * as Config from '../core/config/Config.js';
import type { Network } from '../core/network/Network.js';
import type * as Ports from '../core/ports/Ports.js';
import { createKeystore } from '../io/keys/keystoreFolder.js';
import type { Accounts } from '../io/keys/signerChoice.js';
import type { Host } from '../io/terminal/host.js';

export type SigningSettings = {
  host: Host;
  config: Config.Config;
  network: Network;
  prompt: Ports.Prompt;
  interactive: boolean;
  /** Clears any animation. */
  pause(): void;
};

export type SignerPorts = Pick<Context, 'sender' | 'watched' | 'account' | 'signer'>;

export function createSigning({ host, config, network, prompt, interactive, pause }: SigningSettings) {
  let signed: Promise<unknown> = Promise.resolve();
  /** One command at a time: lines of a batch may sign at once, and a device has one screen. */
  const runSigner = (command: string, input: string, folder = host.cwd): Promise<string> => {
    const answer = signed.then(async () => {
      pause();
      return (await import('../io/keys/externalSigner.js')).run(command, input, { ...host, cwd: folder });
    });
    signed = answer.catch(() => {});
    return answer;
  };
  const signers = new Map<string, Promise<Accounts>>();
  const createSigner = async (settings: Config.Config): Promise<Accounts> => {
    const { createAccounts } = await import('../io/keys/signerChoice.js');
    return createAccounts({ host, config: settings, network, prompt, interactive, runSigner });
  };
  /** What depends on the signer. An unlocked account stays unlocked. */
  const signing = (settings: Config.Config): SignerPorts => {
    const { value, source } = settings.account;
    const key = JSON.stringify([source.kind, value]);
    const accounts = (): Promise<Accounts> => {
      const known = signers.get(key) ?? createSigner(settings);
      signers.set(key, known);
      return known;
    };
    return {
      sender: async () => (await accounts()).sender(),
      watched: async () => (await accounts()).watched(),
      account: async () => (await accounts()).account(),
      signer: async () => (await accounts()).named(),
    };
  };
  const keys: Pick<Context, 'runSigner' | 'venueKeys' | 'keystore'> = {
    runSigner,
    venueKeys: once(async () => {
      const { createVenueKeys } = await import('../io/keys/venueKeys.js');
      return createVenueKeys({ host, config, network, prompt, interactive });
    }),
    keystore: createKeystore({ host, config, prompt, interactive }),
  };
  return { signing, keys };
}
