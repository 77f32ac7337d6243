import { describe, expect, test } from 'vitest';
import { at, type Envelope, ferry } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('run', () => {
  test('default: what ferry ships, without asking anybody', async () => {
    const ended = await ferry(['chains', '--json'], { env: { FERRY_BASE_URL: 'http://127.0.0.1:9' } });
    expect(ended.json().data.chains.map(({ name, depositEnabled }: Envelope) => [name, depositEnabled])).toEqual(
      ['alpha', 'beta', 'lighter', 'svm'].map((name) => [name, null]),
    );
  });
  test('behavior: --live asks the service', async () => {
    const ended = await ferry(['chains', '--live'], { env: at(sandbox) });
    expect(ended.stdout).toMatchInlineSnapshot(`
      "Network  sandbox
      Chain         Id  Native  Can            Deposits  Tokens
      alpha     313371  ETH     all            open      WETH, USDC, USDT, DAI, +2
      beta      313372  ETH     all            open      WETH, USDC, USDT, DAI, +2
      lighter  3586256  USDC    send, receive  open
      svm       313374  SOL     receive only   closed    USDC
      "
    `);
  });
  test('behavior: says what ferry can do with each chain', async () => {
    const ended = await ferry(['chains', '--network', 'mainnet', '--json']);
    const can = (wanted: string) => ended.json().data.chains.find(({ name }: { name: string }) => name === wanted).can;
    expect(can('base')).toEqual(['send', 'receive', 'gasless', 'call', 'deposit address']);
    expect(can('lighter')).toEqual(['send', 'receive']);
    for (const name of ['solana', 'bitcoin', 'tron', 'ton', 'hyperliquid']) expect(can(name)).toEqual(['receive']);
    const text = await ferry(['chains', '--network', 'mainnet']);
    expect(text.stdout).toMatch(/^solana +792703809 +SOL +receive only +WSOL, USDC, \+1$/m);
  });
});
