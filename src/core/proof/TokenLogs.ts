/** Reads token event logs for one holder: net transfers, and the approvals in force afterwards. */
import { toEventSelector } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Log } from '../ports/Ports.js';

/** A holder's net gain of a token or token id; negative is a loss. */
export type Movement = {
  token: Address;
  /** The id of an NFT or of an ERC-1155 token; undefined for ERC-20, whose gain is in base units. */
  id: string | undefined;
  gain: bigint;
};

/** The last approval that a holder gave; a value of zero revokes it. */
export type Approval = {
  /** The contract that holds the approval. */
  token: Address;
  spender: Address;
  /** Whether ERC-20's `allowance` returns what remains of it. */
  isReadable: boolean;
  value: bigint;
  /** Human-readable description of what may be spent. */
  what: string;
};

/** Whether a log names the holder, in a topic or in a word of its data. */
export function isNaming(log: Log, holder: Address): boolean {
  return wordsOf(log).some((word) => isWordOf(word, holder));
}

/** The holder's net gain per token, from the transfer events of ERC-20, ERC-721 and ERC-1155. */
export function movements(logs: readonly Log[], holder: Address): Movement[] {
  const sums = new Map<string, Movement>();
  for (const log of logs) {
    const { from, to, id, amount } = transferOf(log) ?? {};
    if (amount === undefined) continue;
    const gain = (isWordOf(to, holder) ? amount : 0n) - (isWordOf(from, holder) ? amount : 0n);
    const token = log.address.toLowerCase() as Address;
    const key = `${token} ${id}`;
    sums.set(key, { token, id, gain: (sums.get(key)?.gain ?? 0n) + gain });
  }
  return [...sums.values()].filter(({ gain }) => gain !== 0n);
}

/** The holder's last approval per subject, from the events of ERC-20, ERC-721, ERC-777, ERC-1155 and Permit2. */
export function approvals(logs: readonly Log[], holder: Address): Approval[] {
  const last = new Map<string, Approval>();
  for (const log of logs) {
    const given = approvalOf(log);
    if (!given || !isWordOf(given.owner, holder)) continue;
    const { owner: _, subject, spender, ...rest } = given;
    const token = log.address.toLowerCase() as Address;
    last.set(`${token} ${subject}`, { ...rest, token, spender: addressIn(spender) });
  }
  return [...last.values()];
}

const topics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  transferSingle: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  transferBatch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  authorizedOperator: toEventSelector('AuthorizedOperator(address,address)'),
  revokedOperator: toEventSelector('RevokedOperator(address,address)'),
  permit2Approval: toEventSelector('Approval(address,address,address,uint160,uint48)'),
  permit2Permit: toEventSelector('Permit(address,address,address,uint160,uint48,uint48)'),
};

type Transfer = { from: string; to: string; id: string | undefined; amount: bigint };

function transferOf(log: Log): Transfer | undefined {
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = wordsOf(log);
  switch (log.topics[0]?.toLowerCase()) {
    case topics.transfer:
      return log.topics.length === 4
        ? { from: first, to: second, id: `#${number(third)}`, amount: 1n }
        : { from: first, to: second, id: undefined, amount: number(third) };
    case topics.transferSingle:
      return { from: second, to: third, id: `#${number(fourth)}`, amount: number(fifth) };
    case topics.transferBatch:
      // The content of a batch is not decoded: nothing that ferry requests sends one.
      return { from: second, to: third, id: 'several', amount: 1n };
  }
}

/** A later approval replaces an earlier one with the same subject. */
type ApprovalLog = Omit<Approval, 'token' | 'spender'> & { owner: string; spender: string; subject: string };

function approvalOf(log: Log): ApprovalLog | undefined {
  const [first = '', second = '', third = '', fourth = ''] = wordsOf(log);
  const given = { owner: first, spender: second, isReadable: false };
  switch (log.topics[0]?.toLowerCase()) {
    case topics.approval: {
      const value = number(third);
      if (log.topics.length !== 4)
        return { ...given, isReadable: true, value, what: String(value), subject: `amount ${second}` };
      return { ...given, value: number(second), what: `#${value}`, subject: `#${value}` };
    }
    case topics.approvalForAll:
      return { ...given, value: number(third), what: 'everything', subject: `everything ${second}` };
    case topics.authorizedOperator:
    case topics.revokedOperator: {
      const value = log.topics[0]?.toLowerCase() === topics.authorizedOperator ? 1n : 0n;
      return { ...given, owner: second, spender: first, value, what: 'everything', subject: `operator ${first}` };
    }
    case topics.permit2Approval:
    case topics.permit2Permit: {
      const value = number(fourth);
      const what = `${value} of ${addressIn(second)}, by a permit`;
      return { ...given, spender: third, value, what, subject: `permit ${second} ${third}` };
    }
  }
}

/**
 * The event's arguments as words, in declaration order. It does not matter which of them a token indexes: in all these
 * events the indexed arguments come first.
 */
function wordsOf({ topics: [, ...indexed], data }: Log): string[] {
  return [...indexed.map((topic) => topic.slice(2)), ...(data.slice(2).match(/.{64}/g) ?? [])].map((word) =>
    word.toLowerCase(),
  );
}

function isWordOf(word: string | undefined, holder: Address): boolean {
  return word === holder.slice(2).toLowerCase().padStart(64, '0');
}

function addressIn(word: string): Address {
  return `0x${word.slice(-40)}`;
}

function number(word: string): bigint {
  return BigInt(`0x${word || '0'}`);
}
