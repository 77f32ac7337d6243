import { beforeAll, describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import type { Event } from '../../../src/core/event/Event.js';
import * as Execution from '../../../src/core/execution/Execution.js';
import type * as Plan from '../../../src/core/execution/Plan.js';
import { failure } from '../../support/failures.js';
import { useSandbox } from '../../support/sandbox.js';
import { planOn, type Transfer, transferOn } from '../../support/transfer.js';

const { sandbox } = useSandbox();
let transfer: Transfer;

beforeAll(async () => {
  transfer = transferOn(sandbox);
});

const plan = (amount: string, from: string, to: string): Promise<Plan.Plan> => planOn(transfer, amount, from, to);

async function run(planned: Plan.Plan, ports: Execution.Ports, patience = { wait: true, timeoutMs: 60_000 }) {
  const events: Event[] = [];
  const running = Execution.run(planned, ports, patience);
  let step = await running.next();
  while (!step.done) {
    events.push(step.value);
    step = await running.next();
  }
  return { events, outcome: step.value };
}

describe('run', () => {
  test('default: each transaction is signed, sent and mined, in order, then the request is followed', async () => {
    const { events, outcome } = await run(await plan('10', 'alpha/usdc', 'beta/usdc'), transfer.ports);
    expect(
      events.map((event) => ('action' in event ? `${event.type} ${event.action}` : event.type)).slice(0, 7),
    ).toEqual([
      'checked',
      'signed approve',
      'sent approve',
      'mined approve',
      'signed deposit',
      'sent deposit',
      'mined deposit',
    ]);
    expect(outcome).toMatchObject({ status: 'success', spent: 10_000_000n });
    expect(outcome.received).toBe((await plan('10', 'alpha/usdc', 'beta/usdc')).quote.output);
    expect(outcome.gasCost).toBe(outcome.transactions.reduce((sum, { gasCost }) => sum + gasCost, 0n));
    expect(transfer.warnings).toEqual([]);
  });

  test('behavior: an allowance that is there is not asked for again', async () => {
    const planned = await plan('10', 'alpha/dai', 'beta/dai');
    const [approve] = planned.actions;
    if (!approve) throw new Error('no approval');
    await run({ ...planned, actions: [approve] }, transfer.ports, { wait: false, timeoutMs: 60_000 });
    const { events } = await run(planned, transfer.ports);
    expect(events.filter(({ type }) => type === 'skipped')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'signed')).toHaveLength(1);
  });

  test('behavior: a service that cannot be told of the deposit finds it by itself', async () => {
    const { service } = transfer.ports;
    const refused = new BaseError('service.unavailable', 'no');
    const deaf = { ...service, indexTransaction: () => Promise.reject(refused) };
    const { outcome } = await run(await plan('1', 'alpha/usdc', 'beta/usdc'), { ...transfer.ports, service: deaf });
    expect(outcome.status).toBe('success');
    expect(transfer.warnings.pop()).toContain('will find it on the chain');
  });

  test('error: a transaction that would fail is not sent', async () => {
    const planned = await plan('10', 'alpha/usdc', 'beta/usdc');
    const before = await transfer.ports.origin.nonce(transfer.ports.account.address);
    const error = await failure(run({ ...planned, actions: planned.actions.slice(1) }, transfer.ports));
    expect(error).toMatchObject({ code: 'submit.simulation', funds: 'untouched' });
    expect(await transfer.ports.origin.nonce(transfer.ports.account.address)).toBe(before);
  });

  test('error: an aborted run signs nothing more', async () => {
    const interrupt = new AbortController();
    const stopped = transferOn(sandbox, interrupt.signal);
    const planned = await plan('10', 'alpha/usdt', 'beta/usdt');
    const running = Execution.run(planned, stopped.ports, { wait: true, timeoutMs: 60_000 });
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        for await (const event of running) {
          seen.push(event.type);
          if (event.type === 'mined') interrupt.abort(new BaseError('prompt.declined', 'Stopped.'));
        }
      })(),
    );
    expect(error.code).toBe('prompt.declined');
    expect(seen).toEqual(['checked', 'signed', 'sent', 'mined']);
  });
});

describe('finish', () => {
  const patience = { wait: true, timeoutMs: 60_000 };

  test('error: a node of another chain is not asked for what was signed', async () => {
    const { ports } = transfer;
    if (!ports.destination) throw new Error('no destination');
    const planned = await plan('1', 'alpha/eth', 'beta/eth');
    const signed = new Map([
      [0, { nonce: 0, attempts: [{ purpose: 'send', bytes: '0x02', txHash: '0x0d' }] }],
    ] as const);
    const running = Execution.finish(planned, { ...ports, origin: ports.destination }, patience, signed);
    expect((await failure(running.next())).code).toBe('chain.wrong-chain');
  });

  test('error: a payment that is not signed is not signed now', async () => {
    const planned = await plan('1', 'alpha/eth', 'beta/eth');
    const running = Execution.finish(planned, transfer.ports, patience, new Map());
    expect((await failure(running.next())).code).toBe('sign.failed');
  });
});
