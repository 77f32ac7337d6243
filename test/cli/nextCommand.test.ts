import { describe, expect, test } from 'vitest';
import { at, type Envelope, ferry } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

/** The error of a command line. */
async function errorOf(line: string, env: Record<string, string | undefined> = {}): Promise<Envelope> {
  const { json } = await ferry([...line.split(' '), '--json'], { env: { ...at(sandbox), ...env } });
  return json().error;
}

describe('completed', () => {
  test('default: a chain of another network: which, and what to type', async () => {
    const typed =
      'quote 100 base/usdc arbitrum/usdc --slippage 0.5 --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(await errorOf(typed)).toMatchObject({
      code: 'request.unknown-chain',
      hint: 'mainnet has base, where money is real; a price needs no key.',
      next: `ferry ${typed} --network mainnet`,
    });
    expect(await errorOf('quote 1 alpha/usdc base/usdc')).toMatchObject({ next: 'ferry chains --network mainnet' });
    expect(await errorOf('tokens base')).toMatchObject({ next: 'ferry chains --network mainnet' });
    expect(await errorOf('quote 1 alpha/usdc beta/usdc --network mainnet')).toMatchObject({
      hint: 'sandbox has alpha.',
      next: 'ferry quote 1 alpha/usdc beta/usdc --network sandbox',
    });
    expect(await errorOf('quote 1 alhpa/usdc beta/usdc')).toMatchObject({
      hint: 'Did you mean alpha?',
      next: 'ferry quote 1 alpha/usdc beta/usdc',
    });
    expect(await errorOf('tokens bsae --network mainnet')).toMatchObject({
      next: 'ferry tokens base --network mainnet',
    });
    expect(await errorOf('execute 1 base/usdc arbitrm/usdc --yes --network mainnet --account dev1')).toMatchObject({
      next: 'ferry execute 1 base/usdc arbitrum/usdc --account dev1 --network mainnet',
    });
  });

  test('behavior: what wallets call a chain, and the beginning of a network’s name', async () => {
    expect(await errorOf('quote 1 eth/usdc arb/usdc')).toMatchObject({
      hint: 'mainnet has ethereum, where money is real; a price needs no key.',
      next: 'ferry quote 1 ethereum/usdc arbitrum/usdc --network mainnet',
    });
    expect(await errorOf('tokens arb --network mainnet')).toMatchObject({
      hint: 'Did you mean arbitrum?',
      next: 'ferry tokens arbitrum --network mainnet',
    });
    expect(await errorOf('quote 1 alpha/usdc beta/usdc --network main')).toMatchObject({
      hint: 'Did you mean mainnet?',
      next: 'ferry quote 1 alpha/usdc beta/usdc --network mainnet',
    });
  });

  test('behavior: the name of an account where an address belongs', async () => {
    const dev1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(await errorOf('execute 1 alpha/usdc beta/usdc --recipient dev1 --yes')).toMatchObject({
      code: 'request.invalid-address',
      hint: `dev1 is an account of yours: ${dev1}.`,
      next: `ferry execute 1 alpha/usdc beta/usdc --recipient ${dev1}`,
    });
    const { hint } = await errorOf('quote 1 base/usdc arbitrum/usdc --recipient dev1 --network mainnet');
    expect(hint).not.toContain(dev1);
  });

  test('behavior: what would pay on the sandbox is only priced on another network', async () => {
    expect((await errorOf('execute 100 base/usdc arbitrum/usdc --yes --no-wait')).next).toBe(
      'ferry quote 100 base/usdc arbitrum/usdc --network mainnet',
    );
  });

  test('behavior: the next command keeps the network and the account that were typed', async () => {
    expect((await errorOf('quote 1 base/nope arbitrum/usdc --network mainnet')).next).toBe(
      'ferry tokens base --network mainnet',
    );
    const { next } = await errorOf('runs show nope --network mainnet');
    expect(next).toBe('ferry runs list --network mainnet');
    expect((await errorOf('runs show nope')).next).toBe('ferry runs list');
    expect((await errorOf('balance --network mainnet')).next).toBe('ferry balance <address> --network mainnet');
    const holder = '--account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --network mainnet';
    const alone = await errorOf(`quote 1 base/usdc arbitrum/usdc ${holder}`, { FERRY_BASE_URL: 'http://a.invalid' });
    expect(alone.next).toBe(`ferry doctor ${holder}`);
  });

  test('behavior: half a line is completed on the network in use', async () => {
    const next = async (line: string) => (await errorOf(line)).next;
    expect(await next('quote 1 base/usdc --network mainnet')).toBe(
      'ferry quote 1 base/usdc arbitrum/usdc --network mainnet',
    );
    expect(await next('quote --network testnet')).toMatch(/^ferry quote 100 \S+\/usdc \S+\/usdc --network testnet$/);
    expect(await next('quote 1 beta/gull')).toBe('ferry quote 1 beta/gull alpha/gull');
    expect(await next('quote 5')).toBe('ferry quote 5 alpha/usdc beta/usdc');
  });

  test('behavior: a mistyped network: the same command on the right one, with nothing confirmed in advance', async () => {
    const typed = 'execute 1 base/usdc arbitrum/usdc --account main';
    expect(await errorOf(`${typed} --yes --network mainet`)).toMatchObject({
      code: 'config.unknown-network',
      hint: 'Did you mean mainnet?',
      next: `ferry ${typed} --network mainnet`,
    });
    expect(await errorOf('quote 1 alpha/usdc beta/usdc', { FERRY_NETWORK: 'mainet' })).toMatchObject({
      hint: 'Did you mean mainnet?',
      next: 'ferry config list --network sandbox',
    });
    // Its argument may be a secret.
    expect((await errorOf('config set networks.mine.apiKey hush --network mainet')).next).toBe(
      'ferry config set --help',
    );
  });

  test('behavior: an account that cannot pay learns how it still can', async () => {
    const gas = await errorOf('execute 1 alpha/usdc beta/usdc --account dev9 --yes');
    expect([gas.code, gas.hint]).toEqual(['submit.insufficient-gas', expect.stringContaining('--gasless')]);
    const short = await errorOf('execute 100000000 alpha/usdc beta/usdc --yes');
    expect(short).toMatchObject({
      code: 'submit.insufficient-balance',
      facts: { balance: '1000000 USDC' },
      hint: expect.stringContaining('Type max'),
    });
  });

  test('behavior: a service whose host has no name: the connection, and ferry doctor on that network', async () => {
    const error = await errorOf('quote 1 base/usdc arbitrum/usdc --network mainnet', {
      FERRY_BASE_URL: 'https://nowhere.invalid',
    });
    expect(error).toMatchObject({
      code: 'service.unreachable',
      hint: expect.stringMatching(/^Is this machine online/),
    });
    expect(error.next).toBe('ferry doctor --network mainnet');
  });
});
