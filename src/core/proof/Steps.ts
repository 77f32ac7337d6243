/** What would be sent, item by item: each pays or approves a contract that ferry knows, the input exactly, nothing else. */
import * as Address from '../Address.js';
import type * as Calldata from '../Calldata.js';
import * as StatusV3 from '../contract/StatusV3.js';
import * as Network from '../Network.js';
import type { Answer, Item, Signature, Transaction, VenueTransfer } from '../Quote.js';
import type { Expectation } from './Expectation.js';
import { collect, type Finding, type Findings } from './Finding.js';
import * as Permit2 from './Permit2.js';
import * as SignatureStep from './SignatureStep.js';

/** What the steps are judged by. */
export type Facts = {
  answer: Answer;
  expected: Expectation;
  network: Network.Network;
  /** Where the answer came from; undefined when that is not known. */
  baseUrl: string | undefined;
  /** The id of the order, recomputed from its terms; undefined where it cannot be. */
  orderId: string | undefined;
  /** Unix time in milliseconds; undefined judges no deadline. */
  nowMs: number | undefined;
};

/** Gas that a transaction of a quote may ask for: far more than any step needs, far less than a block. */
const gasCap = 3_000_000n;

/** The items in their order, then each by itself. */
export function check(facts: Facts): Finding[] {
  const { items } = facts.answer;
  const findings = collect();
  order(findings, items);
  for (const item of items) {
    const own = collect(item.stepId);
    endpoint(own, item, facts);
    if (item.kind === 'unreadable') own.say('step', false, 'a step that ferry can read', item.why);
    if (item.kind === 'transaction') transaction(own, item, facts);
    if (item.kind === 'venue') venue(own, item, facts);
    if (item.kind === 'signature') own.include(signature(item, facts));
    findings.include(own.list);
  }
  return [...findings.list];
}

/** Approvals first, then one payment, then nothing; a quote of signatures alone pays by them. */
function order(findings: Findings, items: readonly Item[]): void {
  const payments = items.filter((item) => !isApproval(item));
  const said = items.map(({ stepId }) => stepId).join(', ') || 'nothing';
  const signatures = payments.length > 0 && payments.every(({ kind }) => kind === 'signature');
  findings.say('one-payment', signatures || payments.length === 1, 'one payment', said);
  const first = items.findIndex((item) => !isApproval(item));
  findings.say(
    'payment-last',
    items.slice(first).every((item) => !isApproval(item)),
    'approvals, then the payment',
    said,
  );
  const approvals = items.filter(isApproval).map(({ call }) => call.amount);
  const [one, two, ...more] = approvals;
  const exact = two === undefined ? one !== 0n : one === 0n && two !== 0n;
  findings.say(
    'approvals',
    exact && more.length === 0,
    'one approval, after a reset to zero at most',
    approvals.join(', ') || 'none',
  );
}

type Approval = Transaction & { call: Calldata.Call & { function: 'approve' } };

function isApproval(item: Item): item is Approval {
  return item.kind === 'transaction' && item.call?.function === 'approve';
}

/** The status endpoint is the service's own, for this very request. */
function endpoint(findings: Findings, { check: named }: Item, { answer, baseUrl }: Facts): void {
  if (!named) return;
  const own = StatusV3.path(answer.requestId);
  const expected = [own, ...(baseUrl === undefined ? [] : [`${baseUrl.replace(/\/+$/, '')}${own}`])];
  const holds = expected.includes(named.endpoint) && named.method.toUpperCase() === 'GET';
  findings.say('check-endpoint', holds, `GET ${own}`, `${named.method} ${named.endpoint}`);
}

/** A signature pays too: what it grants, to whom, and for which order. */
function signature({ stepId, data }: Signature, { answer, expected, network, orderId, nowMs }: Facts): Finding[] {
  const { currencyIn, sender, recipient } = answer.response.details;
  const origin = Network.chainById(network, currencyIn.currency.chainId);
  const { addresses = [], relayers = [] } = network.solver ?? {};
  return SignatureStep.check(
    { stepId, data },
    {
      user: expected.user ?? sender,
      recipient: expected.recipient ?? recipient,
      refundTo: expected.refundTo,
      chainId: currencyIn.currency.chainId,
      token: currencyIn.currency.address,
      input: answer.input,
      orderId,
      requestId: answer.requestId,
      contracts: origin?.contracts ?? {},
      ...(network.solver ? { solvers: [...addresses, ...relayers] } : {}),
      ...(nowMs === undefined ? {} : { nowMs }),
    },
  );
}

function transaction(findings: Findings, item: Transaction, facts: Facts): void {
  const { answer, expected, network } = facts;
  const { currencyIn, sender } = answer.response.details;
  const origin = Network.chainById(network, currencyIn.currency.chainId);
  findings.equal('step-chain', String(currencyIn.currency.chainId), String(item.chainId));
  findings.equal('step-sender', expected.user ?? sender, item.from);
  if (item.gas !== undefined) findings.say('gas', item.gas <= gasCap, `at most ${gasCap}`, String(item.gas));
  const native = origin !== undefined && Address.isEqual(origin.native.address, currencyIn.currency.address);
  const pays = native && item.call?.function !== 'approve' && item.call?.function !== 'unwrap';
  findings.say(
    'value',
    item.value === (pays ? answer.input : 0n),
    String(pays ? answer.input : 0n),
    String(item.value),
  );
  if (!origin) findings.cannot('contract', 'a chain that ferry knows', String(currencyIn.currency.chainId));
  else if (item.depositAddress !== undefined) depositAddress(findings, item, answer);
  else call(findings, item, { ...facts, origin, native });
}

