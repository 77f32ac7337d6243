/** `--gas-topup`, from the command to the balances that cast reads. */
import { describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type Ended, ferry, questionOf } from '../support/ferry.js';
import { forward, json, type Loopback, loopback, passTo } from '../support/loopback.js';
import { balanceAt, minedAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, env } = useSandbox();

const { tokens } = deployments.beta;
/** Nobody pays gas from it. */
const recipient = '0x00000000000000000000000000000000000f0e44';
const transfer = ['100', 'alpha/usdc', 'beta/usdc', '--recipient', recipient, '--account', 'dev0'];

const execute = (...args: string[]): Promise<Ended> => ferry(['execute', ...args, '--yes', '--json'], { env });
const quote = (...args: string[]): Promise<Ended> => ferry(['quote', ...args], { env });
/** A service that changes the details of its quotes. */
function lying(change: (details: Record<string, unknown>) => void): Promise<Loopback> {
  const altered = (text: string): string => {
    const body = JSON.parse(text) as { details?: Record<string, unknown> };
    if (body.details) change(body.details);
    return JSON.stringify(body);
  };
  return loopback(passTo(sandbox.baseUrl, altered));
}

const held = (token: string): Promise<bigint> => balanceAt(sandbox.rpcUrls.beta, token, recipient);

