/** Typed data to sign (EIP-712): restricted to the forms that ferry knows, and checked by what it grants. */

import type { TypedDataDefinition } from 'viem';
import { hashStruct } from 'viem/utils';
import * as z from 'zod/mini';
import * as Decode from '../../api/schema/Decode.js';
import type * as SignatureItem from '../../api/schema/SignatureItem.js';
import * as Address from '../../base/Address.js';
import type { Findings } from '../../quote/Finding.js';
import * as OrderBinding from './OrderBinding.js';
import * as Permit2 from './Permit2.js';
import { address, bytes32, uint256 } from './SignedValue.js';
import * as TokenGrant from './TokenGrant.js';
import * as TypedDataForm from './TypedDataForm.js';

const permitTypes = TypedDataForm.types(
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
);

const permitted = z.strictObject({
  owner: address,
  spender: address,
  value: uint256,
  nonce: uint256,
  deadline: uint256,
});

/** EIP-2612 permits: an allowance for a spender, granted by signature through the token's `permit`. */
export const permit: TypedDataForm.Kind = {
  label: 'an EIP-2612 permit',
  bodyKinds: ['permit', 'eip2612'],
  domain: undefined,
  forms: [
    TypedDataForm.of(permitTypes, permitted, ({ owner, spender, value, nonce, deadline }, token) => ({
      grant: {
        owner,
        spender,
        amounts: [{ token, amount: value }],
        validFrom: undefined,
        validUntil: deadline,
        nonce: String(nonce),
      },
      binding: { by: 'nothing', why: 'an allowance, which the spender may use for anything' },
    })),
  ],
};

const authorizationFields =
  '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';

const authorized = z.strictObject({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: bytes32,
});

/** EIP-3009 authorizations: the token itself moves the owner's tokens to one address. The nonce is any 32 bytes. */
export const authorization: TypedDataForm.Kind = {
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

function authorizationForm(
  name: string,
  bindingOf: (read: z.output<typeof authorized>) => OrderBinding.Binding,
): TypedDataForm.Form {
  return TypedDataForm.of(TypedDataForm.types(`${name}${authorizationFields}`), authorized, (read, token) => {
    const { from, to, value, validAfter, validBefore, nonce } = read;
    return {
      grant: {
        owner: from,
        spender: to,
        amounts: [{ token, amount: value }],
        validFrom: validAfter,
        validUntil: validBefore,
        nonce,
      },
      binding: bindingOf(read),
    };
  });
}

export const kinds: readonly TypedDataForm.Kind[] = [permit, authorization, Permit2.kind];

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
      kind: TypedDataForm.Kind;
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
    kind.forms
      .filter((form) => TypedDataForm.primaryType(form.types) === typed.primaryType)
      .map((form) => ({ kind, form })),
  );
  if (candidates.length === 0) return mismatch(kinds.map(({ label }) => label).join(', or '), typed.primaryType);
  const match = candidates.find(({ form }) => TypedDataForm.isSame(form.types, types));
  if (!match)
    return mismatch(
      candidates.map(({ form }) => TypedDataForm.format(form.types)).join(' or '),
      TypedDataForm.format(types),
    );
  const domainTypes = typesOf(typed.domain);
  if (listed && !TypedDataForm.isSame({ EIP712Domain: listed }, domainTypes))
    return mismatch(TypedDataForm.format(domainTypes), TypedDataForm.format({ EIP712Domain: listed }));
  const domain = domainOf(typed.domain);
  if (!domain) return mismatch('a domain with a chain id and a contract address', describe(typed.domain));
  const reading = match.form.read(typed.value, domain.verifyingContract);
  if (!reading.ok)
    return mismatch(
      `a message of ${TypedDataForm.format(match.form.types)}`,
      reading.problems.map(Decode.format).join('; '),
    );
  const { message, grant, binding } = reading.value;
  const { primaryType } = typed;
  const signable = { domain, types: { ...domainTypes, ...match.form.types }, primaryType, message };
  return { ok: true, kind: match.kind, domain, grant, binding, signable: signable as unknown as TypedDataDefinition };
}

/**
 * Checks the types, the domain, what the message grants, and whether it is bound to the order.
 *
 * @returns the kind, if it is known
 */
export function check(
  findings: Findings,
  typed: SignatureItem.TypedData,
  facts: TokenGrant.Facts,
): TypedDataForm.Kind | undefined {
  const reading = read(typed);
  if (!reading.ok) {
    findings.say('signature-types', false, reading.expected, reading.found);
    findings.cannot('order-binding', 'a signature that ferry can read', 'one that it cannot read');
    return undefined;
  }
  const { kind, domain, grant, binding } = reading;
  findings.say('signature-types', true, kind.label, TypedDataForm.format(typed.types));
  checkDomain(findings, domain, kind, facts);
  TokenGrant.check(findings, grant, facts);
  OrderBinding.check(findings, binding, facts);
  return kind;
}

/** The signature must be valid only on the origin chain, for the input token or for Permit2. */
function checkDomain(findings: Findings, domain: Domain, kind: TypedDataForm.Kind, facts: TokenGrant.Facts): void {
  const { name, version, chainId, verifyingContract, salt } = domain;
  const contract = kind.domain ? kind.domain.contract : facts.token;
  const wrong =
    salt !== undefined ||
    (facts.chainId !== undefined && facts.chainId !== chainId) ||
    (contract !== undefined && !Address.isEqual(contract, verifyingContract)) ||
    (kind.domain !== undefined && (name !== kind.domain.name || version !== undefined));
  const expected = describe({ name: kind.domain?.name, chainId: facts.chainId, verifyingContract: contract });
  const found = describe(domain);
  if (!wrong && (facts.chainId === undefined || contract === undefined)) findings.skip('signature-domain', found);
  else findings.say('signature-domain', !wrong, expected, found);
  if (kind.domain === undefined) separator(findings, domain, facts);
}

/** A wrong name or version only makes the signature invalid, so without the token's separator it is not a mismatch. */
function separator(findings: Findings, domain: Domain, { domainSeparator }: TokenGrant.Facts): void {
  const { name = 'no name', version = 'no version' } = domain;
  if (domainSeparator === undefined) {
    findings.skip('signature-domain-name', `${name}, ${version}: only the token knows its own`);
    return;
  }
  const own = hashStruct({ data: domain, primaryType: 'EIP712Domain', types: typesOf(domain) } as Hashed);
  findings.equal('signature-domain-name', domainSeparator, own);
}

/** The fields present in a domain, in the order of the standard. */
function typesOf(domain: Partial<SignatureItem.TypedData['domain']>): TypedDataForm.Types {
  return { EIP712Domain: domainFields.filter(({ name }) => name in domain) };
}

const { EIP712Domain: domainFields = [] } = TypedDataForm.types(
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

function mismatch(expected: string, found: string): Reading {
  return { ok: false, expected, found };
}

/** The types are known only at run time, so viem cannot infer from them. */
type Hashed = Parameters<typeof hashStruct>[0];
