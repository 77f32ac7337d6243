/** Every kind of file that ferry reads: a valid one, and how the program reads it. A new kind is one entry. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as Keystore from '../../src/core/accounts/Keystore.js';
import * as VenueKeyFile from '../../src/core/accounts/VenueKeyFile.js';
import * as BatchLine from '../../src/core/batch/BatchLine.js';
import * as SmokeFile from '../../src/core/checks/SmokeFile.js';
import * as Config from '../../src/core/config/Config.js';
import * as DevelopmentAccount from '../../src/core/network/DevelopmentAccount.js';
import * as RateLimit from '../../src/core/network/RateLimit.js';
import * as TrustedContracts from '../../src/core/network/TrustedContracts.js';
import * as QuoteDocument from '../../src/core/quote/QuoteDocument.js';
import * as JsonDepth from '../../src/core/text/JsonDepth.js';
import * as SelectorLookup from '../../src/core/trace/SelectorLookup.js';
import * as TraceFile from '../../src/core/trace/TraceFile.js';
import * as Journal from '../../src/core/tracking/Journal.js';
import type * as JournalCodec from '../../src/core/tracking/JournalCodec.js';
import * as keystoreCipher from '../../src/io/keys/keystoreCipher.js';
import * as secretFile from '../../src/io/keys/secretFile.js';
import * as fileLock from '../../src/io/locks/fileLock.js';
import * as lockRecord from '../../src/io/locks/lockRecord.js';
import * as processes from '../../src/io/locks/processes.js';
import * as journalFile from '../../src/io/runs/journalFile.js';
import * as sandboxFiles from '../../src/io/sandbox/sandboxFiles.js';
import * as sandboxRecord from '../../src/io/sandbox/sandboxRecord.js';
import * as configStore from '../../src/io/state/configStore.js';
import * as ledgerFile from '../../src/io/state/ledgerFile.js';
import { createFiles } from '../../src/io/state/namedFiles.js';
import * as nonceRecord from '../../src/io/state/nonceRecord.js';
import * as paths from '../../src/io/state/paths.js';
import * as runNames from '../../src/io/state/runNames.js';
import * as trustFile from '../../src/io/state/trustFile.js';
import * as stateFolder from '../../src/sandbox/service/stateFolder.js';
import * as quoteFile from '../../src/transfer/quoteFile.js';
import * as journals from './journals.js';
import { lightScrypt } from './lightScrypt.js';
import { quoteOf, recorded, recording } from './specimens.js';
import { apiKeyOf } from './venue.js';

export type Kind = {
  name: string;
  /** The path below a home. */
  file: string;
  valid(): Buffer | Promise<Buffer>;
  /** Reads it as the program does; what it says. */
  read(path: string): unknown;
  /** Whether a damaged file may be read as this; by default any reading that is valid. */
  may?(found: unknown, original: unknown): boolean;
  /** Whether a damaged file counts as none. */
  neverThrows?: boolean;
  /** Secrets in it. */
  secrets?: readonly string[];
  /** What makes checksums right again after the damage, so that it reaches what is behind them. */
  seal?(bytes: Buffer): Buffer;
};

const key = DevelopmentAccount.key(3);
const venueKey = DevelopmentAccount.venueKey(1);
const apiKey = 'k3y-of-the-service-77c0ffee';
const rpcKey = 'rpc4f9a81c7d2e6b035aa';

const place = (home: string) => ({ env: {}, cwd: home, home });
const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
/** The home of a file that stands below it at a known depth. */
const above = (path: string, levels: number): string => (levels === 0 ? path : above(dirname(path), levels - 1));
const readText = (path: string): string => readFileSync(path, 'utf8');

const settings = {
  network: 'mine',
  slippage: '0.5',
  maxFeeUsd: '2.50',
  quiet: false,
  networks: {
    mine: {
      baseUrl: `https://ada:${apiKey}@service.example/v1`,
      apiKey,
      realMoney: false,
      chains: { alpha: { id: 313371, rpcUrl: `https://rpc.example/${rpcKey}` } },
      venue: { baseUrl: 'https://venue.example', signingChainId: 7, accountIndex: 3 },
    },
  },
  aliases: { bob: '0x1111111111111111111111111111111111111111' },
};

