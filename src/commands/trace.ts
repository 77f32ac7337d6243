import * as z from 'zod/mini';
import { BaseError, type Fact } from '../core/base/Errors.js';
import type { Hex } from '../core/base/Hex.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import { rpcUrlVariable } from '../core/config/SettingDefinitions.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as RunDocument from '../core/history/RunDocument.js';
import * as Network from '../core/network/Network.js';
import type { Receipt } from '../core/ports/Ports.js';
import type { Expected } from '../core/ports/UserFiles.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';
import * as CallTrace from '../core/trace/CallTrace.js';
import * as ContractLabels from '../core/trace/ContractLabels.js';
import type * as DecodedFrame from '../core/trace/DecodedFrame.js';
import * as KnownSignatures from '../core/trace/KnownSignatures.js';
import * as SelectorLookup from '../core/trace/SelectorLookup.js';
import * as TraceFile from '../core/trace/TraceFile.js';
import * as Journal from '../core/tracking/Journal.js';
import * as TraceText from '../core/view/TraceText.js';

export const command = define({
  description:
    'Shows the calls within a transaction and the one that made it fail: first in a sentence, then as a tree. Takes a transaction hash on any chain of the network, a run of this machine, a saved error body of the service, an error envelope of ferry or a callTracer frame. Names of functions and errors come from the ABIs that ferry knows, from --abi, and from signatures.txt beside your configuration file, one signature per line.',
  args: [{ name: 'transaction', names: 'file', description: 'a transaction hash, a run, a file, or - for stdin' }],
  options: {
    abi: { value: 'file', repeats: true, description: 'an ABI, or a forge or hardhat artifact; may be repeated' },
    chain: { value: 'chain', description: 'look on this chain only' },
    depth: { value: 'n', description: 'levels to show below the top call, besides the failing path' },
    calldata: {
      value: 'length',
      choices: ['cut', 'full'],
      description: 'cut arguments to the width of the terminal, or show them in full (default: cut)',
    },
  },
  examples: [
    ['ferry trace 0x5a…', 'a transaction, on any chain of the network'],
    ['ferry trace 1f2e3d', 'the last transaction of a run'],
    ['ferry trace error.json --abi out/Vault.sol/Vault.json', 'a saved error, with your own ABI'],
    ['ferry trace 0x5a… --depth 2 --calldata full', 'the upper calls, with full arguments'],
    ['ferry trace 0x5a… --json | jq -r .data.trace.summary', 'in a script: what went wrong, in a sentence'],
  ],
  output: z.object({
    /** Null for a saved trace. */
    transaction: z.nullable(
      z.object({
        hash: z.string(),
        chain: z.string(),
        chainId: z.int(),
        block: z.string(),
        status: z.enum(['success', 'reverted']),
        gasUsed: z.string(),
      }),
    ),
    /** The request id in a saved error body. */
    requestId: z.nullable(z.string()),
    /** The symbol of the native asset; null if the chain is unknown. */
    native: z.nullable(z.string()),
    trace: CallTrace.schema,
  }),
  async run(options, context) {
    const what = options.args[0] ?? '';
    const levels = levelsOf(options.depth);
    const chains =
      options.chain === undefined
        ? context.network.chains.filter(({ vm }) => vm === 'evm')
        : [Network.chain(context.network, options.chain)];
    const signatures = await known(options.abi ?? [], context);
    const key = (on: readonly Network.Chain[]): DecodedFrame.Key => ({
      signatures,
      names: ContractLabels.from(context.network, on),
    });
    const pruned = (trace: CallTrace.Trace) => (levels === undefined ? trace : CallTrace.prune(trace, levels));
    const hash = RequestReference.isOfRun(what) ? await hashOfRun(what, chains, context) : what;
    if (!isHash(hash)) {
      const { source, requestId = null } = TraceFile.from(await context.files.read(what, wanted), what);
      return { transaction: null, requestId, native: null, trace: pruned(CallTrace.from(source, key(chains))) };
    }
    const { chain, receipt } = await find(hash, chains, context);
    const frames = await (await context.chain(chain)).trace(hash);
    if (!frames)
      throw new BaseError('chain.refused', `The RPC node of ${chain.name} does not support tracing.`, {
        txHash: hash,
        hint: `Use a node with debug_traceTransaction: set networks.${context.network.name}.chains.${chain.name}.rpcUrl or ${rpcUrlVariable(chain.name)}.`,
        next: Network.settingUrl(`networks.${context.network.name}.chains.${chain.name}.rpcUrl`, chain.urlVariable),
      });
    const trace = pruned(CallTrace.from({ by: 'node', frames }, key([chain])));
    return { transaction: described(chain, receipt), requestId: null, native: chain.native.symbol, trace };
  },
  verbatim: true,
  view({ transaction, requestId, native, trace }, style, options) {
    const rows = [
      ...(transaction
        ? [
            ['Transaction', transaction.hash],
            ['Chain', `${transaction.chain}, block ${transaction.block}`],
          ]
        : []),
      ...(requestId === null ? [] : [['Request', TerminalText.escape(requestId)]]),
      ...(trace.by === 'service' ? [['Source', 'the service, which returns only the failing path']] : []),
    ].map(([label = '', value = '']) => [style.dim(label), value]);
    const calldata = options?.calldata === 'full' ? 'full' : 'cut';
    return [
      TraceText.headline(trace, style),
      ...(rows.length > 0 ? [TerminalText.columns(rows)] : []),
      TraceText.tree(trace, style, { calldata, native: native ?? undefined }),
      ...(trace.failure?.revert.type === 'unknownCustomError'
        ? [style.dim('To decode the error, use --abi FILE or add its signature to signatures.txt.')]
        : []),
    ].join('\n\n');
  },
});

