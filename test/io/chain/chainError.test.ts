import { expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { facts, failure, printed } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { chainAt } from '../../support/node.js';

const key = 'v3/0123456789abcdef0123456789abcdef';

test('error: nothing listens', async () => {
  const url = Loopback.nobody;
  const error = await failure(chainAt(`${url}/${key}`).chainId());
  expect(error).toMatchObject({
    code: 'chain.unreachable',
    message: 'The RPC node of alpha does not answer.',
    exit: 3,
    funds: 'untouched',
    next: 'ferry config set networks.testnet.chains.alpha.rpcUrl <url>',
  });
  expect(error.hint).toContain('FERRY_RPC_URL_ALPHA');
  expect(facts(error).node).toBe(`${url}/…`);
  expect(printed(error)).not.toContain('0123456789');
});

test("error: the sandbox's own chain", async () => {
  const error = await failure(chainAt(Loopback.nobody, { network: 'sandbox' }).chainId());
  expect(error.next).toBe('ferry sandbox status');
});

test.each([
  ['HTML', Loopback.html(), 'does not respond like a node of the chain'],
  [
    'an unreadable number',
    Loopback.json({ jsonrpc: '2.0', id: 1, result: 'banana' }),
    'does not respond like a node of the chain',
  ],
  ['a truncated response', Loopback.cutOff('{"jsonrpc"'), 'in the middle of its response'],
  ['a redirect', Loopback.redirect('https://elsewhere.invalid/'), 'redirect'],
  ['404', Loopback.html(404), 'status 404'],
  ['500', Loopback.html(500), 'status 500'],
])('error: %s', async (_, behaviour, why) => {
  const server = await Loopback.loopback(behaviour);
  const error = await failure(chainAt(`${server.url}/${key}`).balance(accounts.dev0.address, Address.native));
  expect(error.code).toBe('chain.unreachable');
  expect(facts(error).reason).toContain(why);
  expect(printed(error)).not.toContain('0123456789');
});

test('error: the node repeats the key in its message', async () => {
  const message = `project id 0123456789abcdef0123456789abcdef is over its limit\u001b[31m`;
  const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, error: { code: -32005, message } }));
  const error = await failure(chainAt(`${server.url}/${key}`).chainId());
  expect(error).toMatchObject({ code: 'chain.refused', retryable: true });
  expect(facts(error)['the node says']).toBe('project id *** is over its limit\\x1b[31m');
  expect(printed(error)).not.toContain('0123456789');
  expect(server.seen).toHaveLength(3);
});

test.each([
  ['a text', (path: string) => `${'Not allowed. '.repeat(6)}${path}`],
  ['a page', (path: string) => `<html><title>${'Not allowed. '.repeat(6)}${path}</title></html>`],
])('error: the node repeats the key where %s is cut off', async (_, body) => {
  const server = await Loopback.loopback(Loopback.text(body(`/${key}`), 'text/plain', 403));
  const error = await failure(chainAt(`${server.url}/${key}`).chainId());
  expect(facts(error)['the node says']).toMatch(/Not allowed\. \/v3\/\*\*\*$/);
  expect(printed(error)).not.toContain('0123');
});

test('error: 401', async () => {
  const server = await Loopback.loopback(Loopback.json({ error: 'unauthorized' }, 401));
  const error = await failure(chainAt(server.url).chainId());
  expect(error).toMatchObject({
    code: 'chain.refused',
    hint: expect.stringMatching(/^Check the key in its RPC URL\./),
  });
  expect(server.seen).toHaveLength(1);
});
