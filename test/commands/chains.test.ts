import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, ferry } from '../support/ferry.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

describe('run', () => {
  test('default: what ferry ships, without asking anybody', async () => {
    const ended = await ferry(['chains', '--json'], { env: { FERRY_BASE_URL: 'http://127.0.0.1:9' } });
    expect(ended.code).toBe(0);
    expect(
      ended
        .json()
        .data.chains.map(({ name, depositEnabled }: { name: string; depositEnabled: unknown }) => [
          name,
          depositEnabled,
        ]),
    ).toEqual([
      ['alpha', null],
      ['beta', null],
      ['lighter', null],
    ]);
  });
  test('behavior: --live asks the service', async () => {
    const ended = await ferry(['chains', '--live'], { env: at(sandbox) });
    expect(ended.stdout).toMatchInlineSnapshot(`
      "Chain         Id  Native  Tokens                           Deposits
      alpha     313371  ETH     WETH, USDC, USDT, DAI, GULL, +1  open
      beta      313372  ETH     WETH, USDC, USDT, DAI, GULL, +1  open
      lighter  3586256  USDC                                     open
      "
    `);
  });
  test('behavior: mainnet’s chains fit 80 columns', async () => {
    const ended = await ferry(['chains', '--network', 'mainnet']);
    expect(ended.stdout).toMatch(/^base +8453/m);
    expect(Math.max(...ended.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
