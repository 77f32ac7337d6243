/**
 * Accounts on chains that are neither EVM chains nor the venue: read as a person types or pastes them, held to the rules
 * of the chain, and compared.
 *
 * Solana has no checksum: of two addresses that differ in one letter, both may be accounts.
 */

import * as Address from '../base/Address.js';
import * as AddressText from '../base/AddressText.js';
import { BaseError } from '../base/Errors.js';
import * as ChainVm from '../network/ChainVm.js';
import type * as Network from '../network/Network.js';
import * as AddressEncoding from './AddressEncoding.js';
import * as BaseCodec from './BaseCodec.js';
import * as BitcoinAddress from './BitcoinAddress.js';
import * as TonAddress from './TonAddress.js';

/** The kinds of chains whose accounts are read here. */
export type Kind = Exclude<Network.Vm, 'evm' | 'lvm'>;

type On = Pick<Network.Chain, 'vm' | 'displayName' | 'native' | 'tokens'>;

/** Whether accounts of the chain are read here. */
export function isForeign({ vm }: Pick<Network.Chain, 'vm'>): boolean {
  return vm !== 'evm' && vm !== 'lvm';
}

/**
 * Reads an account and returns the form that orders have: Bitcoin's capitals in lower case, TON's base64 as base64url. The
 * address of a token, or what stands for the native asset, is no account: nobody could move what is paid there.
 *
 * @param what names the account in the error message: `recipient`
 *
 * @throws request.invalid-address
 */
export function from(text: string, on: On, what: string): string {
  const kind = on.vm as Kind;
  if (kind === 'hypevm') return Address.from(text, what);
  const token = [on.native, ...on.tokens].find(({ address }) => address === text);
  if (token) throw foreignAccount(text, what, on, `stands for ${token.symbol} itself`);
  const spelt = forms[kind].spell?.(text) ?? text;
  const wrong = forms[kind].objection(spelt);
  if (wrong === undefined) return spelt;
  throw foreignAccount(text, what, on, otherKind(text, kind) ?? wrong);
}

/** Refuses, on an EVM chain, an account of a chain of another kind. @throws request.invalid-address */
export function assertNotForeign(text: string, on: On, what: string): void {
  const other = otherKind(text);
  if (other !== undefined) throw foreignAccount(text, what, on, other);
}

/** Whether two texts name the same account of a chain, whatever their form. */
export function isEqual(a: string, b: string, chain: Pick<Network.Chain, 'vm'> | undefined): boolean {
  if (chain === undefined || !isForeign(chain)) return AddressText.isEqual(a, b);
  const [one, other] = [a, b].map((text) => AddressEncoding.account(text, ChainVm.ofOne(chain)));
  if (one === undefined || other === undefined) return a === b;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

type Form = {
  /** What an account looks like, in a sentence. */
  hint: string;
  /** Another spelling of the same account, as orders have it. */
  spell?(text: string): string;
  /** Why a text is no account, to follow "it". */
  objection(text: string): string | undefined;
};

const forms: Readonly<Record<Exclude<Kind, 'hypevm'>, Form>> = {
  svm: {
    hint: 'A Solana account is 32 bytes in Base58, as a wallet shows it. It has no checksum: compare every character.',
    objection: (text) => {
      const bytes = BaseCodec.decode(text, BaseCodec.bitcoin);
      if (bytes === undefined) return 'has characters that Base58 does not have, or too many';
      return bytes.length === 32 ? undefined : `has ${bytes.length} bytes, and a Solana account has 32`;
    },
  },
  bvm: {
    hint: 'A Bitcoin address starts with bc1, 1 or 3.',
    spell: (text) => (/^BC1[0-9A-Z]+$/.test(text) ? text.toLowerCase() : text),
    objection: BitcoinAddress.objection,
  },
  tvm: {
    hint: 'A Tron address starts with T and has 34 characters.',
    objection: (text) => {
      if (AddressEncoding.account(text, 'tron-vm')) return undefined;
      const payload = BaseCodec.decodeChecked(text, BaseCodec.bitcoin);
      if (payload?.length === 21 && payload[0] === 0xa0) return 'is for a test network of Tron';
      if (/^(0x)?41[0-9a-fA-F]{40}$/.test(text)) return 'is in the hexadecimal form, which has no checksum';
      return payload?.length === 21
        ? 'is for another network than Tron'
        : 'is mistyped or cut: its checksum or its length is wrong';
    },
  },
  tonvm: {
    hint: 'A TON address starts with EQ or UQ and has 48 characters, or is 0: and 64 hexadecimal digits.',
    spell: (text) => (text.length === 48 ? text.replaceAll('+', '-').replaceAll('/', '_') : text),
    objection: TonAddress.objection,
  },
};

const names: readonly (readonly [Kind, string])[] = [
  ['bvm', 'Bitcoin'],
  ['tvm', 'Tron'],
  ['tonvm', 'TON'],
  ['svm', 'Solana'],
];

/** The chain whose address the text is, to follow "it"; undefined if it is none. */
function otherKind(text: string, wanted?: Kind): string | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return wanted && 'is an address of EVM chains';
  const found = names.find(([kind]) => kind !== wanted && AddressEncoding.account(text, ChainVm.ofOne({ vm: kind })));
  return found && `is an address of ${found[1]}`;
}

/** Thrown for a text that is no account of the chain. */
function foreignAccount(text: string, what: string, { vm, displayName }: On, why: string): BaseError {
  return new BaseError('request.invalid-address', `The ${what} "${text}" is no account on ${displayName}: it ${why}.`, {
    hint: vm === 'evm' || vm === 'lvm' || vm === 'hypevm' ? undefined : forms[vm].hint,
  });
}
