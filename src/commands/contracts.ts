import * as z from 'zod/mini';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { ContractsProposed } from '../core/event/DisplayEvent.js';
import * as ContractChange from '../core/network/ContractChange.js';
import * as ContractListing from '../core/network/ContractListing.js';
import * as Network from '../core/network/Network.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import * as Place from '../core/text/Place.js';
import type { Style } from '../core/text/TerminalStyle.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { connect, propose } from '../setup/trustContracts.js';

const list = define({
  description:
    'Lists the contracts that may hold funds or be approved, and the source of each: shipped with ferry, pinned or accepted by you. A quote that pays any other contract is refused. With --live, also shows the contracts that the service reports now.',
  args: [{ name: 'chain', description: 'a chain’s name or id (default: all)', optional: true }],
  options: {
    live: { description: 'ask the service which contracts it uses now, and mark the differences' },
    check: { description: 'ask the service, and exit 12 if its contracts differ' },
  },
  examples: [
    ['ferry contracts list alpha', 'on one chain'],
    ['ferry contracts list --live', 'compared with what the service reports'],
    ['ferry contracts list --network mainnet --check', 'in CI: fail if the service uses other contracts'],
  ],
  output: z.object({
    chains: z.array(
      z.object({
        chain: z.string(),
        chainId: z.int(),
        displayName: z.string(),
        contracts: z.array(ContractListing.schema),
        /** Tokens pinned by the user; `ferry tokens` lists all known ones. */
        tokens: z.array(ContractListing.tokenSchema),
      }),
    ),
    /** Whether a difference is a failure (`--check`). */
    checked: z.boolean(),
    /** The path of the file of pins, whether or not there are any. */
    file: z.string(),
  }),
  async run({ args, live, check }, context) {
    const { network, pins } = context;
    const selected = args[0] === undefined ? network.chains : [Network.chain(network, args[0])];
    const answer = live || check ? await (await context.service()).chains() : undefined;
    return {
      chains: selected
        .filter(({ vm }) => vm === 'evm')
        .map((chain) => ({
          chain: chain.name,
          chainId: chain.id,
          displayName: chain.displayName,
          contracts: ContractListing.from(pins.contracts(chain), answer && ReportedContracts.from(answer, chain.id)),
          tokens: pins.tokens(chain).map(ContractListing.fromToken),
        })),
      checked: check === true,
      file: pins.path,
    };
  },
  placed: true,
  view({ chains }, style) {
    if (chains.length === 0) return 'No contracts.';
    const blocks = chains.map(({ chain, chainId, contracts, tokens }) =>
      [
        `${style.bold(chain)} ${style.dim(String(chainId))}`,
        contracts.length + tokens.length > 0
          ? ContractListing.format(contracts, tokens, style)
          : style.yellow('none that ferry knows'),
        ...(contracts.some(({ address, differs }) => address === null || differs)
          ? [style.dim(`To trust what the service reports: ferry contracts accept ${TerminalText.escape(chain)}`)]
          : []),
      ].join('\n'),
    );
    return blocks.join('\n\n');
  },
  outcome: ({ chains, checked }) =>
    checked && chains.some(({ contracts }) => contracts.some(({ differs }) => differs)) ? 'expect.unmet' : undefined,
});

const tokenSchema = z.object({
  symbol: z.string(),
  /** The address known for the symbol before; null if there was none. */
  before: z.nullable(z.string()),
  after: z.string(),
  /** Name and symbol as the token's contract reports them. */
  name: z.string(),
  ownSymbol: z.string(),
  decimals: z.int(),
});

type Token = Omit<z.infer<typeof tokenSchema>, 'after'> & { after: Address.Address };

