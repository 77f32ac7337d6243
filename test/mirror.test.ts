/** What is true of every file: test/ mirrors src/, one name means one thing, and no secret or stub slips in. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mnemonicToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Sources that hold nothing to run. */
const still: readonly string[] = [
  'src/core/base/Hex.ts',
  'src/core/batch/BatchLedger.ts',
  'src/core/command/Command.ts',
  'src/core/command/Context.ts',
  'src/core/accounts/KeyStores.ts',
  'src/core/completion/LocalNames.ts',
  'src/core/docs/HelpDocument.ts',
  'src/core/docs/SettingDocs.ts',
  'src/core/event/DisplayEvent.ts',
  'src/core/ports/StoreControl.ts',
  'src/core/ports/SystemInfo.ts',
  'src/core/ports/Ports.ts',
  'src/core/ports/SandboxProcess.ts',
  'src/core/tracking/RunStore.ts',
  'src/core/ports/UserFiles.ts',
  'src/core/text/TerminalStyle.ts',
  'src/sandbox/values/abi.ts',
  'src/sandbox/venue/Venue.ts',
];

/** Sources that are parts of a whole and have no test of their own, each with the test that drives it. */
const within: Readonly<Record<string, string>> = {
  'src/io/postgres/storeCounted.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/storeLocks.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/storeNonces.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/storeRates.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/storeRuns.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/openStore.ts': 'test/io/postgres/contract.test.ts',
  'src/io/postgres/schema.ts': 'test/io/postgres/session.test.ts',
  'src/io/postgres/storeChecks.ts': 'test/io/postgres/session.test.ts',
  'src/io/postgres/controlStore.ts': 'test/scenarios/store.test.ts',
  'src/io/postgres/storeHolds.ts': 'test/scenarios/storeLosses.test.ts',
  'src/io/postgres/storeMark.ts': 'test/scenarios/storeLosses.test.ts',
  'src/io/postgres/storeMending.ts': 'test/scenarios/storeLosses.test.ts',
  'src/core/tracking/StoreDoubt.ts': 'test/scenarios/storeLosses.test.ts',
  'src/core/worker/BatchHold.ts': 'test/scenarios/storeLosses.test.ts',
  'src/commands/batch/cancel.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/list.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/pause.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/results.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/resume.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/retry.ts': 'test/commands/batch/submit.test.ts',
  'src/commands/batch/status.ts': 'test/commands/batch/submit.test.ts',
  'src/core/worker/BatchDocument.ts': 'test/commands/batch/submit.test.ts',
  'src/io/postgres/storeBatches.ts': 'test/commands/batch/submit.test.ts',
  'src/transfer/batches/submitBatch.ts': 'test/commands/batch/submit.test.ts',
  'src/transfer/batches/watchBatch.ts': 'test/commands/batch/submit.test.ts',
  'src/core/worker/BatchStore.ts': 'test/commands/worker.test.ts',
  'src/core/worker/WorkerTrust.ts': 'test/commands/worker.test.ts',
  'src/io/postgres/storeTurns.ts': 'test/process/workers.test.ts',
  'src/transfer/batches/workLines.ts': 'test/process/workers.test.ts',
  'src/core/worker/Metrics.ts': 'test/process/workers.test.ts',
  'src/transfer/batches/finishLine.ts': 'test/transfer/batches/executeBatch.test.ts',
  'src/io/runs/runErrors.ts': 'test/io/runs/runFolder.test.ts',
  'src/commands/store/check.ts': 'test/commands/store.test.ts',
  'src/commands/store/export.ts': 'test/commands/store.test.ts',
  'src/commands/store/import.ts': 'test/commands/store.test.ts',
  'src/commands/store/init.ts': 'test/commands/store.test.ts',
  'src/commands/store/migrate.ts': 'test/commands/store.test.ts',
  'src/core/command/Confirmation.ts': 'test/cli/createContext.test.ts',
  'src/core/accounts/Mnemonic.ts': 'test/commands/key/new.test.ts',
  'src/commands/address/add.ts': 'test/commands/address.test.ts',
  'src/commands/address/list.ts': 'test/commands/address.test.ts',
  'src/commands/address/remove.ts': 'test/commands/address.test.ts',
  'src/cli/addressNames.ts': 'test/commands/address.test.ts',
  'src/core/accounts/AddressBook.ts': 'test/commands/address.test.ts',
  'src/io/terminal/editor.ts': 'test/commands/config/edit.test.ts',
  'src/io/chain/solanaReader.ts': 'test/io/chain/paymentReader.test.ts',
  'src/io/chain/bitcoinReader.ts': 'test/io/chain/paymentReader.test.ts',
  'src/sandbox/svm/liteSvm.ts': 'test/sandbox/svm/svmRpc.test.ts',
  'src/sandbox/svm/svmNode.ts': 'test/sandbox/svm/svmRpc.test.ts',
  'src/sandbox/svm/svmServer.ts': 'test/sandbox/svm/svmRpc.test.ts',
  'src/sandbox/svm/svmDescription.ts': 'test/scenarios/svmTransfers.test.ts',
  'src/commands/sandbox/onSandbox.ts': 'test/commands/sandbox/fault.test.ts',
  'src/core/deposit/AddressPreparation.ts': 'test/scenarios/depositAddresses.test.ts',
  'src/core/deposit/AddressTerms.ts': 'test/scenarios/depositAddresses.test.ts',
  'src/sandbox/contracts/DepositAddressFactory.sol': 'test/sandbox/deposit/sweeper.test.ts',
  'src/sandbox/deposit/addressRoutes.ts': 'test/sandbox/deposit/sweeper.test.ts',
  'src/sandbox/service/fundRoutes.ts': 'test/commands/sandbox/fund.test.ts',
  'src/core/proof/price/Balances.ts': 'test/commands/balance.test.ts',
  'src/io/terminal/browser.ts': 'test/commands/open.test.ts',
  'src/io/files/fileError.ts': 'test/io/state/namedFiles.test.ts',
  'src/core/receipt/ReceiptProof.ts': 'test/commands/receipt.test.ts',
  'src/setup/receiptChecks.ts': 'test/commands/receipt.test.ts',
  'src/transfer/batches/decideLine.ts': 'test/transfer/batches/carryLine.test.ts',
  'src/transfer/lineEnding.ts': 'test/transfer/batches/carryLine.test.ts',
  'src/transfer/executeCall.ts': 'test/commands/execute/call.test.ts',
  'src/transfer/executeTransfer.ts': 'test/commands/execute.test.ts',
  'src/transfer/quoteTransfer.ts': 'test/commands/quote.test.ts',
  'src/transfer/resumeRun.ts': 'test/commands/resume.test.ts',
  'src/commands/runs/show.ts': 'test/commands/runs/list.test.ts',
  'src/commands/runs/cancel.ts': 'test/commands/runs/speedUp.test.ts',
  'src/transfer/replaceTransaction.ts': 'test/commands/runs/speedUp.test.ts',
  'src/commands/runs/prune.ts': 'test/commands/runs/list.test.ts',
  'src/core/history/RunDocument.ts': 'test/commands/runs/list.test.ts',
  'src/core/view/RunText.ts': 'test/commands/runs/list.test.ts',
  'src/transfer/executeQuote.ts': 'test/commands/execute.test.ts',
  'src/cli/globalFlags.ts': 'test/cli/program.test.ts',
  'src/cli/commandGroups.ts': 'test/cli/commandTable.test.ts',
  'src/transfer/transferOptions.ts': 'test/commands/quote.test.ts',
  'src/core/docs/HelpTopic.ts': 'test/core/docs/HelpLookup.test.ts',
  'src/setup/chooseService.ts': 'test/commands/config/init.test.ts',
  'src/setup/chooseNodes.ts': 'test/commands/config/init.test.ts',
  'src/setup/remoteChecks.ts': 'test/commands/doctor.test.ts',
  'src/transfer/quoteFile.ts': 'test/commands/execute.test.ts',
  'src/transfer/findVenueAccount.ts': 'test/commands/venue/account.test.ts',
  'src/commands/allowance/show.ts': 'test/commands/allowance.test.ts',
  'src/commands/allowance/revoke.ts': 'test/commands/allowance.test.ts',
  'src/core/execution/Allowance.ts': 'test/commands/allowance.test.ts',
  'src/core/execution/Following.ts': 'test/core/execution/Execution.test.ts',
  'src/core/execution/PlanSettlement.ts': 'test/core/execution/Execution.test.ts',
  'src/commands/delegation/show.ts': 'test/scenarios/gasless.test.ts',
  'src/commands/delegation/revoke.ts': 'test/scenarios/gasless.test.ts',
  'src/commands/fees/balance.ts': 'test/commands/fees/claim.test.ts',
  'src/core/claims/ClaimDocument.ts': 'test/commands/fees/claim.test.ts',
  'src/core/gasless/CallDocument.ts': 'test/commands/execute/call.test.ts',
  'src/core/gasless/CallExecution.ts': 'test/commands/execute/call.test.ts',
  'src/core/gasless/Delegation.ts': 'test/scenarios/gasless.test.ts',
  'src/core/gasless/GaslessExecution.ts': 'test/scenarios/gasless.test.ts',
  'src/core/gasless/GaslessSigning.ts': 'test/scenarios/gasless.test.ts',
  'src/core/withdrawal/WithdrawalFailure.ts': 'test/core/withdrawal/WithdrawalExecution.test.ts',
  'src/core/gasless/SimulationReplay.ts': 'test/scenarios/reverts.test.ts',
  'src/core/proof/Expectation.ts': 'test/core/proof/Verification.test.ts',
  'src/core/proof/OrderTerms.ts': 'test/core/proof/Verification.test.ts',
  'src/core/proof/QuoteSteps.ts': 'test/core/proof/Verification.test.ts',
  'src/sandbox/chainProxy/broadcasts.ts': 'test/sandbox/chainProxy/chainFaults.test.ts',
  'src/sandbox/http/httpServer.ts': 'test/sandbox/service/server.test.ts',
  'src/sandbox/values/GasLimits.ts': 'test/sandbox/quote/Steps.test.ts',
  'src/sandbox/values/ServiceWords.ts': 'test/sandbox/pricing/Sponsorship.test.ts',
};

