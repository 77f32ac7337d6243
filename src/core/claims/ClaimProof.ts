/**
 * Reads what the service asks the wallet to sign for a claim of app fees, and shows it: the output of `ferry fees claim`.
 *
 * The message is the claim's id, 32 bytes that only the service can read: neither the chain, the currency, the amount
 * nor the recipient is in it. The same signature may be one over a transaction of a contract wallet that the key owns,
 * on any chain. So it is shown and never made; an answer of another form is not even shown.
 */
import * as z from 'zod/mini';
import type * as AppFeeClaims from '../api/AppFeeClaims.js';
import * as ExecutePermits from '../api/ExecutePermits.js';
import * as Decode from '../api/schema/Decode.js';
import * as Primitives from '../api/schema/Primitives.js';
import type * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import * as Currency from '../quote/Currency.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';

/** A claim that the service has prepared. */
export type Claim = {
  /** What the service wants signed. */
  id: Hex;
  wallet: Address.Address;
  recipient: Address.Address;
  currency: Currency.Currency;
  /** Base units. */
  amount: bigint;
};

/** Strict: no other key is known to mean nothing. */
const item = Primitives.strictObject({
  status: z.nullish(z.string()),
  data: Primitives.strictObject({
    sign: Primitives.strictObject({ signatureKind: z.literal('eip191'), message: Primitives.bytes32 }),
    post: Primitives.strictObject({
      endpoint: z.literal(ExecutePermits.endpoint.path),
      method: z.literal(ExecutePermits.endpoint.method),
      body: Primitives.strictObject({ kind: z.literal('claim'), requestId: Primitives.bytes32 }),
    }),
  }),
});

/** The id of the claim that an answer prepares. @throws verify.mismatch */
export function idOf({ steps }: AppFeeClaims.ClaimResponse): Hex {
  const [step, ...more] = steps;
  if (!step || more.length > 0) throw otherClaimForm([`${steps.length} steps instead of one`]);
  if (step.kind !== 'signature') throw otherClaimForm([`a step of kind "${step.kind}" instead of a signature`]);
  if (step.items.length !== 1) throw otherClaimForm([`${step.items.length} messages instead of one`]);
  const decoding = Decode.from(item, step.items[0]);
  if (!decoding.ok) throw otherClaimForm(decoding.problems.map(Decode.format));
  const { sign, post } = decoding.value.data;
  if (sign.message.toLowerCase() !== post.body.requestId.toLowerCase())
    throw otherClaimForm([`the message ${sign.message} for the claim ${post.body.requestId}`]);
  return sign.message;
}

/** The service asks for another signature than that of a claim. */
function otherClaimForm(found: readonly string[]): BaseError {
  return new BaseError('verify.mismatch', 'The service asks to sign something other than the id of a claim.', {
    facts: [
      ['expected', 'one message: the 32 bytes of the claim’s id, to be posted for that claim'],
      ...found.slice(0, 3).map((each) => ['found', TerminalText.escape(each.slice(0, 300))] as const),
    ],
    hint: 'Nothing was signed. Such a signature could be worth more than the fees: do not make it elsewhere.',
  });
}

/** The service asks for a signature that may be worth anything. */
export function opaqueClaim({ id, wallet, recipient, amount, currency: { token, chain } }: Claim): BaseError {
  return new BaseError('verify.unverified', 'A claim is a signature over 32 bytes that only the service can read.', {
    facts: [
      ['to claim', `${Currency.inWords(amount, token)} on ${chain.name}`],
      ['wallet', wallet],
      ['recipient', recipient],
      ['to sign', id],
    ],
    hint: 'They may as well be the hash of a transaction of a contract wallet that the key owns. ferry signs no such bytes; where you do, use a key that owns nothing else.',
  });
}

export type ClaimDocument = z.output<typeof schema>;

export const schema = z.object({
  /** The wallet that earned the fees. */
  wallet: z.string(),
  recipient: z.string(),
  chain: z.string(),
  chainId: z.int(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  symbol: z.string(),
  /** What is claimed, before the network gas. */
  claimed: QuoteDocument.amount,
  /** What the service wants signed, which is the claim's id. It binds neither amount nor recipient. */
  claimId: z.string(),
  funds: z.literal('untouched'),
});

/** The claim as JSON. */
export function from({ id, wallet, recipient, amount: base, currency }: Claim): ClaimDocument {
  const { chain, token } = currency;
  return {
    wallet,
    recipient,
    chain: chain.name,
    chainId: chain.id,
    currency: Currency.format(currency),
    symbol: token.symbol,
    claimed: Amount.toDocument(base, token.decimals),
    claimId: id,
    funds: 'untouched',
  };
}

/** The claim as text for a terminal. */
export function format({ claimed, symbol, chain, recipient, claimId }: ClaimDocument, style: Style): string {
  return [
    style.bold(`A claim of ${claimed.formatted} ${symbol} on ${chain}; nothing was signed`),
    TerminalTable.rows(
      [
        ['Recipient', recipient],
        ['To sign', claimId],
      ],
      style,
      2,
    ),
    ...TerminalLine.fold(caveat, style.width).map(style.dim),
  ].join('\n');
}

/** What the bytes do not say. */
const caveat =
  'That the bytes stand for this amount and this recipient is the service’s word: they may be the hash of anything. ferry does not sign them.';
