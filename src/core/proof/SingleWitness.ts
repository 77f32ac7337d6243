/**
 * What is done with a fact that rests on one witness. Two who do not depend on each other are believed; what one alone
 * says is shown to the user, who decides, or is refused where nobody is asked.
 *
 * Witnesses by fact, with the file that names them. `price`: `price/PriceCheck`. `swap`: the router's calls as pinned
 * code enforces them, and the simulation. `solver-signature`: `OrderTerms`. `effect`: the calls as decoded, and the
 * simulation. `venue-account`: `setup/trustVenueAccount`. `deposit-factory`: `address/StrictAddress`. `gas`: the node,
 * and the quote with a cap. What the user alone can decide about, such as `unusable-address`, has the witness `you`:
 * `--allow` accepts it with a warning, settings do not.
 *
 * Out of reach: two witnesses that lie alike, a node that lies coherently about everything, and whoever reads the
 * user's secret.
 */
import type * as Network from '../network/Network.js';
import { type Finding, user } from '../quote/Finding.js';
import type { Intent } from '../quote/TransferIntent.js';

/** Where a quote is judged. */
export type Setting = {
  network: Pick<Network.Network, 'name' | 'realMoney' | 'allow' | 'witnesses'>;
  /** Whether a person reads the question before anything is signed: on a terminal, without `--yes`. */
  isAsked: boolean;
  /** Names of checks that may remain unverified. A mismatch is always refused. */
  allow: readonly string[];
};

export type Ruling = 'accept' | 'ask' | 'warn' | 'refuse';

/** On a test network these only warn: its tokens have no feeds, and its solver is not always known. */
const lenient: readonly string[] = ['price', 'loss', 'solver-signature', 'swap'];

/** What nobody can accept: a message may be the hash of anything, and ferry signs none that it cannot compute. */
const opaque = 'signature-message';

/** What a finding means for a quote that is to be paid. */
export function rule({ verdict, check, witnesses = [] }: Finding, { network, isAsked, allow }: Setting): Ruling {
  if (verdict === 'mismatch') return 'refuse';
  if (verdict !== 'cannot verify') return 'accept';
  if (check === opaque) return 'refuse';
  const isSingle = witnesses.length > 0;
  const isOwn = witnesses.includes(user);
  if (isSingle && !isOwn && network.witnesses === 'two') return 'refuse';
  if (allow.includes(check) || (isSingle && network.allow?.includes(check))) return isOwn ? 'warn' : 'accept';
  if (!isSingle) return 'refuse';
  if (isAsked) return 'ask';
  const isTestNetwork = !network.realMoney && network.name !== 'sandbox';
  return isTestNetwork && lenient.includes(check) ? 'warn' : 'refuse';
}

/** What a refused payment is, as far as it decides how its facts can be shown. */
export type Payment = Pick<Intent, 'tradeType'> & {
  /** The symbols of the currencies. */
  input: string;
  output: string;
  /** Whether the chain itself can hold a batch of the account to the minimum, which `--gasless` then makes. */
  isGuardable: boolean;
};

/** A payment by its intent. */
export function paymentOf({ tradeType, origin, destination, gasless }: Intent): Payment {
  const isOnOneChain = origin.chain.id === destination.chain.id;
  const isGuardable = isOnOneChain && origin.chain.contracts.universalRouter !== undefined && gasless === undefined;
  return { tradeType, input: origin.token.symbol, output: destination.token.symbol, isGuardable };
}

/**
 * The option that makes the user the second witness of a price, and what to write for it. It is never a figure of the
 * quote: whoever repeats what the service says is no witness.
 */
export function limitOf({ tradeType, input, output }: Payment): { flag: string; value: string; meaning: string } {
  return tradeType === 'EXACT_INPUT'
    ? { flag: '--min-out', value: `<${output}>`, meaning: `the least ${output} that you accept` }
    : { flag: '--max-in', value: `<${input}>`, meaning: `the most ${input} that you pay` };
}

/** What to do about checks that cannot be verified, the cheapest first. */
export function hint(checks: readonly string[], payment: Payment, { witnesses }: Setting['network']): string {
  if (checks.includes(opaque))
    return 'A message may be the hash of anything, such as a transaction of a contract wallet, so ferry signs none that it cannot compute. Without --permit and --gasless the order is paid by a transaction.';
  const cures: string[] = [];
  if (checks.includes('price')) {
    const { flag, value, meaning } = limitOf(payment);
    cures.push(`Say what the price must be with ${flag} ${value}: ${meaning}.`);
  }
  if (checks.includes('swap') && payment.isGuardable)
    cures.push('With --gasless --sponsor all the chain itself holds the swap to its minimum.');
  if (checks.includes('venue-account'))
    cures.push(
      'Accept the account once with ferry venue account --accept, or name it: --account-index of ferry venue deposit, --recipient of ferry execute.',
    );
  if (checks.includes('order-binding'))
    cures.push(
      'A permit binds the order only by a nonce for the service’s relayer, and ferry does not know the relayers here, or the answer does not show its calls: without --permit the order is bound.',
    );
  if (checks.includes('loss'))
    cures.push(
      `Say how much may be lost at worst with --max-impact <percent>, or what must arrive with ${limitOf(payment).flag}; a smaller --slippage loses less.`,
    );
  if (checks.includes('unusable-address'))
    cures.push('Ask whoever is to be paid for an address on the chain that it arrives on.');
  const allowing = checks.map((name) => `--allow ${name}`).join(' ');
  cures.push(
    witnesses === 'two'
      ? 'The setting witnesses is two, so nothing that rests on one witness is let pass, and --allow does not help.'
      : `To accept this, add ${allowing}.`,
  );
  if (checks.includes('order-extra-data'))
    cures.push('If the service reports a router of that chain, accept that instead with ferry contracts accept.');
  return cures.join(' ');
}

/** The facts in short: `only one witness: price (the service)`. What only the user decides is spelled out. */
export function facts(findings: readonly Pick<Finding, 'check' | 'found' | 'witnesses'>[]): string {
  const single = findings.filter((each) => !isChoice(each)).map(inWords);
  const choices = findings.filter(isChoice).map(({ found }) => found);
  return [...(single.length > 0 ? [`only one witness: ${single.join(', ')}`] : []), ...choices].join('; ');
}

/** What a person is told before the question: `Only one witness: price (the service).` What only they decide is spelled out. */
export function question(findings: readonly Finding[]): string {
  const single = findings.filter((each) => !isChoice(each));
  const choices = findings.filter(isChoice).map(choice);
  return [...choices, ...(single.length > 0 ? [`Only one witness: ${single.map(inWords).join(', ')}.`] : [])].join(' ');
}

/** The warning about a fact that is let pass. */
export function warning(finding: Finding): string {
  if (isChoice(finding)) return choice(finding);
  return `Only one witness: ${inWords(finding)}; expected ${finding.expected}, found ${finding.found}.`;
}

/** Whether it is the user's to decide about. */
function isChoice({ witnesses = [] }: Pick<Finding, 'witnesses'>): boolean {
  return witnesses.includes(user);
}

function choice({ expected, found }: Finding): string {
  return `Expected ${expected}, but ${found}.`;
}

function inWords({ check, witnesses = [] }: Pick<Finding, 'check' | 'witnesses'>): string {
  return `${check} (${witnesses.join(', ')})`;
}