/** Tests that look at the whole. */
const general: readonly string[] = [
  'test/bin.test.ts',
  'test/documents.test.ts',
  'test/messages.test.ts',
  'test/house.test.ts',
  'test/mirror.test.ts',
  'test/rooms.test.ts',
];

/** The sandbox's own copies of what the client has too: if it shared the client's judgement, it would check nothing. */
const copies: readonly string[] = [
  'src/sandbox/execute/RawCall.ts',
  'src/sandbox/execute/Revert.ts',
  'src/sandbox/pricing/Sponsorship.ts',
  'src/sandbox/quote/OrderId.ts',
  'src/sandbox/quote/Quote.ts',
  'src/sandbox/values/CallTrace.ts',
  'src/sandbox/values/TransactionType.ts',
];

const files = walk(root);
const sources = files.filter((path) => /^src\/.*\.(ts|sol)$/.test(path));
const tests = files.filter((path) => /^test\/.*\.test\.ts$/.test(path));
const code = files.filter((path) => /\.(ts|mjs|js|sol|sh)$/.test(path) || path === '.ci/run');

describe('the mirror', () => {
  test('behavior: every source has a test', () => {
    const missing = sources.filter(
      (path) => !still.includes(path) && !(path in within) && !tests.includes(testOf(path)),
    );
    expect(missing).toEqual([]);
  });

  test('behavior: every test has a source: one of its name, a folder of its name, or one whose folder it is in', () => {
    const known = new Set([...sources, ...sources.map((path) => `${dirname(path)}.ts`)].map(testOf));
    const hasSource = (path: string): boolean => known.has(path) || known.has(`${dirname(path)}.test.ts`);
    const stray = tests.filter(
      (path) =>
        !hasSource(path) && !general.includes(path) && !/^test\/(process|scenarios|simulation|support)\//.test(path),
    );
    expect(stray).toEqual([]);
  });

  test('behavior: what is excused is there, has no test of its own and is driven by one', () => {
    const excused = [...still, ...Object.keys(within)];
    expect(excused.filter((path) => !sources.includes(path) || tests.includes(testOf(path)))).toEqual([]);
    expect(Object.values(within).filter((path) => !tests.includes(path))).toEqual([]);
  });
});

