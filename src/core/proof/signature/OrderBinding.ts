/**
 * Checks that a signature can pay for the order and for nothing else. The order's terms protect the signer only if the
 * signed bytes commit to the order.
 */

import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';

import type { Findings } from '../../quote/Finding.js';
import * as KnownCalls from '../../quote/KnownCalls.js';
import * as RouterStep from '../router/RouterStep.js';
import * as ProxyNonce from './ProxyNonce.js';
import type { Facts } from './TokenGrant.js';

/** How the signed bytes limit the use of the tokens. */
export type Binding =
  /** The address itself takes the tokens, with an id as the nonce. */
  | { by: 'id'; payee: Address.Address; id: Hex }
  /** The tokens may be used only for these calls, provided that the spender enforces what was signed. */
  | {
      by: 'calls';
      spender: Address.Address;
      relayer: Address.Address;
      refundTo: Address.Address;
      nftRecipient: Address.Address;
      calls: readonly KnownCalls.RouterCall[];
    }
  /** Only this account may use the signature, but for any purpose. */
  | { by: 'relayer'; relayer: Address.Address }
  | { by: 'nothing'; why: string };

const expected = 'a deposit of the input for this order';

/** Adds one finding `order-binding`, and those about leftovers and the relayer. */
export function check(findings: Findings, binding: Binding, facts: Facts): void {
  switch (binding.by) {
    case 'id':
      id(findings, binding, facts);
      break;
    case 'calls': {
      const bound = calls(findings, binding, facts);
      leftovers(findings, binding, facts);
      relayer(findings, binding.relayer, facts, bound);
      break;
    }
    case 'relayer':
      findings.cannot('order-binding', expected, 'tokens that the relayer may use for anything');
      relayer(findings, binding.relayer, facts, false);
      break;
    case 'nothing':
      findings.cannot('order-binding', expected, binding.why);
  }
}

/**
 * The approval proxy takes tokens only with a nonce that commits to what it does with them. What another
 * account receives is bound to nothing.
 */
function id(findings: Findings, { payee, id: found }: Binding & { by: 'id' }, facts: Facts): void {
  const { approvalProxy } = facts.contracts;
  if (approvalProxy !== undefined && Address.isEqual(approvalProxy, payee)) {
    const commitment = ProxyNonce.commitmentOf(found, facts);
    if (commitment)
      findings.say('order-binding', true, expected, `a nonce for that deposit, relayed by ${commitment.relayer}`);
    else
      findings.cannot(
        'order-binding',
        expected,
        `a nonce that binds the approval proxy ${payee} to calls that the answer does not show: token, amount and time are bound, the order is not`,
      );
  } else findings.cannot('order-binding', expected, `tokens for ${payee} with nonce ${found}, not bound to any order`);
}

/** @returns whether the calls are the deposit for the order and nothing else */
function calls(findings: Findings, binding: Binding & { by: 'calls' }, facts: Facts): boolean {
  const { contracts, user, token, input, orderId } = facts;
  const known = { depository: contracts.depository, user, token, input, orderId };
  const read = binding.calls.map((call) => ({ ...call, call: KnownCalls.decode(call.callData) }));
  const wrong = read.flatMap((each) => contradictions(each, known));
  const enforces = contracts.approvalProxy !== undefined && Address.isEqual(contracts.approvalProxy, binding.spender);
  const shown = read.map(format).join(', ') || 'no calls';
  const bound = wrong.length === 0 && enforces && (isDeposit(read, known) || isHandedOver(binding.calls, facts));
  if (wrong.length > 0) findings.say('order-binding', false, expected, wrong.join(', '));
  else if (bound) findings.say('order-binding', true, expected, shown);
  else findings.cannot('order-binding', expected, enforces ? shown : `${shown}, if ${binding.spender} enforces it`);
  return bound;
}

