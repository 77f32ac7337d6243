/** What the logs of tokens say about one holder: what came and went, and who may take what. */
import { toEventSelector } from 'viem/utils';
import type { Address } from '../base/Address.js';
import type { Log } from '../ports/Ports.js';

/** What a holder gained or, below zero, lost of a token or of one of its kinds. */
export type Movement = {
  token: Address;
  /** Undefined for base units of an ERC-20 token; else the NFT or the kind of an ERC-1155 token. */
  id: string | undefined;
  gain: bigint;
};

/** What a holder has last let somebody take; nothing where the value is zero. */
export type Approval = {
  /** The contract that keeps it. */
  token: Address;
  spender: Address;
  /** Whether ERC-20's `allowance` says what is left of it. */
  isReadable: boolean;
  value: bigint;
  /** What may be taken, for a person. */
  what: string;
};

/** Whether a log speaks of somebody, in a topic or in a word of its data. */
export function isNaming(log: Log, holder: Address): boolean {
  return wordsOf(log).some((word) => isWordOf(word, holder));
}

/** The sums per token, by the transfer events of ERC-20, ERC-721 and ERC-1155. */
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

/** What the holder has let others take, by the approval events of ERC-20, 721, 777 and 1155 and of Permit2. */
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
      // What is in a batch is not read: nothing that ferry asks for sends one.
      return { from: second, to: third, id: 'several', amount: 1n };
  }
}

/** One with the same subject takes the place of one before it. */
type Given = Omit<Approval, 'token' | 'spender'> & { owner: string; spender: string; subject: string };

function approvalOf(log: Log): Given | undefined {
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
 * The arguments, a word each in the order of their declaration, whether a token indexes them or not: in all these events
 * the indexed ones come first.
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
