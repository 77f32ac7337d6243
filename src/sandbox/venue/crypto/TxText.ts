/** Parses transaction JSON strictly: integers without loss of precision, each within its limits. */
import type { Hex } from 'viem';
import { type Fields, names, type TxInfo } from './TxInfo.js';
import { type Code, VenueRefusalError } from './VenueRefusal.js';

/** Limits of each number, and the error codes below and above them. */
export const limits: Readonly<
  Record<keyof Fields, readonly [least: bigint, greatest: bigint, below: Code, above: Code]>
> = {
  FromAccountIndex: [-1n, 2n ** 48n - 2n, 21102, 21102],
  ApiKeyIndex: [0n, 254n, 21110, 21110],
  ToAccountIndex: [-1n, 2n ** 48n - 2n, 21106, 21106],
  AssetIndex: [1n, 62n, 21801, 21801],
  FromRouteType: [0n, 1n, 21124, 21124],
  ToRouteType: [0n, 1n, 21124, 21124],
  Amount: [1n, 2n ** 60n - 1n, 21118, 21119],
  USDCFee: [0n, 2n ** 60n - 1n, 21134, 21134],
  ExpiredAt: [0n, 2n ** 48n - 1n, 21501, 21501],
  Nonce: [0n, 2n ** 63n - 1n, 21104, 21104],
};

/** @throws 21501 if the text is not a transaction, otherwise the code of the invalid field */
export function read(text: string): TxInfo {
  const members = parse(text);
  if (Object.keys(members.plain).some((name) => !known.includes(name))) throw new VenueRefusalError(21501);
  const { Memo, Sig, L1Sig, L2TxAttributes } = members.plain;
  if (!isEmpty(L2TxAttributes)) throw new VenueRefusalError(21501);
  const fields = Object.fromEntries(names.map((name) => [name, toNumber(members, name)])) as Fields;
  return { ...fields, Memo: toMemo(Memo), Sig: toSig(Sig), L1Sig: toL1Sig(L1Sig) };
}

const known: readonly string[] = [...names, 'Memo', 'Sig', 'L1Sig', 'L2TxAttributes'];

type Members = {
  plain: Readonly<Record<string, unknown>>;
  /** The same with every number as text, because JavaScript numbers lose precision. */
  exact: Readonly<Record<string, unknown>>;
};

function parse(text: string): Members {
  try {
    const plain: unknown = JSON.parse(text);
    if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) {
      const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
        token.startsWith('"') ? token : JSON.stringify(token),
      );
      return { plain: plain as Members['plain'], exact: JSON.parse(quoted) };
    }
  } catch {
    // Rejected below.
  }
  throw new VenueRefusalError(21501);
}

function toNumber({ plain, exact }: Members, name: keyof Fields): bigint {
  const digits = exact[name];
  if (typeof plain[name] !== 'number' || typeof digits !== 'string' || !/^-?\d+$/.test(digits)) {
    throw new VenueRefusalError(21501);
  }
  const number = BigInt(digits);
  const [least, greatest, below, above] = limits[name];
  if (number < least) throw new VenueRefusalError(below);
  if (number > greatest) throw new VenueRefusalError(above);
  return number;
}

function toMemo(value: unknown): Uint8Array {
  const isByte = (each: unknown): boolean => Number.isInteger(each) && Number(each) >= 0 && Number(each) <= 255;
  if (!Array.isArray(value) || value.length !== 32 || !value.every(isByte)) throw new VenueRefusalError(21501);
  return Uint8Array.from(value);
}

function toSig(value: unknown): Uint8Array {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (bytes.length !== 80 || bytes.toString('base64') !== value) throw new VenueRefusalError(21120);
  return Uint8Array.from(bytes);
}

function toL1Sig(value: unknown): Hex | '' {
  if (value === undefined || value === '') return '';
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value)) throw new VenueRefusalError(21504);
  return value as Hex;
}

/** Attributes would change what is signed; the sandbox supports none. */
function isEmpty(attributes: unknown): boolean {
  return attributes === undefined || attributes === null || JSON.stringify(attributes) === '{}';
}