describe('names', () => {
  test('behavior: no drawers', () => {
    const drawer = /^(utils?|helpers?|common|shared|libs?|types?|misc)$/i;
    const found = files.filter((path) => path.split('/').some((part) => drawer.test(part.replace(/\.[a-z.]+$/, ''))));
    expect(found).toEqual([]);
  });

  test('behavior: the top level holds what the design lists', () => {
    const listed = [
      'LICENSE',
      'README.md',
      'bin',
      'biome.json',
      'completions',
      'package-lock.json',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
    ];
    const found = [...new Set(files.map((path) => path.split('/')[0] ?? ''))];
    expect(found.filter((name) => !name.startsWith('.') && !listed.includes(name))).toEqual([]);
  });

  test('behavior: a file name stands once, but for commands, named as they are typed', () => {
    const named = sources.filter((path) => !path.startsWith('src/commands/') && !copies.includes(path));
    expect(twice(named, (path) => basename(path).toLowerCase())).toEqual([]);
    expect(copies.filter((path) => !sources.includes(path))).toEqual([]);
  });

  test('behavior: an error class stands once', () => {
    const classes = sources.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:export )?class (\w+)/gm)].map(
        ([, name = '']) => `${path} ${name}`,
      ),
    );
    expect(twice(classes, (each) => each.split(' ')[1] ?? '')).toEqual([]);
  });
});

