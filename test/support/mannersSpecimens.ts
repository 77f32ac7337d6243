/**
 * For each command, a line that succeeds on the sandbox and the server it contacts first, from which its failures are
 * derived. The matrix fails for a command without a specimen.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Code } from '../../src/core/base/Errors.js';
import { batchLine, type Desk, type Env, type Place } from './mannersDesk.js';

/** The server that a command contacts first, which thus causes its failure. */
export type Asked = 'nobody' | 'service' | 'venue' | 'node';

export type Outcome = 'success' | 'usage' | 'network' | 'unanswered';

export type Specimen = {
  /** The arguments after the command's name. */
  args: readonly string[];
  asks: Asked;
  /** Whether it asks for confirmation: without --yes it ends there. */
  confirms?: boolean;
  stdin?: string;
  env?: Env;
  /** The error code where nobody answers, if it differs from that of the server. */
  fails?: Code;
  /** Whether a failure is reported by a result, and only the exit code shows it. */
  reports?: boolean;
  /** What happens while the command runs. */
  meanwhile?(hasEnded: () => boolean): Promise<void>;
  after?(): Promise<void>;
};

/** Prepares a place for a command and an outcome; returns the command line. */
type Prepare = (desk: Desk, place: Place, outcome: Outcome) => Promise<Specimen> | Specimen;

const bridge = ['alpha/usdc', 'beta/usdc'] as const;
const service = { asks: 'service' } as const;
const venue = { asks: 'venue' } as const;
const node = { asks: 'node' } as const;
const nobody = { asks: 'nobody' } as const;

const says =
  (of: Specimen): Prepare =>
  () =>
    of;

const withKeys =
  (args: readonly string[], more: Partial<Specimen> = {}): Prepare =>
  (desk, place) => {
    desk.keys(place);
    return { args, ...nobody, ...more };
  };

const withRuns =
  (typed: (desk: Desk) => readonly string[], more: Partial<Specimen> = {}): Prepare =>
  (desk, place) => {
    desk.runs(place, 'done');
    return { args: typed(desk), ...nobody, ...more };
  };

/** An address book with one name. */
const withBook =
  (args: readonly string[]): Prepare =>
  (_, { file }) => {
    const path = file(
      'config.json',
      JSON.stringify({ aliases: { ada: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } }),
    );
    return { args, ...nobody, env: { FERRY_CONFIG_DIR: dirname(path) } };
  };

/** The store that all of these share. */
const withStore =
  (args: (run: string) => readonly string[], more: Partial<Specimen> = {}): Prepare =>
  async (desk, place) => {
    const { url, run } = await desk.store(place);
    return { args: args(run), ...nobody, env: { FERRY_STORE: url }, ...more };
  };

let submitted = 0;

/** A batch of its own in that store. */
const withBatch =
  (more: readonly string[] = [], specimen: Partial<Specimen> = {}): Prepare =>
  async (desk, place) => {
    const [{ url }, name] = [await desk.store(place), await desk.batch()];
    return { args: [name, ...more], ...nobody, env: { FERRY_STORE: url }, ...specimen };
  };

/** The background sandbox that all of these share. */
const background =
  (args: readonly string[], more: Partial<Specimen> = {}): Prepare =>
  ({ built }) => ({ args, ...nobody, env: { FERRY_STATE_DIR: built.stateDir }, ...more });

/** A run with a pending payment: a real one if it is to be replaced, an old one if no server responds. */
const waiting: Prepare = async (desk, place, outcome) => {
  const isReal = outcome === 'success' || outcome === 'unanswered';
  if (!isReal) desk.runs(place, 'stuck');
  const run = isReal ? await desk.strand(place) : desk.stuckRun;
  const journal = join(place.folder, 'state', 'runs', `${run}.jsonl`);
  const isReplaced = () => /"replacement".*"broadcast"/s.test(readFileSync(journal, 'utf8'));
  const meanwhile = async (hasEnded: () => boolean): Promise<void> => {
    while (!isReplaced() && !hasEnded()) await delay(10);
    await desk.mine();
  };
  return {
    ...{ args: [run], ...node, confirms: true, fails: 'service.unreachable' },
    ...(outcome === 'success' && { meanwhile }),
    ...(outcome === 'unanswered' && { after: desk.mine }),
  };
};

