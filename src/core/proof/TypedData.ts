/** Typed data to sign (EIP-712), pinned to the forms that ferry knows, and judged by what it grants. */
import type { TypedDataDefinition } from 'viem';
import { hashStruct } from 'viem/utils';
import * as Address from '../Address.js';
import * as Decoding from '../contract/Decoding.js';
import type * as Signing from '../contract/Signing.js';
import * as Authorization3009 from './Authorization3009.js';
import * as Binding from './Binding.js';
import type { Findings } from './Finding.js';
import * as Form from './Form.js';
import * as Grant from './Grant.js';
import * as Permit from './Permit.js';
import * as Permit2 from './Permit2.js';

export const kinds: readonly Form.Kind[] = [Permit.kind, Authorization3009.kind, Permit2.kind];

/** A domain that counts on one chain for one contract. */
export type Domain = {
  name?: string | undefined;
  version?: string | undefined;
  chainId: number;
  verifyingContract: Address.Address;
  salt?: `0x${string}` | undefined;
};

/** `signable` is built from what was read and from nothing else. */
export type Reading =
  | {
      ok: true;
      kind: Form.Kind;
      domain: Domain;
      grant: Grant.Grant;
      binding: Binding.Binding;
      signable: TypedDataDefinition;
    }
  | { ok: false; expected: string; found: string };

/** The form of typed data and what its message says; else what was expected. Never throws. */
export function read(typed: Signing.TypedData): Reading {
  const { EIP712Domain: listed, ...types } = typed.types;
  const candidates = kinds.flatMap((kind) =>
    kind.forms.filter((form) => Form.primaryType(form.types) === typed.primaryType).map((form) => ({ kind, form })),
  );
  if (candidates.length === 0) return unlike(kinds.map(({ label }) => label).join(', or '), typed.primaryType);
  const match = candidates.find(({ form }) => Form.isSame(form.types, types));
  if (!match) return unlike(candidates.map(({ form }) => Form.format(form.types)).join(' or '), Form.format(types));
  const domainTypes = typesOf(typed.domain);
  if (listed && !Form.isSame({ EIP712Domain: listed }, domainTypes))
    return unlike(Form.format(domainTypes), Form.format({ EIP712Domain: listed }));
  const domain = domainOf(typed.domain);
  if (!domain) return unlike('a domain with a chain and the address of a contract', describe(typed.domain));
  const reading = match.form.read(typed.value, domain.verifyingContract);
  if (!reading.ok)
    return unlike(`a message of ${Form.format(match.form.types)}`, reading.problems.map(Decoding.format).join('; '));
  const { message, grant, binding } = reading.value;
  const { primaryType } = typed;
  const signable = { domain, types: { ...domainTypes, ...match.form.types }, primaryType, message };
  return { ok: true, kind: match.kind, domain, grant, binding, signable: signable as unknown as TypedDataDefinition };
}

/** Types, domain, what is granted, and whether it is bound to the order. @returns the kind, where it is a known one */
export function check(findings: Findings, typed: Signing.TypedData, facts: Grant.Facts): Form.Kind | undefined {
  const reading = read(typed);
  if (!reading.ok) {
    findings.say('signature-types', false, reading.expected, reading.found);
    findings.cannot('order-binding', 'a signature that ferry can read', 'one that it cannot');
    return undefined;
  }
  const { kind, domain, grant, binding } = reading;
  findings.say('signature-types', true, kind.label, Form.format(typed.types));
  checkDomain(findings, domain, kind, facts);
  Grant.check(findings, grant, facts);
  Binding.check(findings, binding, facts);
  return kind;
}

/** The signature counts on the origin chain alone, for the input token or for Permit2. */
function checkDomain(findings: Findings, domain: Domain, kind: Form.Kind, facts: Grant.Facts): void {
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

/** A wrong name or version makes the signature worthless, so without the token's own word it is no finding. */
function separator(findings: Findings, domain: Domain, { domainSeparator }: Grant.Facts): void {
  const { name = 'no name', version = 'no version' } = domain;
  if (domainSeparator === undefined) {
    findings.skip('signature-domain-name', `${name}, ${version}: the token alone knows its own`);
    return;
  }
  const own = hashStruct({ data: domain, primaryType: 'EIP712Domain', types: typesOf(domain) } as Hashed);
  findings.equal('signature-domain-name', domainSeparator, own);
}

/** The fields that a domain has, in the order of the standard. */
function typesOf(domain: Partial<Signing.TypedData['domain']>): Form.Types {
  return { EIP712Domain: domainFields.filter(({ name }) => name in domain) };
}

const { EIP712Domain: domainFields = [] } = Form.types(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)',
);

/** A chain may be digits on the wire. Viem leaves such a chain out of what is signed, so it becomes a number. */
function domainOf(wire: Signing.TypedData['domain']): Domain | undefined {
  const { verifyingContract = '' } = wire;
  const chainId = Number(wire.chainId);
  if (!Number.isSafeInteger(chainId) || !/^0x[0-9a-fA-F]{40}$/.test(verifyingContract)) return undefined;
  return { ...wire, chainId, verifyingContract: verifyingContract.toLowerCase() as Address.Address };
}

function describe(domain: Partial<Signing.TypedData['domain']>): string {
  const { name, version, chainId, verifyingContract, salt } = domain;
  const parts = { name, version, chain: chainId, contract: verifyingContract, salt };
  const said = Object.entries(parts).filter(([, part]) => part !== undefined);
  return said.map(([what, part]) => `${what} ${part}`).join(', ') || 'nothing';
}

function unlike(expected: string, found: string): Reading {
  return { ok: false, expected, found };
}

/** The types are values here, which viem cannot look into. */
type Hashed = Parameters<typeof hashStruct>[0];
