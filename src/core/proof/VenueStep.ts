/** Checks a transfer on the venue: it pays a withdrawal account, and its memo names the order. */
import * as Memo from '../../venue/Memo.js';
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as Network from '../network/Network.js';
import type { Findings } from '../quote/Finding.js';
import type { Answer, VenueTransfer } from '../quote/Quote.js';
import * as StatedAmount from '../quote/StatedAmount.js';
import type { Expectation } from './Expectation.js';

/** The check of the venue’s fee, which the user limits. */
export const feeCheck = 'venue-fee';

/** Checks that the transfer pays exactly the input to an account for withdrawals, for this order. */
export function check(
  findings: Findings,
  { parameters }: VenueTransfer,
  { answer, expected, network }: { answer: Answer; expected: Expectation; network: Network.Network },
): void {
  const { details, protocol } = answer.response;
  const chain = Network.chainById(network, details.currencyIn.currency.chainId);
  const depository = protocol?.v2?.paymentDetails.depository;
  findings.equal('depository', depository ?? 'the account that the order names', String(parameters.toAccountIndex));
  const known = chain?.contracts.accounts;
  if (!known) findings.cannot('contract', 'a known account for withdrawals', String(parameters.toAccountIndex));
  else
    findings.say(
      'contract',
      known.includes(String(parameters.toAccountIndex)),
      known.join(' or '),
      String(parameters.toAccountIndex),
    );
  const { currency } = details.currencyIn;
  const paid = (base: bigint): string => StatedAmount.format(base, currency);
  const amount = BigInt(parameters.amount);
  findings.say('amount-paid', amount === answer.input, paid(answer.input), paid(amount));
  memo(findings, parameters.memo, { answer, network });
  const { maxVenueFee = usualFeeCap } = expected;
  // The venue takes its fee in the currency of the transfer.
  const fee = BigInt(parameters.usdcFee);
  findings.say(feeCheck, fee <= maxVenueFee, `at most ${paid(maxVenueFee)}`, paid(fee));
  findings.say(
    'venue-asset',
    parameters.assetIndex === VenueAccount.usdcAssetIndex,
    String(VenueAccount.usdcAssetIndex),
    String(parameters.assetIndex),
  );
  const routes = `${parameters.fromRouteType} to ${parameters.toRouteType}`;
  findings.say('venue-routes', parameters.fromRouteType === 0 && parameters.toRouteType === 0, '0 to 0', routes);
}

/**
 * The memo is the order id. The specification says the request id, which is bound to no terms: with such a memo the
 * service could fill any order. It passes with a note where no real money moves.
 */
function memo(
  findings: Findings,
  found: string,
  { answer: { requestId, response }, network }: { answer: Answer; network: Network.Network },
): void {
  const orderId = response.protocol?.v2?.orderId;
  const bytes = Memo.read(found);
  const is = (id: string | undefined): boolean => id !== undefined && bytes !== undefined && bytes === id.toLowerCase();
  const isRequest = is(requestId) && !is(orderId);
  if (isRequest && !network.realMoney)
    findings.skip('memo-binding', 'the memo is the request id, which binds no terms, and no real money moves');
  findings.say(
    'deposit-id',
    is(orderId) || (isRequest && !network.realMoney),
    orderId ?? 'an order id',
    isRequest ? `the request id ${found}` : found,
  );
}

/** The default cap on the venue's transfer fee, in millionths of USDC: several times its usual fee. */
const usualFeeCap = 10_000_000n;
