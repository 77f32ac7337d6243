import { describe, expect, onTestFinished, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import { at, ferry, temporaryFolder } from '../support/ferry.js';
import { useSandbox } from '../support/sandbox.js';
import { describeWith, openTerminal } from '../support/terminal.js';

const { sandbox } = useSandbox();
const built = useFerry();

describe('askMissing', () => {
  test('error: where nobody can be asked, what is missing is named', async () => {
    const ended = await ferry(['execute', '--json'], { env: at(sandbox) });
    expect(ended.json().error).toMatchObject({ code: 'usage.missing', funds: 'untouched' });
  });

  const terminals = { stdin: true, stderr: true };

  test('behavior: each mistake is asked again, a bridge comes first, and the answers stay in view', async () => {
    const ended = await ferry(['execute', '0.5', 'alpha/nope', '--dry-run'], {
      env: at(sandbox),
      terminals,
      keys: [
        [/Unknown token "nope" on alpha\. From which of \d+ currencies\?/, 'usdc alpha'],
        [/❯ alpha\/usdc {2}\d+/, '\r'],
        [/To which of \d+ currencies\?[\s\S]*❯ beta\/usdc/, 'alpha/0x0000000000000000000000000000000000000001'],
        [/❯ alpha\/0x0000000000000000000000000000000000000001/, '\r'],
        [/\. To which of \d+ currencies\?[\s\S]*❯ beta\/usdc/, '\r'],
      ],
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/From which of \d+ currencies\? alpha\/usdc$/m);
    expect(ended.stderr).toMatch(/To which of \d+ currencies\? beta\/usdc$/m);
    expect(ended.stderr).toContain('Type to filter');
  });

  test.each([
    ['more than there is', ['99999999999', 'alpha/usdc', 'beta/usdc'], /more than the \d{1,3},\d{3}/],
    ['none', ['0', 'alpha/usdc', 'beta/usdc'], /more than zero/],
  ] as const)('behavior: %s is refused before the amount is asked', async (_, [amount], wrong) => {
    const ended = await ferry(['execute', amount, 'alpha/usdc', '--dry-run'], {
      env: at(sandbox),
      terminals,
      keys: [
        [/❯ beta\/usdc/, '\r'],
        [wrong, '1,000\r'],
        [/is not an amount/, '\u00151.5\r'],
      ],
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^.*How much USDC\? \(max: \d{1,3}(?:,\d{3})*\S*\) 1\.5$/m);
    expect(ended.stderr.replace(/\s+/g, ' ')).toContain('A comma may mean a point or thousands.');
  });
});

describeWith(['tmux'], 'a transfer that is asked for', () => {
  test('default: currencies by search with balances, the amount, one confirmation, delivered', async () => {
    const { CI: _, NO_COLOR: __, ...rest } = built.env;
    const home = temporaryFolder();
    const env = { ...rest, ...at(sandbox), HOME: home, FERRY_STATE_DIR: home };
    const { type, press, until, close } = await openTerminal({
      command: ['sh', '-c', `${process.execPath} ${built.path} execute; sleep 60`],
      ...{ env, cwd: home },
    });
    onTestFinished(close);
    const shows = (text: string): Promise<string> => until((screen) => screen.includes(text), 60_000);
    await shows('Type to filter');
    await type('usdc alpha');
    expect(await shows('alpha/usdc')).toMatch(/alpha\/usdc {2}[\d,]+(\.\d+)? USDC/);
    await until((screen) => !screen.includes('alpha/eth'), 60_000);
    await press('Enter');
    await shows('To which of');
    await type('beta/usdc');
    await until((screen) => !screen.includes('beta/eth'), 60_000);
    await press('Enter');
    await shows('How much USDC');
    await type('1.23456789');
    await press('Enter');
    await shows('more decimals');
    await press('C-u');
    await type('99999999999');
    await press('Enter');
    await shows('more than the');
    await press('C-u');
    await type('1.5');
    await press('Enter');
    const question = await shows('(y/N)');
    expect(question.replaceAll(/\s+/g, ' ')).toMatch(
      /On sandbox, 0x\w{40} pays\. In short: execution and swap \S+, provider fee \S+\. Gas .*Send 1\.5 USDC from alpha/,
    );
    await type('y');
    await press('Enter');
    expect(await shows('Delivered')).toContain('1.5 alpha/usdc');
  }, 120_000);
});