describe('files', () => {
  test('behavior: nothing of the machine they were written on', () => {
    const machine = /(?<![\w.])\/(?:work|root)\/|\bregistry\.npm/;
    expect(matches(code, machine)).toEqual([]);
  });

  test('behavior: no mock, nothing left focused', () => {
    const words = ['vi', 'jest'].map((name) => `\\b${name}\\.(mock|doMock|fn|spyOn|stubGlobal)\\(`);
    const focused = '\\b(test|it|describe)(\\.\\w+)*\\.(only|todo)\\b';
    expect(
      matches(
        tests.concat(files.filter((path) => path.startsWith('test/support/'))),
        new RegExp([...words, focused].join('|')),
      ),
    ).toEqual([]);
  });

  test('behavior: the only private keys are the well-known development keys and published vectors', () => {
    const known = new Set([...developmentKeys(), ...vectors]);
    const found = matches(
      files.filter(
        (path) => !path.endsWith('bytecode.json') && !path.endsWith('genesis.json') && path !== 'package-lock.json',
      ),
      /(key|secret|private|priv|signer|account)\w*\W{0,12}(0x)?[0-9a-f]{64}(?![0-9a-f])/i,
    ).filter((line) => !(line.match(/[0-9a-f]{64}/gi) ?? []).every((key) => known.has(key.toLowerCase())));
    expect(found).toEqual([]);
  });
});

/** Private keys in published test vectors. */
const vectors: readonly string[] = [
  // Web3 Secret Storage Definition, both of its examples.
  '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
];

function developmentKeys(): readonly string[] {
  const words = `${'test '.repeat(11)}junk`;
  return Array.from({ length: 20 }, (_, addressIndex) => {
    const key = mnemonicToAccount(words, { addressIndex }).getHdKey().privateKey ?? new Uint8Array();
    return bytesToHex(key).slice(2);
  });
}

function testOf(path: string): string {
  return path.replace(/^src\//, 'test/').replace(/\.(ts|sol)$/, '.test.ts');
}

/** Those that share a key with another. */
function twice(all: readonly string[], keyOf: (each: string) => string): string[] {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return all.filter((each) => (counts.get(keyOf(each)) ?? 0) > 1);
}

/** Every line that matches, as `path:line: text`. */
function matches(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 200)}`] : [])),
  );
}

/** Every file of the project, as paths from the root. */
function walk(folder: string): string[] {
  const foreign = ['node_modules', '.git', 'dist', 'coverage'];
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => !(dirname(join(folder, entry.name)) === dirname(join(root, 'x')) && foreign.includes(entry.name)),
    )
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(root, path).replaceAll('\\', '/')];
    })
    .sort();
}
