/** Who signs: chosen from flags, variables and files, and unlocked only when there is something to sign. */
import type { Address } from '../core/Address.js';
import type { Config } from '../core/Config.js';
import * as DevelopmentAccount from '../core/DevelopmentAccount.js';
import { BaseError } from '../core/Errors.js';
import type { Network } from '../core/Network.js';
import * as Networks from '../core/Networks.js';
import type { Account, Hex } from '../core/Ports.js';
import type { Secret } from '../core/Secret.js';
import type { Source } from '../core/Setting.js';
import type { Parts as KeystoreParts } from './keystore.js';
import { loadAccounts } from './secp256k1.js';

export type Parts = KeystoreParts & { config: Config; network: Network };

type Choice =
  | { kind: 'development'; name: string; index: number }
  | { kind: 'keystore'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'key'; key: Secret; place: string };

/** Who signs, and how to get at the key. A keystore that carries no address has been opened to tell. */
type Signer = { name: string; address: Address; key: () => Promise<Hex> };

export type Accounts = {
  /** The sender's address. Nothing is unlocked for it, unless another tool's keystore keeps its address to itself. */
  sender(): Promise<Address>;
  /** The account that signs, unlocked. */
  account(): Promise<Account>;
};

/**
 * Who signs in one run. What was read from stdin or asked once is not read or asked again.
 *
 * Both throw auth.no-account · auth.unknown-account · auth.development-key · auth.keystore · usage.invalid, and
 * `account` also auth.password and prompt.*.
 */
export function createAccounts(parts: Parts): Accounts {
  let signer: Promise<Signer> | undefined;
  let account: Promise<Account> | undefined;
  const once = () => {
    signer ??= resolveSigner(parts);
    return signer;
  };
  return {
    sender: async () => (await once()).address,
    account: () => {
      account ??= once().then(unlock);
      return account;
    },
  };
}

async function unlock(signer: Signer): Promise<Account> {
  const key = await signer.key();
  const { privateKeyToAccount } = await loadAccounts();
  const local = privateKeyToAccount(key);
  const { name } = signer;
  const isDevelopment = DevelopmentAccount.isKnown(local.address);
  const sandboxIds = isDevelopment ? await idsOfSandbox() : [];
  /** The network's name was checked before; its chains may have been described by a file. */
  const signing = async <T>(chainId: number, sign: () => Promise<T>): Promise<T> => {
    if (isDevelopment && !sandboxIds.includes(chainId))
      throw new DevelopmentAccount.DevelopmentKeyError(name, `chain ${chainId}`);
    try {
      return await sign();
    } catch (error) {
      throw new SignError(name, error);
    }
  };
  return {
    name,
    address: local.address,
    signTransaction: ({ authorizationList, ...transaction }) =>
      signing(transaction.chainId, () =>
        authorizationList
          ? local.signTransaction({ type: 'eip7702', ...transaction, authorizationList: [...authorizationList] })
          : local.signTransaction({ type: 'eip1559', ...transaction }),
      ),
    signTypedData: (typed) =>
      signing(Number(typed.domain.chainId), () =>
        local.signTypedData(typed as Parameters<typeof local.signTypedData>[0]),
      ),
    signMessage: (message, chainId) => signing(chainId, () => local.signMessage({ message })),
    signAuthorization: ({ chainId, address, nonce }) =>
      signing(chainId, async () => {
        const { r, s, yParity } = await local.signAuthorization({ chainId, address, nonce });
        return { chainId, address, nonce, yParity: yParity ?? 0, r, s };
      }),
  };
}

/** What a development key may be bound to: the sandbox's chains and its venue. */
async function idsOfSandbox(): Promise<readonly (number | undefined)[]> {
  const { chains, venue } = await Networks.load('sandbox');
  return [...chains.filter(({ vm }) => vm === 'evm').map(({ id }) => id), venue?.signingChainId];
}

async function resolveSigner(parts: Parts): Promise<Signer> {
  const signer = await toSigner(choose(parts.config, parts.network), parts);
  if (parts.network.name !== 'sandbox' && DevelopmentAccount.isKnown(signer.address))
    throw new DevelopmentAccount.DevelopmentKeyError(signer.name, parts.network.name);
  return signer;
}

async function toSigner(choice: Choice, parts: Parts): Promise<Signer> {
  if (choice.kind === 'development') {
    const { name, index } = choice;
    return { name, address: DevelopmentAccount.address(index), key: async () => DevelopmentAccount.key(index) };
  }
  if (choice.kind === 'keystore') {
    const { find, folder, unlock } = await import('./keystore.js');
    const stored = await find(folder(parts.host), choice.name);
    const open = async () => (await unlock(stored, parts)).reveal() as Hex;
    if (stored.address) return { name: choice.name, address: stored.address, key: open };
    return ofKey(choice.name, await open());
  }
  const { readKey, toKey } = await import('./keyFile.js');
  const [name, secret] =
    choice.kind === 'file'
      ? [choice.path, await readKey(choice.path, parts.host)]
      : [choice.place, toKey(choice.key.reveal(), choice.place)];
  return ofKey(name, secret.reveal() as Hex);
}

async function ofKey(name: string, key: Hex): Promise<Signer> {
  const { privateKeyToAddress } = await loadAccounts();
  return { name, address: privateKeyToAddress(key), key: async () => key };
}

const ranks: readonly Source['kind'][] = ['flag', 'env', 'user'];

/** Flags beat variables, and those the user file. Within one place a key file beats a key, and that a name. */
function choose({ keyFile, privateKey, account }: Config, network: Network): Choice {
  if (keyFile.source.kind === 'flag' && account.source.kind === 'flag') throw new TwoAccountsError();
  for (const rank of ranks) {
    if (keyFile.value !== undefined && keyFile.source.kind === rank) return { kind: 'file', path: keyFile.value };
    if (privateKey.value && privateKey.source.kind === rank)
      return { kind: 'key', key: privateKey.value, place: 'name' in privateKey.source ? privateKey.source.name : '' };
    if (account.value !== undefined && account.source.kind === rank) return named(account.value, network);
  }
  if (network.name === 'sandbox') return named('dev0', network);
  throw new NoAccountError(network);
}

function named(name: string, network: Network): Choice {
  const index = DevelopmentAccount.index(name);
  if (index === undefined) return { kind: 'keystore', name };
  if (network.name !== 'sandbox') throw new DevelopmentAccount.DevelopmentKeyError(name, network.name);
  return { kind: 'development', name, index };
}

export class NoAccountError extends BaseError {
  override name = 'NoAccountError';
  constructor(network: Network) {
    super('auth.no-account', `No account is configured to sign on ${network.name}.`, {
      hint: 'Make a key or import one, then name it with --account. In CI, set FERRY_PRIVATE_KEY.',
      next: 'ferry key new main',
    });
  }
}

export class TwoAccountsError extends BaseError {
  override name = 'TwoAccountsError';
  constructor() {
    super('usage.invalid', '--key-file and --account cannot be combined: each says who signs.');
  }
}

export class SignError extends BaseError {
  override name = 'SignError';
  constructor(name: string, cause: unknown) {
    const { shortMessage } = cause as { shortMessage?: unknown };
    super('sign.failed', `${name} could not sign.`, {
      facts: typeof shortMessage === 'string' ? [['reason', shortMessage]] : [],
    });
  }
}
