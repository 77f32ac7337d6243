/** Payments of the solver on a chain of Solana's kind: USDC with the order id as a memo. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import * as BaseCodec from '../../core/order/BaseCodec.js';
import type { Instruction, Libraries, Transaction } from './liteSvm.js';

/** A payment of the solver: to a wallet, whose token account is made if there is none. */
export type Payment = { to: string; amount: bigint; memo: string; shouldFail?: boolean };

/** The mint of the chain's USDC, the hash of "USD Coin of the ferry sandbox", so nobody has its key. */
export const usdcMint = 'CraSYD7pfXDSKeVSAhLhcaLaSjwTntaNqbc6ztqLieAC';
export const usdcDecimals = 6;

/** The seed of the solver's key, which like all of the sandbox's keys is no secret. */
const solverSeed = Buffer.from('the solver of the ferry sandbox!');

const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

const key = privateKey(solverSeed);
export const solverAddress = BaseCodec.bitcoin.encode(publicKey(key));

/** The signed bytes of a payment. The solver's own token account is made with the first one. */
export async function signPayment(
  { kit, token }: Libraries,
  { to, amount, memo, shouldFail = false }: Payment,
  blockhash: () => Lifetime,
): Promise<Uint8Array> {
  const solver = kit.address(solverAddress);
  const mint = kit.address(usdcMint);
  const signer = kit.createNoopSigner(solver);
  const [source, destination] = await Promise.all(
    [solver, kit.address(to)].map(async (owner) => {
      const [found] = await token.findAssociatedTokenPda({ owner, mint, tokenProgram: token.TOKEN_PROGRAM_ADDRESS });
      return { owner, ata: found };
    }),
  );
  if (!source || !destination) throw new Error('There is no token account.');
  const [own, other] = [source, destination].map(({ owner, ata }) =>
    token.getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata, owner, mint }),
  );
  const minted = token.getMintToInstruction({ mint, token: source.ata, mintAuthority: signer, amount });
  const moved = token.getTransferCheckedInstruction({
    ...{ source: source.ata, mint, destination: destination.ata, authority: signer },
    // More than there is, if it is to fail.
    amount: shouldFail ? 2n ** 63n : amount,
    decimals: usdcDecimals,
  });
  const noted: Instruction = {
    programAddress: kit.address(memoProgram),
    data: new TextEncoder().encode(memo),
  };
  const instructions = [own, minted, other, moved, noted].filter((each) => each !== undefined);
  return signed(kit, instructions, blockhash());
}

/** A block hash, and the last slot in which a transaction that names it can land. */
type Lifetime = { hash: string; lastValidSlot: number };

function signed(
  kit: Libraries['kit'],
  instructions: readonly Instruction[],
  { hash, lastValidSlot }: Lifetime,
): Uint8Array {
  const solver = kit.address(solverAddress);
  const lifetime = { blockhash: kit.blockhash(hash), lastValidBlockHeight: BigInt(lastValidSlot) };
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (made) => kit.setTransactionMessageFeePayer(solver, made),
    (made) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
    (made) => kit.appendTransactionMessageInstructions(instructions, made),
  );
  const { messageBytes } = kit.compileTransaction(message);
  const signature = sign(null, Buffer.from(messageBytes), key) as unknown as Uint8Array;
  const whole = { messageBytes, signatures: { [solver]: signature } } as unknown as Transaction;
  return Uint8Array.from(kit.getTransactionEncoder().encode(whole));
}

/** The key of an Ed25519 seed, as PKCS #8. */
function privateKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function publicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}
