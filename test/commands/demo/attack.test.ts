import { describe, expect, test } from 'vitest';
import * as AttackReport from '../../../src/core/checks/AttackReport.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { width } from '../../../src/core/text/TerminalText.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, faultsOf } from '../../support/faults.js';
import { ferry } from '../../support/ferry.js';
import { usdcAt, useSandbox } from '../../support/sandbox.js';

const { sandbox, user } = useSandbox();

const balance = (): Promise<bigint> => usdcAt(sandbox, accounts.dev0.address);

describe('run', () => {
  test('default: fifteen attacks, of which none succeeds, and five payments that arrive', async () => {
    const before = await balance();
    const { run } = user();
    // A transfer that is not finished is no answer to an attack.
    const stuck = await addFault(sandbox, 'service', { kind: 'solver', does: 'stuck' });
    const begun = await run('execute', '100', 'alpha/usdc', 'beta/usdc', '--account', 'dev0', '--no-wait');
    expect(begun.json().data).toMatchObject({ funds: 'in-flight' });
    const ended = await run('demo', 'attack');
    const { attacks, heldOff } = ended.json().data;
    expect(attacks.filter(({ isHeldOff }: { isHeldOff: boolean }) => !isHeldOff)).toEqual([]);
    expect([ended.code, attacks.length, heldOff]).toEqual([0, 15, 15]);
    const held = attacks.filter(({ ends }: { ends: string }) => ends !== 'refused');
    expect(before - (await balance())).toBe(BigInt(held.length + 1) * 100_000_000n);
    // Its own faults are gone, and only those.
    const faults = (['service', 'alpha', 'beta'] as const).map((place) => faultsOf(sandbox, place));
    expect((await Promise.all(faults)).flat().map(({ id }) => id)).toEqual([stuck]);
    const runs = (await run('runs', 'list')).json().data.runs as { state: string }[];
    expect(runs.filter(({ state }) => state === 'unfinished')).toHaveLength(1);
    // As text it fits 80 columns, and names who lied, who showed it and what is left.
    const text = attacks.map((each: AttackReport.Attacked) => AttackReport.format(each, plain)).join('\n');
    expect(text).toMatch(/The service pays a millionth.*\n {2}refused {2}price, shown by the amounts/);
    expect(text).toMatch(/balance {2}\d+ alpha\/usdc, unchanged/);
    expect(Math.max(...text.split('\n').map(width))).toBeLessThanOrEqual(80);
  }, 60_000);

  test('error: not on another network', async () => {
    const ended = await ferry(['demo', 'attack', '--network', 'testnet', '--json']);
    const next = 'ferry demo attack --network sandbox';
    expect(ended.json().error).toMatchObject({ code: 'request.unsupported', next });
  });
});
