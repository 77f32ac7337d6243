/**
 * Takes one guard after the other out of the code that pays, and counts how many seeds it takes to notice that. With numbers
 * as arguments only those guards; `SEEDS=20000` for so many seeds each.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

/** What a guard does, the file of `src` that has it, its text, and what stands in its place. */
export const guards = [
  [
    'what is signed is in the journal before it leaves',
    'core/execution/Execution',
    'await journal.append(signedEntry(each), turn);',
    'void journal.append(signedEntry(each), turn);',
  ],
  [
    'a batch or a permit is in the journal before it leaves',
    'core/gasless/GaslessExecution',
    'await ports.journal.append(handed, ports.turn);',
    'void ports.journal.append(handed, ports.turn);',
  ],
  [
    'a started run is resumed with what it signed',
    'transfer/resumeRun',
    'if (!Journal.isPaid(run.state())) return yield* continueOwnTransactions(resuming);',
    'if (!Journal.isPaid(run.state()) || true) return yield* continueOwnTransactions(resuming);',
  ],
  [
    'an unfinished transfer is not begun again',
    'setup/trustNonces',
    'if (held !== undefined) throw NonceRule.heldNonce(',
    'if (held !== undefined && signed.length > 99) throw NonceRule.heldNonce(',
  ],
  [
    'a sequence that an open batch has is not signed again',
    'setup/trustNonces',
    'BigInt(handed.nonce) >= next',
    'BigInt(handed.nonce) > next + 9n',
  ],
  [
    'a nonce that ferry does not know stops it',
    'core/execution/NonceRule',
    'if (found) throw',
    'if (found && next < 0n) throw',
  ],
  [
    'an unknown nonce is not adopted unasked',
    'setup/trustNonces',
    'if (!isAllowed) await askAbout(place, unknown, context);',
    'if (!isAllowed) context.warn(unknown);',
  ],
  [
    'a turn is kept until the signed nonces are used',
    'core/tracking/NonceRelease',
    'await Polling.pollUntil(ask, around, { timeoutMs: withinMs }, () => false);',
    '',
  ],
  ['nothing of the account is pending when it signs', 'transfer/executeQuote', 'if (next <= first) return', 'return'],
  [
    'a lost answer is looked up before anything is posted again',
    'core/execution/Submission',
    'if (found !== undefined) return found;',
    '',
  ],
  [
    'a refusal is no proof that nothing happens',
    'core/execution/Submission',
    "isRefused = posted.verdict === 'refused';",
    "if (posted.verdict === 'refused') throw Object.assign(posted.error, { code: 'submit.expired', funds: 'untouched' });",
  ],
  [
    'a signature is void only after its deadline by this clock too',
    'core/gasless/GaslessExecution',
    'return clock.now() < open.untilMs ? undefined : open.voidBy();',
    'return open.voidBy();',
  ],
  [
    'a signature is void only after its deadline',
    'core/gasless/OpenSignature',
    'if (isUsed || timestamp <= lastSeconds) return undefined;',
    'if (isUsed) return undefined;',
  ],
  [
    'a failure is no end while what was signed can act',
    'core/execution/Following',
    'if (open && TransferStatus.codeOf(progress) && (await isOpen)) return open.unknown;',
    '',
  ],
  [
    'a delivery is one once the chain shows it',
    'core/execution/Following',
    'if (!isWitnessed(progress)) {',
    'if (true) {',
  ],
  [
    'less than the minimum is no delivery',
    'core/execution/Arrival',
    'if (amount !== undefined) {',
    'if (amount !== undefined || found.length > 0) {',
  ],
  [
    'what arrived is counted once',
    'core/execution/Arrival',
    'const amount = await count(found, claim, search);',
    'const amount = shown >= least ? shown : undefined;',
  ],
  [
    'a receipt whose nonce is free is false',
    'core/execution/TransactionSettlement',
    'if (!receipt || used <= nonce) continue;',
    'if (!receipt) continue;',
  ],
  [
    'a reverted transaction is one in a final block',
    'core/execution/TransactionSettlement',
    'await origin.blockTime(depth);',
    '',
  ],
  [
    'a reverted transaction is one by two witnesses',
    'core/execution/TransactionSettlement',
    "return (await origin.isOwn?.()) ? 'final' : 'one witness';",
    "return 'final';",
  ],
  [
    'a transaction that failed is waited for until that is final',
    'core/execution/PlanSettlement',
    "if (receipt?.status === 'reverted')",
    "if (receipt?.status === 'reverted' && patience.timeoutMs < 0)",
  ],
  [
    'what a block has lost is sent again',
    'core/execution/Following',
    'paid && origin && (() => sendLost(paid, { ...ports, origin }));',
    'paid && origin && (async () => {});',
  ],
  [
    'what the nodes have lost is sent again',
    'core/execution/TransactionSettlement',
    'if (!isKnown && !signal.aborted)',
    'if (!isKnown && timeoutMs < 0)',
  ],
  [
    'nodes must agree about a receipt',
    'io/chain/severalNodes',
    "await equal(set, 'a receipt', (node) => node.receipt(hash), showReceipt, { isPartial: true })",
    "await equal(set, 'a receipt', (node) => node.receipt(hash), () => 'alike', { isPartial: true })",
  ],
  [
    'a receipt is one that all nodes have',
    'io/chain/severalNodes',
    'if (!first || more.includes(undefined)) return undefined;',
    'if (!first) return undefined;',
  ],
  [
    'of nonces the least is believed',
    'io/chain/severalNodes',
    "minedNonce: (owner, block) => least(set, 'the nonce', (node, at) => node.minedNonce(owner, at), block),",
    'minedNonce: (owner, block) => any(set, (node) => node.minedNonce(owner, block)),',
  ],
  [
    'nodes must agree about the next nonce',
    'io/chain/severalNodes',
    "nonce: (owner) => agreed(set, 'the next nonce', (node) => node.nonce(owner)),",
    'nonce: (owner) => any(set, (node) => node.nonce(owner)),',
  ],
  [
    'nodes must agree about a sequence',
    'io/chain/severalNodes',
    "batchSequence: (...args) => agreed(set, 'a sequence', (node) => node.batchSequence(...args)),",
    'batchSequence: (...args) => any(set, (node) => node.batchSequence(...args)),',
  ],
  [
    'a node that may have it decides about a broadcast',
    'io/chain/severalNodes',
    "throw failures.find((each) => each instanceof BaseError && each.funds === 'unknown') ?? failures[0];",
    "throw new BaseError('submit.simulation', 'Refused.', { cause: failures[0] });",
  ],
  ['the cap of gas holds', 'core/execution/GasBound', 'of.usd > bounds.maxUsd', 'of.usd > 1_000n * bounds.maxUsd'],
  [
    'a node’s estimate is bound',
    'core/execution/GasBound',
    'const estimateMultiple = 5n',
    'const estimateMultiple = 500n',
  ],
  ['a node’s fee is bound', 'core/execution/GasBound', 'const feeMultiple = 3n', 'const feeMultiple = 30_000n'],
  [
    'the service’s word is not written down as a payment',
    'transfer/resumeRun',
    'await awaitDeposit(plan, run, context);\n',
    '',
  ],
  [
    'a raw call is in the journal before it leaves',
    'core/gasless/CallExecution',
    "await ports.journal.append({ type: 'call', request });",
    "void ports.journal.append({ type: 'call', request });",
  ],
  [
    'that the answer to a raw call was lost is no refusal',
    'core/gasless/CallExecution',
    'if (mayBeAccepted) throw',
    'if (mayBeAccepted && request.requestId) throw',
  ],
  [
    'what makes a signature void is in the journal before it leaves',
    'core/gasless/Invalidation',
    'await journal.append(sent, turn);',
    'void journal.append(sent, turn);',
  ],
  [
    'what makes a signature void is not taken for the payment',
    'core/gasless/GaslessExecution',
    "if (!invalidation || fate === 'failed') return true;",
    'return true;',
  ],
  [
    'a signature that was made void ends its run',
    'core/gasless/GaslessExecution',
    'throw Invalidation.invalidated(plan, invalidation);',
    'return undefined;',
  ],
  [
    'what stops a command does not bring back a payment that is out',
    'transfer/journalledRun',
    'const out = wasOut && error.funds ===',
    'const out = wasOut && error.run ===',
  ],
  [
    'what took a nonce is what all nodes name',
    'io/chain/severalNodes',
    'namedByAll(set, (node) => node.usedNonce(...args))',
    'any(set, (node) => node.usedNonce(...args))',
  ],
  [
    'no node is given a batch that somebody could submit',
    'core/gasless/GaslessSigning',
    '{ ...signed, executor: nobody }',
    'signed',
  ],
  [
    'an address from which something was taken is not unpaid',
    'core/deposit/AddressExecution',
    'shown.balance === 0n && !shown.wasTaken',
    'shown.balance === 0n',
  ],
  [
    'what makes a payment void is final before it is believed',
    'core/execution/TransactionSettlement',
    'const finalDepth = 2n;',
    'const finalDepth = 0n;',
  ],
  [
    'a canceled transaction is one in a final block',
    'core/execution/TransactionSettlement',
    "if (finality === 'open') continue;",
    '',
  ],
  [
    'a signature is void once what makes it void is final',
    'core/gasless/Invalidation',
    "if (fate === 'final') return true;",
    "if (fate && fate !== 'unmined') return true;",
  ],
  [
    'what is being made void is not handed over again',
    'core/gasless/GaslessExecution',
    'const isPosted = invalidation === undefined;',
    'const isPosted = true;',
  ],
  [
    'a replacement is in the journal before it leaves',
    'transfer/replaceTransaction',
    "await run.append({ type: 'replacement',",
    "void run.append({ type: 'replacement',",
  ],
  [
    'what makes a payment void is there still once blocks are above it',
    'core/execution/TransactionSettlement',
    'await origin.receipt(shown.hash);',
    'shown;',
  ],
  [
    'nobody holds what was never paid at an address',
    'core/deposit/AddressExecution',
    "return status === 'waiting' || status === 'failure' || TransferStatus.isRefund(status);",
    "return status === 'waiting';",
  ],
  [
    'a delivery is no end while what was signed can act',
    'core/execution/Following',
    'if (open && (await isOpen)) return open.unknown;',
    '',
  ],
  [
    'a transfer at the venue is in the journal before it leaves',
    'core/withdrawal/WithdrawalExecution',
    "await ports.journal.append({ type: 'signed-transfer', txInfo, txHash, publicKey, signingChainId }, ports.turn);",
    "void ports.journal.append({ type: 'signed-transfer', txInfo, txHash, publicKey, signingChainId }, ports.turn);",
  ],
  [
    'a venue that calls a transfer failed is not believed alone',
    'core/withdrawal/WithdrawalExecution',
    "if (seen === 'not paid') throw failure;",
    'if (seen) throw failure;',
  ],
  [
    'a transfer that the venue does not show is looked for at the service',
    'core/withdrawal/WithdrawalExecution',
    "const isVoid = seen === 'absent' && (await isUnpaid()) && lateMs() > enoughMs;",
    "const isVoid = seen === 'absent' && lateMs() > enoughMs;",
  ],
  [
    'a transfer that was lost is void only once it has expired',
    'core/withdrawal/WithdrawalExecution',
    'const lateMs = (): number => nowOf(ports) - transfer.expiredAtMs;',
    'const lateMs = (): number => Number.POSITIVE_INFINITY;',
  ],
  [
    'the clock of the service says when a transfer has expired',
    'core/withdrawal/WithdrawalExecution',
    'return clock.now() - Math.max(0, service.clockSkew?.()?.aheadMs ?? 0);',
    'return clock.now() + 0 * (service.clockSkew?.()?.aheadMs ?? 0);',
  ],
  [
    'a refused transfer whose nonce is used is waited for',
    'core/withdrawal/WithdrawalExecution',
    'seen = await look(signed, ports, { timeoutMs: showingMs }, stopped);',
    'seen = await look(signed, ports, { looks: 1 }, stopped);',
  ],
  [
    'a used nonce is looked at once more when the transfer would be shown',
    'core/withdrawal/WithdrawalExecution',
    'if (nonce !== transfer.nonce) seen = await look(signed, ports, { looks: 1 }, () => unknown(undefined));',
    '',
  ],
  [
    'the nonces of an API key are taken in turn',
    'transfer/withdrawalSigner',
    'taken.turn.use(numbers.nonce + 1n);',
    '',
  ],
  [
    'a failure that the venue shows and the service denied is no end that the service alone tells',
    'core/withdrawal/WithdrawalExecution',
    "if (!failure || !(error instanceof BaseError && error.code === 'track.failed')) throw error;",
    'throw error;',
  ],
];

