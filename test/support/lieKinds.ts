/** Every lie about an answer: by the kind of each of its values, and about the answer as a whole. */
import { hash } from 'node:crypto';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { lies as consistentLies } from './liar.js';
import { attacker } from './mutations.js';
import { get, places, put } from './places.js';
import type { Specimen } from './specimens.js';
import type { Answer, AnsweredQuestion, Lie, Witness } from './witnesses.js';

type Rule = { reason: string; of: RegExp };

/**
 * Fields of answers that decide nothing about money, each with its reason. A lie about one of them must change nothing: the
 * transfer is made as if it had not been told.
 */
const rules: readonly Rule[] = [
  {
    reason: 'logos and descriptions for a reader',
    of: /^service POST \/quote\/v2 (.*\.metadata\.\w+|steps\.\d+\.(action|description))$/,
  },
  { reason: 'the deposit is indexed; how it ended is asked for', of: /^service POST \/transactions\/index message$/ },
  { reason: 'how the sandbox draws its ids', of: /^service GET \/sandbox\/instance seed$/ },
  {
    reason: 'of a block only its number, time and base fee are read',
    of: /^(alpha|beta) eth_getBlockByNumber \w+ result\.(extraData|hash|logsBloom|miner|mixHash|parentHash|receiptsRoot|sha3Uncles|stateRoot|transactionsRoot|withdrawalsRoot|requestsHash|parentBeaconBlockRoot)$/,
  },
  {
    reason: 'of a simulated block only its calls are read',
    of: /^(alpha|beta) eth_simulateV1 \w+ result\.0\.(extraData|hash|logsBloom|miner|mixHash|parentHash|receiptsRoot|sha3Uncles|stateRoot|transactionsRoot|withdrawalsRoot|requestsHash|parentBeaconBlockRoot)$/,
  },
  {
    reason: 'what a receipt says for searching logs',
    of: /^(alpha|beta) eth_getTransactionReceipt result\.logsBloom$/,
  },
];

/** The rule by which a field decides nothing, if there is one. */
export function ruleOf({ party, key, at }: Pick<Named, 'party' | 'key' | 'at'>): Rule | undefined {
  return rules.find(({ of }) => of.test(`${party} ${key} ${at.split('#')[0]}`));
}

/** A lie by its name: the same in every run, whatever the values are there. */
export type Named = {
  party: Witness;
  key: string;
  /** The place in the answer; empty for the whole. */
  at: string;
  change: string;
  nth: number | undefined;
};

export function nameOf({ party, key, at, change, nth }: Named): string {
  return `${party}: ${key}${at && ` ${at}`}: ${change}${nth === undefined ? '' : `, time ${nth}`}`;
}

/** All lies about what was asked in an honest run. `earlier` was asked in another one. */
export function all(asked: readonly AnsweredQuestion[], earlier: readonly AnsweredQuestion[]): Named[] {
  const keys = new Map<string, AnsweredQuestion[]>();
  for (const each of asked)
    keys.set(`${each.party} ${each.key}`, [...(keys.get(`${each.party} ${each.key}`) ?? []), each]);
  return [...keys.values()].flatMap((times) => {
    const [{ party, key } = { party: 'service' as const, key: '' }] = times;
    const old = answersTo(party, key, earlier);
    const named = new Map<string, Pick<Named, 'at' | 'change'>>();
    for (const { body } of times)
      for (const { at, value } of facts(body)) {
        const was = old.map((each) => valueAt(each, at));
        for (const change of changesOf({ party, key, at }, value, was)) named.set(`${at}: ${change}`, { at, change });
      }
    const whole = Object.keys(wholes(party, old)).map((change) => ({ at: '', change }));
    const whens = times.length > 1 ? [undefined, 1, times.length] : [undefined];
    return [...whole, ...named.values()].flatMap((lie) => whens.map((nth) => ({ party, key, ...lie, nth })));
  });
}

function changesOf(of: Pick<Named, 'party' | 'key' | 'at'>, value: unknown, was: readonly unknown[]): string[] {
  const changes = Object.keys(others(of.at, value, was));
  // Of what decides nothing, another value: an answer without it is another answer.
  if (ruleOf(of)) return changes.filter((change) => change !== 'left out' && change !== 'null');
  const isCopied = of.key === 'POST /quote/v2' || isFile(of.party);
  if (!isCopied || typeof value === 'object') return changes;
  return changes.flatMap((change) => (change === 'left out' ? [change] : [change, `${change}, consistently`]));
}

