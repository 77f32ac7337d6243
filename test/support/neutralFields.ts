/**
 * Fields of answers that decide nothing about money, each with its reason. A lie about one of them must change nothing:
 * the transfer is made as if it had not been told.
 */
import type { Named } from './lieKinds.js';

type Rule = { reason: string; of: RegExp };

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
