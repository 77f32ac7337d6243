/**
 * A store in the middle of a payment: at one message to the database, or at one entry of the journal, something happens to
 * the machine that pays or to the database. Another machine goes on. Each time there is one payment, all runs have ended,
 * their journals can be read, and no lock is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { accounts, type Name } from '../../src/sandbox/values/devAccounts.js';
import { useFerry } from '../support/builtFerry.js';
import { at, type Ended } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { programs, usePostgres } from '../support/postgres.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { machineAt, newStore } from '../support/sharedBatches.js';
import { type Gates, openGates, type Strike } from '../support/storeGate.js';

/** A way to pay: the command, and what it takes from whom. */
type Kind = { args: string; account: Name; paid: bigint };

const ownGas: Kind = { args: 'execute 1 alpha/usdc beta/usdc', account: 'dev0', paid: 1_000_000n };
const gasless: Kind = { ...ownGas, args: `${ownGas.args} --gasless --account dev9`, account: 'dev9' };
const deposit: Kind = { args: 'venue deposit 10 alpha/usdc', account: 'dev0', paid: 10_000_000n };

/** How a command is run: at which store, and with what else in its environment. */
type How = { at?: string; env?: Readonly<Record<string, string>> };

/** The statements that write an entry of a journal. */
const entries = /insert into ferry\.entry/;