/** A lie as it is told. */
export function told({ party, key, at, change, nth }: Named, earlier: readonly AnsweredQuestion[]): Lie {
  const old = answersTo(party, key, earlier);
  const whole = at === '' ? wholes(party, old)[change] : undefined;
  if (whole) return { party, key, nth, acts: whole.acts, tell: (_, before) => whole.tell(before) };
  return {
    ...{ party, key, nth, acts: true },
    async tell(honest) {
      const { status, body } = honest ?? { status: 200, body: null };
      if (!facts(body).some((fact) => fact.at === at)) return { status, body };
      const before = valueAt(body, at);
      const changes = others(
        at,
        before,
        old.map((each) => valueAt(each, at)),
      );
      const [plain = '', isConsistent] = change.split(', consistently');
      if (!(plain in changes)) return { status, body };
      const answer = withValue(body, at, changes[plain]);
      if (isConsistent === undefined) return { status, body: answer };
      // Of a file, what its author can make anew is made anew.
      if (isFile(party)) return { status, body: { ...(answer as object), remade: true } };
      return { status, body: await consistent(body, at, changes[plain], answer) };
    },
  };
}

/** The same lie in every place, with an order that hashes to its id and is signed by the solver. */
async function consistent(honest: unknown, at: string, after: unknown, answer: unknown): Promise<unknown> {
  const specimen = { answer: honest, network } as Specimen;
  const mutant = { at, change: '', before: valueAt(honest, at), after, answer };
  const best = (await consistentLies(specimen, mutant).catch(() => [answer])).at(-1) ?? answer;
  const raw = get(best, 'protocol.v2.orderId');
  if (typeof raw !== 'string' || get(best, 'protocol.v2.orderSignature') === undefined) return best;
  if (raw === get(honest, 'protocol.v2.orderId')) return best;
  const { privateKey } = accounts.solver;
  const signature = await privateKeyToAccount(privateKey).signMessage({ message: { raw: raw as Hex } });
  return put(best, 'protocol.v2.orderSignature', signature);
}

function answersTo(party: Witness, key: string, asked: readonly AnsweredQuestion[]): unknown[] {
  return asked.filter((each) => each.party === party && each.key === key).map(({ body }) => body);
}

type Whole = { acts: boolean; tell(before: number): Answer };

/** What can be said instead of any answer of a party. */
function wholes(party: Witness, old: readonly unknown[]): Record<string, Whole> {
  if (isFile(party)) return ofFile;
  const isNode = party === 'alpha' || party === 'beta';
  const always = (acts: boolean, status: number, body: unknown): Whole => ({ acts, tell: () => ({ status, body }) });
  const bodies: Record<string, [status: number, body: unknown]> = isNode
    ? {
        'error 3': [200, { jsonrpc: '2.0', id: 0, error: { code: 3, message: 'execution reverted' } }],
        'error -32000': [200, { jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'nonce too low' } }],
        'error -32602': [200, { jsonrpc: '2.0', id: 0, error: { code: -32602, message: 'invalid params' } }],
        'no result': [200, { jsonrpc: '2.0', id: 0, result: null }],
      }
    : {
        'status 400': [400, { message: 'Invalid input', errorCode: 'INVALID_INPUT', code: 21120 }],
        'status 404': [404, { message: 'Not found' }],
        nothing: [200, {}],
      };
  const statuses: Record<string, [status: number, body: unknown]> = {
    ...bodies,
    'status 429': [429, { message: 'Too many requests' }],
    'status 500': [500, { message: 'Unknown error' }],
  };
  return Object.fromEntries([
    ...Object.entries(statuses).flatMap(([name, [status, body]]): [string, Whole][] => [
      [name, always(false, status, body)],
      [`${name}, but done`, always(true, status, body)],
    ]),
    ['cut off', { acts: false, tell: (): Answer => 'cut off' }],
    ['cut off, but done', { acts: true, tell: (): Answer => 'cut off' }],
    ...(old.length === 0
      ? []
      : [false, true].map((acts): [string, Whole] => [
          `an earlier answer${acts ? ', but done' : ''}`,
          { acts, tell: (before) => ({ status: 200, body: old[Math.min(before, old.length - 1)] }) },
        ])),
  ]);
}

