/** Bills from the sandbox's own engine and from recorded records, and the statements that they make. */
import * as z from 'zod/mini';
import * as RequestsV2 from '../../src/core/contract/RequestsV2.js';
import * as RequestsV3 from '../../src/core/contract/RequestsV3.js';
import * as Bill from '../../src/core/fees/Bill.js';
import * as Statement from '../../src/core/fees/Statement.js';
import type * as Network from '../../src/core/Network.js';
import { network as sandbox } from '../../src/core/networks/sandbox.js';
import * as Quote from '../../src/core/Quote.js';
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
export async function quoted(...asked: Request): Promise<Bill.Bill> {
  const { response } = await market.quote(market.request(...asked));
  return Bill.fromAnswer(Quote.read(response), { isGasless: false, appFees: [] });
}

/** A recorded record by its place, changed where a change is given. */
export function v3(index = 0, change: (record: RequestsV3.Record) => void = () => {}): Bill.Bill {
  const record = structuredClone(z.parse(RequestsV3.response, recorded.read('requests-v3')).requests[index]);
  if (!record) throw new Error(`no record ${index}`);
  change(record);
  return Bill.fromV3(record, network);
}

/** The record of requests/v2, which is the third of requests/v3. */
export function v2(): Bill.Bill {
  const [record] = z.parse(RequestsV2.response, recorded.read('requests-v2')).requests;
  if (!record) throw new Error('no record');
  return Bill.fromV2(record, network);
}

export function statement(bill: Bill.Bill, known: Partial<Statement.Knowledge> = {}): Statement.Statement {
  return Statement.from(bill, { network, ...known });
}
