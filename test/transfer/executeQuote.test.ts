import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import type { Event } from '../../src/core/event/Event.js';
import * as Network from '../../src/core/network/Network.js';
import type { Chain } from '../../src/core/ports/Ports.js';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import { nothingPending } from '../../src/transfer/executeQuote.js';
import { executeTransfer } from '../../src/transfer/executeTransfer.js';
import { addFault, clearFaults } from '../support/faults.js';
import { contextAt } from '../support/ownNetwork.js';
import { useSandbox } from '../support/sandbox.js';
import { transferOn } from '../support/transfer.js';
import { ended } from '../support/workbench.js';

const { sandbox, user } = useSandbox();

/** The methods of a node that are called, in their order. */
function listening(node: Chain, heard: string[]): Chain {
  const methods = Object.entries(node).map(([name, method]) => [
    name,
    (...args: never[]) => {
      heard.push(name);
      return (method as (...args: never[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(methods) as Chain;
}

/** Pays, and returns what the origin's node is asked until the payment is signed; \`person\` is where the person has agreed. */
async function askedFor(answers: readonly string[] | undefined): Promise<string[]> {
  const { env } = user({ FERRY_ACCOUNT: 'dev0' });
  const context = await contextAt(env, answers ? { answers } : { yes: true });
  const heard: string[] = [];
  const asking: Context = {
    ...context,
    chain: async (of) => {
      const node = await context.chain(of);
      return of.id === 313_371 ? listening(node, heard) : node;
    },
    async confirm(question) {
      await context.confirm(question);
      heard.push('person');
    },
  };
  const running = executeTransfer({ args: ['1', 'alpha/eth', 'beta/eth'] }, asking);
  for (let step = await running.next(); !step.done; step = await running.next())
    if (step.value.type === 'signed') break;
  await running.return(undefined as never);
  return heard;
}

describe('executeQuote: what the signature depends on', () => {
  test('default: it is asked for once, with the quote’s proof', async () => {
    const heard = await askedFor(undefined);
    for (const method of ['chainId', 'balance', 'gasPrice', 'code', 'estimateGas'])
      expect(heard.filter((each) => each === method)).toHaveLength(1);
  });

  test('behavior: all of it is asked for again once a person has agreed', async () => {
    const heard = await askedFor(['y']);
    const [before, after] = [heard.slice(0, heard.indexOf('person')), heard.slice(heard.indexOf('person'))];
    expect(before).not.toContain('estimateGas');
    for (const method of ['chainId', 'balance', 'gasPrice', 'code', 'nonce', 'estimateGas'])
      expect(after).toContain(method);
  });
});

describe('executeQuote: while a person is asked', () => {
  test('error: a batch that another run has signed meanwhile keeps its sequence', async () => {
    const { env } = user({ FERRY_ACCOUNT: 'dev6' });
    const pay = (amount: string, context: Context): Promise<unknown> =>
      ended(executeTransfer({ args: [amount, 'alpha/usdc', 'beta/usdc'], gasless: true }, context));
    const other = await contextAt(env, { yes: true });
    const context = await contextAt(env, { answers: ['y'] });
    const asking: Context = {
      ...context,
      async confirm(question) {
        // Whoever has the signature says that it has refused it.
        const body = { message: 'Invalid input', errorCode: 'INVALID_INPUT', requestId: '0x00' };
        const match = { path: '/execute' };
        await addFault(sandbox, 'service', { kind: 'status', status: 400, body, times: 0, match });
        await expect(pay('2', other)).rejects.toMatchObject({ code: 'submit.unknown' });
        await clearFaults(sandbox);
        await context.confirm(question);
      },
    };
    await expect(pay('1', asking)).rejects.toMatchObject({ code: 'run.unfinished', funds: 'untouched' });
  });
});

describe('nothingPending', () => {
  /** Waits, and does something once it is told that there is something to wait for. */
  async function waitFor(timeoutMs: number, once?: () => Promise<void>, now = Date.now): Promise<Event[]> {
    const { network, ports } = transferOn(sandbox);
    const { origin, signal, account } = ports;
    const clock = { ...ports.clock, now };
    const config = { timeoutMs: { value: timeoutMs } } as Context['config'];
    const context = { chain: async () => origin, sender: async () => account.address, clock, signal, config };
    const told: Event[] = [];
    for await (const event of nothingPending(Network.chain(network, 'alpha'), context)) {
      told.push(event);
      await once?.();
    }
    return told;
  }

  test('behavior: it goes on at once if nothing is pending, else once it is mined', async () => {
    expect(await waitFor(0)).toEqual([]);
    const { account } = transferOn(sandbox).ports;
    await addFault(sandbox, 'alpha', { kind: 'chain', does: 'halt' });
    const sent = { from: account.address, to: account.address, value: '0x1' };
    await nodeRpc.call(sandbox.rpcUrls.alpha, 'eth_sendTransaction', sent);
    await expect(waitFor(0, undefined, () => 0)).rejects.toMatchObject({
      code: 'submit.busy',
      message: 'After 0 ms, the account still has 1 pending transaction on alpha. Nothing was signed.',
    });
    expect(await waitFor(60_000, () => clearFaults(sandbox))).toEqual([
      { type: 'waiting', summary: `Waiting: 1 pending transaction of ${account.address} on alpha`, pid: null },
    ]);
  });
});
