/**
 * What is done with a fact that rests on one witness. Two who do not depend on each other are believed; what one alone
 * says is shown to the user, who decides, or is refused where nobody is asked.
 */
import type * as Network from '../network/Network.js';
import type { Finding } from '../quote/Finding.js';

/** Where a quote is judged. */
export type Setting = {
  network: Pick<Network.Network, 'name' | 'realMoney'>;
  /** Whether a person reads the question before anything is signed: on a terminal, without `--yes`. */
  isAsked: boolean;
  /** Names of checks that may remain unverified. A mismatch is always refused. */
  allow: readonly string[];
};

export type Ruling = 'accept' | 'ask' | 'warn' | 'refuse';

/** On a test network these only warn: its tokens have no feeds, and its solver is not always known. */
const lenient: readonly string[] = ['price', 'solver-signature', 'swap'];

/** What a finding means for a quote that is to be paid. */
export function rule({ verdict, check, witnesses = [] }: Finding, { network, isAsked, allow }: Setting): Ruling {
  if (verdict === 'mismatch') return 'refuse';
  if (verdict !== 'cannot verify' || allow.includes(check)) return 'accept';
  if (witnesses.length === 0) return 'refuse';
  if (isAsked) return 'ask';
  const isTestNetwork = !network.realMoney && network.name !== 'sandbox';
  return isTestNetwork && lenient.includes(check) ? 'warn' : 'refuse';
}

/** What a person is told before the question: `Only one witness: price (the service).` */
export function question(findings: readonly Finding[]): string {
  return `Only one witness: ${findings.map(inWords).join(', ')}.`;
}

/** The warning about a fact that is let pass. */
export function warning(finding: Finding): string {
  return `Only one witness: ${inWords(finding)}; expected ${finding.expected}, found ${finding.found}.`;
}

function inWords({ check, witnesses = [] }: Finding): string {
  return `${check} (${witnesses.join(', ')})`;
}
