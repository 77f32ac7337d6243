/** One event of each type, and the check that every event the tests see printed is what `ferry schema event` says. */
import { isDeepStrictEqual } from 'node:util';
import * as SmokeReport from '../../src/core/checks/SmokeReport.js';
import type { CommandEvent } from '../../src/core/event/DisplayEvent.js';
import * as Event from '../../src/core/event/Event.js';
import * as EventLine from '../../src/core/event/EventLine.js';

const txHash = `0x${'ab'.repeat(32)}`;
const address = `0x${'12'.repeat(20)}`;
const sent = {
  action: 'deposit',
  summary: 'Deposit 1 USDC on alpha',
  txHash,
  url: `https://scan.example/tx/${txHash}`,
};
const amount = { amount: '1000000', formatted: '1' };
const valued = { ...amount, currency: 'alpha/usdc', usd: '1.000000' };
const side = { chain: 'alpha', chainId: 1, currency: 'alpha/usdc', symbol: 'USDC', address, ...amount, usd: null };
const smokeCase = {
  name: 'one',
  does: 'execute',
  amount: '1',
  from: 'a/x',
  to: 'b/y',
  options: {},
  expect: {},
} as const;

/** Large enough that a float would round it. */
const large = 2n ** 64n + 1n;

export const specimens = {
  run: {
    type: 'run',
    run: '20261121-093000-1f2e3d',
    next: 'ferry resume 20261121-093000-1f2e3d',
    folder: '/state/runs',
  },
  resuming: {
    ...{ type: 'resuming', run: '20261121-093000-1f2e3d', summary: 'Resuming: 1 USDC to 0x01', recipient: address },
    ...{ send: valued, minimum: amount, isOwn: true },
  },
  quoted: {
    ...{ type: 'quoted', requestId: '0x01', user: address, recipient: address },
    ...{ send: valued, receive: { ...valued, currency: 'beta/usdc' }, minimum: amount },
    fees: { execution: '-0.1', swap: '0', platform: '0', app: '0', sponsored: '0', total: '-0.1' },
    originGas: { ...amount, symbol: 'ETH', usd: '0.01', takenBy: 'network' },
    impact: { usd: '-0.1', bps: '-1000' },
    timeEstimateSeconds: 12,
  },
  verified: {
    type: 'verified',
    checks: 35,
    single: [],
    maxGas: { amount: '450000000000000', formatted: '0.00045', symbol: 'ETH', usd: '1.125000' },
  },
  waiting: { type: 'waiting', summary: 'Waiting for process 7', pid: 7 },
  checked: { type: 'checked', chainId: 1, balance: large, gasBalance: 0n },
  skipped: { type: 'skipped', action: 'approve', summary: 'Allow 1 USDC', why: 'it is there' },
  signed: { type: 'signed', ...sent, action: 'swap', nonce: 3 },
  resent: { type: 'resent', ...sent, action: 'deposit', nonce: 3 },
  sent: { type: 'sent', ...sent, action: 'deposit' },
  mined: { type: 'mined', ...sent, action: 'deposit', blockNumber: 7n, gasUsed: large },
  delegated: { type: 'delegated', summary: 'Delegate', delegate: address, isNew: true },
  'batch-signed': {
    type: 'batch-signed',
    summary: 'Sign a batch of 2 calls',
    calls: 2,
    executor: address,
    deadline: 1_795_255_800n,
    nonce: large,
  },
  'permit-signed': { type: 'permit-signed', summary: 'Permit 1 USDC', primaryType: 'Permit' },
  submitted: { type: 'submitted', summary: 'The service accepted it', requestId: '0x01' },
  asking: { type: 'asking', summary: 'Asking the service', why: 'No answer.' },
  'venue-account': { type: 'venue-account', index: 100, wallet: address, before: amount, after: null },
  'venue-signed': {
    ...{ type: 'venue-signed', summary: 'Transfer 5 USDC', txHash: 'ab'.repeat(40), txInfo: '{}', publicKey: 'cd' },
    ...{ signingChainId: 304, accountIndex: 100, apiKeyIndex: 2, nonce: '9', expiresAt: 1_795_255_800_000 },
  },
  'venue-sent': { type: 'venue-sent', summary: 'Transfer 5 USDC', txHash: 'ab'.repeat(40) },
  'venue-executed': { type: 'venue-executed', summary: 'It is executed', txHash: 'ab'.repeat(40) },
  address: {
    ...{ type: 'address', requestId: '0x01', address, chain: 'alpha', chainId: 313371, token: address },
    ...{ send: { ...amount, currency: 'alpha/usdc' }, minimum: { ...amount, currency: 'beta/usdc' } },
    ...{ recipient: address, refundTo: address, untilMs: 1_800_000_000_000 },
  },
  'address-balance': {
    ...{ type: 'address-balance', address, held: amount, wanted: { ...amount, symbol: 'USDC' }, isEnough: true },
  },
  status: {
    type: 'status',
    requestId: '0x01',
    status: 'pending',
    words: 'deposit seen',
    inTxHashes: [txHash],
    outTxHashes: [],
  },
  superseded: { type: 'superseded', requestId: '0x01', by: '0x02' },
  service: { type: 'service', answers: false, summary: 'The service does not answer.' },
  serving: { type: 'serving', url: 'http://127.0.0.1:9464' },
  'held-up': { type: 'held-up', id: '7', results: 3, summary: 'Line "7" takes long.' },
  unreadable: { type: 'unreadable', path: 'requests[3].data', problem: 'expected an object', requestId: null },
  result: { type: 'result', command: 'quote', id: '7', digest: '0x', ok: true, data: { any: 'thing' }, error: null },
  request: {
    ...{ type: 'request', requestId: '0x01', orderId: null, status: 'success', words: 'delivered', funds: 'delivered' },
    ...{ finished: true, kind: 'Bridge', features: [], user: address, recipient: address, refundTo: null },
    ...{ depositAddress: null, referrer: null, origin: side, destination: side, refunded: null, transactions: [] },
    ...{ failReason: null, refundFailReason: null, failedTxHash: null, supersededBy: null },
    ...{ order: null, oldFees: [], appFees: [] },
    ...{ fees: { quoted: null, actual: null }, createdAt: null, updatedAt: null },
  },
  scene: { type: 'scene', title: 'Bridge 100 USDC' },
  ready: {
    ...{ type: 'ready', running: true, started: true, instance: 'a', lost: null, pid: 7 },
    baseUrl: 'http://127.0.0.1:1',
    ...{ venueUrl: 'http://127.0.0.1:2', rpcUrls: { alpha: 'http://127.0.0.1:3' }, startedAt: '2026-11-21T09:30:00Z' },
  },
  progress: { type: 'progress', what: 'quotes', done: 6, total: 18, failed: 0, elapsedMs: 2000 },
  checking: { type: 'checking', network: 'sandbox' },
  'answer-checked': {
    type: 'answer-checked',
    check: {
      ...{ check: 'chain', name: 'alpha', verdict: 'ok', summary: 'Chain 1 answers.' },
      ...{ facts: {}, hint: null, fix: null, code: null },
    },
  },
  'config-proposed': { type: 'config-proposed', path: '/u/config.json', written: [{ key: 'network', value: 'mine' }] },
  'contracts-proposed': { type: 'contracts-proposed', contracts: [], tokens: [], notLooked: null },
  'case-begun': { type: 'case-begun', name: 'one' },
  'case-again': { type: 'case-again', name: 'one', attempt: 1, retries: 2, code: 'service.timeout' },
  'case-ended': { type: 'case-ended', result: SmokeReport.skipped(smokeCase) },
  'attack-ended': {
    type: 'attack-ended',
    attack: {
      ...{ liar: 'service', lie: 'pays a millionth', witness: 'the amounts', ends: 'refused', isHeldOff: true },
      steps: [{ said: 'verify.cap', funds: 'untouched' }],
      checks: [],
      balance: { amount: '1000', currency: 'alpha/usdc' },
      changes: [],
    },
  },
} satisfies { readonly [Type in CommandEvent['type']]: Extract<CommandEvent, { type: Type }> };

/** Those that `--json` prints. */
export const printed: readonly Event.Event[] = Object.values<CommandEvent>(specimens).filter(EventLine.isPrinted);

/** @throws if a printed event does not fit the schema, or has a field that the schema does not name */
export function assertEvents(stdout: string): void {
  const whole = stdout.split('\n').slice(0, -1);
  for (const text of whole.filter((each) => each.startsWith('{"schema":"ferry.event/1"'))) {
    const { network, event } = Event.fromLine(text);
    const known = JSON.parse(EventLine.format(event, network));
    if (!isDeepStrictEqual(known, JSON.parse(text))) throw new Error(`An event has fields of no schema: ${text}`);
  }
}
