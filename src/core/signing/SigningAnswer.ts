/**
 * The answer of a signing command: the last line on its stdout, in hexadecimal digits. It is what was signed, with its
 * signature, or the signature alone: 65 bytes, or r and s as 64 bytes or in DER, as key management services give them.
 *
 * Only the signature is taken from it. It must be the account's over what was asked, and what is sent is put together
 * from that and the signature. What an answer says beside the signature is compared too, to say what is different.
 */

import {
  bytesToBigInt,
  bytesToHex,
  concat,
  fromRlp,
  hexToBigInt,
  hexToBytes,
  hexToNumber,
  numberToHex,
  size,
  slice,
} from 'viem/utils';
import * as Address from '../base/Address.js';
import { BaseError, type Fact } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Secp256k1 from '../base/Secp256k1.js';
import type { Account, Authorization } from '../ports/Ports.js';
import * as TerminalText from '../text/TerminalText.js';
import * as SignedTransaction from './SignedTransaction.js';
import * as SigningAct from './SigningAct.js';

/** A signature of the curve. `s` is in the lower half, as chains demand. */
export type Signature = { r: Hex; s: Hex; yParity: number };

/** The account, and how its command is run: the act on its stdin, its stdout as result. */
type Wallet = { address: Address.Address; run(input: string): Promise<string> };

/**
 * An account whose key is elsewhere: a command of the user's own signs for it, and what it signed is checked. Each of
 * its methods runs the command once, and throws auth.signer unless the answer is the account's signature over exactly
 * what was asked.
 */
export function account({ address, run }: Wallet): Account {
  const sign = async (act: SigningAct.Act): Promise<Signature> =>
    read(await run(SigningAct.toInput(act, address)), act, address);
  return {
    name: address,
    address,
    signTransaction: async (transaction) =>
      SignedTransaction.toBytes(transaction, await sign({ type: 'transaction', transaction })),
    signTypedData: async (typed) => toHex(await sign({ type: 'typed-data', typed })),
    signMessage: async (message, chainId) => toHex(await sign({ type: 'message', message, chainId })),
    signAuthorization: async ({ chainId, address: delegate, nonce }) => {
      const wanted = { chainId, address: delegate, nonce };
      return { ...wanted, ...(await sign({ type: 'authorization', wanted })) };
    },
  };
}

/**
 * Reads the signature of an account over what was asked.
 *
 * @throws auth.signer if it is no answer, of something else or of another account · submit.unknown if the command seems
 * to have sent the transaction itself
 */
export async function read(stdout: string, act: SigningAct.Act, account: Address.Address): Promise<Signature> {
  const bytes = bytesOf(stdout);
  if (act.type === 'transaction' && size(bytes) === 32)
    throw new BaseError(
      'submit.unknown',
      'The signing command printed a hash: it may have sent the transaction itself.',
      {
        hint: 'It must print the signed transaction, and send nothing (cast mktx, not cast send). Look at the account’s transactions before you pay again.',
      },
    );
  const { signature, differing } = partsOf(bytes, act);
  if (differing.length > 0)
    throw new BaseError('auth.signer', `The signing command signed a different ${named[act.type]}. It is not sent.`, {
      facts: differing,
      hint: 'It must sign exactly what it is given, nonce and fees included.',
    });
  return ofAccount(signature, SigningAct.digest(act), account);
}

