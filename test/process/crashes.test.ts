/**
 * Processes killed with SIGKILL exactly before or after what pays, and resumed: there is one payment, and the end is the
 * truth. The simulator does that at every step; here it is a real process and a real disk.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { useFerry } from '../support/builtFerry.js';
import { type Crashes, createCrashes, type Remains } from '../support/crashes.js';
import { ferry } from '../support/ferry.js';
import { balanceAt, nonceAt } from '../support/node.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { usdcOf } from '../support/venueBooks.js';

const built = useFerry();
const { sandbox } = useSandbox();
let crashes: Crashes;

beforeAll(async () => {
  crashes = await createCrashes(built, sandbox);
}, 120_000);
afterAll(async () => {
  await crashes.stop();
});

const heldBy = (name: 'dev0' | 'dev9') => () => balanceAt(sandbox.chains.alpha.rpcUrl, usdc, accounts[name].address);
const bridge = ['execute', '1', 'alpha/usdc', 'beta/usdc'];
const batch = [...bridge, '--gasless', '--account', 'dev9'];

async function killed(args: readonly string[], act: string, when: 'before' | 'after'): Promise<Remains> {
  const left = await crashes.killed(args, act, when);
  onTestFinished(() => left.remove());
  expect(left.wasKilled).toBe(true);
  return left;
}

const resumed = ({ run, env }: Remains) => ferry(['resume', run, '--yes', '--json'], { env });

describe('resume after kill -9', () => {
  // First: the solver's other transactions would be counted, too.
  test('behavior: a raw call that was posted is never posted again', async () => {
    const made = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, network.solver?.relayers?.[0] ?? '');
    const before = await made();
    const call = ['execute', 'call', '--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
    const ended = await resumed(await killed(call, '/execute 1', 'after'));
    expect([ended.code, ended.json().error]).toMatchObject([10, { code: 'submit.unknown', funds: 'unknown' }]);
    await expect.poll(made).toBe(before + 1);
  });

  test.each([
    ['its own gas, before', bridge, 'broadcast 2', 'before', 1_000_000n, heldBy('dev0')],
    ['its own gas, after', bridge, 'broadcast 2', 'after', 1_000_000n, heldBy('dev0')],
    ['a batch, after', batch, '/execute 1', 'after', 1_000_000n, heldBy('dev9')],
    [
      ...(['a withdrawal, after', ['venue', 'withdraw', '10', 'beta/usdc'], '/api/v1/sendTx 1', 'after'] as const),
      ...([13_000_000n, () => usdcOf(sandbox, 100)] as const),
    ],
  ] as const)('behavior: %s it has paid', async (_, args, act, when, paid, held) => {
    const before = await held();
    const left = await killed(args, act, when);
    const ended = await resumed(left);
    expect([ended.json().error, ended.code]).toEqual([undefined, 0]);
    expect(ended.json().data).toMatchObject({ run: left.run, status: 'success', funds: 'delivered' });
    expect(before - (await held())).toBe(paid);
  });

  test('behavior: killed before a batch is posted, and again when it is', async () => {
    const held = heldBy('dev9');
    const before = await held();
    const left = await killed(batch, '/execute 1', 'before');
    expect(await left.kills(['resume', left.run], '/execute 1', 'after')).toBe(true);
    expect((await resumed(left)).json().data).toMatchObject({ status: 'success', funds: 'delivered' });
    expect(before - (await held())).toBe(1_000_000n);
  });
});