function isFile(party: Witness): boolean {
  return party === 'quote file' || party === 'state folder';
}

/** A file as a whole. */
const ofFile: Record<string, Whole> = {
  deleted: { acts: true, tell: () => 'cut off' },
  emptied: { acts: true, tell: () => ({ status: 200, body: {} }) },
};

/** Every value of an answer by its place; words of bytes as `place#2`. */
function facts(body: unknown): { at: string; value: unknown }[] {
  if (typeof body !== 'object' || body === null) return [];
  return places(body)
    .filter(({ at }) => at !== 'jsonrpc' && at !== 'id' && !at.includes(':'))
    .flatMap(({ at, value }) => [
      { at, value },
      ...wordsOf(value).map((word, index) => ({ at: `${at}#${index}`, value: word })),
    ]);
}

/** The words of bytes as a contract returns them, of calldata behind its selector. */
function wordsOf(value: unknown): string[] {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{8})?([0-9a-f]{64})+$/i.test(value) || value.length === 66) return [];
  return (value.slice(bodyAt(value)).match(/.{64}/g) ?? []).map((word) => `0x${word}`);
}

function bodyAt(hex: string): number {
  return (hex.length - 2) % 64 === 8 ? 10 : 2;
}

function valueAt(body: unknown, at: string): unknown {
  const [path = '', word] = at.split('#');
  const value = get(body, path);
  return word === undefined ? value : wordsOf(value)[Number(word)];
}

function withValue(body: unknown, at: string, value: unknown): unknown {
  const [path = '', word] = at.split('#');
  if (word === undefined) return put(body, path, value);
  const whole = String(get(body, path));
  const from = bodyAt(whole) + 64 * Number(word);
  return put(body, path, whole.slice(0, from) + String(value).slice(2) + whole.slice(from + 64));
}

/** What may stand in place of a value, by the name of the change. `old` stood there in an earlier run. */
function others(at: string, value: unknown, old: readonly unknown[]): Record<string, unknown> {
  const isWord = at.includes('#');
  const was = old.find((each) => each !== undefined && JSON.stringify(each) !== JSON.stringify(value));
  const changes: Record<string, unknown> = {
    ...(isWord ? {} : { 'left out': undefined, null: null }),
    ...(was === undefined ? {} : { 'as earlier': was }),
    ...ofKind(at, value, isWord),
  };
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([name, after]) => name === 'left out' || JSON.stringify(after) !== JSON.stringify(value),
    ),
  );
}

function ofKind(at: string, value: unknown, isWord: boolean): Record<string, unknown> {
  if (Array.isArray(value))
    return value.length === 0
      ? { filled: [`0x${'ab'.repeat(32)}`] }
      : { emptied: [], 'without its first': value.slice(1), 'with its last twice': [...value, value.at(-1)] };
  if (typeof value === 'boolean') return { negated: !value };
  if (typeof value === 'number') return numbers(BigInt(Math.trunc(value)), Number);
  if (typeof value !== 'string') return {};
  if (/^0x0{24}[0-9a-f]{40}$/i.test(value) && !/^0x0{36}/.test(value))
    return {
      'the attacker': `0x${attacker.address.slice(2).toLowerCase().padStart(64, '0')}`,
      zero: `0x${'0'.repeat(64)}`,
    };
  if (/^0x[0-9a-f]{40}$/i.test(value)) return { 'the attacker': attacker.address, zero: `0x${'0'.repeat(40)}` };
  if (isWord || /^0x[0-9a-f]{64}$/i.test(value))
    return {
      ...(isHash(value) ? {} : numbers(BigInt(value), (each) => `0x${each.toString(16).padStart(64, '0').slice(-64)}`)),
      flipped: flipped(value),
      zero: `0x${'0'.repeat(64)}`,
    };
  if (/^0x(0|[1-9a-f][0-9a-f]{0,31})$/i.test(value)) return numbers(BigInt(value), (each) => `0x${each.toString(16)}`);
  if (/^0x([0-9a-f]{2})+$/i.test(value))
    return { flipped: flipped(value), shortened: value.slice(0, -2), nothing: '0x' };
  if (value === '0x') return { filled: '0x01', 'a delegation': `0xef0100${attacker.address.slice(2)}` };
  if (/^[0-9]+$/.test(value)) return numbers(BigInt(value), String);
  if (/^-?[0-9]+\.[0-9]+$/.test(value))
    return {
      zero: '0.0',
      twice: String(Number(value) * 2),
      'a millionth': (Number(value) / 1e6).toFixed(12),
      huge: '1e18',
    };
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return { past: '2020-01-01T00:00:00.000Z', future: '2099-01-01T00:00:00.000Z' };
  if (/(^|\.)status$/i.test(at))
    return Object.fromEntries(
      [...statuses.filter((each) => each !== value), 'of tomorrow'].map((each) => [each, each]),
    );
  return { emptied: '', another: 'another' };
}

