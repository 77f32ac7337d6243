import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashStruct,
  keccak256,
  parseAbiParameters,
} from 'viem';
import { describe, expect, test } from 'vitest';
import * as ProxyNonce from '../../../../src/core/proof/signature/ProxyNonce.js';
import * as calldata from '../../../support/routerCalldata.js';
import { contracts, facts, orderId, relayer, usdc, user } from '../../../support/signatures.js';

const { depository, router } = contracts as { depository: Hex; router: Hex };
const requestId: Hex = `0x17910346${'b9'.repeat(28)}`;
const known = { ...facts, requestId };
const deposit = calldata.depositAll({ router, depository, depositor: user, token: usdc, id: orderId });

type Witness = Omit<calldata.Witness, 'relayer'>;

const live: Witness = {
  refundTo: relayer,
  nftRecipient: relayer,
  metadata: calldata.metadataOf(requestId),
  calls: [deposit],
};

function nonceOf(witness: Witness, by: Hex = relayer): Hex {
  return calldata.witnessHash({ ...witness, relayer: by });
}

describe('commitmentOf', () => {
  test('default: the router hands over its whole balance, relayed by the solver', () => {
    expect(ProxyNonce.commitmentOf(nonceOf(live), known)).toEqual({ relayer });
  });

  test('behavior: in any case, and never throws', () => {
    const upper = (text: string): string => `0x${text.slice(2).toUpperCase()}`;
    const shouted = { ...known, user: upper(user), token: upper(usdc), requestId: upper(requestId) };
    expect(ProxyNonce.commitmentOf(nonceOf(live), shouted)).toEqual({ relayer });
    for (const odd of [{ user: '0' }, { token: '0x12' }, { orderId: 'x' }, { requestId: '0xzz' }, { input: -1n }])
      expect(ProxyNonce.commitmentOf(nonceOf(live), { ...known, ...odd })).toBeUndefined();
  });

  test('behavior: an approval and a deposit, for the user, without metadata', () => {
    const args = [user, usdc, known.input ?? 0n, orderId] as const;
    const data = encodeFunctionData({ abi: calldata.deposits.ofAmount, functionName: 'depositErc20', args });
    const calls = [calldata.approve(usdc, depository, known.input ?? 0n), calldata.call(depository, data)];
    const nonce = nonceOf({ refundTo: user, nftRecipient: user, metadata: '0x', calls });
    expect(ProxyNonce.commitmentOf(nonce, known)).toEqual({ relayer });
  });

  test('behavior: metadata that is encoded as bytes instead of its hash', () => {
    const call = 'Call3Value(address target,bool allowFailure,uint256 value,bytes callData)';
    const hash = (text: string): Hex => keccak256(new TextEncoder().encode(text));
    const one = encodeAbiParameters(parseAbiParameters('bytes32,address,bool,uint256,bytes32'), [
      hash(call),
      deposit.target,
      false,
      0n,
      keccak256(deposit.callData),
    ]);
    const type = `RelayerWitness(address relayer,address refundTo,address nftRecipient,bytes metadata,Call3Value[] call3Values)${call}`;
    const nonce = keccak256(
      encodeAbiParameters(parseAbiParameters('bytes32,address,address,address,bytes,bytes32'), [
        hash(type),
        relayer,
        relayer,
        relayer,
        live.metadata,
        keccak256(concat([keccak256(one)])),
      ]),
    );
    expect(ProxyNonce.commitmentOf(nonce, known)).toEqual({ relayer });
  });

  test('behavior: version 2 of the proxy, whose witness has no metadata', () => {
    const fields = (...typed: string[]) =>
      typed.map((each) => {
        const [type = '', name = ''] = each.split(' ');
        return { type, name };
      });
    const nonce = hashStruct({
      primaryType: 'RelayerWitness',
      types: {
        RelayerWitness: fields(
          'address relayer',
          'address refundTo',
          'address nftRecipient',
          'Call3Value[] call3Values',
        ),
        Call3Value: fields('address target', 'bool allowFailure', 'uint256 value', 'bytes callData'),
      },
      data: { relayer, refundTo: relayer, nftRecipient: relayer, call3Values: [deposit] },
    });
    expect(ProxyNonce.commitmentOf(nonce, known)).toEqual({ relayer });
  });

  const thief: Hex = `0x${'66'.repeat(20)}`;
  const other = { router, depository, depositor: user, token: usdc, id: orderId } as const;
  test.each<[string, Hex]>([
    ['another order', nonceOf({ ...live, calls: [calldata.depositAll({ ...other, id: requestId })] })],
    ['another depositor', nonceOf({ ...live, calls: [calldata.depositAll({ ...other, depositor: thief })] })],
    ['leftovers for a stranger', nonceOf({ ...live, refundTo: thief })],
    ['a relayer that is a stranger', nonceOf(live, thief)],
    ['one call more', nonceOf({ ...live, calls: [deposit, deposit] })],
    ['any other nonce', orderId],
  ])('error: %s', (_, nonce) => {
    expect(ProxyNonce.commitmentOf(nonce, known)).toBeUndefined();
  });

  test('behavior: undefined if the order is not known', () => {
    expect(ProxyNonce.commitmentOf(nonceOf(live), { ...known, orderId: undefined })).toBeUndefined();
  });
});