export const specimens: Readonly<Record<string, readonly Prepare[]>> = {
  quote: [(_, { folder }) => ({ args: ['1', ...bridge, '-o', join(folder, 'saved.json')], ...service })],
  execute: [says({ args: ['1', ...bridge], ...service, confirms: true })],
  'execute call': [
    ({ usdc }) => ({
      args: ['--chain', 'alpha', '--to', usdc, '--data', '0x18160ddd', '--subsidize-fees'],
      ...service,
      confirms: true,
    }),
  ],
  'venue deposit': [says({ args: ['10', 'alpha/usdc', '--account-index', '100'], ...venue, confirms: true })],
  'venue withdraw': [says({ args: ['10', 'beta/usdc', '--account', 'dev0'], ...venue, confirms: true })],
  'venue account': [says({ args: ['100'], ...venue })],
  verify: [({ quoteFile }) => ({ args: [quoteFile], ...nobody })],
  receipt: [withRuns(({ run }) => [run], service)],
  status: [({ requestId }) => ({ args: [requestId], ...service })],
  resume: [
    (desk, place) => {
      desk.runs(place, 'open');
      return { args: [desk.run], ...service };
    },
  ],
  'runs list': [withRuns(() => [])],
  'runs show': [withRuns(({ run }) => [run])],
  'runs speed-up': [waiting],
  'runs cancel': [waiting],
  'runs reconcile': [says({ args: ['alpha'], ...node, confirms: true })],
  'runs close': [
    (desk, place) => {
      desk.runs(place, 'lost');
      return { args: [desk.lostRun], ...nobody, confirms: true };
    },
  ],
  'runs prune': [withRuns(() => ['--older-than', '0s'], { confirms: true })],
  'requests list': [says({ args: [], ...service })],
  'requests show': [({ requestId }) => ({ args: [requestId], ...service })],
  open: [
    ({ txHash }) => ({
      args: [txHash, '--chain', 'base', '--network', 'mainnet'],
      ...nobody,
    }),
  ],
  trace: [
    // The node cannot trace old transactions.
    async (desk, _, outcome) => ({ args: [outcome === 'success' ? await desk.approve() : desk.txHash], ...node }),
  ],
  'fees explain': [({ requestId }) => ({ args: [requestId], ...service })],
  'fees schedule': [says({ args: bridge, ...nobody })],
  'fees share': [says({ args: ['--volume', '25M'], ...nobody })],
  'fees compare': [says({ args: ['10', '100', 'alpha/eth', 'beta/usdc'], ...service, reports: true })],
  'fees balance': [says({ args: [], ...service })],
  'fees claim': [
    async (desk, place, outcome) => {
      if (outcome === 'success' || outcome === 'unanswered') await desk.earn(place);
      return { args: ['--dry-run'], ...service };
    },
  ],
  chains: [says({ args: [], ...nobody }), says({ args: ['--live'], ...service })],
  tokens: [says({ args: ['alpha'], ...nobody }), says({ args: ['--search', 'gull'], ...service })],
  'contracts list': [says({ args: ['alpha'], ...nobody }), says({ args: ['alpha', '--live'], ...service })],
  'contracts accept': [
    ({ usdc }) => ({ args: ['alpha', '--token', `MINE=${usdc}`], ...node, confirms: true }),
    says({ args: ['alpha'], ...service }),
  ],
  balance: [says({ args: ['--account', 'dev0'], ...node, reports: true })],
  'delegation show': [says({ args: ['alpha'], ...node })],
  'delegation revoke': [
    async (desk, place, outcome) => {
      if (outcome === 'success' || outcome === 'unanswered') await desk.delegate(place);
      return { args: ['alpha'], ...node, confirms: true };
    },
  ],
  'allowance show': [says({ args: ['alpha/usdc'], ...node })],
  'allowance revoke': [
    async (desk, _, outcome) => {
      if (outcome === 'success' || outcome === 'unanswered') await desk.approve();
      return { args: ['alpha/usdc'], ...node, confirms: true };
    },
  ],
  'address add': [says({ args: ['ada', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'], ...nobody })],
  'address list': [withBook([])],
  'address remove': [withBook(['ada'])],
  'key new': [says({ args: ['fresh'], ...nobody })],
  'key import': [({ privateKey }, { file }) => ({ args: ['mine', '--key-file', file('key', privateKey)], ...nobody })],
  'key list': [withKeys([])],
  'key show': [withKeys(['main'])],
  'key export': [(desk, place) => withKeys(['main', '-o', join(place.folder, 'copy.json')])(desk, place, 'success')],
  'key password': [
    (desk, place) => {
      const changed = place.file('new-password', `${desk.password}-changed`);
      return withKeys(['main', '--new-password-file', changed])(desk, place, 'success');
    },
  ],
  'key rename': [withKeys(['main', 'other'])],
  'key remove': [withKeys(['main'], { confirms: true })],
  'config init': [
    ({ leads, apiKey }, { file }, outcome) => {
      const { FERRY_BASE_URL = '', FERRY_RPC_URL_ALPHA = '' } = leads(outcome === 'network' ? 'nobody' : 'sandbox');
      const key = ['--api-key-file', file('api-key', apiKey)];
      const nodes = ['--rpc-url-file', file('nodes', `alpha=${FERRY_RPC_URL_ALPHA}`)];
      return { args: ['mine', '--service-url', FERRY_BASE_URL, '--money', 'test', ...key, ...nodes], ...service };
    },
  ],
  'config list': [says({ args: [], ...nobody })],
  'config get': [says({ args: ['privateKey'], ...nobody })],
  'config set': [({ apiKey }) => ({ args: ['networks.mine.apiKey', '-'], stdin: apiKey, ...nobody })],
  'config unset': [says({ args: ['maxImpact'], ...nobody })],
  'config edit': [says({ args: [], ...nobody, env: { EDITOR: 'printf \'{"quiet": false}\' >' } })],
  'config path': [says({ args: [], ...nobody })],
  doctor: [says({ args: [], ...service, reports: true, fails: 'expect.unmet' })],
  'sandbox start': [background([])],
  'sandbox stop': [background([])],
  'sandbox status': [background([])],
  'sandbox fund': [says({ args: ['dev9', '1', 'alpha/eth'], ...service })],
  'sandbox fault': [says({ args: ['--on', 'service'], ...service })],
  'sandbox logs': [background([])],
  'sandbox exec': [background(['--', 'true'])],
  'store init': [withStore(() => [])],
  'store check': [withStore(() => [])],
  'store migrate': [withStore(() => [])],
  'store import': [withStore(() => [], { confirms: true })],
  'store export': [withStore((run) => [run])],
  'batch submit': [
    async (desk, place) => {
      const args = [place.file('batch.ndjson', `${batchLine}\n`), '--name', `specimen-${submitted++}`];
      return { args, ...service, env: { FERRY_STORE: (await desk.store(place)).url }, confirms: true };
    },
  ],
  'batch list': [withStore(() => [])],
  'batch status': [withBatch()],
  'batch results': [withBatch()],
  'batch pause': [withBatch()],
  'batch resume': [withBatch()],
  'batch cancel': [withBatch([], { confirms: true })],
  'batch retry': [withBatch(['--failed'])],
  worker: [async (desk) => ({ args: ['--once'], ...nobody, env: { FERRY_STORE: await desk.emptyStore() } })],
  'sandbox reset': [background([], { confirms: true })],
  smoke: [
    (_, { folder, file }) => {
      const list = file(
        'smoke.json',
        JSON.stringify({ cases: [{ name: 'quote', amount: '10', from: bridge[0], to: bridge[1] }] }),
      );
      return { args: [list, '--junit', join(folder, 'smoke.xml'), '--retries', '0'], ...service, reports: true };
    },
  ],
  demo: [says({ args: [], ...node })],
  'demo attack': [says({ args: [], ...node })],
  completion: [says({ args: ['bash'], ...nobody })],
  'completion install': [says({ args: ['bash'], ...nobody, confirms: true })],
  version: [says({ args: [], ...nobody })],
  schema: [says({ args: ['quote'], ...nobody })],
};
