/** What the service says of a chain's contracts. A testimony is shown and may be accepted; it proves nothing. */

import type * as Chains from '../api/Chains.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as TrustedContracts from './TrustedContracts.js';

/** The contracts as the service writes them: any text. */
export type Testimony = Readonly<Partial<Record<TrustedContracts.ContractName, string>>>;

/** What it says of a chain; undefined where it does not name the chain. No word and the zero address name no contract. */
export function from({ chains }: Chains.Response, chainId: number): Testimony | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  if (!chain) return undefined;
  const { contracts, protocol } = chain;
  const said = {
    depository: protocol?.v2?.depository,
    router: contracts?.v3?.erc20Router ?? contracts?.erc20Router,
    approvalProxy: contracts?.v3?.approvalProxy ?? contracts?.approvalProxy,
  };
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text && !Address.isEqual(text, Address.native)));
}

/** Whether it says another thing than what is known; what it does not name it does not contradict. */
export function differs(
  testimony: Testimony,
  contract: TrustedContracts.ContractName,
  known: Address.Address | undefined,
): boolean {
  const said = testimony[contract];
  return said !== undefined && (known === undefined || !Address.isEqual(said, known));
}

/** The address of a contract, in checksum form whatever its case; undefined where it names none. @throws service.malformed */
export function address(testimony: Testimony, contract: TrustedContracts.ContractName): Address.Address | undefined {
  const said = testimony[contract];
  if (said === undefined) return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(said)) throw new NoAddressError(contract, said);
  return Address.from(said.toLowerCase());
}

/** A text of the service as it may be shown: an address in checksum form, anything else escaped. */
export function show(said: string): string {
  return /^0x[0-9a-fA-F]{40}$/.test(said) ? Address.from(said.toLowerCase()) : TerminalText.escape(said).slice(0, 80);
}

export class NoAddressError extends BaseError {
  override name = 'NoAddressError';
  constructor(contract: TrustedContracts.ContractName, said: string) {
    super('service.malformed', `The service names a ${contract} that is not an address.`, {
      facts: [['it says', show(said)]],
      hint: 'Name the contracts that you accept, one by one.',
    });
  }
}
