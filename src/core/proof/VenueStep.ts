/** A transfer on the venue: to an account that takes withdrawals, tied to the order by its memo. */
import * as Network from '../Network.js';
import type { Answer, VenueTransfer } from '../Quote.js';
import type { Findings } from './Finding.js';

/** Whether it goes to an account that takes withdrawals, for the input exactly. */
export function check(
  findings: Findings,
  { parameters }: VenueTransfer,
  { answer, network }: { answer: Answer; network: Network.Network },
): void {
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
  findings.say('venue-fee', parameters.usdcFee <= venueFeeCap, `at most ${venueFeeCap}`, String(parameters.usdcFee));
  findings.say(
    'venue-asset',
    parameters.assetIndex === usdcAssetIndex,
    String(usdcAssetIndex),
    String(parameters.assetIndex),
  );
  const routes = `${parameters.fromRouteType} to ${parameters.toRouteType}`;
  findings.say('venue-routes', parameters.fromRouteType === 0 && parameters.toRouteType === 0, '0 to 0', routes);
}

/** What the venue may take for a transfer, in millionths of USDC, on top of the amount: several times what it asks. */
const venueFeeCap = 10_000_000;

/** USDC on the venue, spec 2.6. */
const usdcAssetIndex = 3;
