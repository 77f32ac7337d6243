/** Typed data to sign (EIP-712): restricted to the forms that ferry knows, and checked by what it grants. */

import type { TypedDataDefinition } from 'viem';
import * as z from 'zod/mini';
import * as Decode from '../../api/schema/Decode.js';
import * as Primitives from '../../api/schema/Primitives.js';
import type * as SignatureItem from '../../api/schema/SignatureItem.js';
import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type { Findings } from '../../quote/Finding.js';
import type { RouterCall } from '../../quote/KnownCalls.js';
import * as OrderBinding from './OrderBinding.js';
import * as TokenGrant from './TokenGrant.js';

/** The struct types of a message; the first is the primary type. */
export type Types = Readonly<Record<string, readonly Field[]>>;
type Field = { name: string; type: string };

/** What a message grants, and how it is bound to an order. */
type Meaning = { grant: TokenGrant.Grant; binding: OrderBinding.Binding };

type Form = {
  types: Types;
  /** Exactly the fields of the types, as they are hashed. */
  schema: z.ZodMiniType<Record<string, unknown>>;
  /** `token` is the contract named by the domain. */
  meaningOf(message: Record<string, unknown>, token: Address.Address): Meaning;
};

/** A signature standard with its forms. */
export type Kind = {
  /** For example `an EIP-3009 authorization`. */
  label: string;
  /** The values of `post.body.kind` for it. */
  bodyKinds: readonly string[];
  /** The one contract that accepts it and its domain name; undefined if each token is its own verifying contract. */
  domain: { name: string; contract: Address.Address } | undefined;
  forms: readonly Form[];
};

/** Decimal digits or an integer, below 2^256. */
export const uint256 = z
  .pipe(
    z.union([z.string().check(z.regex(/^[0-9]{1,78}$/)), Primitives.count]),
    z.transform((value) => BigInt(value)),
  )
  .check(z.refine((value) => value < 2n ** 256n));

/** The values of typed data by their type; hexadecimal digits in lower case, so that they can be compared with `===`. */
const values: Readonly<Record<string, z.ZodMiniType>> = {
  uint256,
  bool: z.boolean(),
  address: lowered(Primitives.address),
  bytes32: lowered(Primitives.bytes32),
  bytes: lowered(Primitives.bytes),
};

function lowered(schema: z.ZodMiniType<Hex, Hex>): z.ZodMiniType {
  return z.pipe(
    schema,
    z.transform((text) => text.toLowerCase()),
  );
}

/**
 * A form by its structs in the notation of the standards, the primary type first.
 *
 * @param meaningOf what a message of these types means
 */
function form<M>(structs: readonly string[], meaningOf: (message: M, token: Address.Address) => Meaning): Form {
  const types = typesOf(...structs);
  return { types, schema: schemaOf(types, primaryType(types)), meaningOf: meaningOf as Form['meaningOf'] };
}

/** More calls or tokens than any message lists. */
const mostListed = 100;

function schemaOf(types: Types, struct: string): Form['schema'] {
  const fields = (types[struct] ?? []).map(({ name, type }) => {
    const [of = ''] = type.split('[]');
    const one = values[of] ?? schemaOf(types, of);
    return [name, type === of ? one : z.array(one).check(z.maxLength(mostListed))];
  });
  return z.strictObject(Object.fromEntries(fields));
}

type Permit = { owner: Address.Address; spender: Address.Address; value: bigint; nonce: bigint; deadline: bigint };

/** EIP-2612 permits: an allowance for a spender, granted by signature through the token's `permit`. */
const permit: Kind = {
  label: 'an EIP-2612 permit',
  bodyKinds: ['permit', 'eip2612'],
  domain: undefined,
  forms: [
    form(
      ['Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'],
      ({ owner, spender, value, nonce, deadline }: Permit, token) => ({
        grant: {
          owner,
          spender,
          amounts: [{ token, amount: value }],
          validFrom: undefined,
          validUntil: deadline,
          nonce: String(nonce),
        },
        binding: { by: 'nothing', why: 'an allowance, which the spender may use for anything' },
      }),
    ),
  ],
};

type Authorization = {
  from: Address.Address;
  to: Address.Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
};

/** EIP-3009 authorizations: the token itself moves the owner's tokens to one address. The nonce is any 32 bytes. */
const authorization: Kind = {
  label: 'an EIP-3009 authorization',
  bodyKinds: ['eip3009'],
  domain: undefined,
  forms: [
    // Anybody may submit it to the token, and then nobody does anything for the order with what has arrived.
    authorizationForm('TransferWithAuthorization', ({ to, nonce }) => ({
      by: 'nothing',
      why: `a transfer to ${to} with nonce ${nonce}, not bound to any order`,
    })),
    authorizationForm('ReceiveWithAuthorization', ({ to, nonce }) => ({ by: 'id', payee: to, id: nonce })),
  ],
};

