/** What a signature lets somebody take: whose tokens, who takes them, how much, until when. */
import * as Address from '../../base/Address.js';
import type { Contracts } from '../../network/Network.js';
import type { Findings } from '../../quote/Finding.js';

/** What is wanted and known. What is undefined was not asked for, or nobody knows it. */
export type Facts = {
  user?: string | undefined;
  recipient?: string | undefined;
  refundTo?: string | undefined;
  /** The id of the origin chain. */
  chainId?: number | undefined;
  /** The address of the input token. */
  token?: string | undefined;
  /** Base units of the input token. */
  input?: bigint | undefined;
  /** The id of the order, recomputed from its terms: only that one says what the order does. */
  orderId?: string | undefined;
  requestId?: string | undefined;
  /** The contracts of the origin chain. */
  contracts: Contracts;
  /** The service's own accounts on the origin chain, by which it takes and fills. */
  solvers?: readonly string[] | undefined;
  /** What the input token itself answers to `DOMAIN_SEPARATOR()`. */
  domainSeparator?: string | undefined;
  /** Unix time in milliseconds; undefined judges no deadline. */
  nowMs?: number | undefined;
};

export type Grant = {
  /** Undefined where the message names none: then it is whoever signs. */
  owner: Address.Address | undefined;
  /** Who may take the tokens, or who gets them. */
  spender: Address.Address;
  /** In base units. */
  amounts: readonly { token: Address.Address; amount: bigint }[];
  /** Unix time in seconds; undefined is from now on. */
  validFrom: bigint | undefined;
  /** Unix time in seconds. */
  validUntil: bigint;
  nonce: string;
};

/** The longest that a signature may stay good, in seconds. */
const longestValid = 24n * 3600n;

/** The tokens are the user's, they go where ferry knows, they are the input exactly, and not for ever. */
export function check(findings: Findings, grant: Grant, facts: Facts): void {
  if (grant.owner !== undefined) findings.equal('signature-owner', facts.user, grant.owner);
  spender(findings, grant, facts);
  value(findings, grant, facts);
  deadline(findings, grant, facts);
  findings.skip('signature-nonce', `${grant.nonce}: whether it was used is for the chain to say`);
}

/**
 * The depository, the approval proxy or an account of the service. Never the router, which makes any call for anybody:
 * what it may take, everybody may take.
 */
function spender(findings: Findings, grant: Grant, { contracts, solvers }: Facts): void {
  const takers: readonly (readonly [string, string | undefined])[] = [
    ['the depository', contracts.depository],
    ['the approval proxy', contracts.approvalProxy],
    ...(solvers ?? []).map((solver) => ['an account of the service', solver] as const),
  ];
  const expected = 'the depository, the approval proxy or an account of the service';
  const known = takers.find(([, address]) => address !== undefined && Address.isEqual(address, grant.spender));
  const router = contracts.router !== undefined && Address.isEqual(contracts.router, grant.spender);
  if (known) findings.say('signature-spender', true, expected, `${known[0]} ${grant.spender}`);
  else if (router) findings.say('signature-spender', false, expected, `the router ${grant.spender}`);
  else if (takers.slice(0, 2).some(([, address]) => address === undefined) || solvers === undefined)
    findings.cannot('signature-spender', expected, `${grant.spender}, and ferry does not know them all`);
  else findings.say('signature-spender', false, expected, grant.spender);
}

function value(findings: Findings, { amounts }: Grant, { input, token }: Facts): void {
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0n);
  const tokens = [...new Set(amounts.map((each) => each.token))];
  const found = amounts.map((each) => `${each.amount} of ${each.token}`).join(', ') || 'nothing';
  const wrong =
    tokens.length !== 1 ||
    (input !== undefined && total !== input) ||
    (token !== undefined && !Address.isEqual(token, tokens[0] ?? ''));
  const expected = `${input ?? 'any amount'} of ${token ?? 'one token'}`;
  if (!wrong && (input === undefined || token === undefined)) findings.skip('signature-value', found);
  else findings.say('signature-value', !wrong, expected, found);
}

function deadline(findings: Findings, { validFrom, validUntil }: Grant, { nowMs }: Facts): void {
  const found = `${validFrom === undefined ? 'until' : `from ${date(validFrom)} until`} ${date(validUntil)}`;
  if (validFrom !== undefined && validFrom >= validUntil) {
    findings.say('signature-deadline', false, 'a time at which it is good', found);
    return;
  }
  if (nowMs === undefined) {
    findings.skip('signature-deadline', found);
    return;
  }
  const now = BigInt(Math.floor(nowMs / 1000));
  const holds = (validFrom === undefined || validFrom <= now) && validUntil > now && validUntil <= now + longestValid;
  findings.say('signature-deadline', holds, `good now, and no longer than ${date(now + longestValid)}`, found);
}

/** Years beyond 9999 are of no use to a reader: such numbers stand for ever. */
function date(seconds: bigint): string {
  return seconds < 253_402_300_800n ? new Date(Number(seconds) * 1000).toISOString() : String(seconds);
}
