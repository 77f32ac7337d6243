/** Routes of gasless execution, each with its documented errors. */
import type { Hono } from 'hono';
import * as Execute from '../../core/api/Execute.js';
import * as ExecutePermits from '../../core/api/ExecutePermits.js';
import * as Decode from '../../core/api/schema/Decode.js';
import { network } from '../../core/network/sandbox.js';
import { keyNameOf } from '../http/apiKey.js';
import { executeError, HttpError, messageError } from '../http/HttpError.js';
import { readBody, readJson, readQuery } from '../http/validation.js';
import { debugReferrer } from '../pricing/QuoteTerms.js';
import type { Instance } from '../settlement/instance.js';
import type { Relayer } from '../settlement/relayer.js';
import { executeClaim } from './claims.js';
import { executePermit } from './permits.js';
import { execute } from './submitCall.js';

export function addExecuteRoutes(app: Hono, instance: Instance, relayer: Relayer): void {
  app.post(Execute.endpoint.path, async (c) => {
    const answer = await withExecuteErrors(async () => {
      const keyName = keyNameOf(c.req.raw);
      if (keyName === undefined) throw executeError(401, 'Unauthorized');
      const body = await readBody(c.req.raw);
      assertReferrer(body);
      const decoding = Decode.from(Execute.request, body);
      if (!decoding.ok) throw executeError(400, Execute.complaint(decoding.problems));
      return await execute(instance, relayer, { request: decoding.value, keyName });
    });
    return c.json(answer);
  });

  app.post(ExecutePermits.endpoint.path, async (c) => {
    const answer = await withMessageErrors(async () => {
      const { signature } = readQuery(c.req.raw, ExecutePermits.query);
      const request = await readJson(c.req.raw, ExecutePermits.submission);
      const claim = instance.ledger.claim(request.requestId);
      if (claim) return await executeClaim(instance, claim, { request, signature });
      return await executePermit(instance, relayer, { request, signature });
    });
    return c.json(answer);
  });
}

/**
 * Checks the referrer, if the request has one; an empty one counts as none. The service has since made it optional, but
 * still rejects unknown ones.
 */
function assertReferrer(body: unknown): void {
  const { referrer } = (body as { executionOptions?: { referrer?: unknown } } | null)?.executionOptions ?? {};
  if (typeof referrer !== 'string' || ['', network.referrer].includes(referrer) || referrer === debugReferrer) return;
  throw executeError(401, 'Invalid referrer');
}

/** Except for failed simulations, every error of `/execute` has a single field, whatever its origin. */
async function withExecuteErrors<result>(work: () => Promise<result>): Promise<result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw executeError(500, 'Internal server error');
    // Errors of the HTTP framework have their own shape.
    throw 'statusCode' in error.body ? executeError(400, error.message) : error;
  }
}

/** Every error of `/execute/permits` is a plain message. */
async function withMessageErrors<result>(work: () => Promise<result>): Promise<result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError) throw messageError(400, error.message);
    throw error;
  }
}