/** The size limit is above any trace that a node returns. */
const wanted: Expected = {
  what: 'trace',
  maxBytes: 256 * 1024 * 1024,
  code: 'trace.unreadable',
  hints: {
    missing: 'A transaction hash is 0x and 64 hexadecimal digits.',
    notPiped: 'ferry execute … --json | ferry trace -',
  },
};

const wantedAbi: Expected = {
  what: 'ABI',
  maxBytes: 64 * 1024 * 1024,
  code: 'trace.unreadable',
  hints: { missing: 'Is it built? forge writes to out/, hardhat to artifacts/.', notPiped: 'ferry trace 0x… --abi -' },
};

function isHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** The last transaction of a run that a chain knows: an earlier one may have been replaced. @throws run.* */
async function hashOfRun(run: string, chains: readonly Network.Chain[], context: Context): Promise<string> {
  const record = await (await context.runs()).show(run);
  const { txHashes } = RunDocument.from(record);
  for (const hash of txHashes.filter(isHash).toReversed()) {
    const found = await find(hash, chains, context).catch((error: unknown) => {
      if (error instanceof BaseError && error.code === 'chain.unknown-transaction') return undefined;
      throw error;
    });
    if (found) return hash;
  }
  throw new BaseError('trace.unreadable', `No chain has a transaction of run ${record.id}.`, {
    hint: 'It may have signed none: what the service submits stands in its own records.',
    next: ShellCommand.line`ferry runs show ${record.id}`,
    funds: record.state && Journal.fundsOf(record.state),
  });
}

/** The known signatures; the user's take precedence over ferry's. */
async function known(abis: readonly string[], context: Context): Promise<SelectorLookup.Signatures> {
  const ofUser: SelectorLookup.Signatures[] = [];
  for (const path of abis) ofUser.push(SelectorLookup.fromJson(await context.files.read(path, wantedAbi), path));
  const file = await context.configFiles.signatures();
  if (file) ofUser.push(SelectorLookup.fromLines(file.text, file.path));
  return SelectorLookup.merge(...ofUser, KnownSignatures.signatures());
}

function levelsOf(depth: string | undefined): number | undefined {
  if (depth === undefined) return undefined;
  if (!/^\d{1,4}$/.test(depth))
    throw new BaseError('usage.invalid', `"${TerminalText.escape(depth)}" is not a number of levels.`, {
      hint: '0 shows the top call and the failing path; 1 adds the calls it makes.',
    });
  return Number(depth);
}

type Found = { chain: Network.Chain; receipt: Receipt };

/** The first chain that returns a receipt; all are queried concurrently. */
async function find(hash: Hex, chains: readonly Network.Chain[], context: Context): Promise<Found> {
  const failures: { chain: Network.Chain; error: unknown }[] = [];
  const looks = chains.map(async (chain): Promise<Found> => {
    const receipt = await context
      .chain(chain)
      .then((node) => node.receipt(hash))
      .catch((error: unknown) => {
        failures.push({ chain, error });
        throw error;
      });
    if (!receipt) throw unknownTransaction(hash, []);
    return { chain, receipt };
  });
  try {
    return await Promise.any(looks);
  } catch {
    context.signal.throwIfAborted();
    // A chain without an RPC URL is skipped; if no chain has one, the error says how to set it.
    const asked = failures.filter(({ error }) => !(error instanceof BaseError && error.code === 'chain.no-rpc'));
    const [first] = asked.length > 0 ? asked : failures;
    if (first && failures.length === chains.length) throw first.error;
    throw unknownTransaction(hash, [
      ['asked', names(chains.filter((chain) => !failures.some((each) => each.chain === chain)))],
      ...(asked.length > 0 ? [['no answer', names(asked.map(({ chain }) => chain))] as const] : []),
    ]);
  }
}

function names(chains: readonly Network.Chain[]): string {
  return TerminalText.few(chains.map(({ name }) => name));
}

function described(chain: Network.Chain, { hash, blockNumber, status, gasUsed }: Receipt) {
  const numbers = { block: blockNumber.toString(), gasUsed: gasUsed.toString() };
  return { hash, chain: chain.name, chainId: chain.id, status, ...numbers };
}

function unknownTransaction(hash: string, facts: readonly Fact[]): BaseError {
  return new BaseError('chain.unknown-transaction', 'No chain of the network has a transaction with this hash.', {
    facts: [['transaction', hash], ...facts],
    hint: 'It may be on another network, or not mined yet. For a request id, use ferry status, which lists its transactions.',
  });
}