describe('execute --gas-topup', () => {
  test.each([
    ['the same token', 'USDC'],
    ['a token that is swapped to', 'GULL'],
  ] as const)('default: %s and ether arrive', async (_, symbol) => {
    const token = tokens[symbol].address;
    const [ether, before] = [await held(native), await held(token)];
    const to = `beta/${symbol.toLowerCase()}`;
    const more = [...transfer.slice(3), '--gas-topup', '2'];
    const ended = await execute('100', 'alpha/usdc', to, ...more, '--allow', 'gas-topup');
    expect(ended.stderr).toBe('');
    expect(ended.json()).toMatchObject({ ok: true, data: { status: 'success', funds: 'delivered' } });
    const { data } = (await quote('100', 'alpha/usdc', to, ...more, '--json')).json();
    expect((await held(native)) - ether).toBe(BigInt(data.gasTopup.amount));
    expect(ended.json().data.gasTopup).toMatchObject({ amount: data.gasTopup.amount, currency: 'beta/eth' });
    expect(data.gasTopup).toMatchObject({ symbol: 'ETH', usd: '2.000000' });
    expect((await held(token)) - before).toBeGreaterThanOrEqual(BigInt(ended.json().data.minimum.amount));
  });

  test('behavior: it is paid from the amount, and shown', async () => {
    const plain = (await quote(...transfer, '--json')).json().data;
    const topped = (await quote(...transfer, '--gas-topup', '2.50', '--json')).json().data;
    const less = BigInt(plain.receive.amount) - BigInt(topped.receive.amount);
    expect(Number(less)).toBeGreaterThanOrEqual(2_500_000);
    expect(Number(less)).toBeLessThan(2_600_000);
    expect(topped.intent.gasTopupUsd).toBe('2.500000');
    const { stdout } = await quote(...transfer, '--gas-topup', '2.50');
    expect(stdout).toMatch(/Gas top-up\s+0\.\d+ ETH\s+\$2\.50/);
    const question = await questionOf(['execute', ...transfer, '--gas-topup', '2.50'], { env });
    expect(question).toMatch(/Only one witness: gas-topup \(the service\)/);
    expect(question).toMatch(/and 0\.\d+ ETH for gas/);
  });

  test('error: nobody is asked, and the service alone says that it will be paid', async () => {
    const ended = await execute(...transfer, '--gas-topup', '2');
    expect(ended.json().error).toMatchObject({ code: 'verify.unverified', funds: 'untouched' });
    expect(JSON.stringify(ended.json().error)).toContain('gas-topup');
  });

  test.each([
    ['another dollar', { amount: '1' }],
    ['another chain', { currency: { chainId: 31337, address: native, symbol: 'ETH', name: 'Ether', decimals: 18 } }],
    ['a token', { currency: { chainId: deployments.beta.id, address: tokens.USDC.address, symbol: 'ETH' } }],
    ['another price', { amountUsd: '0.02' }],
    ['left out', undefined],
  ])('error: an answer with %s is refused', async (_, change) => {
    const service = await lying((details) => {
      const { currencyGasTopup: honest } = details;
      details.currencyGasTopup = change && { ...(honest as object), ...change };
    });
    const asked = ['execute', ...transfer, '--gas-topup', '2', '--allow', 'gas-topup', '--yes', '--json'];
    const ended = await ferry(asked, { env: { ...env, FERRY_BASE_URL: service.url } });
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
    expect(JSON.stringify(ended.json().error)).toContain('gas-topup');
  });

  test('behavior: one that is promised and not paid is told, with what arrived', async () => {
    // What somebody paid the recipient before is named as a fill, too.
    const older = { from: accounts.dev3.address, to: recipient, value: '0x38d7ea4c68000' };
    const bait = await minedAt(sandbox.rpcUrls.beta, older);
    const forgetful = await loopback((response, request) => {
      const asked = JSON.parse(request.body || '{}') as Record<string, unknown>;
      const plain = JSON.stringify({ ...asked, topupGas: undefined, topupGasAmount: undefined });
      const isQuote = request.path.startsWith('/quote');
      void forward(`${sandbox.baseUrl}${request.path}`, isQuote ? { ...request, body: plain } : request).then(
        ({ status, text }) => {
          const body = JSON.parse(text) as { details?: Record<string, unknown>; txHashes?: unknown[] };
          body.txHashes?.push(bait);
          if (isQuote && body.details) {
            const { currency } = body.details.currencyOut as { currency: object };
            body.details.currencyGasTopup = {
              currency: { ...currency, address: native, symbol: 'ETH', decimals: 18 },
              amount: '1000000000000000',
              amountUsd: '2.5',
            };
          }
          json(body, status)(response, request);
        },
      );
    });
    const asked = ['execute', ...transfer, '--gas-topup', '2.5', '--allow', 'gas-topup', '--yes'];
    const away = { ...env, FERRY_BASE_URL: forgetful.url };
    const ended = await ferry([...asked, '--json'], { env: away });
    expect(ended.json()).toMatchObject({ ok: true, data: { funds: 'delivered', gasTopup: { amount: '0' } } });
    expect(ended.json().warnings).toContain('A gas top-up of 0.001 ETH was promised, and beta shows 0 ETH.');
    const shown = await ferry(asked, { env: away });
    expect(shown.stdout).toMatch(/Gas top-up +0 beta\/eth +read from the chain/);
  });

  test('error: an answer that tops up unasked is refused', async () => {
    const service = await lying((details) => {
      const { currencyOut } = details as { currencyOut: { currency: object } };
      const currency = { ...currencyOut.currency, address: native, symbol: 'ETH', decimals: 18 };
      details.currencyGasTopup = { ...currencyOut, currency, amount: '1000000000000000', amountUsd: '2.5' };
    });
    const ended = await ferry(['execute', ...transfer, '--yes', '--json'], {
      env: { ...env, FERRY_BASE_URL: service.url },
    });
    expect(ended.json().error).toMatchObject({ code: 'verify.mismatch', funds: 'untouched' });
  });

  test.each([
    [['1', 'alpha/usdc', 'beta/eth']],
    [['1', 'alpha/usdc', 'alpha/gull']],
    [['1', 'alpha/usdc', 'lighter/usdc']],
    [['1', 'alpha/usdc', 'beta/usdc', '--exact-output', '--call', `${recipient}:0x00`]],
  ])('error: %j', async (args) => {
    const ended = await execute(...args, '--account', 'dev0', '--gas-topup', '2');
    expect(ended.json().error).toMatchObject({ code: 'request.unsupported', funds: 'untouched' });
  });

  test.each(['0.000001', '100'])('behavior: a top-up of %s', async (text) => {
    const { data } = (await quote('200', ...transfer.slice(1), '--gas-topup', text, '--json')).json();
    expect(Number(data.intent.gasTopupUsd)).toBe(Number(text));
  });

  test.each(['0', '-1', '100.000001', 'much', '', '1.0000001'])('error: a top-up of %s', async (text) => {
    const ended = await execute(...transfer, `--gas-topup=${text}`);
    expect(ended.json().error).toMatchObject({ code: 'usage.invalid', funds: 'untouched' });
  });
});
