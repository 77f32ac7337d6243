/** The fixture of the manners matrix: a sandbox, a signer with its own secrets, and past transfers. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { once } from '../../src/core/base/Once.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry } from './builtFerry.js';
import { cast } from './cast.js';
import { addFault } from './faults.js';
import { type Ended, ferry } from './ferry.js';
import { ask, miningAt } from './node.js';
import { startPostgres } from './postgres.js';
import { startSandbox, type TestSandbox } from './sandbox.js';

export type Env = Record<string, string | undefined>;

/** The folders of one command line. */
export type Place = {
  folder: string;
  home: string;
  env: Env;
  /** Writes a private input file for the command; returns its path. */
  file(name: string, text: string): string;
  /** Everything that the command wrote, except the user's configuration. */
  written(): string;
};

export type Desk = {
  sandbox: TestSandbox;
  built: BuiltFerry;
  /** Secrets that must not appear in the output, nor in files other than the configuration. */
  secrets: readonly string[];
  password: string;
  /** A fresh private key, funded on the sandbox. */
  privateKey: string;
  apiKey: string;
  /** A delivered transfer. */
  requestId: string;
  txHash: string;
  run: string;
  stuckRun: string;
  /** A raw call whose response was lost. */
  lostRun: string;
  usdc: string;
  quoteFile: string;
  place(): Place;
  /** Variables that point to the sandbox, or to nobody. */
  leads(to: 'sandbox' | 'nobody'): Env;
  /** Fills a state directory with the delivered run, the same run unfinished, one with an unmined transaction, or a lost call. */
  runs(place: Place, kind: 'done' | 'open' | 'stuck' | 'lost'): void;
  keys(place: Place): void;
  /** Starts a run whose payment stays in the mempool until `mine`. */
  strand(place: Place): Promise<string>;
  /** Resumes mining. */
  mine(): Promise<void>;
  /** Approves a spender for the signer's tokens; returns the transaction. */
  approve(): Promise<string>;
  /** Delegates the signer by a gasless transfer. */
  delegate(place: Place): Promise<void>;
  /** Pays app fees to the signer. */
  earn(place: Place): Promise<void>;
  /** A store with one run, by its URL, on a PostgreSQL that is started when it is first asked for. The place gets its secret. */
  store(place: Place): Promise<{ url: string; run: string }>;
  /** A store without anything, by its URL. */
  emptyStore(): Promise<string>;
  /** A new batch in the first one that waits, by its name. */
  batch(): Promise<string>;
  stop(): Promise<void>;
};

const word = (): string => `s3cret-${randomBytes(12).toString('hex')}`;