/** Whether the one call is the router's own: it hands its whole balance of the token to the depository, for the order. */
function isHandedOver(made: readonly KnownCalls.RouterCall[], facts: Facts): boolean {
  const { contracts, user, token, orderId } = facts;
  const { router, depository } = contracts;
  const [step, ...more] = router ? made.flatMap((call) => RouterStep.from(call, { ...contracts, router }, [])) : [];
  return (
    step?.kind === 'deposit' &&
    more.length === 0 &&
    made.every(({ allowFailure }) => !allowFailure) &&
    step.amount === 'balance' &&
    Address.isEqual(token, step.token) &&
    isKnownAs(depository, step.depository) &&
    Address.isEqual(user, step.depositor) &&
    isKnownAs(orderId, step.id)
  );
}

function isKnownAs(known: string | undefined, found: string): boolean {
  return known !== undefined && Address.isEqual(known, found);
}

type KnownOrder = Pick<Facts, 'user' | 'token' | 'input' | 'orderId'> & { depository: string | undefined };
type Readable = KnownCalls.RouterCall & { call: KnownCalls.Call | undefined };

/** The ways in which a deposit differs from the order's. */
function contradictions({ target, call }: Readable, { depository, user, token, input, orderId }: KnownOrder): string[] {
  if (call?.function !== 'depositErc20' && call?.function !== 'depositNative') return [];
  const differs = (wanted: string | undefined, seen: string): boolean =>
    wanted !== undefined && !Address.isEqual(wanted, seen);
  const other: string[] = [];
  if (differs(depository, target)) other.push(`a deposit at ${target}`);
  if (differs(orderId, call.id)) other.push(`a deposit for ${call.id}`);
  if (!Address.isEqual(user, call.depositor)) other.push(`a deposit of ${call.depositor}`);
  if (call.function === 'depositErc20' && Address.isEqual(token, call.token) && call.amount !== input)
    other.push(`a deposit of ${call.amount}`);
  return other;
}

/** Whether the calls are exactly the deposit of the input, with or without its approval. Assumes no contradictions. */
function isDeposit(read: readonly Readable[], known: KnownOrder): boolean {
  const deposit = read.at(-1)?.call;
  const [approval, ...more] = read.slice(0, -1);
  return (
    !Object.values(known).includes(undefined) &&
    read.every(({ allowFailure, value }) => !allowFailure && value === 0n) &&
    deposit?.function === 'depositErc20' &&
    Address.isEqual(deposit.token, known.token) &&
    more.length === 0 &&
    (approval === undefined || isApproval(approval, known))
  );
}

function isApproval({ target, call }: Readable, { depository, token, input }: KnownOrder): boolean {
  return (
    call?.function === 'approve' &&
    Address.isEqual(target, token) &&
    Address.isEqual(call.spender, depository ?? '') &&
    call.amount === input
  );
}

/** `approve(0x…, 60000000) on 0x…`; unknown calldata is printed as hex. */
function format({ target, allowFailure, value, callData, call }: Readable): string {
  const { function: name, ...args } = call ?? { function: callData };
  const list = Object.values(args).join(', ');
  return `${name}${list ? `(${list})` : ''} on ${target}${value > 0n ? ` with ${value} wei` : ''}${allowFailure ? ', which may fail' : ''}`;
}

/** Leftovers of the calls must go to the user or to the refund address. */
function leftovers(findings: Findings, { refundTo, nftRecipient }: Binding & { by: 'calls' }, facts: Facts): void {
  const own = [...new Set([facts.refundTo ?? facts.user, facts.user])];
  const found = `tokens to ${refundTo}, NFTs to ${nftRecipient}`;
  const holds = isAmong(own, refundTo) && isAmong([...own, facts.recipient], nftRecipient);
  findings.say('signature-refund', holds, `leftovers to ${own.join(' or ')}`, found);
}

/** If the order is not bound, the relayer must be trusted; if it is bound, any relayer will do. */
function relayer(findings: Findings, found: Address.Address, { solvers }: Facts, bound: boolean): void {
  const wanted = 'an account of the service';
  if (solvers === undefined) findings.skip('signature-relayer', `${found}; ferry knows no account of the service`);
  else if (isAmong(solvers, found)) findings.say('signature-relayer', true, wanted, found);
  else if (bound) findings.skip('signature-relayer', `${found}; it can only make the deposit`);
  else findings.cannot('signature-relayer', wanted, found);
}

function isAmong(addresses: readonly string[], found: string): boolean {
  return addresses.some((address) => Address.isEqual(address, found));
}