function authorizationForm(name: string, bindingOf: (message: Authorization) => OrderBinding.Binding): Form {
  const fields = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce';
  return form([`${name}(${fields})`], (message: Authorization, token) => {
    const { from: owner, to: spender, value: amount, validAfter: validFrom, validBefore: validUntil, nonce } = message;
    return {
      grant: { owner, spender, amounts: [{ token, amount }], validFrom, validUntil, nonce },
      binding: bindingOf(message),
    };
  });
}

/** The address of Permit2, the same on every chain. */
export const permit2Contract: Address.Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

type Witness = {
  relayer: Address.Address;
  refundTo: Address.Address;
  nftRecipient: Address.Address;
  call3Values: readonly RouterCall[];
};

/**
 * Permit2 permits: let a spender take tokens once, through the Permit2 contract, which the owner has approved. The
 * witness limits their use: its short form names only the relayer, its long form also every call that may be made.
 */
const permit2: Kind = {
  label: 'a Permit2 permit with a witness',
  bodyKinds: ['permit2'],
  domain: { name: 'Permit2', contract: permit2Contract },
  forms: [
    permit2Form('', ({ relayer }) => ({ by: 'relayer', relayer })),
    permit2Form(',address refundTo,address nftRecipient,Call3Value[] call3Values', bindingByCalls),
    // Version 3 of the approval proxy.
    permit2Form(',address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values', bindingByCalls),
  ],
};

type Permit2 = {
  permitted: readonly { token: Address.Address; amount: bigint }[];
  spender: Address.Address;
  nonce: bigint;
  deadline: bigint;
  witness: Witness;
};

/** @param more the fields of the witness after the relayer */
function permit2Form(
  more: string,
  bindingOf: (witness: Witness, spender: Address.Address) => OrderBinding.Binding,
): Form {
  const structs = [
    'PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,RelayerWitness witness)',
    'TokenPermissions(address token,uint256 amount)',
    `RelayerWitness(address relayer${more})`,
    ...(more === '' ? [] : ['Call3Value(address target,bool allowFailure,uint256 value,bytes callData)']),
  ];
  return form(structs, ({ permitted, spender, nonce, deadline, witness }: Permit2) => ({
    grant: {
      // The message names no owner: the tokens are the signer's.
      owner: undefined,
      spender,
      amounts: permitted,
      validFrom: undefined,
      validUntil: deadline,
      nonce: String(nonce),
    },
    binding: bindingOf(witness, spender),
  }));
}

function bindingByCalls(
  { relayer, refundTo, nftRecipient, call3Values: calls }: Witness,
  spender: Address.Address,
): OrderBinding.Binding {
  return { by: 'calls', spender, calls, relayer, refundTo, nftRecipient };
}

export const kinds: readonly Kind[] = [permit, authorization, permit2];

/** A domain that is valid on one chain, for one contract. */
export type Domain = {
  name?: string | undefined;
  version?: string | undefined;
  chainId: number;
  verifyingContract: Address.Address;
  salt?: `0x${string}` | undefined;
};

/** Decoded typed data. `signable` is built only from the decoded fields. */
export type Reading =
  | {
      ok: true;
      kind: Kind;
      domain: Domain;
      grant: TokenGrant.Grant;
      binding: OrderBinding.Binding;
      signable: TypedDataDefinition;
    }
  | { ok: false; expected: string; found: string };

/** Decodes typed data of a known form; otherwise returns what was expected. Never throws. */
export function read(typed: SignatureItem.TypedData): Reading {
  const { EIP712Domain: listed, ...types } = typed.types;
  const candidates = kinds.flatMap((kind) =>
    kind.forms.filter(({ types: own }) => primaryType(own) === typed.primaryType).map((each) => ({ kind, form: each })),
  );
  if (candidates.length === 0) return mismatch(kinds.map(({ label }) => label).join(', or '), typed.primaryType);
  const match = candidates.find(({ form: each }) => isSame(each.types, types));
  if (!match) return mismatch(candidates.map(({ form: each }) => format(each.types)).join(' or '), format(types));
  const { kind, form } = match;
  const domainTypes = domainTypesOf(typed.domain);
  if (listed && !isSame({ EIP712Domain: listed }, domainTypes))
    return mismatch(format(domainTypes), format({ EIP712Domain: listed }));
  const domain = domainOf(typed.domain);
  if (!domain) return mismatch('a domain with a chain id and a contract address', describe(typed.domain));
  const decoding = Decode.from(form.schema, typed.value);
  if (!decoding.ok)
    return mismatch(`a message of ${format(form.types)}`, decoding.problems.map(Decode.format).join('; '));
  const message = decoding.value;
  const { primaryType: primary } = typed;
  const signable = { domain, types: { ...domainTypes, ...form.types }, primaryType: primary, message };
  return {
    ok: true,
    kind,
    domain,
    ...form.meaningOf(message, domain.verifyingContract),
    signable: signable as unknown as TypedDataDefinition,
  };
}

