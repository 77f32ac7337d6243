/** A contract that may be accepted: what was known of it, what shall be, and what there is to say for it. */
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ReportedContracts from './ReportedContracts.js';
import * as TrustedContracts from './TrustedContracts.js';

export const schema = z.object({
  contract: z.enum(TrustedContracts.contractNames),
  /** The address that was known; null where none was. */
  before: z.nullable(z.string()),
  /** Where that one came from. */
  source: z.nullable(z.enum(['shipped', 'pinned', 'accepted'])),
  after: z.string(),
  /** What the service says; null where it names none. */
  service: z.nullable(z.string()),
  /** Whether there is a contract at the new address; null where the chain could not be looked at. */
  hasCode: z.nullable(z.boolean()),
});

export type Proposal = Omit<z.infer<typeof schema>, 'after'> & { after: Address.Address };

/** A contract as the user names it; without an address the service's word is meant. */
export type Wish = { contract: TrustedContracts.ContractName; address: Address.Address | undefined };

/** Reads `depository` or `depository=0x…`. @throws usage.invalid · request.invalid-address */
export function toWish(text: string): Wish {
  const [name = '', ...rest] = text.split('=');
  const contract = TrustedContracts.contractNames.find((each) => plain(each) === plain(name));
  if (!contract) throw new UnknownContractError(name);
  if (rest.length === 0) return { contract, address: undefined };
  const address = Address.from(rest.join('='), contract);
  if (Address.isEqual(address, Address.native)) throw new ZeroAddressError(contract);
  return { contract, address };
}

/**
 * What would change: the contracts that are wished for, or all that the service names. Whether there is code is not
 * known yet.
 *
 * @throws usage.missing for a wish without an address where the service names none · service.malformed
 */
export function from(
  known: readonly TrustedContracts.KnownContract[],
  testimony: ReportedContracts.Testimony,
  wishes: readonly Wish[],
): Proposal[] {
  const wanted =
    wishes.length > 0 ? wishes : TrustedContracts.contractNames.map((contract) => ({ contract, address: undefined }));
  return wanted.flatMap(({ contract, address }) => {
    const after = address ?? ReportedContracts.address(testimony, contract);
    if (!after && wishes.length > 0) throw new NotNamedError(contract);
    const before = known.find((each) => each.contract === contract);
    if (!after || (before && Address.isEqual(before.address, after))) return [];
    const said = testimony[contract];
    return [
      {
        contract,
        before: before?.address ?? null,
        source: before?.source ?? null,
        after,
        service: said === undefined ? null : ReportedContracts.show(said),
        hasCode: null,
      },
    ];
  });
}

/** Old above new, with what there is to say for each. */
export function format(proposals: readonly Proposal[], style: Style): string {
  return TerminalText.columns(
    proposals.flatMap(({ contract, before, source, after, service, hasCode }) => {
      const name = style.bold(contract);
      const old = before === null ? [] : [[name, `  ${before}`, style.dim(source ?? '')]];
      const fresh = [[old.length > 0 ? '' : name, `${style.cyan('→')} ${after}`, code(hasCode, style)]];
      const isOther = service !== null && !Address.isEqual(service, after);
      const other = isOther ? [['', `  ${service}`, style.yellow('the service’s word')]] : [];
      return [...old, ...fresh, ...other];
    }),
  );
}

function code(hasCode: boolean | null, style: Style): string {
  if (hasCode === null) return style.yellow('not looked at');
  return hasCode ? style.green('has code') : style.red('has no code');
}

/** `approval-proxy` and `approvalproxy` are meant as `approvalProxy`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '');
}

export class UnknownContractError extends BaseError {
  override name = 'UnknownContractError';
  constructor(name: string) {
    const near = nearest(name, TrustedContracts.contractNames);
    super('usage.invalid', `"${TerminalText.escape(name)}" is no kind of contract.`, {
      facts: [['contracts', TrustedContracts.contractNames.join(', ')]],
      hint: near ? `Did you mean ${near}?` : 'A contract is written by its kind, or with its address: depository=0x….',
    });
  }
}

export class ZeroAddressError extends BaseError {
  override name = 'ZeroAddressError';
  constructor(what: string) {
    super('request.invalid-address', `The ${what} cannot be the zero address.`);
  }
}

export class NotNamedError extends BaseError {
  override name = 'NotNamedError';
  constructor(contract: TrustedContracts.ContractName) {
    super('usage.missing', `The service names no ${contract} on this chain.`, {
      hint: `Give the address yourself: ${contract}=0x….`,
    });
  }
}