const accept = define({
  description:
    'Trusts the contracts that the service reports for a chain, or those you name, in place of the known ones. It shows the old and new addresses and whether there is code at them, and asks. With --token alone it pins a token’s symbol instead.',
  args: [
    { name: 'chain', description: 'a chain’s name or id' },
    {
      name: 'contracts',
      description:
        'depository, router, approvalProxy, wrapped or batchExecutor; add =address to choose the address yourself',
      optional: true,
      variadic: true,
    },
  ],
  options: {
    token: { value: 'symbol=address', repeats: true, description: 'pin a token’s symbol; may be repeated' },
  },
  examples: [
    ['ferry contracts accept alpha', 'all contracts that the service reports, after asking'],
    ['ferry contracts accept alpha depository', 'one of them'],
    ['ferry contracts accept alpha router=0x… --yes', 'one by its address, without asking'],
    ['ferry contracts accept alpha --token GULL=0x…', 'pin a token, to write it as alpha/gull'],
  ],
  output: z.object({
    chain: z.string(),
    chainId: z.int(),
    /** Whether any pin was written. */
    changed: z.boolean(),
    contracts: z.array(ContractChange.schema),
    tokens: z.array(tokenSchema),
    /** Why the code could not be checked on the chain; null if it was, or did not have to be. */
    notLooked: z.nullable(z.string()),
    /** The path of the file of pins. */
    file: z.string(),
  }),
  async *run({ args: [name = '', ...contractTexts], token: tokenTexts = [] }, context) {
    const { network, pins } = context;
    const chain = Network.chain(network, name);
    if (chain.vm !== 'evm') throw new BaseError('request.unsupported', `${chain.name} has no contracts to accept.`);
    const wishes = contractTexts.map(ContractChange.toRequest);
    const tokens = await readTokens(tokenTexts, chain, context);
    const isTokensAlone = tokenTexts.length > 0 && wishes.length === 0;
    const { contracts, notLooked } = isTokensAlone
      ? { contracts: [], notLooked: undefined }
      : await propose(chain, wishes, context);
    const empty = contracts.filter(({ hasCode }) => hasCode === false);
    if (empty.length > 0)
      throw new BaseError('chain.not-a-contract', `An address to trust on ${chain.name} has no contract.`, {
        facts: empty.map(({ contract, after }) => [contract, after]),
        hint: 'Funds paid there belong to the holder of its key. Accept the other contracts by naming them.',
        next: 'ferry contracts list --live',
      });
    const changed = contracts.length + tokens.length > 0;
    if (changed) {
      yield { type: 'contracts-proposed', contracts, tokens, notLooked: notLooked ?? null };
      if (context.yes) assertNoneShipped(chain, contracts, tokens, context);
      const what = count(contracts.length, tokens.length);
      await context.confirm(`On ${Place.inWords(context.network)}: trust ${what} on ${chain.name} from now on?`);
      await pins.write(chain, {
        contracts: Object.fromEntries(contracts.map(({ contract, after }) => [contract, after])),
        tokens: tokens.map(({ symbol, name, decimals, after }) => ({ symbol, name, decimals, address: after })),
      });
    }
    return {
      chain: chain.name,
      chainId: chain.id,
      changed,
      contracts,
      tokens,
      notLooked: notLooked ?? null,
      file: pins.path,
    };
  },
  view({ chain, changed, contracts, tokens, file }, style) {
    if (!changed) return `Nothing to change on ${TerminalText.escape(chain)}: everything is trusted already.`;
    const names = [...contracts.map(({ contract }) => contract), ...tokens.map(({ symbol }) => symbol)].map(
      TerminalText.escape,
    );
    return `${style.green('✓')} Trusted on ${TerminalText.escape(chain)}: ${names.join(', ')}\n${style.dim(TerminalText.escape(file))}`;
  },
  logLine: (event, style) => (event.type === 'contracts-proposed' ? format(event, style) : undefined),
});

