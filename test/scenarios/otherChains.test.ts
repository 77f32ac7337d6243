/** Transfers to chains that are not EVM chains: whom they pay is settled before anybody is asked. */
import { describe, expect, test } from 'vitest';
import { ferry, type Surroundings } from '../support/ferry.js';
import * as Loopback from '../support/loopback.js';

const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A service that refuses everything, and a quote asked of it. */
async function desk() {
  const server = await Loopback.loopback(Loopback.json({ message: 'asked' }, 400));
  const env = { FERRY_BASE_URL: server.url };
  const quote = (args: readonly string[], more: Surroundings = {}) =>
    ferry(['quote', ...args, '--account', payer, '--network', 'mainnet'], { env, ...more });
  return { quote, seen: server.seen };
}

describe('a quote to a chain of another kind', () => {
  test.each([
    ['solana/usdc', 'A transfer to Solana needs a recipient: your own account is none there.'],
    ['bitcoin/btc', 'A transfer to Bitcoin needs a recipient: your own account is none there.'],
    ['hyperliquid/usdc', 'A transfer to Hyperliquid needs a recipient: your own account is none there.'],
  ])('error: %s without a recipient', async (to, message) => {
    const { quote, seen } = await desk();
    const ended = await quote(['100', 'base/usdc', to, '--json']);
    expect(seen).toEqual([]);
    expect([ended.code, ended.json().error.message]).toEqual([2, message]);
  });

  test.each([
    ['bitcoin/btc', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'it is for a test network of Bitcoin'],
    ['bitcoin/btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'its checksum or its length is wrong'],
    ['solana/usdc', payer, 'it is an address of EVM chains'],
    ['solana/usdc', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'it stands for USDC itself'],
    ['tron/usdt', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE', 'it is an address of Solana'],
    ['ton/ton', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG', 'its checksum or its length is wrong'],
  ])('error: %s for %s', async (to, recipient, why) => {
    const { quote, seen } = await desk();
    const ended = await quote(['100', 'base/usdc', to, '--recipient', recipient, '--json']);
    expect(seen).toEqual([]);
    expect([ended.code, ended.json().error.code]).toEqual([2, 'request.invalid-address']);
    expect(ended.json().error.message).toContain(why);
  });

  test.each(['solana/usdc', 'bitcoin/btc', 'tron/usdt', 'ton/usdt', 'hyperliquid/usdc'])(
    'error: from %s',
    async (from) => {
      const { quote, seen } = await desk();
      const ended = await quote(['1', from, 'base/usdc', '--json']);
      expect(seen).toEqual([]);
      expect([ended.code, ended.json().error.code]).toEqual([2, 'request.unsupported']);
      expect(ended.json().error.message).toContain('is receive only');
    },
  );

  test('behavior: a good recipient is what the service is asked for', async () => {
    const { quote, seen } = await desk();
    const recipient = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
    const ended = await quote(['100', 'base/usdc', 'solana/usdc', '--recipient', recipient, '--json']);
    expect(ended.code).toBe(3);
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      recipient,
      destinationChainId: 792703809,
      refundTo: payer,
    });
  });

  test('behavior: on a terminal the recipient is asked for, and again if it is none', async () => {
    const { quote, seen } = await desk();
    const ended = await quote(['100', 'base/usdc', 'solana/usdc'], {
      terminals: { stdin: true, stdout: true, stderr: true },
      keys: [
        [/Who receives it\? An account on Solana:/, `${payer}\r`],
        [/it is an address of EVM chains/, '\x15GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE\r'],
      ],
    });
    expect([ended.code, seen.length]).toEqual([3, 1]);
    expect(JSON.parse(seen[0]?.body ?? '').recipient).toBe('GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE');
  });
});

describe('other commands', () => {
  test.each([
    [['balance', payer, '--chain', 'solana'], 'ferry reads no balances on Solana'],
    [['execute', 'call', '--chain', 'solana', '--to', payer, '--data', '0x'], 'Solana is receive only'],
    [['quote', 'max', 'bitcoin/btc', 'base/usdc', '--account', payer], 'Bitcoin is receive only'],
    [['allowance', 'show', 'solana/usdc', '--account', payer], 'There are no allowances on solana'],
    [['quote', '1', 'base/usdc', 'bitcoin/usdc', '--account', payer], 'Unknown token "usdc" on bitcoin'],
  ])('error: %s', async (argv, message) => {
    const ended = await ferry([...argv, '--network', 'mainnet', '--json'], {
      env: { FERRY_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect([ended.code, ended.json().error.code]).toEqual([2, expect.stringMatching(/^request\./)]);
    expect(ended.json().error.message).toContain(message);
  });
});
