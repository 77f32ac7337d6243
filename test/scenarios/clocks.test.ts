/** A clock that is wrong, and a service that knows it. */

import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, ferry } from '../support/ferry.js';
import { orderId } from '../support/liar.js';
import { forward, loopback } from '../support/loopback.js';
import { nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const days = 86_400_000;

/** The service, whose orders have ended yesterday, signed by its solver; by its own account the day before that. */
async function expiring(): Promise<string> {
  const { url } = await loopback((response, request) => {
    void forward(`${sandbox.baseUrl}${request.path}`, request).then(async ({ status, type, text }) => {
      response.writeHead(status, { 'content-type': type, date: new Date(Date.now() - 2 * days).toUTCString() });
      response.end(request.path.startsWith('/quote') ? await ended(text) : text);
    });
  });
  return url;
}

async function ended(text: string): Promise<string> {
  const answer = JSON.parse(text);
  const { orderData, orderId: before } = answer.protocol.v2;
  const deadline = Math.floor((Date.now() - days) / 1000);
  for (const each of [orderData.output, ...orderData.inputs.flatMap(({ refunds }: { refunds: unknown[] }) => refunds)])
    each.deadline = deadline;
  const id = orderId(orderData) ?? '0x';
  const solver = privateKeyToAccount(accounts.solver.privateKey);
  answer.protocol.v2.orderSignature = await solver.signMessage({ message: { raw: id } });
  return JSON.stringify(answer).replaceAll(before.slice(2), id.slice(2));
}

describe('a clock that is behind', () => {
  test('attack: lets no order be paid that has ended by then', async () => {
    const env = { ...at(sandbox), FERRY_BASE_URL: await expiring() };
    const { address } = accounts.dev1;
    const before = await nonceAt(sandbox.rpcUrls.alpha, address);
    const argv = ['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev1', '--yes', '--json', '--timeout', '5s'];
    const refused = await ferry(argv, { env, laterMs: -2 * days });
    expect([refused.code, refused.json().error]).toMatchObject([
      5,
      { code: 'verify.mismatch', funds: 'untouched', facts: { 'order-deadline': expect.stringMatching(/hour/) } },
    ]);
    expect(await nonceAt(sandbox.rpcUrls.alpha, address)).toBe(before);
  });
});
