/** A proposed change of a trusted contract: the current address, the new one, and the evidence for it. */
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
  /** The address trusted so far; null if there is none. */
  before: z.nullable(z.string()),
  /** The origin of that address. */
  source: z.nullable(z.enum(['shipped', 'pinned', 'accepted'])),
  after: z.string(),
  /** The address that the service reports; null if it reports none. */
  service: z.nullable(z.string()),
  /** Whether the new address has code; null if the chain could not be queried. */
  hasCode: z.nullable(z.boolean()),
});

export type ContractChange = Omit<z.infer<typeof schema>, 'after'> & { after: Address.Address };

/** A contract that the user wants to accept; without an address, the one that the service reports. */
export type Request = { contract: TrustedContracts.ContractName; address: Address.Address | undefined };

/** Parses `depository` or `depository=0x…`. @throws usage.invalid · request.invalid-address */
export function toRequest(text: string): Request {
  const [name = '', ...rest] = text.split('=');
  const contract = TrustedContracts.contractNames.find((each) => plain(each) === plain(name));
  if (!contract) {
    const near = nearest(name, TrustedContracts.contractNames);
    throw new BaseError('usage.invalid', `"${TerminalText.escape(name)}" is not a kind of contract.`, {
      facts: [['contracts', TrustedContracts.contractNames.join(', ')]],
      hint: near ? `Did you mean ${near}?` : 'Name a contract by its kind, or with its address: depository=0x….',
    });
  }
  if (rest.length === 0) return { contract, address: undefined };
  const address = Address.from(rest.join('='), contract);
  if (Address.isEqual(address, Address.native)) throw zeroAddress(contract);
  return { contract, address };
}

/**
 * The changes to propose: for the given contracts, or for all that the service reports. `hasCode` is null for now.
 *
 * @throws usage.missing if neither the user nor the service gives an address · service.malformed
 */
export function from(
  known: readonly TrustedContracts.KnownContract[],
  testimony: ReportedContracts.ReportedContracts,
  wishes: readonly Request[],
): ContractChange[] {
  const wanted =
    wishes.length > 0 ? wishes : TrustedContracts.contractNames.map((contract) => ({ contract, address: undefined }));
  return wanted.flatMap(({ contract, address }) => {
    const after = address ?? ReportedContracts.address(testimony, contract);
    if (!after && wishes.length > 0)
      throw new BaseError('usage.missing', `The service reports no ${contract} on this chain.`, {
        hint: `Pass the address yourself: ${contract}=0x….`,
      });
    const before = known.find((each) => each.contract === contract);
    if (!after || (before && Address.isEqual(before.address, after))) return [];
    const reported = testimony[contract];
    return [
      {
        contract,
        before: before?.address ?? null,
        source: before?.source ?? null,
        after,
        service: reported === undefined ? null : ReportedContracts.show(reported),
        hasCode: null,
      },
    ];
  });
}

/** Formats proposals with the old address above the new one, and the evidence for each. */
export function format(proposals: readonly ContractChange[], style: Style): string {
  return TerminalText.columns(
    proposals.flatMap(({ contract, before, source, after, service, hasCode }) => {
      const name = style.bold(contract);
      const old = before === null ? [] : [[name, `  ${before}`, style.dim(source ?? '')]];
      const fresh = [[old.length > 0 ? '' : name, `${style.cyan('→')} ${after}`, code(hasCode, style)]];
      const isOther = service !== null && !Address.isEqual(service, after);
      const other = isOther ? [['', `  ${service}`, style.yellow('from the service')]] : [];
      return [...old, ...fresh, ...other];
    }),
  );
}

function code(hasCode: boolean | null, style: Style): string {
  if (hasCode === null) return style.yellow('not checked');
  return hasCode ? style.green('has code') : style.red('has no code');
}

/** Normalizes a name, so that `approval-proxy` and `approvalproxy` match `approvalProxy`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '');
}

export function zeroAddress(what: string): BaseError {
  return new BaseError('request.invalid-address', `The ${what} cannot be the zero address.`);
}
