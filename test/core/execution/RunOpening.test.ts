import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as RunOpening from '../../../src/core/execution/RunOpening.js';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import { type Connection, connect } from '../../../src/io/connect/connect.js';
import { type RunningSandbox, startSandbox } from '../../../src/io/sandbox/startSandbox.js';

let sandbox: RunningSandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startSandbox();
  connection = connect(sandbox.network);
});

afterAll(async () => {
  await connection?.close();
  await sandbox?.stop();
});

async function intentOf(amount: bigint, typed: TransferIntent.Typed = {}): Promise<TransferIntent.Intent> {
  const [origin, destination] = [await connection.currency('alpha/usdc'), await connection.currency('beta/usdc')];
  return TransferIntent.from(amount, origin, destination, typed, {
    network: 'sandbox',
    user: DevelopmentAccount.address(0),
  });
}

const place = { instance: '1234', baseUrl: 'http://127.0.0.1:1', command: null, account: 'dev0' };

describe('from', () => {
  test('default', async () => {
    const opening = RunOpening.from(await intentOf(1_500_000n), place);
    expect(opening).toEqual({
      kind: 'transactions',
      network: 'sandbox',
      instance: '1234',
      baseUrl: 'http://127.0.0.1:1',
      key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      summary: '1.5 alpha/usdc → beta/usdc',
      command: null,
      account: 'dev0',
    });
  });

  test('behavior: the same key for the same transfer, whoever begins it, and another for another', async () => {
    const keyOf = async (amount: bigint, typed: TransferIntent.Typed = {}, at: RunOpening.Source = place) =>
      RunOpening.from(await intentOf(amount, typed), at).key;
    const key = await keyOf(1n);
    expect(await keyOf(1n, {}, { ...place, command: 'ferry execute …', account: null, baseUrl: undefined })).toBe(key);
    const others = [
      keyOf(2n),
      keyOf(1n, { recipient: DevelopmentAccount.address(1) }),
      keyOf(1n, { exactOutput: true }),
    ];
    const called = (data: Hex) => ({ calls: [{ to: DevelopmentAccount.address(1), data, value: 0n }] });
    const calling = async (data: Hex) =>
      RunOpening.from({ ...(await intentOf(1n, { exactOutput: true })), ...called(data) }, place).key;
    expect(await calling('0xaa')).not.toBe(await calling('0xbb'));
    expect(await calling('0xaa')).not.toBe(await keyOf(1n, { exactOutput: true }));
    for (const other of await Promise.all([...others, keyOf(1n, {}, { ...place, instance: undefined })]))
      expect(other).not.toBe(key);
  });

  test('behavior: an amount of the output, and who submits', async () => {
    expect(RunOpening.from(await intentOf(1_500_000n, { exactOutput: true }), place).summary).toBe(
      'alpha/usdc → 1.5 beta/usdc',
    );
    expect(RunOpening.from(await intentOf(1n, { gasless: true }), place).kind).toBe('batch');
  });
});

describe('fromCall', () => {
  const call = {
    executionKind: 'rawCalls' as const,
    data: { chainId: 313371, to: DevelopmentAccount.address(1), data: '0x00' as const, value: '0' },
    executionOptions: { subsidizeFees: true },
  };

  test('default: the same key for the same body, and another for another', () => {
    const opening = RunOpening.fromCall(call, connection.network, place);
    expect(opening).toMatchObject({ kind: 'call', network: 'sandbox', instance: '1234', account: 'dev0' });
    expect(opening.summary).toBe(`call ${DevelopmentAccount.address(1)} on alpha`);
    const { data, executionOptions, executionKind } = call;
    expect(RunOpening.fromCall({ data, executionOptions, executionKind }, connection.network, place).key).toBe(
      opening.key,
    );
    for (const other of [
      { ...call, requestId: '0x01' },
      { ...call, data: { ...data, value: '1' } },
    ])
      expect(RunOpening.fromCall(other, connection.network, place).key).not.toBe(opening.key);
  });
});
