/** Reads token event logs for one holder: net transfers, and the approvals in force afterwards. */
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

/** Of each event the hash of its declaration, as it is in a log. */
const topics = {
  /** Transfer(address,address,uint256) */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** TransferSingle(address,address,address,uint256,uint256) */
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** TransferBatch(address,address,address,uint256[],uint256[]) */
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  /** Approval(address,address,uint256) */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** ApprovalForAll(address,address,bool) */
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  /** AuthorizedOperator(address,address) */
  authorizedOperator: '0xf4caeb2d6ca8932a215a353d0703c326ec2d81fc68170f320eb2ab49e9df61f9',
  /** RevokedOperator(address,address) */
  revokedOperator: '0x50546e66e5f44d728365dc3908c63bc5cfeeab470722c1677e3073a6ac294aa1',
  /** Approval(address,address,address,uint160,uint48) of Permit2 */
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  /** Permit(address,address,address,uint160,uint48,uint48) of Permit2 */
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
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
