/**
 * The sandbox's answers against the types that the service's SDK generates from the service's API. The compiler is the
 * judge: an answer is written as a literal of its type, so that a field which the type lacks is noticed too.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { noSvm } from '../../src/sandbox/svm/liteSvm.js';
import { type Claim, type Objection, objections } from '../support/compiled.js';
import { useService } from '../support/customer.js';
import { describePublished, read } from '../support/published.js';
import { type Answer, collect } from '../support/sdkAnswers.js';
import { preamble, stepClaims, typeOf } from '../support/sdkTypes.js';

const service = useService({ withSvm: true });
if (!service.hasSvm) process.stderr.write(`skipped: the answers about the chain svm: ${noSvm}\n`);

type Evidence =
  /** A captured or published answer of the service has it there. */
  | { capture: string; at: string }
  /** Another type of the SDK has it. */
  | { type: string }
  | { documented: string };

/**
 * Where the service answers otherwise than the types say, and the sandbox as the service: a value that the type does not
 * have (`is`), or a field that it does not have (`type`).
 */
type Difference = { endpoint: string; at: string; evidence: Evidence } & ({ is: unknown } | { type: string });

const v2 = '/requests/v2';
const v3 = '/requests/v3';
const status = '/intents/status/v3';
const checkStatus = { type: "NonNullable<Execute['steps'][0]['items'][0]['checkStatus']>" };
const reasons = { documented: 'API changelog of 2026-08-07' };
const published = (at: string): Evidence => ({ capture: 'request-v3-record.json', at });
const captured = (at: string): Evidence => ({ capture: 'live/requests-v2-swap-sells.json', at });

const differences: readonly Difference[] = [
  {
    endpoint: '/quote/v2',
    at: 'requestId',
    type: 'string',
    evidence: { capture: 'live/quote-bridge-erc20-1.json', at: 'requestId' },
  },
  {
    endpoint: '/quote/v2',
    at: 'feeSponsorship.quoted.subsidizationBps',
    type: 'number',
    evidence: { documented: 'reference of POST /quote/v2' },
  },
  { endpoint: status, at: 'status', is: 'unknown', evidence: checkStatus },
  { endpoint: '/intents/status/v2', at: 'status', is: 'unknown', evidence: checkStatus },
  { endpoint: status, at: 'failReason', type: 'string', evidence: reasons },
  { endpoint: status, at: 'refundFailReason', type: 'string', evidence: reasons },
  { endpoint: v3, at: 'requests[].data.failedTxHash', is: null, evidence: published('data.failedTxHash') },
  {
    endpoint: v3,
    at: 'requests[].data.failedTxBlockNumber',
    is: null,
    evidence: published('data.failedTxBlockNumber'),
  },
  { endpoint: v3, at: 'requests[].data.failedCallData', is: null, evidence: published('data.failedCallData') },
  {
    endpoint: v3,
    at: 'requests[].data.apiKeyName',
    type: 'string | null',
    evidence: { documented: 'API changelog of 2026-08-06' },
  },
  {
    endpoint: v3,
    at: 'requests[].data.refundFailReason',
    is: 'MANUAL_REFUND_REQUIRED',
    evidence: { documented: 'execution errors' },
  },
  {
    endpoint: v3,
    at: 'requests[].data.feeSponsorship.quoted.maxSubsidizationAmount',
    is: null,
    evidence: published('data.feeSponsorship.quoted.maxSubsidizationAmount'),
  },
  { endpoint: v2, at: 'deprecation', type: 'Record<string, string>', evidence: captured('deprecation') },
  {
    endpoint: v2,
    at: 'requests[].moonpayId',
    is: null,
    evidence: { capture: 'request-v2-record.json', at: 'moonpayId' },
  },
  {
    endpoint: v2,
    at: 'requests[].data.refundFailReason',
    is: 'MANUAL_REFUND_REQUIRED',
    evidence: { documented: 'execution errors' },
  },
  {
    endpoint: v2,
    at: 'requests[].data.refundFailReason',
    is: 'N/A',
    evidence: captured('requests[].data.refundFailReason'),
  },
];

