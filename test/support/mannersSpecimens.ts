/**
 * For each command, a line that succeeds on the sandbox and the server it contacts first, from which its failures are
 * derived. The matrix fails for a command without a specimen.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Code } from '../../src/core/base/Errors.js';
import type { Desk, Env, Place } from './mannersDesk.js';

/** The server that a command contacts first, which thus causes its failure. */
export type Asked = 'nobody' | 'service' | 'venue' | 'node';

export type Outcome = 'success' | 'usage' | 'service' | 'network' | 'unanswered';

export type Specimen = {
  /** The arguments after the command's name. */
  args: readonly string[];
  asks: Asked;
  /** Whether it asks for confirmation: without --yes it ends there. */
  confirms?: boolean;
  stdin?: string;
  env?: Env;
  /** The error code if it differs from that of the server: for a response status, or 0 if unreachable. */
  fails?(status: number): Code | undefined;
  /** Whether a failure is reported by a result, and only the exit code shows it. */
  reports?: boolean;
  /** Whether a success writes nothing to stdout without --json. */
  writesNothing?: boolean;
  /** What happens while the command runs. */
  meanwhile?(): Promise<void>;
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

/** The background sandbox that all of these share. */
const background =
  (args: readonly string[], more: Partial<Specimen> = {}): Prepare =>
  ({ built }) => ({ args, ...nobody, env: { FERRY_STATE_DIR: built.stateDir }, ...more });

/** A run with a pending payment: a real one if it is to be replaced, an old one if no server responds. */
const waiting: Prepare = async (desk, place, outcome) => {
  const fails = (status: number): Code | undefined => (status === 0 ? 'service.unreachable' : undefined);
  const isReal = outcome === 'success' || outcome === 'unanswered';
  if (!isReal) desk.runs(place, 'stuck');
  const run = isReal ? await desk.strand(place) : desk.stuckRun;
  const journal = join(place.folder, 'state', 'runs', `${run}.jsonl`);
  const isReplaced = () => /"replacement".*"broadcast"/s.test(readFileSync(journal, 'utf8'));
  const meanwhile = async (): Promise<void> => {
    for (let left = 200; left > 0 && !isReplaced(); left--) await delay(10);
    await desk.mine();
  };
  return {
    ...{ args: [run], ...node, confirms: true, fails },
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
      // A server error may follow an executed action.
      fails: (status) => (status >= 500 ? 'submit.unknown' : undefined),
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
      const fails = (status: number): Code | undefined => (status > 0 ? 'track.unfinished' : undefined);
      return { args: [desk.run], ...service, fails };
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
      return { args: [], ...service, confirms: true };
    },
  ],
  chains: [says({ args: [], ...nobody }), says({ args: ['--live'], ...service })],
  tokens: [says({ args: ['alpha'], ...nobody }), says({ args: ['--search', 'gull'], ...service })],
  'contracts list': [says({ args: ['alpha'], ...nobody }), says({ args: ['alpha', '--live'], ...service })],
  'contracts accept': [
    ({ usdc }) => ({ args: ['alpha', '--token', `MINE=${usdc}`], ...node, confirms: true }),
    says({ args: ['alpha'], ...service }),
  ],
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
  'key remove': [withKeys(['main'], { confirms: true })],
  'config init': [
    ({ leads, apiKey }, { file }, outcome) => {
      const to = outcome === 'network' ? 'nobody' : outcome === 'service' ? 'faults' : 'sandbox';
      const { FERRY_BASE_URL = '', FERRY_RPC_URL_ALPHA = '' } = leads(to);
      const key = ['--api-key-file', file('api-key', apiKey)];
      const nodes = ['--rpc-url-file', file('nodes', `alpha=${FERRY_RPC_URL_ALPHA}`)];
      return { args: ['mine', '--service-url', FERRY_BASE_URL, '--money', 'test', ...key, ...nodes], ...service };
    },
  ],
  'config list': [says({ args: [], ...nobody })],
  'config get': [says({ args: ['privateKey'], ...nobody })],
  'config set': [({ apiKey }) => ({ args: ['networks.mine.apiKey', '-'], stdin: apiKey, ...nobody })],
  doctor: [says({ args: [], ...service, reports: true, fails: () => 'expect.unmet' })],
  'sandbox start': [background([])],
  'sandbox stop': [background([])],
  'sandbox status': [background([])],
  'sandbox exec': [background(['--', 'true'], { writesNothing: true })],
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
  schema: [says({ args: ['quote'], ...nobody })],
};
