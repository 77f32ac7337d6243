/**
 * Lies that agree with each other: the service and its solver, or a node, lie in everything that they are asked, by a plan.
 * Nothing is final while what was signed can still act, and a payment is known by its order, not by an id that the service
 * has chosen.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { forward, loopback, type Seen } from '../support/loopback.js';
import { balanceAt } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';

/** A payer with a state directory of their own. */
function payer(account: 'dev0' | 'dev3' | 'dev4' | 'dev5' | 'dev6' | 'dev7' | 'dev8' | 'dev9') {
  const stateDir = temporaryFolder();
  return {
    held: (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, accounts[account].address),
    run: (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
      ferry([...argv, '--account', account, '--yes', '--json'], {
        env: { ...at(sandbox), FERRY_STATE_DIR: stateDir, ...env },
        pace: 20,
      }),
  };
}

/** The service, whose answers are told as the test says. `honest` asks the true one. */
async function service(
  tell: (request: Seen, honest: () => Promise<Envelope>) => Promise<unknown>,
): Promise<{ FERRY_BASE_URL: string }> {
  const { url } = await loopback((response, request) => {
    const asked = forward(sandbox.baseUrl + request.path, request);
    const honest = (): Promise<Envelope> => asked.then(({ text }) => JSON.parse(text));
    Promise.all([asked, tell(request, honest)])
      .then(([{ status, type, text }, told]) =>
        told === undefined
          ? response.writeHead(status, { 'content-type': type }).end(text)
          : response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told)),
      )
      .catch(() => response.destroy());
  });
  return { FERRY_BASE_URL: url };
}

const isQuote = ({ path }: Seen): boolean => path.startsWith('/quote/v2');

describe('one fill, two deliveries', () => {
  test.each([
    ['the same request id', (answer: Envelope, first: Envelope) => renamed(answer, idOf(answer), idOf(first))],
    ['the same order', (_: Envelope, first: Envelope) => first],
  ])('attack: two quotes with %s: nothing is signed for the second', async (_, second) => {
    const one = payer('dev3');
    let first: Envelope | undefined;
    const env = await service(async (request, honest) => {
      if (!isQuote(request)) return undefined;
      const answer = await honest();
      if (first) return second(answer, first);
      first = answer;
      return undefined;
    });
    const transfer = ['execute', '10', 'alpha/usdc', 'beta/usdc'];
    expect((await one.run(transfer, env)).json().data).toMatchObject({ funds: 'delivered' });
    const before = await one.held();
    const { error } = (await one.run(transfer, env)).json();
    expect(error).toMatchObject({ code: 'verify.mismatch', exit: 5, funds: 'untouched' });
    expect(error.message).toMatch(/^Another run has the same (order|request) id/);
    expect(await one.held()).toBe(before);
  });
});

function idOf({ steps }: Envelope): string {
  return steps[0].requestId;
}

function renamed(answer: Envelope, from: string, to: string): Envelope {
  return JSON.parse(JSON.stringify(answer).replaceAll(from, to));
}
