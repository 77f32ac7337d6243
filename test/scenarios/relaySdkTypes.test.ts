/**
 * The sandbox's answers against the types that the service's SDK generates from the service's API. The compiler is the
 * judge: an answer is written as a literal of its type, so that a field which the type lacks is noticed too.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { noSvm } from '../../src/sandbox/svm/liteSvm.js';
import { useService } from '../support/customer.js';
import { describePublished, read } from '../support/published.js';
import { type Answer, collect } from '../support/sdkAnswers.js';

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

const declarations = fileURLToPath(
  new URL('../../node_modules/@relayprotocol/relay-sdk/_types/src/types', import.meta.url),
);

/** The types that claims may name. */
const preamble = [
  // The SDK's own types demand of any signature what each kind has, and of a venue transfer what a transaction has.
  "type Transfer = Pick<TransactionStepItem['data'], 'action'>;",
  "type Signature = NonNullable<SignatureStepItem['data']>;",
  "type Signed = Omit<Signature, 'sign'> & { sign: Partial<Signature['sign']> };",
  `import type { paths } from '${join(declarations, 'api.js')}';`,
  `import type { Execute, SignatureStepItem, TransactionStepItem } from '${join(declarations, 'index.js')}';`,
].join('\n');

/** The name of an answer's type. */
function typeOf({ endpoint, method, status, kind }: Answer): string {
  const type = `paths['${endpoint}']['${method}']['responses']['${status}']['content']['application/json']`;
  if (endpoint !== '/execute' || status !== 400) return type;
  // A union, whose members would lend each other their fields.
  return `${kind.startsWith('a simulation') ? 'Extract' : 'Exclude'}<${type}, { message: string }>`;
}

/** The steps of quotes and claims, as the SDK itself works with them. */
function stepClaims(bodies: readonly unknown[]): Claim[] {
  return bodies.flatMap((body) => {
    const steps = (body as { steps?: { kind: string; items: { data: unknown }[] }[] }).steps ?? [];
    const items = steps.flatMap(({ kind, items: all }) =>
      all.map(({ data }) => ({
        value: data,
        type: kind === 'signature' ? 'Signed' : 'action' in Object(data) ? 'Transfer' : "TransactionStepItem['data']",
      })),
    );
    return steps.length === 0 ? [] : [{ value: steps, type: "Execute['steps']" }, ...items];
  });
}

type Claim = {
  value: unknown;
  /** The type that it is to have, as TypeScript. */
  type: string;
};

/** A place in a claim's value where the compiler objects: `steps[0].kind`. */
type Objection = { claim: number; at: string; message: string };

const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: 'es2022',
  module: 'nodenext',
  pretty: false,
};

/**
 * What the compiler objects to. Each value is written as a literal, so that a field that its type does not have is an
 * objection as well.
 *
 * @param preamble the imports
 */
async function objections(preamble: string, claims: readonly Claim[]): Promise<Objection[]> {
  const lines = preamble.split('\n');
  const places: ({ claim: number; at: string } | undefined)[] = lines.map(() => undefined);
  for (const [claim, { value, type }] of claims.entries()) {
    const literal = print(value, '');
    lines.push(`export const claim${claim} = (`, ...literal.map(([text]) => text), `) satisfies ${type};`);
    places.push(...[['', ''] as const, ...literal, ['', ''] as const].map(([, at]) => ({ claim, at })));
  }
  const folder = mkdtempSync(join(tmpdir(), 'ferry-compiled-'));
  try {
    writeFileSync(join(folder, 'claims.ts'), lines.join('\n'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['claims.ts'] }));
    return (await compile(folder)).split('\n').flatMap((line) => {
      const [, at = '', message = ''] = /^.*claims\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
      if (at === '' && /error/.test(line) && !line.startsWith(' ')) throw new Error(line);
      if (at === '') return [];
      const place = places[Number(at) - 1];
      if (!place) throw new Error(line);
      return [{ ...place, message }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One property or element a line, each with its place in the value. */
function print(value: unknown, at: string): [text: string, at: string][] {
  if (typeof value !== 'object' || value === null) return [[JSON.stringify(value), at]];
  const parts: (readonly [prefix: string, part: unknown, at: string])[] = Array.isArray(value)
    ? value.map((part, index) => ['', part, `${at}[${index}]`])
    : Object.entries(value).map(([key, part]) => [`${JSON.stringify(key)}: `, part, at ? `${at}.${key}` : key]);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = parts.flatMap(([prefix, part, place]) => {
    const [first, ...rest] = print(part, place);
    const all: [string, string][] = [[`${prefix}${first?.[0]}`, place], ...rest];
    return all.with(-1, [`${all.at(-1)?.[0]},`, all.at(-1)?.[1] ?? place]);
  });
  return [[open, at], ...lines, [close, at]];
}

function compile(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [compiler, '-p', folder], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      // It ends with 1 or 2 if it objects to something.
      if (error && ![1, 2].includes(Number(error.code))) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout);
    });
  });
}
