/** Checks what a signature grants: whose tokens, to which spender, how much, and until when. */
import * as Address from '../../base/Address.js';
import type { Contracts } from '../../network/Network.js';
import type { Findings } from '../../quote/Finding.js';
import * as StatedAmount from '../../quote/StatedAmount.js';

/** What is expected and known. A field is undefined if it is neither. */
export type Facts = {
  user: string;
  recipient: string;
  refundTo?: string | undefined;
  /** The id of the origin chain. */
  chainId: number;
  /** The address of the input token. */
  token: string;
  /** Base units of the input token. */
  input: bigint;
  /** The input currency as the answer states it, to show amounts in its units. */
  currency?: StatedAmount.Currency | undefined;
  /** The order id, recomputed from the order's terms: only this id commits to them. */
  orderId?: string | undefined;
  requestId: string;
  /** The contracts of the origin chain. */
  contracts: Contracts;
  /** The service's own accounts on the origin chain, its solvers and relayers. */
  solvers?: readonly string[] | undefined;
  /** Unix time in milliseconds; if undefined, the deadline is not checked. */
  nowMs?: number | undefined;
  /** The last moment at which the order may be paid, in Unix seconds; undefined without an order. */
  payableUntil?: number | undefined;
  /** Whether the quote is looked at, not paid. */
  isReview?: boolean | undefined;
};

/** What a signed message grants. */
export type Grant = {
  /** Undefined if the message names no owner: then the owner is the signer. */
  owner: Address.Address | undefined;
  /** The account that may take the tokens, or that receives them. */
  spender: Address.Address;
  /** In base units. */
  amounts: readonly { token: Address.Address; amount: bigint }[];
  /** Unix time in seconds; undefined means valid immediately. */
  validFrom: bigint | undefined;
  /** Unix time in seconds. */
  validUntil: bigint;
  nonce: string;
};

/** The longest that a signature may stay valid, in seconds. */
const longestValid = 24n * 3600n;

/** Checks that the tokens are the user's and exactly the input, the spender is known, and the validity is limited. */
export function check(findings: Findings, grant: Grant, facts: Facts): void {
  if (grant.owner !== undefined) findings.equal('signature-owner', facts.user, grant.owner);
  spender(findings, grant, facts);
  value(findings, grant, facts);
  deadline(findings, grant, facts);
  findings.skip('signature-nonce', `${grant.nonce}: only the chain knows whether it was used`);
}

/**
 * The spender is the depository, the approval proxy or an account of the service. Never the router: it makes any call
 * for any caller, so anyone could spend an allowance that it holds.
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
    findings.cannot('signature-spender', expected, `${grant.spender}; ferry does not know all of these accounts`);
  else findings.say('signature-spender', false, expected, grant.spender);
}

function value(findings: Findings, { amounts }: Grant, { input, token, currency }: Facts): void {
  const sum = (amount: bigint, of: string): string => StatedAmount.of(amount, of, currency && [currency]);
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0n);
  const tokens = [...new Set(amounts.map((each) => each.token))];
  const found = amounts.map((each) => sum(each.amount, each.token)).join(', ') || 'nothing';
  const holds = tokens.length === 1 && total === input && Address.isEqual(token, tokens[0] ?? '');
  findings.say('signature-value', holds, sum(input, token), found);
}

function deadline(
  findings: Findings,
  { validFrom, validUntil }: Grant,
  { nowMs, payableUntil, isReview }: Facts,
): void {
  const found = `${validFrom === undefined ? 'until' : `from ${date(validFrom)} until`} ${date(validUntil)}`;
  if (validFrom !== undefined && validFrom >= validUntil) {
    findings.say('signature-deadline', false, 'a time at which it is valid', found);
    return;
  }
  if (nowMs === undefined) {
    findings.skip('signature-deadline', found);
    return;
  }
  const now = BigInt(Math.floor(nowMs / 1000));
  if (isReview && validUntil <= now) {
    findings.cannot('expired', `valid after ${date(now)}`, found);
    return;
  }
  const ofOrder = BigInt(payableUntil ?? Number.MAX_SAFE_INTEGER);
  const latest = ofOrder < now + longestValid ? ofOrder : now + longestValid;
  const holds = (validFrom === undefined || validFrom <= now) && validUntil > now && validUntil <= latest;
  findings.say('signature-deadline', holds, `valid now, until ${date(latest)} at the latest`, found);
}

/** Years beyond 9999 mean "forever", and are printed as plain numbers. */
function date(seconds: bigint): string {
  return seconds < 253_402_300_800n ? new Date(Number(seconds) * 1000).toISOString() : String(seconds);
}
