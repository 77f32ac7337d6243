import {
  AbiErrorSignatureNotFoundError,
  decodeErrorResult,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Call, result, revert, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
const solidity = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)']);

describe('succeed', () => {
  test('default', async () => {
    expect(await result(chains.current.alpha, dev0, { ...call('succeed', [5n]), value: 1n })).toBe(5n);
  });
});

describe('errorString', () => {
  test.each(['', 'Not today', 'Zu spät: 🕰️\u001b[31m'])('default: %j', async (reason) => {
    expect(await revertData('errorString', [reason])).toBe(
      encodeErrorResult({ abi: solidity, errorName: 'Error', args: [reason] }),
    );
  });
});

describe('panic', () => {
  test.each([0x01n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n, 0x00n, 0x99n])(
    'default: %i',
    async (code) => {
      expect(await revertData('panic', [code])).toBe(
        encodeErrorResult({ abi: solidity, errorName: 'Panic', args: [code] }),
      );
    },
  );
});

describe('customError', () => {
  test('default', async () => {
    expect(await revert(chains.current.beta, dev0, call('customError', [dev1.address, 10n, 11n]))).toBe(
      `LimitExceeded(${dev1.address}, 10, 11)`,
    );
  });
});

describe('unknownError', () => {
  test('behavior: the error is not in the ABI', async () => {
    const listed = Object.values(abi).flat();
    const decoded = (data: Hex) => decodeErrorResult({ abi: listed, data });
    expect(decoded(await revertData('customError', [dev1.address, 1n, 2n]))).toMatchObject({
      errorName: 'LimitExceeded',
    });
    const data = await revertData('unknownError', [1n]);
    expect(data).toMatch(/^0x[0-9a-f]{8}0{63}1$/);
    expect(() => decoded(data)).toThrow(AbiErrorSignatureNotFoundError);
  });
});

describe('empty', () => {
  test('default', async () => {
    expect(await revertData('empty')).toBe('0x');
  });
});

function call(functionName: string, args: readonly unknown[] = []): Call {
  return { address: chains.current.alpha.reverter, abi: abi.reverter, functionName, args };
}

/** The revert data of the call, from the node's trace. */
async function revertData(functionName: string, args: readonly unknown[] = []): Promise<Hex> {
  const { reverter } = chains.current.alpha;
  const data = encodeFunctionData({ abi: abi.reverter, functionName, args } as never);
  const frame = (await connect(chains.current.alpha).request({
    method: 'debug_traceCall' as never,
    params: [{ from: dev0.address, to: reverter, data }, 'latest', { tracer: 'callTracer' }] as never,
  })) as { error?: string; output?: Hex };
  expect(frame.error).toBe('execution reverted');
  return frame.output ?? '0x';
}
