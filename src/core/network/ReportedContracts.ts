/** A chain's contracts as the service reports them. The user may accept a report; it proves nothing. */

import type * as Chains from '../api/catalog/Chains.js';
import * as Address from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as TrustedContracts from './TrustedContracts.js';

/** The contract addresses as the service reports them: unchecked text. */
export type ReportedContracts = Readonly<Partial<Record<TrustedContracts.ContractName, string>>>;

/**
 * The reported contracts of a chain; undefined if the service does not list the chain. Empty and zero addresses are
 * omitted.
 */
export function from({ chains }: Chains.Response, chainId: number): ReportedContracts | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  if (!chain) return undefined;
  const { contracts, protocol } = chain;
  const reported = {
    depository: protocol?.v2?.depository,
    router: contracts?.v3?.erc20Router ?? contracts?.erc20Router,
    approvalProxy: contracts?.v3?.approvalProxy ?? contracts?.approvalProxy,
  };
  return Object.fromEntries(
    Object.entries(reported).filter(([, text]) => text && !Address.isEqual(text, Address.native)),
  );
}

/** The reported address of a contract, checksummed; undefined if there is none. @throws service.malformed */
export function address(
  testimony: ReportedContracts,
  contract: TrustedContracts.ContractName,
): Address.Address | undefined {
  const reported = testimony[contract];
  if (reported === undefined) return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(reported))
    throw new BaseError('service.malformed', `The service reports a ${contract} that is not an address.`, {
      facts: [['reported', show(reported)]],
      hint: 'Name each contract that you want to accept.',
    });
  return Address.from(reported.toLowerCase());
}

/** Makes a reported address safe to print: checksummed if it is an address, else escaped and truncated. */
export function show(reported: string): string {
  return /^0x[0-9a-fA-F]{40}$/.test(reported)
    ? Address.from(reported.toLowerCase())
    : TerminalText.escape(reported).slice(0, 80);
}