/** `0x`, 64 digits for `r` and for `s`, and 1b or 1c. */
export function toHex({ r, s, yParity }: Signature): Hex {
  return `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
}

/** A signature as an answer has it. The parity is undefined if the answer leaves it out. */
type Raw = { r: bigint; s: bigint; yParity: number | undefined };

type ParsedAnswer = { signature: Raw; differing: readonly Fact[] };

function bytesOf(stdout: string): Hex {
  const line = stdout.trim().split('\n').at(-1)?.trim() ?? '';
  // It is not repeated: it may be a key.
  if (!/^(0x)?([0-9a-fA-F]{2})+$/.test(line)) throw noSignature(`${line.length} characters, not hexadecimal`);
  return `0x${line.replace(/^0x/, '').toLowerCase()}`;
}

function partsOf(bytes: Hex, act: SigningAct.Act): ParsedAnswer {
  const signature = signatureOf(bytes);
  if (signature) return { signature, differing: [] };
  const parts = act.type === 'transaction' ? ofTransaction(bytes, act) : undefined;
  const found = parts ?? (act.type === 'authorization' ? ofAuthorization(bytes, act) : undefined);
  if (!found) throw noSignature(`${size(bytes)} bytes, which are no ${named[act.type]} and no signature`);
  return found;
}

function ofTransaction(
  bytes: Hex,
  { transaction }: SigningAct.Act & { type: 'transaction' },
): ParsedAnswer | undefined {
  const found = SignedTransaction.read(bytes);
  if (!found) return undefined;
  const { content, signature } = found;
  const wanted = SignedTransaction.contentOf(transaction);
  const differing = differences(content, wanted);
  if (!signature && differing.length === 0) throw noSignature('the transaction, which is not signed');
  const { r, s, yParity } = signature ?? { r: '0x0', s: '0x0', yParity: undefined };
  return { signature: { r: hexToBigInt(r), s: hexToBigInt(s), yParity }, differing };
}

function differences(found: SignedTransaction.Content, wanted: SignedTransaction.Content): Fact[] {
  const isOf = (type: string) => found.type === type && wanted.type === type;
  // A transaction of another type has other fields: those that both have say more.
  const fields = (Object.keys(wanted) as (keyof SignedTransaction.Content)[]).filter(
    (field) => field !== 'authorizationList' || isOf('eip7702'),
  );
  return fields.flatMap((field): Fact[] => {
    const [is, should] = [found[field], wanted[field]].map((value) => text(value));
    return is === should ? [] : [[field, `${shown(is)} instead of ${shown(should)}`]];
  });
}

function text(value: SignedTransaction.Content[keyof SignedTransaction.Content]): string {
  if (typeof value !== 'object') return String(value).toLowerCase();
  return value.map((each) => (typeof each === 'string' ? each : SignedTransaction.authorizationBytes(each))).join(' ');
}

function shown(value = ''): string {
  if (value === '') return 'none';
  return value.length > 80 ? `${value.slice(0, 40)}… (${(value.length - 2) / 2} bytes)` : TerminalText.escape(value);
}

function ofAuthorization(bytes: Hex, { wanted }: SigningAct.Act & { type: 'authorization' }): ParsedAnswer | undefined {
  const found = authorizationIn(bytes);
  if (!found) return undefined;
  const differing = (['chainId', 'address', 'nonce'] as const).flatMap((field): Fact[] => {
    const [is, should] = [String(found[field]).toLowerCase(), String(wanted[field]).toLowerCase()];
    return is === should ? [] : [[field, `${is} instead of ${should}`]];
  });
  const { r, s, yParity } = found;
  return { signature: { r: hexToBigInt(r), s: hexToBigInt(s), yParity }, differing };
}

function authorizationIn(bytes: Hex): Authorization | undefined {
  try {
    const parts = fromRlp(bytes, 'hex');
    const isFlat = Array.isArray(parts) && parts.every((part) => typeof part === 'string');
    return isFlat ? SignedTransaction.toAuthorization(parts as Hex[]) : undefined;
  } catch {
    return undefined;
  }
}

/** A signature alone, in one of its forms; undefined if the bytes are none. */
function signatureOf(bytes: Hex): Raw | undefined {
  const length = size(bytes);
  if (length !== 64 && length !== 65) return ofDer(bytes);
  const r = hexToBigInt(slice(bytes, 0, 32));
  const s = hexToBigInt(slice(bytes, 32, 64));
  const v = length === 65 ? hexToNumber(slice(bytes, 64)) : undefined;
  if (v !== undefined && ![0, 1, 27, 28].includes(v)) return undefined;
  return { r, s, yParity: v === undefined ? undefined : v % 27 };
}

/** Two integers in DER: a sequence of less than 128 bytes. */
function ofDer(bytes: Hex): Raw | undefined {
  const all = hexToBytes(bytes);
  const integerAt = (at: number): Uint8Array => all.subarray(at + 2, at + 2 + (all[at + 1] ?? 0));
  const [r, s] = [integerAt(2), integerAt(4 + (all[3] ?? 0))];
  const whole = concat([Uint8Array.of(0x30, r.length + s.length + 4, 2, r.length), r, Uint8Array.of(2, s.length), s]);
  if (r.length === 0 || s.length === 0 || r.length > 33 || s.length > 33 || bytesToHex(whole) !== bytes)
    return undefined;
  return { r: bytesToBigInt(r), s: bytesToBigInt(s), yParity: undefined };
}

/** The order of the curve. */
const order = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;

/**
 * The signature, if it is the account's. The parity is what makes it so: it cannot be another signature then, and some
 * services leave it out or count it otherwise.
 *
 * @throws auth.signer
 */
async function ofAccount({ r, s, yParity }: Raw, digest: Hex, account: Address.Address): Promise<Signature> {
  if (r <= 0n || s <= 0n || r >= order || s >= order) throw otherSigner(account, undefined);
  const low = s > order / 2n ? order - s : s;
  const digits = (value: bigint): Hex => numberToHex(value, { size: 32 });
  const both = [0, 1].map((parity): Signature => ({ r: digits(r), s: digits(low), yParity: parity }));
  const signers = await Promise.all(
    both.map((signature) => Secp256k1.recover({ hash: digest, signature }).catch(() => undefined)),
  );
  const own = both[signers.findIndex((signer) => signer !== undefined && Address.isEqual(signer, account))];
  if (own) return own;
  const parity = low === s ? yParity : yParity && 1 - yParity;
  throw otherSigner(account, parity === undefined ? undefined : signers[parity]);
}

const named: Readonly<Record<SigningAct.Act['type'], string>> = {
  transaction: 'transaction',
  'typed-data': 'typed data',
  message: 'message',
  authorization: 'authorization',
};

/** What it printed is neither what was to be signed nor a signature. */
function noSignature(found: string): BaseError {
  return new BaseError('auth.signer', 'The signing command printed no signature. Nothing was sent.', {
    facts: [['answer', found]],
    hint: 'It must print what it signed, or the signature alone, in hexadecimal digits as the last line of its stdout.',
  });
}

/** The signature is another account's, or over something else. */
function otherSigner(account: Address.Address, signer: Address.Address | undefined): BaseError {
  return new BaseError(
    'auth.signer',
    'The signing command’s signature is not the account’s over what was asked. It is not sent.',
    {
      facts: [['account', account], ...(signer === undefined ? [] : ([['signed by', signer]] as const))],
      hint: 'Either it signs with the key of another account, or it signed something else.',
    },
  );
}