/** What ships with ferry has other sources than the service, so a person decides against it. @throws usage.confirmation */
function assertNoneShipped(
  chain: Network.Chain,
  contracts: readonly ContractChange.ContractChange[],
  tokens: readonly Token[],
  { pins }: Context,
): void {
  const pinned = pins.tokens(chain).map(({ token }) => token.symbol.toLowerCase());
  const replaced = [
    ...contracts.flatMap(({ contract, before, source, after }) =>
      source === 'shipped' ? [{ what: contract, before, after }] : [],
    ),
    ...tokens.flatMap(({ symbol, before, after }) =>
      before !== null && !pinned.includes(symbol.toLowerCase()) ? [{ what: symbol, before, after }] : [],
    ),
  ];
  if (replaced.length > 0)
    // An address that ships with ferry would be replaced, and --yes answers for everybody.
    throw new BaseError(
      'usage.confirmation',
      `An address on ${chain.name} that ships with ferry is replaced only by a person on a terminal.`,
      {
        facts: replaced.map(({ what, before, after }) => [TerminalText.escape(what), `${before} → ${after}`]),
        hint: 'Run this on a terminal, without --yes. If the service has moved, a newer ferry knows its contracts.',
      },
    );
}

function format({ contracts, tokens, notLooked }: ContractsProposed, style: Style): string {
  const rows = tokens.flatMap(({ symbol, before, after, ownSymbol, decimals }) => [
    ...(before === null ? [] : [[style.bold(TerminalText.escape(symbol)), `  ${before}`, style.dim('known')]]),
    [
      before === null ? style.bold(TerminalText.escape(symbol)) : '',
      `${style.cyan('→')} ${after}`,
      `${TerminalText.escape(ownSymbol)}, ${decimals} decimals`,
    ],
  ]);
  return [
    ...(contracts.length > 0 ? [ContractChange.format(contracts, style)] : []),
    ...(notLooked === null ? [] : [style.yellow(`Could not check for code on the chain. ${notLooked}`)]),
    ...(rows.length > 0 ? [TerminalText.columns(rows)] : []),
  ].join('\n');
}

function count(contracts: number, tokens: number): string {
  const one = (number: number, word: string): string[] =>
    number === 0 ? [] : [`${number} ${word}${number > 1 ? 's' : ''}`];
  return [...one(contracts, 'contract'), ...one(tokens, 'token')].join(' and ');
}

/** The tokens whose pins would change, with what their contracts report. */
async function readTokens(texts: readonly string[], chain: Network.Chain, context: Context): Promise<Token[]> {
  if (texts.length === 0) return [];
  const wishes = texts.map((text) => toTokenWish(text, chain));
  const node = await connect(chain, context);
  const read = wishes.map(async ({ symbol, address }) => {
    const { symbol: ownSymbol, name, decimals } = await node.token(address);
    const before = chain.tokens.find((each) => each.symbol.toLowerCase() === symbol.toLowerCase())?.address ?? null;
    const reported = { name: TerminalText.escape(name), ownSymbol: TerminalText.escape(ownSymbol) };
    return { symbol, before, after: address, decimals, ...reported };
  });
  return (await Promise.all(read)).filter(({ before, after }) => before === null || !Address.isEqual(before, after));
}

/** @throws usage.invalid · request.invalid-address */
function toTokenWish(text: string, { name, native }: Network.Chain): { symbol: string; address: Address.Address } {
  const [symbol = '', ...rest] = text.split('=');
  if (!/^[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$/.test(symbol) || rest.length !== 1)
    throw new BaseError('usage.invalid', `--token ${TerminalText.escape(text)} is not in the form symbol=address.`);
  if (symbol.toLowerCase() === native.symbol.toLowerCase())
    throw new BaseError('usage.invalid', `${native.symbol} is the native asset of ${name} and cannot be pinned.`);
  const address = Address.from(rest[0] ?? '', 'token');
  if (Address.isEqual(address, Address.native)) throw ContractChange.zeroAddress('token');
  return { symbol, address };
}

export const commands = { list, accept };