export async function openDesk(): Promise<Desk> {
  const [sandbox, built] = await Promise.all([startSandbox(), buildFerry()]);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-manners-'));
  const closing: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing) await close();
    await built.run(['sandbox', 'stop']);
    await sandbox.stop();
    built.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await furnish(sandbox, built, folder, (close) => void closing.push(close))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnish(
  sandbox: TestSandbox,
  built: BuiltFerry,
  folder: string,
  atEnd: (close: () => Promise<void>) => void,
): Promise<Omit<Desk, 'stop'>> {
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
  const address = privateKeyToAddress(privateKey);
  const venueKey = DevelopmentAccount.venueKey(0);
  const [password, token, login, apiKey] = [word(), word(), word(), word()];
  const alpha = Network.chain(network, 'alpha');
  const usdc = Network.token(alpha, 'usdc')?.address ?? '';
  const spender = alpha.contracts.depository ?? '';
  const { alpha: alphaUrl } = sandbox.rpcUrls;

  let places = 0;
  const place = (): Place => {
    const own = join(folder, String(places++));
    const home = join(own, 'home');
    mkdirSync(home, { recursive: true });
    const given = new Set<string>(['config']);
    const file = (name: string, text: string): string => {
      writeFileSync(join(own, name), text, { mode: 0o600 });
      given.add(name);
      return join(own, name);
    };
    const env = {
      FERRY_STATE_DIR: join(own, 'state'),
      FERRY_CONFIG_DIR: join(own, 'config'),
      FERRY_KEYSTORE_DIR: join(own, 'keys'),
      FERRY_PRIVATE_KEY: privateKey,
      FERRY_VENUE_PRIVATE_KEY: venueKey,
      FERRY_PASSWORD_FILE: file('password', `${password}\n`),
      FERRY_ANVIL: built.env.FERRY_ANVIL,
    };
    const written = (): string => textsIn(own, given).join('\n');
    return { folder: own, home, env, file, written };
  };

  const leads = (to: 'sandbox' | 'nobody'): Env => {
    const url = (real: string | undefined, rest = ''): string =>
      `${(to === 'nobody' ? 'http://127.0.0.1:9' : (real ?? '')).replace('://', `://ada:${login}@`)}${rest}`;
    // The sandbox's nodes respond at no other path.
    const rest = to === 'sandbox' ? `/?token=${token}` : `/v3/${token}`;
    return {
      FERRY_BASE_URL: url(sandbox.baseUrl),
      FERRY_VENUE_URL: url(sandbox.venueUrl),
      FERRY_RPC_URL_ALPHA: url(sandbox.rpcUrls.alpha, rest),
      FERRY_RPC_URL_BETA: url(sandbox.rpcUrls.beta, rest),
      // The sandbox accepts one key, which ferry ships.
      FERRY_API_KEY: to === 'sandbox' ? network.apiKey : apiKey,
    };
  };

  const run = async (own: Place, ...argv: string[]): Promise<Ended> =>
    ferry([...argv, '--yes', '--json'], { env: { ...own.env, ...leads('sandbox') }, home: own.home });
  const must = async (own: Place, ...argv: string[]): Promise<Ended> => {
    const ended = await run(own, ...argv);
    if (ended.code !== 0) throw new Error(`ferry ${argv.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
    return ended;
  };
  const send = async (key: string, ...words: string[]): Promise<string> =>
    cast('send', usdc, ...words, '--rpc-url', alphaUrl, '--private-key', key);

  const mine = (): Promise<void> => miningAt(alphaUrl, true);
  const strand = async (own: Place): Promise<string> => {
    await miningAt(alphaUrl, false);
    const ended = await run(own, 'execute', '0.01', 'alpha/eth', 'beta/eth', '--timeout', '300ms');
    if (ended.json().error?.code !== 'track.unfinished') throw new Error(`nothing was stranded: ${ended.stdout}`);
    return ended.json().error.run;
  };

  const lose = async (own: Place): Promise<string> => {
    const call = ['--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'];
    await addFault(sandbox, 'service', { kind: 'drop-after', match: { path: '/execute' } });
    const ended = await run(own, 'execute', 'call', ...call);
    if (ended.json().error?.code !== 'submit.unknown') throw new Error(`nothing was lost: ${ended.stdout}`);
    return ended.json().error.run;
  };

  const postgres = once(async () => {
    const started = await startPostgres();
    atEnd(started.stop);
    return started;
  });
  const tables = async (): Promise<{ url: string; own: Place }> => {
    const url = await (await postgres()).database();
    const own = place();
    const withStore = { ...own, env: { ...own.env, FERRY_STORE: url } };
    await must(withStore, 'store', 'init');
    return { url, own: withStore };
  };
  const emptyStore = once(async () => (await tables()).url);
  const storeOf = once(async () => {
    const { url, own } = await tables();
    const { run: made } = (await must(own, 'execute', '1', 'alpha/usdc', 'beta/usdc')).json().data;
    return { url, run: made, secret: join(own.folder, 'state', 'secret') };
  });
  let batches = 0;

  await ask(alphaUrl, 'anvil_setBalance', address, '0x3635c9adc5dea00000');
  await send(accounts.dev0.privateKey, 'transfer(address,uint256)', address, '100000000000');
  const basis = place();
  await must(basis, 'key', 'import', 'main', '--key-file', basis.file('key', privateKey));
  const quoteFile = join(basis.folder, 'quote.json');
  await must(basis, 'quote', '1', 'alpha/usdc', 'beta/usdc', '-o', quoteFile);
  const { data } = (await must(basis, 'execute', '1', 'alpha/usdc', 'beta/usdc')).json();
  const stranded = place();
  const bereft = place();
  const lostRun = await lose(bereft);
  const stuckRun = await strand(stranded);
  await mine();

  return {
    sandbox,
    built,
    secrets: [privateKey.slice(2), venueKey.slice(2), password, token, login, apiKey],
    password,
    privateKey,
    apiKey,
    requestId: data.requestId,
    txHash: data.transactions.at(-1).txHash,
    run: data.run,
    stuckRun,
    lostRun,
    usdc,
    quoteFile,
    place,
    leads,
    runs(own, kind) {
      const state = join(own.folder, 'state');
      cpSync(join({ done: basis, open: basis, stuck: stranded, lost: bereft }[kind].folder, 'state'), state, {
        recursive: true,
      });
      if (kind === 'open') reopen(join(state, 'runs', `${data.run}.jsonl`));
    },
    keys: (own) => cpSync(join(basis.folder, 'keys'), join(own.folder, 'keys'), { recursive: true }),
    strand,
    mine,
    async store(own) {
      const { url, run: made, secret } = await storeOf();
      mkdirSync(join(own.folder, 'state'), { mode: 0o700, recursive: true });
      cpSync(secret, join(own.folder, 'state', 'secret'));
      return { url, run: made };
    },
    emptyStore,
    async batch() {
      const { url } = await storeOf();
      const own = place();
      const file = own.file('batch.ndjson', `${batchLine}\n`);
      const name = `batch-${batches++}`;
      await must({ ...own, env: { ...own.env, FERRY_STORE: url } }, 'batch', 'submit', file, '--name', name, '--hold');
      return name;
    },
    approve: async () =>
      JSON.parse(await send(privateKey, 'approve(address,uint256)', spender, '5000000', '--json')).transactionHash,
    earn: async (own) =>
      void (await must(own, 'execute', '100', 'alpha/usdc', 'beta/usdc', '--app-fee', `${address}:100`)),
    delegate: async (own) => void (await must(own, 'execute', '1', 'alpha/usdc', 'beta/usdc', '--gasless')),
  };
}

/** A line of a batch. */
export const batchLine = '{"id":"1","amount":"1","from":"alpha/usdc","to":"beta/usdc"}';

/** Removes the end of a run from its journal. */
function reopen(journal: string): void {
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  const open = lines.filter((line) => !['status', 'outcome'].includes(JSON.parse(line).entry.type));
  writeFileSync(journal, open.map((line) => `${line}\n`).join(''));
}

/** The text of every file in a folder, except the given top-level names. */
function textsIn(folder: string, except: ReadonlySet<string>): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !except.has(relative(folder, path).split('/')[0] ?? ''))
    .map((path) => readFileSync(path, 'utf8'));
}
