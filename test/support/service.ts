/** A client of the service at a base URL, over real HTTP. */
import { onTestFinished } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type { Network } from '../../src/core/network/Network.js';
import type { Service } from '../../src/core/ports/Ports.js';
import { createHttp, type Fetch } from '../../src/io/http/httpClient.js';
import { createService } from '../../src/io/http/serviceClient.js';

export const request: QuoteV2.Request = {
  user: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  originChainId: 313371,
  destinationChainId: 313372,
  originCurrency: '0x0000000000000000000000000000000000000000',
  destinationCurrency: '0x0000000000000000000000000000000000000000',
  tradeType: 'EXACT_INPUT',
  amount: '100',
};

/** `fetch` is in place of HTTP. */
export type Setting = { network?: Partial<Network>; timeoutMs?: number; pauses?: number[]; fetch?: Fetch };

/** What a client is made of besides its network. Its pauses are recorded and skipped. */
export function clientParts({ timeoutMs = 5_000, pauses = [], fetch }: Setting) {
  const http = createHttp({ signal: new AbortController().signal, env: {}, userAgent: 'ferry/test', timeoutMs });
  onTestFinished(() => http.close());
  const sleep = async (ms: number) => {
    pauses.push(ms);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { fetch: fetch ?? http.fetch, clock: { now: Date.now, sleep }, random: () => 1 };
}

/** The client of a service at a base URL. */
export function serviceAt(baseUrl: string, setting: Setting = {}): Service {
  const network = { name: 'testnet', baseUrl, realMoney: false, chains: [], ...setting.network };
  return createService({ ...clientParts(setting), network });
}
