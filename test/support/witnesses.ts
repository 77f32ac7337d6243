/** Servers in front of the service, the nodes and the venue: each records what it is asked, and one tells a lie. */
import { isAddressEqual } from 'viem';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { type Behaviour, forward, loopback, type ReceivedRequest } from './loopback.js';
import type { TestSandbox } from './sandbox.js';

export const parties = ['service', 'alpha', 'beta', 'venue'] as const;
export type Party = (typeof parties)[number];

/** A file that a command reads is a witness too, of what was before. */
export type Witness = Party | 'quote file' | 'state folder';

/** An answer; one that is cut off is never received. */
export type Answer = { status: number; body: unknown } | 'cut off';

/** What a party says instead of the truth. */
export type Lie = {
  party: Witness;
  /** What it is asked. */
  key: string;
  /** Told only this time, from 1; every time if absent. */
  nth?: number | undefined;
  /** Whether the request is carried out all the same. */
  acts: boolean;
  /** The lie, given the true answer if there is one, and how often this was asked before. */
  tell(
    honest: Exclude<Answer, 'cut off'> | undefined,
    before: number,
    request: ReceivedRequest,
  ): Answer | Promise<Answer>;
};

/** What was asked of a party, and what it truly answered. */
export type AnsweredQuestion = { party: Witness; key: string; body: unknown };

/** A request that hands over something signed. */
export type Handed = ReceivedRequest & { party: Party };

export type Witnesses = {
  /** Variables that lead a command to them. */
  env: Record<string, string>;
  asked: AnsweredQuestion[];
  handed: Handed[];
  /** From now on this lie is told, or none; the counts begin again. */
  set(lie: Lie | undefined): void;
  /** Sends to the true party what was handed over. */
  replay(handed: Handed): Promise<void>;
};

const signed = /^(eth_sendRawTransaction|POST \/execute|POST \/execute\/permits|POST \/api\/v1\/sendTx)$/;

/** The witnesses of a sandbox, until the end of the test. */
export async function open(sandbox: TestSandbox): Promise<Witnesses> {
  const real: Record<Party, string> = {
    service: sandbox.baseUrl,
    alpha: sandbox.rpcUrls.alpha,
    beta: sandbox.rpcUrls.beta,
    venue: sandbox.venueUrl,
  };
  let lie: Lie | undefined;
  const counts = new Map<string, number>();
  const all: Pick<Witnesses, 'asked' | 'handed'> = { asked: [], handed: [] };

  const toParty = (party: Party, request: ReceivedRequest) =>
    forward(real[party] + (party === 'alpha' || party === 'beta' ? '' : request.path), request);

  /** The answer to one question, true or not. */
  const say = async (party: Party, request: ReceivedRequest): Promise<Said | 'cut off'> => {
    const key = keyOf(party, request);
    const before = counts.get(`${party} ${key}`) ?? 0;
    counts.set(`${party} ${key}`, before + 1);
    if (signed.test(key)) all.handed.push({ ...request, party });
    const isAbout = lie?.party === party && lie.key === key && (lie.nth ?? before + 1) === before + 1;
    const lies = isAbout ? lie : undefined;
    const honest = lies?.acts === false ? undefined : await toParty(party, request);
    const body = honest && read(honest.text);
    if (honest) all.asked.push({ party, key, body });
    const usual = 'application/json';
    if (!lies) {
      const { status = 500, type = usual, text = '' } = honest ?? {};
      return { status, type, text };
    }
    const told = await lies.tell(honest && { status: honest.status, body }, before, request);
    if (told === 'cut off') return told;
    const { id } = (isNode(party) ? JSON.parse(request.body) : {}) as { id?: number };
    const same = typeof told.body === 'object' && told.body !== null && 'jsonrpc' in told.body ? told.body : undefined;
    return { status: told.status, type: usual, text: JSON.stringify(same ? { ...same, id } : told.body) };
  };

  const behaviour =
    (party: Party): Behaviour =>
    async (response, request) => {
      try {
        const batch: unknown = isNode(party) ? read(request.body) : undefined;
        const answers = await Promise.all(
          Array.isArray(batch)
            ? batch.map((call) => say(party, { ...request, body: JSON.stringify(call) }))
            : [say(party, request)],
        );
        const failed = answers.find((each) => each === 'cut off' || each.status !== 200);
        const [only] = answers;
        const said = Array.isArray(batch) ? (failed ?? together(answers as Said[])) : only;
        if (said === undefined || said === 'cut off') return void response.destroy();
        response.writeHead(said.status, { 'content-type': said.type }).end(said.text);
      } catch {
        response.destroy();
      }
    };

  const urls = await Promise.all(parties.map(async (party) => (await loopback(behaviour(party))).url));
  const [service = '', alpha = '', beta = '', venue = ''] = urls;
  return {
    ...all,
    env: {
      FERRY_BASE_URL: service,
      FERRY_VENUE_URL: venue,
      FERRY_RPC_URL_ALPHA: alpha,
      FERRY_RPC_URL_BETA: beta,
    },
    set(next) {
      lie = next;
      counts.clear();
      for (const list of [all.asked, all.handed]) list.length = 0;
    },
    replay: async ({ party, ...request }) => void (await toParty(party, request)),
  };
}

type Said = { status: number; type: string; text: string };

/** The answers to questions that were asked together. */
function together(answers: readonly Said[]): Said {
  return { status: 200, type: 'application/json', text: `[${answers.map(({ text }) => text).join(',')}]` };
}

function isNode(party: Party): boolean {
  return party === 'alpha' || party === 'beta';
}

/** What is asked, without what differs from run to run. */
function keyOf(party: Party, { method, path, body }: ReceivedRequest): string {
  if (party === 'service' || party === 'venue') {
    const { pathname } = new URL(path, 'http://localhost');
    return `${method} ${pathname.replaceAll(/0x[0-9a-fA-F]{8,}/g, ':id')}`;
  }
  const { method: asked, params = [] } = JSON.parse(body) as { method: string; params?: unknown[] };
  if (asked === 'eth_call') {
    const { to = '', data = '' } = params[0] as { to?: string; data?: string };
    return `eth_call ${labelOf(party, to)}.${functions[data.slice(0, 10)] ?? data.slice(0, 10)}${tagOf(params[1])}`;
  }
  return `${asked}${tagOf(params[asked === 'eth_getBlockByNumber' ? 0 : 1])}`;
}

/** Which block is meant, if it is named by a word. */
function tagOf(block: unknown): string {
  return typeof block === 'string' && /^[a-z]+$/.test(block) ? ` ${block}` : '';
}

const functions: Readonly<Record<string, string>> = {
  '0x70a08231': 'balanceOf',
  '0xdd62ed3e': 'allowance',
  '0xfeaf968c': 'latestRoundData',
  '0x6a1ea88d': 'getSeq',
  '0xe94a0102': 'authorizationState',
};

function labelOf(party: Party, to: string): string {
  const { tokens, contracts, feeds = {} } = Network.chain(network, party);
  const named = [
    ...tokens.map(({ symbol, address }) => [symbol, address]),
    ...Object.entries(contracts),
    ...Object.entries(feeds).map(([asset, feed]) => [`${asset} feed`, feed?.address]),
  ] as [string, unknown][];
  const known = named.find(
    ([, address]) =>
      typeof address === 'string' && address.length === 42 && isAddressEqual(address as `0x`, to as `0x`),
  );
  return known?.[0] ?? 'another contract';
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