const readConfig = async (home: string): Promise<unknown> =>
  Config.list(Config.merge(await configStore.read(place(home))));

const entries = (all: readonly Journal.Entry[]): Buffer => Buffer.from(journals.textOf(all));

/** The journal of entries that were damaged one by one, with right checksums. */
function sealed(bytes: Buffer): Buffer {
  const all = bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      // Deeper entries cannot be written either.
      if (JsonDepth.isTooDeep(line)) return [];
      try {
        return [JSON.parse(line) as Journal.Entry];
      } catch {
        return [];
      }
    });
  return entries(all);
}

const readJournal = (path: string): unknown => {
  const { lines } = journalFile.read(path, journals.seal);
  // A journal without a whole line says that nothing was done.
  return lines.length === 0 ? [] : [Journal.from(lines.map(({ entry }) => entry)), lines];
};

/** Whether the lines are the first ones of the original: the rest was never acted on. */
function isBeginning(found: unknown, original: unknown): boolean {
  const [, lines = []] = found as [unknown, JournalCodec.Line[]?];
  const [, all = []] = original as [unknown, JournalCodec.Line[]?];
  return isDeepStrictEqual(lines, all.slice(0, lines.length));
}

const owner = { command: 'execute', network: 'sandbox' } as const;
const result = (id: string, ok: boolean) => ({
  ...{ schema: 'ferry.event/1', network: 'sandbox', type: 'result', command: 'execute', id, digest: `0x${id}`, ok },
  ...{ data: ok ? { status: 'success' } : null, error: ok ? null : { code: 'service.refused', funds: 'untouched' } },
});

function quoteText(): Buffer {
  const [of] = recorded();
  const quote = of && quoteOf(of, of.answer);
  if (!quote) throw new Error('There is no recorded quote.');
  const data = QuoteDocument.from(quote, [], journals.seal);
  return json({ schema: 'ferry.quote/1', ok: true, network: recording.name, data, warnings: [] });
}

async function readQuote(path: string): Promise<unknown> {
  const file = await quoteFile.parse(path, { files: createFiles({ ...place(dirname(path)), ...noStreams }) } as never);
  if (file.kind === 'answer') return { isIntact: false };
  const reading = { seal: journals.seal, nowMs: Number.MAX_SAFE_INTEGER, isReview: false };
  const { quote, findings } = quoteFile.within(path, () => quoteFile.savedQuote(file, recording, reading));
  return {
    isIntact: findings.every(({ verdict }) => verdict === 'verified'),
    intent: quote.intent,
    response: quote.response,
  };
}

const noStreams = {
  stdin: (async function* () {})(),
  stdout: { write: () => true },
  signal: new AbortController().signal,
};

const encrypted = async (secret: string): Promise<Keystore.Encrypted> =>
  keystoreCipher.encrypt({ reveal: () => secret } as never, 'password', {
    randomBytes: (length) => new Uint8Array(length).fill(7),
    scryptCost: lightScrypt,
  });

