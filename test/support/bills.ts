/** Fee bills from the sandbox's own engine and from recorded requests. */
import * as z from 'zod/mini';
import * as RequestsV2 from '../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../src/core/api/RequestsV3.js';
import * as FeeBill from '../../src/core/fees/FeeBill.js';
import * as FeeStatement from '../../src/core/fees/FeeStatement.js';
import type * as Network from '../../src/core/network/Network.js';
import { network as sandbox } from '../../src/core/network/sandbox.js';
import * as Quote from '../../src/core/quote/Quote.js';
import * as market from './market.js';
import { network as engine } from './quoted.js';
import * as recorded from './recorded.js';

type Request = Parameters<typeof market.request>;

/** The engine's chains, with the venue. */
const network: Network.Network = {
  ...engine,
  chains: [...engine.chains, ...sandbox.chains.filter(({ vm }) => vm === 'lvm')],
};

/** The bill of a quote of the engine. */
export async function quoted(...asked: Request): Promise<FeeBill.FeeBill> {
  const { response } = await market.quote(market.request(...asked));
  return FeeBill.fromAnswer(Quote.read(response), { isGasless: false, appFees: [] });
}

/** A recorded request by index, optionally changed. */
export function v3(index = 0, change: (record: RequestsV3.Record) => void = () => {}): FeeBill.FeeBill {
  const record = structuredClone(z.parse(RequestsV3.response, recorded.read('requests-v3')).requests[index]);
  if (!record) throw new Error(`no record ${index}`);
  change(record);
  return FeeBill.fromV3(record, network);
}

/** The recorded request of requests/v2, the third one of requests/v3. */
export function v2(): FeeBill.FeeBill {
  const [record] = z.parse(RequestsV2.response, recorded.read('requests-v2')).requests;
  if (!record) throw new Error('no record');
  return FeeBill.fromV2(record, network);
}

export function statement(bill: FeeBill.FeeBill, known: Partial<FeeStatement.Knowledge> = {}): FeeStatement.Statement {
  return FeeStatement.from(bill, { network, ...known });
}
