import { describe, expect, test } from 'vitest';
import { at, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

describe('run', () => {
  test('default: the tokens of one chain', async () => {
    const ended = await ferry(['tokens', 'beta', '--json']);
    const { tokens } = ended.json().data;
    const symbols = ['eth', 'weth', 'usdc', 'usdt', 'dai', 'gull', 'kelp'];
    expect(tokens.map(({ currency, known }: Envelope) => [currency, known])).toEqual(
      symbols.map((symbol) => [`beta/${symbol}`, true]),
    );
  });
  test('behavior: --search asks the service', async () => {
    const ended = await ferry(['tokens', '--search', 'gull', '--json'], { env: at(sandbox) });
    const found = ended.json().data.tokens.map(({ currency }: { currency: string }) => currency);
    expect(found.sort()).toEqual(['alpha/gull', 'beta/gull']);
  });
  test('behavior: what was pinned is known, and marked', async () => {
    const env = { ...at(sandbox), FERRY_CONFIG_DIR: temporaryFolder() };
    const list = await ferry(['tokens', 'alpha', '--json'], { env });
    const find = (symbol: string) => list.json().data.tokens.find((each: Envelope) => each.symbol === symbol);
    expect(find('GULL')).toMatchObject({ known: true, pinned: false });
    const { address } = find('GULL');
    await ferry(['contracts', 'accept', 'alpha', '--token', `SEAL=${address}`, '--yes'], { env });
    expect((await ferry(['tokens', 'alpha'], { env })).stdout).toMatch(
      new RegExp(`^alpha/seal +Gull \\(pinned\\) +18 +${address}$`, 'm'),
    );
    const after = (await ferry(['tokens', 'alpha', '--json'], { env })).json().data.tokens;
    expect(after.find((each: Envelope) => each.symbol === 'SEAL')).toMatchObject({ known: true, pinned: true });
    expect(after.find((each: Envelope) => each.symbol === 'GULL')).toMatchObject({ known: true, pinned: false });
  });
});