/** Nothing in a payment to a deposit address says what it is for. */
function depositAddress(
  findings: Findings,
  { to, call: read, depositAddress: address = '' }: Transaction,
  answer: Answer,
): void {
  findings.cannot('deposit-address', 'a deposit that carries the order', address);
  if (read?.function === 'transfer') {
    findings.equal('token', answer.response.details.currencyIn.currency.address, to);
    findings.equal('payee', address, read.to);
    findings.say('amount-paid', read.amount === answer.input, String(answer.input), String(read.amount));
  } else findings.equal('payee', address, to);
}

function call(
  findings: Findings,
  item: Transaction,
  { answer, expected, origin, native }: Facts & { origin: Network.Chain; native: boolean },
): void {
  const { currencyIn, currencyOut, sender, recipient } = answer.response.details;
  const { depository, router, approvalProxy, wrapped } = origin.contracts;
  const token = currencyIn.currency.address;
  const user = expected.user ?? sender;
  const read = item.call;
  const contract = (what: string, known: Address.Address | undefined, found: string): void => {
    if (known === undefined)
      findings.cannot('contract', `the ${what} of ${origin.name}, which ferry does not know`, found);
    else findings.equal('contract', known, found);
  };
  const amount = (found: bigint): void =>
    findings.say('amount-paid', found === answer.input, String(answer.input), String(found));
  const isSameCurrency =
    currencyIn.currency.chainId === currencyOut.currency.chainId &&
    Address.isEqual(currencyIn.currency.address, currencyOut.currency.address);

  switch (read?.function) {
    case 'approve': {
      findings.equal('token', token, item.to);
      const payment = answer.items.find((each) => !isApproval(each));
      findings.equal('spender', payment?.kind === 'transaction' ? payment.to : Permit2.contract, read.spender);
      findings.say(
        'allowance',
        read.amount === answer.input || read.amount === 0n,
        `exactly ${answer.input}`,
        String(read.amount),
      );
      break;
    }
    case 'depositNative':
    case 'depositErc20':
      contract('depository', depository, item.to);
      findings.equal('depositor', user, read.depositor);
      findings.equal('deposit-id', answer.response.protocol?.v2?.orderId ?? 'the id of an order', read.id);
      findings.say(
        'function',
        (read.function === 'depositNative') === native,
        native ? 'depositNative' : 'depositErc20',
        read.function,
      );
      if (read.function === 'depositErc20') {
        findings.equal('token', token, read.token);
        amount(read.amount);
      }
      findings.equal('depository', item.to, answer.response.protocol?.v2?.paymentDetails.depository);
      break;
    case 'transfer':
      findings.equal('token', token, item.to);
      findings.equal('payee', expected.recipient ?? recipient, read.to);
      findings.say('same-currency', isSameCurrency, 'a payment in one currency', `${currencyOut.currency.address}`);
      amount(read.amount);
      break;
    case 'wrap':
    case 'unwrap':
      contract('wrapped native token', wrapped, item.to);
      findings.equal('payee', user, recipient);
      if (read.function === 'unwrap') amount(read.amount);
      break;
    case 'transferAndMulticall':
      contract('approval proxy', approvalProxy, item.to);
      findings.equal('token', token, read.tokens.join(','));
      amount(read.amounts.length === 1 ? (read.amounts[0] ?? 0n) : -1n);
      findings.equal('refund-to', expected.refundTo ?? user, read.refundTo);
      break;
    case 'multicall':
      contract('router', router, item.to);
      findings.say(
        'function',
        native,
        'a call for native input',
        native ? read.function : `${read.function} for a token`,
      );
      findings.equal('refund-to', expected.refundTo ?? user, read.refundTo);
      break;
    default:
      if (item.data === '0x' && native && isSameCurrency)
        findings.equal('payee', expected.recipient ?? recipient, item.to);
      else findings.say('function', false, 'a function that ferry knows', item.data.slice(0, 10));
  }
}

/** A transfer on the venue: to an account that takes withdrawals, tied to the order by its memo. */
function venue(findings: Findings, { parameters }: VenueTransfer, { answer, network }: Facts): void {
  const { details, protocol } = answer.response;
  const chain = Network.chainById(network, details.currencyIn.currency.chainId);
  const depository = protocol?.v2?.paymentDetails.depository;
  findings.equal('depository', depository ?? 'an account of the order', String(parameters.toAccountIndex));
  const known = chain?.contracts.accounts;
  if (!known)
    findings.cannot('contract', 'an account that is known to take withdrawals', String(parameters.toAccountIndex));
  else
    findings.say(
      'contract',
      known.includes(String(parameters.toAccountIndex)),
      known.join(' or '),
      String(parameters.toAccountIndex),
    );
  findings.say(
    'amount-paid',
    BigInt(parameters.amount) === answer.input,
    String(answer.input),
    String(parameters.amount),
  );
  findings.equal('deposit-id', protocol?.v2?.orderId ?? 'the id of an order', parameters.memo);
  findings.say(
    'venue-asset',
    parameters.assetIndex === usdcAssetIndex,
    String(usdcAssetIndex),
    String(parameters.assetIndex),
  );
  const routes = `${parameters.fromRouteType} to ${parameters.toRouteType}`;
  findings.say('venue-routes', parameters.fromRouteType === 0 && parameters.toRouteType === 0, '0 to 0', routes);
}

/** USDC on the venue, spec 2.6. */
const usdcAssetIndex = 3;
