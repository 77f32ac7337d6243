/** A user of the venue of a service: signs the transfers that quotes require and reads the venue's state. */

import * as Step from '../../src/core/api/schema/Step.js';
import * as Usd from '../../src/core/base/Usd.js';
import type { Input } from '../../src/sandbox/http/faults.js';
import type * as QuoteAnswer from '../../src/sandbox/quote/QuoteAnswer.js';
import type { Name } from '../../src/sandbox/values/devAccounts.js';
import type { Transfer } from '../../src/sandbox/venue/books.js';
import type { Venue } from '../../src/sandbox/venue/createVenue.js';
import type { Service } from './customer.js';
import * as TxInfo from './venueCrypto/TxInfo.js';
import { askingOf, customerOf, fields, signer } from './venueCustomer.js';

type Parameters = Step.VenueTransfer['action']['parameters'];
type SequencerFault = Omit<Extract<Input, { kind: 'sequencer' }>, 'kind' | 'match'>;

/** The transfer that a quote requires. */
export function parametersOf(quote: QuoteAnswer.Response): Parameters {
  return Step.venueTransfer.parse(quote.steps[0]?.items[0]?.data).action.parameters;
}

/** Signs and submits a transfer from a development account; returns its hash. @throws the venue's refusal */
export async function transfer(venue: Pick<Venue, 'fetch'>, from: Name, parameters: Parameters): Promise<string> {
  const { nonce, send } = askingOf(venue);
  const { toAccountIndex, assetIndex, fromRouteType, toRouteType, amount, usdcFee, memo } = parameters;
  const wish = fields({
    Nonce: BigInt(await nonce(indexOf(from))),
    FromAccountIndex: BigInt(indexOf(from)),
    ToAccountIndex: BigInt(toAccountIndex),
    AssetIndex: BigInt(assetIndex),
    FromRouteType: BigInt(fromRouteType),
    ToRouteType: BigInt(toRouteType),
    Amount: BigInt(amount),
    USDCFee: BigInt(usdcFee),
  });
  const tx = await TxInfo.sign(wish, Buffer.from(memo.slice(2), 'hex'), signer(from));
  const { status, body } = await send(TxInfo.toJson(tx));
  if (body.tx_hash === undefined) throw new Error(`The venue refuses the transfer: ${status}, ${body.code}`);
  return body.tx_hash;
}

/** The transfer once it has finished. */
export async function settled(venue: Venue, hash: string): Promise<Transfer> {
  return await customerOf(venue, () => {}).end(hash);
}

/** The account index of a development account: 103 for `dev3`. */
export function indexOf(name: Name): number {
  return 100 + Number(name.slice('dev'.length));
}

/** Queries of a service's venue and of the service's records for tests. */
export function venueOf(service: Service) {
  const customer = () => customerOf(service.venue, service.travel);
  return {
    /** The balance of an account in millionths of USDC. */
    usdc(index: number): bigint {
      const found = service.venue.account(index);
      if (!found) throw new Error(`There is no account ${index}.`);
      return found.usdc;
    },
    /** Injects a sequencer fault for the next transfer of an account. */
    failing: (user: string, fault: SequencerFault) =>
      customer().fault({ kind: 'sequencer', match: { user }, ...fault }),
    /** Fees by component in millionths of a dollar, with costs negative. */
    async fees(requestId: string): Promise<Record<'quoted' | 'actual', Record<string, bigint>>> {
      const { data } = await service.record(requestId);
      return { quoted: parts(data?.fees?.quoted), actual: parts(data?.fees?.actual) };
    },
  };
}

function parts(breakdown: unknown): Record<string, bigint> {
  const entries = Object.entries((breakdown ?? {}) as Record<string, { usd: string }>);
  return Object.fromEntries(entries.map(([name, { usd }]) => [name, Usd.from(usd) ?? 0n]));
}