export const kinds: readonly Kind[] = [
  {
    name: 'user configuration',
    file: '.config/ferry/config.json',
    valid: () => json(settings),
    read: (path) => readConfig(above(path, 3)),
    secrets: [apiKey, rpcKey],
  },
  {
    name: 'user configuration in YAML',
    file: '.config/ferry/config.yaml',
    valid: () =>
      Buffer.from(
        `network: mine\nslippage: 0.5 # percent\nnetworks:\n  mine: &m\n    baseUrl: https://s.example\n    apiKey: "${apiKey}"\n    chains:\n      alpha: {id: 7, rpcUrl: "https://r.example/${rpcKey}"}\n`,
      ),
    read: (path) => readConfig(above(path, 3)),
    secrets: [apiKey, rpcKey],
  },
  {
    name: 'project configuration',
    file: 'code/.ferryrc.json',
    valid: () => json({ network: 'testnet', slippage: '0.5', maxFeeUsd: '2', color: 'never', quiet: true }),
    read: async (path) =>
      Config.list(Config.merge(await configStore.read({ ...place(above(path, 2)), cwd: dirname(path) }))),
  },
  ...Object.entries({ transactions: journals.transactions, batch: journals.batch, call: journals.call }).map(
    ([run, of]): Kind => ({
      name: `journal of ${run}`,
      file: `.local/state/ferry/runs/20261121-093000-1f2e3d.jsonl`,
      valid: () => entries(of),
      read: readJournal,
      may: isBeginning,
    }),
  ),
  {
    name: 'journal with right checksums',
    file: '.local/state/ferry/runs/20261121-093000-1f2e3d.jsonl',
    valid: () => Buffer.from(journals.transactions.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
    seal: sealed,
    read: readJournal,
  },
  {
    name: 'index of runs',
    file: 'runs/index/names',
    valid: () => Buffer.from('20261121-093000-1f2e3d\n20261121-093001-1f2e3d\n'),
    read: (path) => [...runNames.read(above(path, 2))],
    neverThrows: true,
  },
  {
    name: 'record of nonces',
    file: 'nonces/1-0xaa.json',
    valid: () => json({ '': '7', '0x00000000000000000000000000000000000000aa': '2' }),
    read: (path) => nonceRecord.read(path),
    neverThrows: true,
  },
  {
    name: 'ledger',
    file: 'results.ndjson',
    valid: () =>
      Buffer.from([result('a', true), result('b', false)].map((line) => `${JSON.stringify(line)}\n`).join('')),
    read: async (path) => {
      const ledger = await ledgerFile.open(path, owner, { cwd: '/' });
      ledger.close();
      return [ledger.before, ledger.find({ id: 'a', digest: 'd' })];
    },
  },
  {
    name: 'saved quote',
    file: 'quote.json',
    valid: quoteText,
    read: readQuote,
    may: (found, original) => !(found as { isIntact: boolean }).isIntact || isDeepStrictEqual(found, original),
  },
  {
    name: 'batch',
    file: 'batch.ndjson',
    valid: () =>
      Buffer.from(
        '{"id":"a","amount":"1","from":"alpha/eth","to":"beta/eth"}\n{"id":2,"amount":"1.5","from":"alpha/usdc","to":"beta/usdc","slippage":"0.5"}\n',
      ),
    read: async (path) => {
      const read = BatchLine.createReader('execute', path);
      const lines = [];
      const wanted = {
        what: 'batch',
        maxBytes: 65_536,
        code: 'batch.unreadable',
        hints: { missing: '', notPiped: '' },
      } as const;
      for await (const raw of createFiles({ ...place('/'), ...noStreams }).lines(path, wanted)) lines.push(read(raw));
      return lines;
    },
  },
  {
    name: 'keystore',
    file: '.config/ferry/keys/main',
    valid: async () =>
      Buffer.from(Keystore.format({ ...(await encrypted(key)), address: DevelopmentAccount.address(3) }, 'an-id')),
    read: (path) => Keystore.from(readText(path), path),
    secrets: [key.slice(2)],
  },
  {
    name: 'venue keystore',
    file: '.config/ferry/keys/venue/main',
    valid: async () => {
      const own = { network: 'sandbox', accountIndex: 101, apiKeyIndex: 4, publicKey: apiKeyOf(1).publicKey };
      return Buffer.from(VenueKeyFile.format({ ...(await encrypted(venueKey)), ...own }, 'an-id'));
    },
    read: (path) => VenueKeyFile.from(readText(path), path),
    secrets: [venueKey.slice(2)],
  },
  {
    name: 'key file',
    file: 'key',
    valid: () => Buffer.from(`${key}\n`),
    read: (path) => secretFile.read('key', path, { cwd: '/', ...noStreams }),
    secrets: [key.slice(2)],
  },
  {
    name: 'venue key file',
    file: 'venue-key',
    valid: () => Buffer.from(`${venueKey}\n`),
    read: (path) => secretFile.read('venueKey', path, { cwd: '/', ...noStreams }),
    secrets: [venueKey.slice(2)],
  },
  {
    name: 'pins',
    file: '.config/ferry/pins.json',
    valid: () => {
      const address = '0x1111111111111111111111111111111111111111';
      const pin = { address, at: 1_700_000_000_000 } as const;
      const token = { symbol: 'MINE', name: 'Mine', decimals: 6, ...pin };
      const one = { network: 'sandbox', deployment: 'x', chainId: 313371, contracts: { router: pin }, tokens: [token] };
      return Buffer.from(TrustedContracts.format([one]));
    },
    read: (path) => trustFile.read(place(above(path, 3))),
  },
  {
    name: 'lock',
    file: 'a.lock',
    valid: () => json(lockRecord.own('0123456789ab', false)),
    read: async (path) => [await fileLock.holder(path), await fileLock.isHeld(path), await fileLock.isAbandoned(path)],
    neverThrows: true,
  },
  {
    name: 'rate limit state',
    file: 'rate.json',
    valid: () =>
      json({
        ...{ sinceMs: 1_700_000_000_000, writtenMs: 1_700_000_000_001 },
        buckets: { quote: { fullAtMs: 1_700_000_000_100, heldUntilMs: 0, refusals: 1 } },
      }),
    read: (path) => RateLimit.read(readText(path)) ?? 'damaged',
    neverThrows: true,
  },
  {
    name: 'record of the sandbox',
    file: 'sandbox/running.json',
    valid: () => {
      const own = processes.self();
      const urls = {
        baseUrl: 'http://127.0.0.1:9',
        venueUrl: 'http://127.0.0.1:9',
        rpcUrls: { alpha: 'http://127.0.0.1:9' },
      };
      return json({ ...own, ...urls, instance: 'one', startedAt: 1, idleMs: 0, children: [own] });
    },
    read: (path) => {
      const at = paths.sandboxPaths({ ...place('/'), env: { FERRY_STATE_DIR: above(path, 2) } });
      return [sandboxRecord.read(at), sandboxRecord.find(at)];
    },
    neverThrows: true,
  },
  {
    name: 'failure of the sandbox',
    file: 'sandbox/failed.json',
    valid: () => json({ at: 1, code: 'sandbox.start', message: 'It did not start.', facts: [['a', 'b']], hint: 'x' }),
    read: (path) => sandboxFiles.readFailure({ failure: path } as never) ?? 'none',
    neverThrows: true,
  },
  {
    name: 'identity of the sandbox',
    file: 'sandbox/state/instance.json',
    valid: () => json({ version: stateFolder.version, instance: 'a', seed: 'b', isStopped: true }),
    read: (path) => stateFolder.read(above(path, 3)),
    neverThrows: true,
  },
  {
    name: 'smoke list',
    file: 'smoke.json',
    valid: () =>
      json({
        defaults: { slippage: '0.5' },
        cases: [{ name: 'a', amount: '10', from: 'alpha/usdc', to: 'beta/usdc', expect: { maxFeeUsd: '1' } }],
      }),
    read: async (path) => {
      const wanted = {
        what: 'list',
        maxBytes: 2 ** 20,
        code: 'smoke.unreadable',
        hints: { missing: '', notPiped: '' },
      } as const;
      return SmokeFile.read(await createFiles({ ...place('/'), ...noStreams }).readDocument(path, wanted), path);
    },
  },
  {
    name: 'saved trace',
    file: 'trace.json',
    valid: () => readFileSync(join(import.meta.dirname, '../recorded/traces/customError.json')),
    read: (path) => TraceFile.from(readText(path), path),
  },
  {
    name: 'signatures',
    file: '.config/ferry/signatures.txt',
    valid: () => Buffer.from('transfer(address,uint256)\nerror Broken(uint256 reason)\n'),
    read: (path) => SelectorLookup.fromLines(readText(path), path),
  },
];