async function measure() {
  const chosen = process.argv.slice(2).map(Number);
  const seeds = process.env.SEEDS ?? '20000';
  const folder = mkdtempSync(join(tmpdir(), 'ferry-guards-'));
  try {
    for (const [index, [name = '', file = '', guard = '', instead = '']] of guards.entries()) {
      if (chosen.length > 0 && !chosen.includes(index + 1)) continue;
      const outfile = join(folder, 'guard.mjs');
      await bundle('simulate.ts', outfile, [without(file, guard, instead)]);
      const { stdout, stderr } = spawnSync('node', [outfile, '--first', '--seeds', seeds], { encoding: 'utf8' });
      const found = stdout.split('\n').find((line) => /^\d+: /.test(line));
      const end = found ?? (stderr.trim().split('\n').at(-1) || `not found in ${seeds} seeds`);
      process.stdout.write(`| ${index + 1} | ${name} | \`src/${file}.ts\` | ${end.slice(0, 160)} |\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} file
 * @param {string} guard
 * @param {string} instead
 * @returns {import('esbuild').Plugin}
 */
function without(file, guard, instead) {
  return {
    name: 'without',
    setup(building) {
      building.onLoad({ filter: new RegExp(`src/${file}\\.ts$`) }, ({ path }) => {
        const whole = readFileSync(path, 'utf8');
        if (!whole.includes(guard)) throw new Error(`${file} no longer has: ${guard}`);
        return { loader: 'ts', contents: whole.replace(guard, () => instead) };
      });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure();
