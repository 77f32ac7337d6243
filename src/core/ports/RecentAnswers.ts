/**
 * What the nodes of a transfer have just said, so that nothing is asked twice within a moment, and what will be needed can
 * be asked ahead. Whoever asks gets the answer, or the failure, as if it were the first to ask.
 */
import type { Chain, Clock, Service, Venue } from './Ports.js';

/** The memory of one transfer. */
export type Memory = {
  /** A node that answers from memory what it was asked a moment ago. */
  of(id: number, node: Chain): Chain;
  /** A service which ends the memory as soon as it is given a signature. */
  ofService(service: Service): Service;
  /** A venue that answers likewise what a transfer needs, until it is given one. */
  ofVenue(venue: Venue): Venue;
  /** Forgets everything that may have changed: a person was asked, who may take a minute. */
  forget(): void;
  /** Forgets it and remembers nothing more: a signature leaves, and whoever polls must see what it does. */
  end(): void;
};

/**
 * How long an answer is recent, counted from the question. Longer than a quote and its proof take on a slow network, and
 * shorter than a block of Ethereum, after which balances and fees may be others anyway.
 */
const recentMs = 10_000;

/** Starts with nothing. Nobody else on this machine signs for the account of a transfer while its turn is held. */
export function create({ now }: Pick<Clock, 'now'>): Memory {
  const answers = new Map<string, { at: number; answer: Promise<unknown> }>();
  const nodes = new Map<number, Chain>();
  let hasEnded = false;

  const recent = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    if (hasEnded) return ask();
    const known = answers.get(key);
    if (known && now() - known.at <= recentMs) return known.answer as Promise<T>;
    const answer = ask();
    answers.set(key, { at: now(), answer });
    // A failure is not remembered.
    answer.catch(() => {
      if (answers.get(key)?.answer === answer) answers.delete(key);
    });
    return answer;
  };
  const forget = (): void => answers.clear();
  const end = (): void => {
    hasEnded = true;
    forget();
  };

  const remembering = (id: number, node: Chain): Chain => {
    const key = (method: keyof Chain, ...args: readonly unknown[]): string => keyOf(id, method, ...args);
    let chainId: Promise<number> | undefined;
    return {
      ...node,
      chainId() {
        // It never changes. A node that is replaced by one of another chain refuses what is signed for this one.
        chainId ??= node.chainId().catch((error: unknown) => {
          chainId = undefined;
          throw error;
        });
        return chainId;
      },
      balance: (owner, token, block) =>
        block === undefined
          ? recent(key('balance', owner, token), () => node.balance(owner, token))
          : node.balance(owner, token, block),
      allowance: (...args) => recent(key('allowance', ...args), () => node.allowance(...args)),
      code: (address) => recent(key('code', address), () => node.code(address)),
      gasPrice: () => recent(key('gasPrice'), () => node.gasPrice()),
      nonce: (owner) => recent(key('nonce', owner), () => node.nonce(owner)),
      batchSequence: (...args) => recent(key('batchSequence', ...args), () => node.batchSequence(...args)),
      tip: () => recent(key('tip'), () => node.tip()),
      estimateGas: ({ from, to, data, value }) =>
        recent(key('estimateGas', from, to, data, value), () => node.estimateGas({ from, to, data, value })),
      broadcast(signed) {
        end();
        return node.broadcast(signed);
      },
    };
  };

  return {
    of(id, node) {
      const known = nodes.get(id) ?? remembering(id, node);
      nodes.set(id, known);
      return known;
    },
    ofService: (service) => ({
      ...service,
      execute(request) {
        end();
        return service.execute(request);
      },
      executePermit(...args) {
        end();
        return service.executePermit(...args);
      },
    }),
    ofVenue: (venue) => ({
      ...venue,
      nextNonce: (...args) => recent(keyOf('venue', 'nextNonce', ...args), () => venue.nextNonce(...args)),
      // The token only says who asks.
      transferFee: (from, to, token) =>
        recent(keyOf('venue', 'transferFee', from, to), () => venue.transferFee(from, to, token)),
      send(txInfo) {
        end();
        return venue.send(txInfo);
      },
    }),
    forget,
    end,
  };
}

function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts, inText);
}

function inText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : typeof value === 'string' ? value.toLowerCase() : value;
}
