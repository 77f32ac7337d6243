/** The same scenarios on the real sandbox: the whole program, real chains, the service over HTTP. */

import { join } from 'node:path';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Input } from '../../src/sandbox/http/faults.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { ask } from '../support/node.js';
import type { TestSandbox } from '../support/sandbox.js';
import { insist } from './person.js';
import { flagOf, type Typed, type Word } from './program.js';
import { digest } from './random.js';
import type { Scenario } from './scenario.js';
import { type Sent, type Told, toldBy, toldOf } from './told.js';
import type { Fault } from './trouble.js';

/** How many times faster waits pass where one is waited out. */
const pace = 40;

export async function play(scenario: Scenario, sandbox: TestSandbox): Promise<Told> {
  const key = digest(`payer ${scenario.seed}`);
  const { address } = privateKeyToAccount(key);
  const rpcUrl = sandbox.rpcUrls.alpha;
  await fund(address, sandbox);
  const before = Number(await ask(rpcUrl, 'eth_blockNumber'));
  await clearFaults(sandbox);
  if (scenario.manner !== 'fills')
    await addFault(sandbox, 'service', {
      ...{ kind: 'solver', does: scenario.manner === 'refunds' ? 'refund' : 'fail', times: 0 },
    });
  for (const fault of scenario.faults) await addFault(sandbox, placeOf(fault), faultOf(fault));
  // The faucet gives nothing at the venue.
  const isWithdrawal = scenario.wanted.some((wanted) => wanted.isWithdrawal);
  const payer = isWithdrawal ? { FERRY_ACCOUNT: 'dev0' } : { FERRY_PRIVATE_KEY: key };
  const env = { ...at(sandbox), ...payer, FERRY_STATE_DIR: join(temporaryFolder(), 'state') };
  const words: Word[] = [];
  for (const wanted of scenario.wanted)
    await insist(wanted, words, scenario, {
      run: async (process, typed) => {
        const argv = [...argvOf(typed), '--yes', '--json', '--timeout', '40s'];
        return wordOf(await ferry(argv, { env, pace: scenario.mostStarts ? pace : undefined }), process);
      },
      sleep: async () => {},
      reconcile: async () => {},
    });
  await clearFaults(sandbox);
  return toldOf(words, await sentSince(before, rpcUrl), address);
}

function argvOf(typed: Typed): string[] {
  if ('run' in typed) return [...typed.command.split(' '), typed.run];
  if (!('args' in typed)) throw new Error(`ferry ${typed.command} is typed on the model alone.`);
  return [...typed.command.split(' '), ...typed.args, ...Object.keys(typed.flags).map(flagOf)];
}

function wordOf(ended: Ended, process: string): Word {
  const lines = ended.lines();
  const { data, error } = lines.at(-1) ?? {};
  const told = lines.slice(0, -1).flatMap((event) => toldBy(event as Parameters<typeof toldBy>[0]));
  const { funds, run, next } = error ?? data;
  return { atMs: 0, funds, code: error?.code ?? data.status, run, next, text: error?.message ?? '', told, process };
}

async function fund(to: string, { baseUrl }: TestSandbox): Promise<void> {
  const { id, tokens } = deployments.alpha;
  for (const [currency, amount] of [
    [`0x${'0'.repeat(40)}`, 10n ** 19n],
    [tokens.USDC.address, 10n ** 12n],
  ] as const) {
    const body = JSON.stringify({ chainId: id, currency, to, amount: String(amount) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/sandbox/fund`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The faucet gives nothing: ${await answer.text()}`);
  }
}

function placeOf({ where }: Fault): 'service' | 'venue' | 'alpha' {
  return where === 'service' || where === 'venue' ? where : 'alpha';
}

/** A fault of the model as the sandbox has it. */
function faultOf(fault: Fault): Input {
  const scope = { times: 1, after: 'nth' in fault ? fault.nth - 1 : 0 };
  const occasion = 'occasion' in fault ? fault.occasion : '';
  if (occasion === 'broadcast') {
    const match = { rpc: 'eth_sendRawTransaction' };
    if (fault.what === 'takes and forgets it') return { kind: 'chain', does: 'evict', match, ...scope };
    return { kind: fault.what === 'loses the answer' ? 'drop-after' : 'drop', match, ...scope };
  }
  const paths: Readonly<Record<string, string>> = { quote: '/quote', transfer: '/api/v1/sendTx' };
  const match = { path: paths[occasion] ?? '/execute' };
  const body = { message: 'Invalid input', errorCode: 'INVALID_INPUT', requestId: '0x00', code: 21_104 };
  switch (fault.what) {
    case 'does not get it':
    case 'loses the transfer':
      return { kind: 'drop', match, ...scope };
    case 'loses the answer':
      return { kind: 'drop-after', match, ...scope };
    case 'fails':
      return { kind: 'status', status: 500, match, ...scope };
    case 'refuses':
      return { kind: 'status', status: 400, body, match, ...scope };
    case 'refuses, and submits it':
    case 'refuses, and takes it':
      return { kind: 'status-after', status: 400, body, match, ...scope };
    default:
      throw new Error(`the sandbox does not do this: ${fault.what}`);
  }
}

type Block = { transactions: readonly { from: string; to: string; input: Hex; value: Hex; nonce: Hex }[] };

/** The transactions of the blocks after one. */
async function sentSince(block: number, rpcUrl: string): Promise<Sent[]> {
  const last = Number(await ask(rpcUrl, 'eth_blockNumber'));
  const numbers = Array.from({ length: last - block }, (_, index) => block + 1 + index);
  const blocks = await Promise.all(
    numbers.map((number) => ask(rpcUrl, 'eth_getBlockByNumber', `0x${number.toString(16)}`, true)),
  );
  return (blocks as Block[]).flatMap(({ transactions }) =>
    transactions.map(({ from, to, input, value, nonce }) => ({
      ...{ from, to, data: input, value: BigInt(value), nonce: Number(nonce) },
    })),
  );
}
