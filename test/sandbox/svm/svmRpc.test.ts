/** The sandbox's Solana node, by the chain's own client library: what a wallet asks, and a transfer that it signs. */
import {
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import * as token from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { load } from '../../../src/sandbox/svm/liteSvm.js';
import { usdcMint } from '../../../src/sandbox/svm/solverPayment.js';
import { createSvmNode } from '../../../src/sandbox/svm/svmNode.js';
import { type SvmServer, serveSvm } from '../../../src/sandbox/svm/svmServer.js';

const libraries = load();
if (!libraries) throw new Error('litesvm is not installed');
const log = inMemory();
const node = createSvmNode(libraries, { log });
const mint = address(usdcMint);
const tokenProgram = token.TOKEN_PROGRAM_ADDRESS;

let server: SvmServer;
beforeAll(async () => {
  server = await serveSvm(node);
});
afterAll(() => server.close());

const rpc = () => createSolanaRpc(server.url);

/** A wallet of the library's own, with SOL for fees and some USDC. */
async function wallet(seed: number) {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed));
  await rpc().requestAirdrop(signer.address, lamports(1_000_000_000n)).send();
  await node.pay({ to: signer.address, amount: 10_000_000n, memo: `to ${seed}` }, () => {});
  const [ata] = await token.findAssociatedTokenPda({ owner: signer.address, mint, tokenProgram });
  return { signer, ata };
}

/** A transaction of one instruction, as the library makes it. */
function sign(
  { signer }: Awaited<ReturnType<typeof wallet>>,
  lifetime: Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0],
  instruction: ReturnType<typeof token.getTransferCheckedInstruction>,
) {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (made) => setTransactionMessageFeePayerSigner(signer, made),
    (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
    (made) => appendTransactionMessageInstructions([instruction], made),
    signTransactionMessageWithSigners,
  );
}

describe('answer', () => {
  test('default: a transfer that the library signs lands, and is read back', async () => {
    const [from, to] = [await wallet(1), await wallet(2)];
    const { value: latest } = await rpc().getLatestBlockhash().send();
    const moved = token.getTransferCheckedInstruction({
      ...{ source: from.ata, mint, destination: to.ata, authority: from.signer },
      ...{ amount: 2_500_000n, decimals: 6 },
    });
    const signed = await sign(from, latest, moved);
    const wire = getBase64EncodedWireTransaction(signed);
    const { value: tried } = await rpc().simulateTransaction(wire, { encoding: 'base64' }).send();
    expect(tried.err).toBeNull();
    const id = await rpc().sendTransaction(wire, { encoding: 'base64' }).send();
    expect(id).toBe(getSignatureFromTransaction(signed));
    expect((await rpc().getTokenAccountBalance(to.ata).send()).value).toMatchObject({
      ...{ amount: '12500000', decimals: 6, uiAmountString: '12.5' },
    });
    const owned = await rpc().getTokenAccountsByOwner(to.signer.address, { mint }, { encoding: 'jsonParsed' }).send();
    expect(owned.value.map(({ pubkey }) => pubkey)).toEqual([to.ata]);
    const history = await rpc().getSignaturesForAddress(from.ata).send();
    expect(history[0]?.signature).toBe(id);
    expect((await rpc().getBalance(from.signer.address).send()).value).toBe(999_995_000n);
    // The same bytes are no second payment.
    await expect(rpc().sendTransaction(wire, { encoding: 'base64' }).send()).rejects.toThrow();
    expect((await rpc().getTokenAccountBalance(to.ata).send()).value.amount).toBe('12500000');
  });

  test('error: more than there is, and a block hash of nobody', async () => {
    const from = await wallet(3);
    const moved = token.getTransferCheckedInstruction({
      ...{ source: from.ata, mint, destination: from.ata, authority: from.signer },
      ...{ amount: 10n ** 15n, decimals: 6 },
    });
    const { value } = await rpc().getLatestBlockhash().send();
    for (const blockhash of [value.blockhash, usdcMint as typeof value.blockhash]) {
      const wire = getBase64EncodedWireTransaction(await sign(from, { blockhash, lastValidBlockHeight: 0n }, moved));
      await expect(rpc().sendTransaction(wire, { encoding: 'base64' }).send()).rejects.toThrow();
    }
    expect((await rpc().getTokenAccountBalance(from.ata).send()).value.amount).toBe('10000000');
  });

  test('behavior: what wallets ask of a node', async () => {
    expect(await rpc().getHealth().send()).toBe('ok');
    expect(await rpc().getSlot().send()).toBeGreaterThan(0n);
    expect(await rpc().getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    expect((await rpc().getAccountInfo(mint, { encoding: 'base64' }).send()).value?.owner).toBe(tokenProgram);
    expect(
      (await rpc().getAccountInfo(address('SysvarC1ock11111111111111111111111111111112')).send()).value,
    ).toBeNull();
    expect(Number((await rpc().getTokenSupply(mint).send()).value.amount)).toBeGreaterThan(1e15);
    expect((await rpc().getEpochInfo().send()).slotsInEpoch).toBe(432_000n);
  });

  test('error: a method that it does not have, and what is no key', async () => {
    const ask = async (method: string, params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      return (await fetch(server.url, { method: 'POST', body })).json();
    };
    expect(await ask('getProgramAccounts', [])).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(await ask('getBalance', ['0x00'])).toMatchObject({ error: { code: -32602 } });
    expect(await ask('sendTransaction', ['AAAA', { encoding: 'base64' }])).toMatchObject({ error: { code: -32002 } });
  });

  test('error: a foreign page', async () => {
    const answer = await fetch(server.url, { method: 'POST', body: '{}', headers: { origin: 'https://example.org' } });
    expect(answer.status).toBe(403);
  });
});

describe('createSvmNode', () => {
  test('behavior: is rebuilt from its log', async () => {
    const { ata } = await wallet(4);
    const again = createSvmNode(libraries, { log });
    expect(again.tokens(ata)).toEqual(node.tokens(ata));
    const slot = node.slot();
    expect(again.slot()).toBeGreaterThanOrEqual(slot);
    expect(again.history(ata)).toEqual(node.history(ata));
    await again.pay({ to: node.solver, amount: 1n, memo: 'again' }, () => {});
  });
});