describe.skipIf(!programs)('in the middle of a payment', () => {
  const built = useFerry();
  const { sandbox } = useSandbox();
  const postgres = usePostgres();
  let url = '';
  /** The database, and the servers, by way of the gates. */
  let gates: Gates;
  let through = '';
  let servers: Gates;
  const throughServers: Record<string, string> = {};

  beforeEach(async () => {
    url = await newStore(postgres, sandbox);
    [gates, servers] = [openGates(), openGates()];
    through = await gates.before(url);
    for (const [name, there = ''] of Object.entries(at(sandbox))) throughServers[name] = await servers.before(there);
  });
  afterEach(() => {
    gates.close();
    servers.close();
  });

  /** Runs a command on a machine of its own, in this process. */
  const run = (argv: string, { at: there = url, env }: How = {}): Promise<Ended> =>
    machineAt(sandbox)(there, `${argv} --yes`, env);
  const held = ({ account }: Kind): Promise<bigint> =>
    balanceAt(sandbox.rpcUrls.alpha, usdc, accounts[account].address);

  /** The database notices the end of a connection while it waits for it. */
  const gone = (): Promise<void> =>
    expect
      .poll(() => postgres.sql(`select count(*) from pg_stat_activity where application_name = 'ferry'`, url), {
        timeout: 10_000,
        interval: 20,
      })
      .toBe('0');

  /** The runs that are not over. */
  const left = async (how: How = {}): Promise<string[]> =>
    (await run('runs list', how))
      .json()
      .data.runs.filter(({ state }: { state: string }) => ['unfinished', 'unsigned', 'unreadable'].includes(state))
      .map(({ run: id }: { run: string }) => id);

  /** It was paid once, all runs have ended, and no lock is held. */
  async function assertSettled(kind: Kind, before: bigint): Promise<void> {
    expect(before - (await held(kind))).toBe(kind.paid);
    expect(await left()).toEqual([]);
    expect(await postgres.sql(`select count(*) from pg_locks where locktype = 'advisory'`, url)).toBe('0');
  }

  /** Goes on after a machine was broken in the middle of a payment: resumes what it has left, or types the command again. */
  async function goOn(kind: Kind, before: bigint, how: How = {}): Promise<void> {
    const [open] = await left(how);
    const resumed = open === undefined ? undefined : await run(`resume ${open}`, how);
    const error = resumed && resumed.code !== 0 ? resumed.json().error : undefined;
    if (error) expect(error.code).toBe('run.unsigned');
    const moved = before - (await held(kind));
    // What had ended before it was broken is paid already.
    if (error || (!resumed && moved !== kind.paid)) {
      expect(moved).toBe(0n);
      expect((await run(kind.args, how)).json().error).toBeUndefined();
    }
    await assertSettled(kind, before);
  }

  /** A machine whose message of that number meets a strike; resolves to what was held before. */
  async function struck(kind: Kind, point: number, strike: Strike, { only, ...how }: How & { only?: RegExp } = {}) {
    const before = await held(kind);
    const armed = gates.arm(point, strike, only);
    const ended = await run(kind.args, { at: through, ...how });
    gates.disarm();
    expect(armed.hasStruck).toBe(true);
    await armed.done;
    // What a command says is what happened.
    if (ended.code !== 0 && ended.json().error.funds === 'untouched') expect(await held(kind)).toBe(before);
    await gone();
    return before;
  }

  test('behavior: an answer of the store is lost', async () => {
    const before = await struck(ownGas, 4, async (link) => {
      const answer = link.answer();
      link.pass();
      await answer;
      link.cut();
    });
    await goOn(ownGas, before);
  });

  test('behavior: it crashes', async () => {
    const crash: Strike = async (link) => {
      await postgres.crash();
      await postgres.start();
      link.cut();
    };
    await goOn(gasless, await struck(gasless, 3, crash, { only: entries }));
  });

  test('behavior: the machine is frozen, and woken beside the rival’s payment', async () => {
    const before = await held(deposit);
    let child: ChildProcess | undefined;
    const armed = gates.arm(14, async (link) => {
      const answer = link.answer();
      link.pass();
      const bytes = await answer;
      child?.kill('SIGSTOP');
      const wake: Strike = (paying) => {
        child?.kill('SIGCONT');
        paying.pass();
      };
      servers.arm(1, wake, /eth_sendRawTransaction/);
      try {
        link.give(bytes);
        // The database gives up all that it holds, as it does with who is gone.
        await postgres.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ferry'`);
        await gone();
        const late = delay(60_000, 'the rival waits for who is frozen', { ref: false });
        expect(await Promise.race([goOn(deposit, before, { env: throughServers }), late])).toBeUndefined();
      } finally {
        servers.disarm();
        child?.kill('SIGCONT');
      }
    });
    const { home } = machineAt(sandbox);
    const env = { ...built.env, ...at(sandbox), FERRY_STORE: through, FERRY_STATE_DIR: `${home}/.local/state/ferry` };
    const argv = [built.path, ...deposit.args.split(' '), '--yes', '--json'];
    const frozen = spawn(process.execPath, argv, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
    child = frozen;
    await new Promise<void>((resolve) => frozen.once('exit', () => resolve()));
    gates.disarm();
    expect(armed.hasStruck).toBe(true);
    await armed.done;
    await gone();
    await assertSettled(deposit, before);
  });

  test('behavior: a standby that is behind takes over: it is not paid again', async () => {
    // A primary with a standby that does not wait for it.
    const env = { FERRY_STORE_ASYNC: 'true' };
    // A store that never knew an account adopts its nonces on a network without real money.
    expect((await run(gasless.args)).code).toBe(0);
    const standby = await postgres.standby();
    onTestFinished(() => standby.stop());
    const cutOff: Strike = async (link) => {
      await standby.cutOff();
      link.pass();
    };
    const before = await struck(gasless, 1, cutOff, { only: entries, env });
    await standby.promote();
    const there = { at: standby.url(url), env };
    // What the store has forgotten could still be used; later it cannot, and is refused for what it did.
    expect((await run(gasless.args, there)).json().error).toMatchObject({ code: 'store.behind', funds: 'untouched' });
    await postgres.sql(`update ferry.mark set lost_at = lost_at - interval '1 hour'`, there.at);
    await ask(sandbox.rpcUrls.alpha, 'evm_mine');
    expect((await run(gasless.args, there)).json().error).toMatchObject({
      code: 'run.foreign-nonce',
      funds: 'untouched',
    });
    expect(before - (await held(gasless))).toBe(gasless.paid);
  });
});
