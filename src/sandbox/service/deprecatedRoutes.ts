/** Routes that public clients still call and that have successors. The records have theirs in `recordRoutes`. */

import { Hono } from 'hono';
import * as ConfigV2 from '../../core/api/foreign/ConfigV2.js';
import * as Price from '../../core/api/foreign/Price.js';
import * as QuoteV1 from '../../core/api/foreign/QuoteV1.js';
import * as StatusV2 from '../../core/api/foreign/StatusV2.js';
import * as QuoteV2 from '../../core/api/QuoteV2.js';
import { keyNameOf } from '../http/apiKey.js';
import { documentedBody } from '../http/faultGate.js';
import { HttpError } from '../http/HttpError.js';
import { readJson, readQuery } from '../http/validation.js';
import * as StatusAnswer from '../ledger/StatusAnswer.js';
import { RefusalError } from '../pricing/QuoteRefusal.js';
import type { Instance } from '../settlement/instance.js';
import { bridgeConfig } from './bridgeConfig.js';
import { price, quote } from './quoting.js';

export function deprecatedRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.post(QuoteV1.endpoint.path, async (c) => {
    const request = await readJson(c.req.raw, QuoteV2.request);
    // The id is at the top in v2 alone; the steps have it in both.
    const { requestId: _, ...answer } = await quote(instance, request, { keyName: keyNameOf(c.req.raw) });
    return c.json(answer);
  });

  app.post(Price.endpoint.path, async (c) => {
    const request = await readJson(c.req.raw, Price.request);
    return c.json(priceOf(await price(instance, request, { keyName: keyNameOf(c.req.raw) })));
  });

  app.get(ConfigV2.endpoint.path, async (c) => {
    const query = readQuery(c.req.raw, ConfigV2.query);
    try {
      return c.json(await bridgeConfig(instance, query));
    } catch (error) {
      if (error instanceof HttpError || error instanceof RefusalError) throw error;
      throw new HttpError(500, documentedBody(ConfigV2.endpoint.path, 500));
    }
  });

  app.get(StatusV2.endpoint.path, (c) => {
    const { requestId } = readQuery(c.req.raw, StatusV2.query);
    const entry = instance.ledger.byRequestId(requestId);
    return c.json(entry ? StatusAnswer.v2(entry) : StatusAnswer.unknownV2);
  });

  return app;
}

export function priceOf({ fees, details }: QuoteV2.Response): Price.Response {
  const { operation, sender, recipient, currencyIn, currencyOut, totalImpact, swapImpact } = details;
  const { rate, slippageTolerance, timeEstimate, userBalance } = details;
  return {
    fees: fees ?? {},
    details: {
      operation,
      sender,
      recipient,
      currencyIn,
      currencyOut,
      totalImpact,
      swapImpact,
      rate,
      slippageTolerance,
      timeEstimate,
      userBalance,
    },
  };
}