/** Without the differences. */
let answers: readonly Answer[] = [];
const used = new Set<Difference>();
const claims: Claim[] = [];

beforeAll(async () => {
  const all = await collect(service);
  answers = all.map((answer) => {
    // Errors have no differences.
    const mine = differences.filter(({ endpoint }) => endpoint === answer.endpoint && answer.status === 200);
    return { ...answer, body: mine.reduce(without, answer.body) };
  });
}, 120_000);

describe('the types of the API', () => {
  let all: readonly Claim[] = [];
  let altered: readonly Claim[] = [];
  let found: readonly Objection[] = [];

  // The compiler reads the types of the API once.
  beforeAll(async () => {
    const ofAnswers = answers.map((answer) => ({ value: answer.body, type: typeOf(answer) }));
    const ofSteps = stepClaims(answers.map(({ body }) => body));
    const ofSdk = differences.flatMap((each) =>
      'type' in each.evidence && 'is' in each ? [{ value: each.is, type: each.evidence.type }] : [],
    );
    all = [...ofAnswers, ...ofSteps, ...ofSdk, ...claims];
    // A field of another name or type, and one that is missing.
    const [{ value, type } = { value: {}, type: '' }] = ofAnswers.filter((each) => each.type.includes('/status/v3'));
    const { status: said, ...rest } = value as { status?: string };
    altered = [
      { value: { ...rest, statusX: said }, type },
      { value: { ...rest, status: 7 }, type },
      { value: {}, type: "Execute['steps'][0]" },
    ];
    found = await objections(preamble, [...all, ...altered]);
  }, 120_000);

  test('default: the compiler objects to no answer of any endpoint and kind', () => {
    const texts = found.flatMap(({ claim, at, message }) =>
      claim < all.length ? [`${all[claim]?.type} (${answers[claim]?.kind}): ${at}: ${message}`] : [],
    );
    expect(texts).toEqual([]);
  });

  test('behavior: the compiler objects to a field of another name or type, and to a required one that is missing', () => {
    const noticed = new Set(found.map(({ claim }) => claim - all.length));
    expect(altered.filter((_, index) => !noticed.has(index))).toEqual([]);
  });
});

describe('the differences from the types', () => {
  test('default: the sandbox makes each', () => {
    expect(differences.filter((each) => !used.has(each))).toEqual([]);
  });
});

describePublished('the differences from the types', () => {
  test('behavior: a captured answer has each', () => {
    for (const difference of differences) {
      const { evidence } = difference;
      if (!('capture' in evidence)) continue;
      const values = placesAt(read(evidence.capture), evidence.at).map(({ parent, key }) => parent[key]);
      expect([evidence, values.length > 0]).toEqual([evidence, true]);
      if ('is' in difference) expect(values).toContain(difference.is);
    }
  });
});

/** The body without the difference, which is held to its own type. */
function without(body: unknown, difference: Difference): unknown {
  const copy = structuredClone(body);
  for (const { parent, key } of placesAt(copy, difference.at)) {
    if ('is' in difference && parent[key] !== difference.is) continue;
    used.add(difference);
    if ('type' in difference) claims.push({ value: parent[key], type: difference.type });
    delete parent[key];
  }
  return copy;
}

/** The places of a value that a path leads to; `[]` is every element. */
function placesAt(value: unknown, path: string): { parent: Record<string, unknown>; key: string }[] {
  const keys = path.replaceAll('[]', '.[]').split('.');
  const last = keys.pop() ?? '';
  const step = (each: unknown, key: string): unknown[] => {
    if (key === '[]') return Array.isArray(each) ? each : [];
    return isRecord(each) ? [each[key]] : [];
  };
  const parents = keys.reduce((found, key) => found.flatMap((each) => step(each, key)), [value]);
  return parents.flatMap((parent) => (isRecord(parent) && last in parent ? [{ parent, key: last }] : []));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
