import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiItem } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../../src/core/ports/Ports.js';
import * as TokenLogs from '../../../src/core/proof/TokenLogs.js';

const holder = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const token = '0xABCDEFabcdefABCDefAbcdefabCDefabCDefABcD';
const lower = { token: token.toLowerCase(), other: other.toLowerCase(), third: third.toLowerCase() };

type Argument = string | bigint | boolean | readonly bigint[];

/** A log of an event by its declaration, each argument in a topic or in the data. */
function log(signature: string, ...values: readonly Argument[]): Log {
  const event = parseAbiItem(signature as 'event E(address indexed a)');
  const inputs = event.inputs as readonly { type: string; indexed?: boolean }[];
  const args = Object.fromEntries(event.inputs.map(({ name }, index) => [name, values[index]]));
  const rest = inputs.flatMap((input, index) => (input.indexed ? [] : [{ input, value: values[index] }]));
  return {
    address: token,
    topics: encodeEventTopics({ abi: [event], args: args as { a: Hex } }) as Hex[],
    data: encodeAbiParameters(
      rest.map(({ input }) => input),
      rest.map(({ value }) => value),
    ),
  };
}

const erc20 = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const erc721 = 'event Transfer(address indexed from, address indexed to, uint256 indexed id)';
const unindexed = 'event Transfer(address from, address to, uint256 value)';
const single =
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)';
const batch =
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)';

describe('movements', () => {
  const moved = (...logs: Log[]): (readonly [string | undefined, bigint])[] =>
    TokenLogs.movements(logs, holder).map(({ id, gain }) => [id, gain]);

  test('default: net amounts per token', () => {
    const logs = [log(erc20, holder, other, 9n), log(erc20, third, holder, 2n), log(erc20, other, third, 100n)];
    expect(TokenLogs.movements(logs, holder)).toEqual([{ token: lower.token, id: undefined, gain: -7n }]);
    expect(TokenLogs.movements([...logs, { ...log(erc20, holder, other, 1n), address: third }], holder)).toHaveLength(
      2,
    );
  });

  test('behavior: no movement if the tokens return, or go to the holder itself', () => {
    expect(moved(log(erc20, holder, other, 9n), log(erc20, other, holder, 9n))).toEqual([]);
    expect(moved(log(erc20, holder, holder, 9n))).toEqual([]);
  });

  test('behavior: a pre-standard token that indexes nothing', () => {
    expect(moved(log(unindexed, holder, other, 9n))).toEqual([[undefined, -9n]]);
  });

  test('behavior: NFTs and ERC-1155 tokens, by id', () => {
    expect(moved(log(erc721, holder, other, 7n), log(erc721, other, holder, 8n))).toEqual([
      ['#7', -1n],
      ['#8', 1n],
    ]);
    expect(moved(log(single, other, holder, third, 7n, 20n))).toEqual([['#7', -20n]]);
    expect(moved(log(single, holder, other, third, 7n, 20n))).toEqual([]);
    expect(moved(log(batch, other, holder, third, [1n, 2n], [3n, 4n]))).toEqual([['several', -1n]]);
  });

  test('behavior: ignores other events and other holders', () => {
    expect(
      moved(log('event Swap(address indexed from, address indexed to, uint256 value)', holder, other, 5n)),
    ).toEqual([]);
    expect(moved({ address: token, topics: [], data: '0x' })).toEqual([]);
  });
});

describe('approvals', () => {
  const approval = 'event Approval(address indexed owner, address indexed spender, uint256 value)';
  const nft = 'event Approval(address indexed owner, address indexed approved, uint256 indexed id)';
  const everything = 'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)';
  const authorized = 'event AuthorizedOperator(address indexed operator, address indexed holder)';
  const revoked = 'event RevokedOperator(address indexed operator, address indexed holder)';
  const permit2 =
    'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)';
  const permit =
    'event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)';
  const zero = '0x0000000000000000000000000000000000000000';
  const given = (...logs: Log[]): string[] =>
    TokenLogs.approvals(logs, holder).map(({ spender, value, what }) => `${spender}: ${what} (${value})`);

  test('default: the last one to each spender', () => {
    const logs = [log(approval, holder, other, 9n), log(approval, holder, third, 4n), log(approval, holder, other, 0n)];
    expect(TokenLogs.approvals(logs, holder)).toEqual([
      { token: lower.token, spender: lower.other, isReadable: true, value: 0n, what: '0' },
      { token: lower.token, spender: lower.third, isReadable: true, value: 4n, what: '4' },
    ]);
  });

  test('behavior: ignores approvals of other holders', () => {
    expect(
      given(log(approval, other, holder, 9n), log(authorized, holder, other), log(nft, other, holder, 7n)),
    ).toEqual([]);
  });

  test('behavior: NFTs, single and all', () => {
    expect(given(log(nft, holder, other, 7n))).toEqual([`${lower.other}: #7 (${BigInt(other)})`]);
    expect(given(log(nft, holder, other, 7n), log(nft, holder, zero, 7n))).toEqual([`${zero}: #7 (0)`]);
    expect(given(log(everything, holder, other, true))).toEqual([`${lower.other}: everything (1)`]);
    expect(given(log(everything, holder, other, true), log(everything, holder, other, false))).toEqual([
      `${lower.other}: everything (0)`,
    ]);
  });

  test('behavior: ERC-777 operators', () => {
    expect(given(log(authorized, other, holder))).toEqual([`${lower.other}: everything (1)`]);
    expect(given(log(authorized, other, holder), log(revoked, other, holder))).toEqual([
      `${lower.other}: everything (0)`,
    ]);
  });

  test('behavior: Permit2 permits, which cover other tokens', () => {
    const what = `5 of ${lower.third}, by a permit (5)`;
    expect(given(log(permit2, holder, third, other, 5n, 100n))).toEqual([`${lower.other}: ${what}`]);
    expect(given(log(permit, holder, third, other, 5n, 100n, 0n))).toEqual([`${lower.other}: ${what}`]);
  });

  test('behavior: only ERC-20 allowances are readable', () => {
    const logs = [
      log(nft, holder, other, 7n),
      log(everything, holder, other, true),
      log(permit2, holder, third, other, 5n, 1n),
    ];
    expect(TokenLogs.approvals(logs, holder).map(({ isReadable }) => isReadable)).toEqual([false, false, false]);
  });
});

test('isNaming: in a topic or in the data', () => {
  expect(TokenLogs.isNaming(log(erc20, holder, other, 1n), holder)).toBe(true);
  expect(TokenLogs.isNaming(log(unindexed, other, holder, 1n), holder)).toBe(true);
  expect(TokenLogs.isNaming(log(erc20, other, third, 1n), holder)).toBe(false);
});
