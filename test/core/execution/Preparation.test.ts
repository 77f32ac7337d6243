import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as Execution from '../../../src/core/execution/Execution.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as Preparation from '../../../src/core/execution/Preparation.js';
import * as RunOpening from '../../../src/core/execution/RunOpening.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as PriceOnly from '../../../src/core/quote/PriceOnly.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import { type Connection, connect } from '../../../src/io/connect/connect.js';
import { createAccount } from '../../../src/io/keys/localAccount.js';
import { createRuns } from '../../../src/io/runs/runFolder.js';
import { type RunningSandbox, startSandbox } from '../../../src/io/sandbox/startSandbox.js';
import { host } from '../../../src/io/terminal/host.js';
import { at, ferry } from '../../support/ferry.js';
import { altered } from '../../support/quoted.js';

let sandbox: RunningSandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startSandbox();
  connection = connect(sandbox.network);
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.stop();
});

const caps = { maxImpactBps: 500, maxAgeMs: 30_000 };

async function ask(amount: bigint, user = DevelopmentAccount.address(0)): Promise<Quote.Quote> {
  const [origin, destination] = [await connection.currency('alpha/usdc'), await connection.currency('beta/usdc')];
  const intent = TransferIntent.from(amount, origin, destination, {}, { network: 'sandbox', user });
  return Quote.ask(intent, connection);
}

function proposal(quote: Quote.Quote): Preparation.Proposal {
  return { quote, caps, allow: [], baseUrl: connection.service.baseUrl, findings: [] };
}

/** What preparing a quote journals and tells, what it asks of the node, and how it ends. */
async function prepare(proposed: Preparation.Proposal): Promise<{
  entries: string[];
  events: string[];
  nodes: string[];
  ended: Preparation.Prepared | { code: string };
}> {
  const [entries, events, nodes]: [string[], string[], string[]] = [[], [], []];
  const running = Preparation.run(proposed, {
    network: connection.network,
    chain: (chain) => {
      nodes.push(chain.name);
      return connection.chain(chain);
    },
    clock: connection.clock,
    journal: { append: async ({ type }) => void entries.push(type) },
  });
  try {
    let step = await running.next();
    for (; !step.done; step = await running.next()) events.push(step.value.type);
    return { entries, events, nodes, ended: step.value };
  } catch (error) {
    return { entries, events, nodes, ended: error as { code: string } };
  }
}

describe('run', () => {
  test('default: proves, simulates, and journals the quote, the proof and the plan', async () => {
    const quote = await ask(7_000_000n);
    const { entries, events, nodes, ended } = await prepare(proposal(quote));
    expect([entries, events, nodes]).toEqual([
      ['quote', 'proof', 'plan'],
      ['quoted', 'verified'],
      ['alpha', 'alpha'],
    ]);
    const { plan, document } = ended as Preparation.Prepared;
    expect(plan.actions.map(({ kind }) => kind)).toEqual(['approve', 'deposit']);
    expect(document.requestId).toBe(quote.requestId);
  });

  test('error: a mismatch ends it before any node is asked, with the quote journaled', async () => {
    const quote = await ask(7_000_000n);
    const wrong = altered(quote, 'details.recipient', DevelopmentAccount.address(5));
    const found = await prepare(proposal(wrong));
    expect(found).toMatchObject({
      entries: ['quote'],
      events: ['quoted'],
      nodes: [],
      ended: { code: 'verify.mismatch' },
    });
  });

  test('error: an account that cannot pay is reported as such, and nothing is proved of its effect', async () => {
    const found = await prepare(proposal(await ask(7_000_000_000_000n)));
    expect(found).toMatchObject({ entries: ['quote'], ended: { code: 'submit.insufficient-balance' } });
  });

  test('error: a quote that only tells a price is not even journaled', async () => {
    const { entries, events, nodes, ended } = await prepare(proposal(await ask(7_000_000n, PriceOnly.nobody)));
    expect([entries, events, nodes]).toEqual([[], [], []]);
    expect(ended).toMatchObject({ code: 'request.unsupported', funds: 'untouched' });
  });

  test('error: caps', async () => {
    const { entries, ended } = await prepare({ ...proposal(await ask(7_000_000n)), caps: { ...caps, maxFeeUsd: 1n } });
    expect([entries, (ended as { code: string }).code]).toEqual([['quote'], 'verify.cap']);
  });

  test('behavior: ferry resume finishes what a program prepared and left, with one payment', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'ferry-begun-'));
    onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
    const { network, service, clock, signal } = connection;
    const dev0 = await createAccount({ name: 'dev0', key: DevelopmentAccount.key(0) });
    const quote = await ask(7_000_000n);

    const runs = createRuns({ ...host(signal), env: { FERRY_STATE_DIR: stateDir } }, { warn: () => {} });
    const place = { instance: sandbox.instance, baseUrl: service.baseUrl, command: null, account: 'dev0' };
    const journal = await runs.create(RunOpening.from(quote.intent, place), { again: false });
    const preparing = Preparation.run(proposal(quote), { network, chain: connection.chain, clock, journal });
    let prepared = await preparing.next();
    while (!prepared.done) prepared = await preparing.next();
    const { plan } = prepared.value;
    expect(journal.state().steps).toEqual(Plan.steps(plan));
    const running = Execution.run(plan, connection.portsOf(plan, { account: dev0, journal }), {
      wait: true,
      timeoutMs: 60_000,
    });
    // The last transaction is signed and journaled, and never sent.
    for (let step = await running.next(); !step.done; step = await running.next())
      if (step.value.type === 'signed' && step.value.action === 'deposit') break;
    await running.return(undefined as never);
    expect(Journal.next(journal.state())).toBe('settle');
    journal.close();

    const [alpha, beta] = network.chains.map(({ rpcUrl = '' }) => rpcUrl);
    const urls = { baseUrl: service.baseUrl, rpcUrls: { alpha: alpha ?? '', beta: beta ?? '' } };
    const resumed = await ferry(['resume', '--yes', '--json'], { env: { ...at(urls), FERRY_STATE_DIR: stateDir } });
    expect(resumed.stderr).toBe('');
    expect(resumed.json()).toMatchObject({ ok: true, data: { requestId: quote.requestId, status: 'success' } });
    expect(await runs.unfinished()).toEqual([]);
    const paid = await service.requests({ user: dev0.address });
    const ended = paid.requests.filter(({ status }) => status === 'success');
    expect(ended.map(({ id }) => id)).toEqual([quote.requestId]);
  });
});
