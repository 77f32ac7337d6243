/**
 * What `ferry demo attack` tries: each time one of those whom ferry asks lies, and all others are honest. A lie is a fault
 * of the sandbox, as its control plane takes it.
 */

import type { Fault } from '../ports/SandboxProcess.js';

/** Where a fault is added: the service, or a chain by its name. */
export type FaultyPlace = 'service' | 'alpha' | 'beta';

export type Target = { amount: string; from: string; to: string; gasless?: boolean; permit?: boolean };

export type Attack = {
  liar: 'service' | 'node' | 'file';
  /** What it does, to follow "The service". */
  lie: string;
  target: Target;
  faults: readonly { at: FaultyPlace; fault: Fault }[];
  /** Who contradicts it, in words. */
  witness: string;
  /** The check that must fail, or the part of an error's code. */
  caught: string;
  /**
   * `refused`: nothing is signed. `held`: the payment is out when the lie is told, so it is neither lost, nor called
   * untouched or delivered, nor paid again; without the liar it arrives. `once`: the same command, typed twice, arrives and
   * is refused.
   */
  ends: 'refused' | 'held' | 'once';
};

const bridge: Target = { amount: '100', from: 'alpha/usdc', to: 'beta/usdc' };
const swap: Target = { amount: '100', from: 'alpha/usdc', to: 'alpha/gull' };
const swapped: Target = { amount: '100', from: 'alpha/gull', to: 'beta/usdc' };

/** A dishonest quote, all the rest of which the liar has adjusted. */
function quoted(recipe: string): Attack['faults'] {
  return [{ at: 'service', fault: { kind: 'tamper', recipe, consistent: true, times: 0, match: { path: '/quote' } } }];
}

function answered(path: string, value: unknown): Attack['faults'][number] {
  return { at: 'service', fault: { kind: 'tamper', path, value, times: 0, match: { path: '/intents/status/v3' } } };
}

/** 0.05 ETH per unit of gas. */
const absurd = '0xb1a2bc2ec50000';

/** The hash of no transaction. */
const invented = `0x${'be'.repeat(32)}`;

export const attacks: readonly Attack[] = [
  {
    liar: 'service',
    lie: 'pays a millionth, and states the dollars of an honest quote',
    target: bridge,
    faults: quoted('low-output'),
    witness: 'the amounts: both sides are dollars',
    caught: 'price',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'has the order pay somebody else',
    target: bridge,
    faults: quoted('wrong-recipient'),
    witness: 'the order that the order id is the hash of',
    caught: 'recipient',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'has the tokens paid into a contract of its own',
    target: bridge,
    faults: quoted('wrong-depository'),
    witness: 'the contracts that ferry ships',
    caught: 'payment-depository',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'promises in the name of a solver who has signed something else',
    target: bridge,
    faults: quoted('wrong-signature'),
    witness: 'the signature, recovered over the order id',
    caught: 'solver-signature',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'swaps by a contract that is honest only where it is simulated',
    target: swap,
    faults: quoted('simulation-aware'),
    witness: 'a simulation as it would really be sent',
    caught: 'effect-output',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'has an exchange pay the output to somebody else',
    target: swap,
    faults: quoted('swap-receiver'),
    witness: 'the calldata of the exchange, decoded',
    caught: 'swap-receiver',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'swaps the input to a crumb, which pays an order as asked',
    target: swapped,
    faults: quoted('dust-order'),
    witness: 'the worth of every end, link by link',
    caught: 'loss',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'wants 32 bytes signed, the hash of a transaction of its own',
    target: { ...bridge, permit: true },
    faults: quoted('opaque-digest'),
    witness: 'the hash, which is none of ferry’s own',
    caught: 'signature-message',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'gives two transfers the same order, to fill it once',
    target: bridge,
    faults: [{ at: 'service', fault: { kind: 'repeat', times: 0, match: { path: '/quote' } } }],
    witness: 'the runs of this user, of which each order has one',
    caught: 'verify.mismatch',
    ends: 'once',
  },
  {
    liar: 'node',
    lie: 'says that a unit of gas costs 0.05 ETH',
    target: bridge,
    faults: [
      {
        at: 'alpha',
        fault: {
          kind: 'tamper',
          path: '/result/baseFeePerGas',
          value: absurd,
          times: 0,
          match: { rpc: 'eth_getBlockByNumber' },
        },
      },
    ],
    witness: 'the gas that the quote states, and --max-gas-usd',
    caught: 'verify.cap',
    ends: 'refused',
  },
  {
    liar: 'file',
    lie: 'pays a thief, and was made by the thief’s own ferry',
    target: bridge,
    faults: [],
    witness: 'the secret of this user, which has not sealed it',
    caught: 'quote-file',
    ends: 'refused',
  },
  {
    liar: 'service',
    lie: 'takes a signed batch, carries it out, and says that it refuses it',
    target: { ...bridge, gasless: true },
    faults: [
      { at: 'service', fault: { kind: 'status-after', status: 400, times: 0, match: { path: '/execute' } } },
      answered('/status', 'waiting'),
      answered('/inTxHashes', []),
      answered('/txHashes', []),
    ],
    witness: 'the chain, where the signature can still be used',
    caught: 'unknown',
    ends: 'held',
  },
  {
    liar: 'service',
    lie: 'takes a permit, says that it has failed, and keeps it',
    target: { ...bridge, permit: true },
    faults: [
      {
        at: 'service',
        fault: {
          kind: 'status',
          status: 200,
          body: { message: 'Success', steps: [] },
          times: 0,
          match: { path: '/execute/permits' },
        },
      },
      answered('/status', 'failure'),
    ],
    witness: 'the chain, where the permit can still be used',
    caught: 'unknown',
    ends: 'held',
  },
  {
    liar: 'node',
    lie: 'holds back what it is given, and shows it as mined and failed',
    target: bridge,
    faults: [{ at: 'alpha', fault: { kind: 'chain', does: 'hold', times: 0 } }],
    witness: 'nobody else: one node alone ends no run',
    caught: 'unknown',
    ends: 'held',
  },
  {
    liar: 'service',
    lie: 'says that it has paid, in a transaction that nobody has',
    target: bridge,
    faults: [
      { at: 'service', fault: { kind: 'solver', does: 'stuck', times: 1 } },
      answered('/status', 'success'),
      answered('/txHashes', [invented]),
    ],
    witness: 'the destination chain, which has no such transfer',
    caught: 'unknown',
    ends: 'held',
  },
];