/**
 * Checks the types, the domain, what the message grants, and whether it is bound to the order.
 *
 * @returns the kind, if it is known
 */
export function check(findings: Findings, typed: SignatureItem.TypedData, facts: TokenGrant.Facts): Kind | undefined {
  const reading = read(typed);
  if (!reading.ok) {
    findings.say('signature-types', false, reading.expected, reading.found);
    findings.cannot('order-binding', 'a signature that ferry can read', 'one that it cannot read');
    return undefined;
  }
  const { kind, domain, grant, binding } = reading;
  findings.say('signature-types', true, kind.label, format(typed.types));
  checkDomain(findings, domain, kind, facts);
  TokenGrant.check(findings, grant, facts);
  OrderBinding.check(findings, binding, facts);
  return kind;
}

/** The signature must be valid only on the origin chain, for the input token or for Permit2. */
function checkDomain(findings: Findings, domain: Domain, kind: Kind, facts: TokenGrant.Facts): void {
  const { name, version, chainId, verifyingContract, salt } = domain;
  const contract = kind.domain?.contract ?? facts.token;
  const wrong =
    salt !== undefined ||
    facts.chainId !== chainId ||
    !Address.isEqual(contract, verifyingContract) ||
    (kind.domain !== undefined && (name !== kind.domain.name || version !== undefined));
  const expected = describe({ name: kind.domain?.name, chainId: facts.chainId, verifyingContract: contract });
  findings.say('signature-domain', !wrong, expected, describe(domain));
  // A wrong name or version only makes the signature invalid.
  if (kind.domain === undefined)
    findings.skip(
      'signature-domain-name',
      `${name ?? 'no name'}, ${version ?? 'no version'}: only the token knows its own`,
    );
}

/** The fields present in a domain, in the order of the standard. */
function domainTypesOf(domain: Partial<SignatureItem.TypedData['domain']>): Types {
  return { EIP712Domain: domainFields.filter(({ name }) => name in domain) };
}

const { EIP712Domain: domainFields = [] } = typesOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)',
);

/** The chain id may be digits on the wire. Viem would not sign it as such, so it is converted to a number. */
function domainOf(wire: SignatureItem.TypedData['domain']): Domain | undefined {
  const { verifyingContract = '' } = wire;
  const chainId = Number(wire.chainId);
  if (!Number.isSafeInteger(chainId) || !/^0x[0-9a-fA-F]{40}$/.test(verifyingContract)) return undefined;
  return { ...wire, chainId, verifyingContract: verifyingContract.toLowerCase() as Address.Address };
}

function describe(domain: Partial<SignatureItem.TypedData['domain']>): string {
  const { name, version, chainId, verifyingContract, salt } = domain;
  const parts = { name, version, chain: chainId, contract: verifyingContract, salt };
  const present = Object.entries(parts).filter(([, part]) => part !== undefined);
  return present.map(([what, part]) => `${what} ${part}`).join(', ') || 'nothing';
}

/** Struct types by the notation of the standards: `Mail(address to,Part[] parts)`, `Part(bytes content)`. */
export function typesOf(...structs: readonly string[]): Record<string, Field[]> {
  return Object.fromEntries(
    structs.map((struct) => {
      const [name = '', fields = ''] = struct.replace(')', '').split('(');
      return [name, fields.split(',').map(field)];
    }),
  );
}

function field(text: string): Field {
  const [type = '', name = ''] = text.split(' ');
  return { name, type };
}

/** The type whose hash is signed. */
function primaryType(types: Types): string {
  return Object.keys(types)[0] ?? '';
}

/** Whether two sets of types have the same structs, with the same fields in the same order. Struct order is ignored. */
export function isSame(a: Types, b: Types): boolean {
  return canonical(a) === canonical(b);
}

function canonical(types: Types): string {
  const structs = Object.entries(types).map(([name, fields]) => [name, fields.map((each) => [each.type, each.name])]);
  return JSON.stringify(structs.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** The types in the notation of the standards. */
export function format(types: Types): string {
  return Object.entries(types)
    .map(([name, fields]) => `${name}(${fields.map((each) => `${each.type} ${each.name}`).join(',')})`)
    .join('');
}

function mismatch(expected: string, found: string): Reading {
  return { ok: false, expected, found };
}