/** The service's words for a request. */
const statuses = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'delayed',
  'success',
  'failure',
  'refund',
  'unknown',
];

function numbers(value: bigint, form: (value: bigint) => unknown): Record<string, unknown> {
  return {
    zero: form(0n),
    'one more': form(value + 1n),
    twice: form(value * 2n),
    half: form(value / 2n),
    'a millionth': form(value / 1_000_000n),
    huge: form(value * 10n ** 9n + 10n ** 15n),
  };
}

/** Whether most digits of a word are not zero: no amount is so large. */
function isHash(word: string): boolean {
  return !/^0x0{16}/.test(word);
}

function flipped(hex: string): string {
  const at = Math.max(2, hex.length >> 1);
  return hex.slice(0, at) + (Number.parseInt(hex[at] ?? '0', 16) ^ 1).toString(16) + hex.slice(at + 1);
}

export type Draw = {
  most: number;
  seed: string;
  /** How often each thing that is asked, and each kind of change, was drawn before; counted on here. */
  told: Map<string, number>;
  /** Collects all of them that could be drawn. */
  tellable?: Set<string>;
  /** Whether every kind of change is to be drawn, and not only one about everything that is asked. */
  isOfEveryKind?: boolean;
};

/**
 * So many of the lies, by a seed, and more until everything was lied about, or that in every way. Next is always what was
 * lied about least, so that nothing is crowded out.
 */
export function sample(lies: readonly Named[], { most, seed, told, tellable, isOfEveryKind = true }: Draw): Named[] {
  const due = (about: readonly [thing: string, kind: string]): readonly string[] =>
    isOfEveryKind ? about : about.slice(0, 1);
  const drawn = lies
    .map((lie) => ({ lie, by: hash('sha256', `${seed} ${nameOf(lie)}`) }))
    .sort((a, b) => (a.by < b.by ? -1 : 1));
  // Told always, once or consistently: one of them, by the seed.
  const left = new Map<string, { lie: Named; about: readonly [string, string] }>(
    drawn
      .toReversed()
      .map(({ lie }) => [`${lie.party} ${lie.key} ${lie.at} ${kindOf(lie)}`, { lie, about: aboutOf(lie) }] as const),
  );
  for (const { about } of left.values()) for (const each of due(about)) tellable?.add(each);
  // What was never lied about comes before all else.
  const countOf = (each: string): number => told.get(each) ?? -lies.length;
  const chosen: Named[] = [];
  while (left.size > 0) {
    let next: readonly [id: string, count: number] | undefined;
    for (const [id, { about }] of left) {
      const count = countOf(about[0]) + countOf(about[1]);
      if (next === undefined || count <= next[1]) next = [id, count];
    }
    const { lie, about } = left.get(next?.[0] ?? '') ?? {};
    if (!next || !lie || !about || (chosen.length >= most && due(about).every((each) => told.has(each)))) break;
    left.delete(next[0]);
    chosen.push(lie);
    for (const each of about) told.set(each, (told.get(each) ?? 0) + 1);
  }
  return chosen;
}

function kindOf({ change }: Named): string {
  return change.split(',')[0] ?? '';
}

/** The thing that is asked, and the kind of change. */
function aboutOf(lie: Named): [thing: string, kind: string] {
  const kind = kindOf(lie);
  return [`${lie.party} ${lie.key}`, statuses.includes(kind) ? 'as another status' : `as ${kind}`];
}
