import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import * as Currency from '../../../src/core/quote/Currency.js';
import * as DestinationCall from '../../../src/core/quote/DestinationCall.js';

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const currency = (text: string) => Currency.parse(text, network) as Currency.Currency;

describe('fromText', () => {
  test('default: a target, calldata and a value in wei', () => {
    expect(DestinationCall.fromText(`${to}:0xA9059CBB:7`)).toEqual({ to, data: '0xa9059cbb', value: 7n });
    expect(DestinationCall.fromText(`${to.toLowerCase()}:0x`)).toEqual({ to, data: '0x', value: 0n });
  });

  test.each([
    [`${to}`],
    [`${to}:a9059cbb`],
    [`${to}:0xa9059cb`],
    [`${to}:0x:1.5`],
    [`${to}:0x:-1`],
    [`${to}:0x:${2n ** 256n}`],
    [`${to}:0x:1:2`],
    [`${to}:0x${'00'.repeat(50_001)}`],
  ])('error: %.60s', (text) => {
    expect(() => DestinationCall.fromText(text)).toThrow(/A call on arrival is not valid/);
  });

  test('error: a target with a wrong checksum', () => {
    expect(() => DestinationCall.fromText(`${to.replace('C8', 'c8')}:0x`)).toThrow(/checksum/);
  });
});

describe('fromFile', () => {
  test('default: calls as the service’s requests have them, calldata and value optional', () => {
    const text = JSON.stringify([{ to }, { to, data: '0xaa', value: '5' }]);
    expect(DestinationCall.fromFile(text, 'calls.json')).toEqual([
      { to, data: '0x', value: 0n },
      { to, data: '0xaa', value: 5n },
    ]);
  });

  test.each([['{'], ['{}'], ['[]'], ['[{"to":5}]'], [`[{"to":"${to}","gas":"1"}]`], [`[{"to":"${to}","value":5}]`]])(
    'error: %s',
    (text) => {
      expect(() => DestinationCall.fromFile(text, 'calls.json')).toThrow(/The calls in calls\.json cannot be read/);
    },
  );
});

describe('assertPayable', () => {
  const call = { to, data: '0x', value: 0n } as const;
  const terms = {
    origin: currency('alpha/USDC'),
    destination: currency('beta/USDC'),
    isExactOutput: true,
    amount: 5n,
  };

  test('default: calls of tokens send nothing, calls of ether the whole amount', () => {
    expect(() => DestinationCall.assertPayable([call], terms)).not.toThrow();
    const ether = { ...terms, destination: currency('beta/ETH') };
    const calls = [
      { ...call, value: 2n },
      { ...call, value: 3n },
    ];
    expect(() => DestinationCall.assertPayable(calls, ether)).not.toThrow();
    expect(() => DestinationCall.assertPayable([], { ...terms, isExactOutput: false })).not.toThrow();
  });

  test.each([
    ['an output that may vary', { isExactOutput: false }, [call], /--exact-output/],
    ['one chain', { origin: currency('beta/ETH') }, [call], /another EVM chain/],
    ['the venue', { destination: currency('lighter/USDC') }, [call], /another EVM chain/],
    ['ether with a token', {}, [{ ...call, value: 1n }], /can send no ETH/],
    ['less ether than arrives', { destination: currency('beta/ETH') }, [{ ...call, value: 4n }], /add up/],
    ['more calls than a block has room for', {}, Array.from({ length: 51 }, () => call), /at most 50/],
  ])('error: %s', (_, change, calls, message) => {
    expect(() => DestinationCall.assertPayable(calls, { ...terms, ...change })).toThrow(message);
  });
});
