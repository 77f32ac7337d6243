/** The pages of the help topics. Each is a document as a value, rendered for a terminal, a man page or Markdown. */
import type * as QuoteV2 from '../api/QuoteV2.js';
import * as Errors from '../base/Errors.js';
import * as ExitCode from '../base/ExitCode.js';
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import type { Network } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import { docs } from './SettingDocs.js';

export type Document = readonly Section[];

export type Section = readonly [title: string, ...Block[]];

export type Block =
  /** A paragraph. */
  | string
  /** A definition list. */
  | { terms: readonly (readonly [term: string, meaning: string])[] }
  /** Preformatted lines: commands, JSON. */
  | { lines: readonly string[] };

export function exitCodes(): Document {
  const exits = Object.entries(ExitCode.meanings);
  return [
    [
      'Exit codes',
      'The exit code says where the money is:',
      { terms: exits },
      'If a command has several results, the worst for you decides: 10, 8, 9, 7, 6, then the rest. With --no-wait, 0 means sent. Ctrl-C ends the process by its signal, which a shell reports as 130; at a question it declines, with 11.',
      'Every failure also has an error code, printed after its message and as error.code with --json. If it is marked retryable, you can safely repeat the same command. The funds are untouched unless stated otherwise, here or by the error itself: if it is about an earlier transfer, it says what is known of that one, and may say unknown with any exit code.',
    ],
    ...exits.flatMap(([exit, meaning]) => ofExit(Number(exit), meaning)),
  ];
}

function ofExit(exit: number, meaning: string): Section[] {
  const codes = Errors.entries().filter(([, entry]) => entry.exit === exit);
  if (codes.length === 0) return [];
  const terms = codes.map(([code, entry]) => [code, codeInWords(entry)] as const);
  return [[`Exit ${exit}, ${meaning}`, { terms }]];
}

function codeInWords({ docs, retryable, funds }: Errors.Entry): string {
  const notes = [...(funds === 'untouched' ? [] : [`funds: ${funds}`]), ...(retryable ? ['retryable'] : [])];
  return notes.length > 0 ? `${docs} (${notes.join(', ')})` : docs;
}

/** Variables of terminal and system conventions. */
const foreign: readonly (readonly [variable: string, meaning: string])[] = [
  ['NO_COLOR', 'disables color'],
  ['FORCE_COLOR', 'enables color even if the output is not a terminal; 0 disables it'],
  ['CLICOLOR_FORCE', 'like FORCE_COLOR; NO_COLOR and FORCE_COLOR take precedence'],
  ['TERM', 'dumb disables color, links and animation'],
  ['NO_HYPERLINKS', 'disables links in the terminal'],
  ['FORCE_HYPERLINK', 'enables links even if the terminal is not known to support them'],
  ['PAGER', 'shows help that is longer than the terminal'],
  ['CI', 'disables prompts: every answer must be given as a flag'],
  ['HTTP_PROXY', 'the proxy for http; not used for loopback addresses'],
  ['HTTPS_PROXY', 'the proxy for https'],
  ['NO_PROXY', 'hosts to connect to without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'a file of certificates to trust in addition to those of Node'],
  ['XDG_CONFIG_HOME', 'base directory of the configuration, in its subdirectory ferry (default: ~/.config)'],
  ['XDG_CACHE_HOME', 'base directory of compiled code, in its subdirectory ferry (default: ~/.cache)'],
  ['XDG_STATE_HOME', 'base directory of journals and the sandbox, in its subdirectory ferry (default: ~/.local/state)'],
  ['XDG_DATA_HOME', 'base directory for ferry completion install (default: ~/.local/share)'],
  ['SHELL', 'the shell for ferry completion install, if none is named'],
];

export function environment(): Document {
  return [
    [
      'Environment',
      'A flag overrides a variable, which overrides the project file, which overrides your own file. An empty variable counts as unset. ferry config list prints every value with its source. ferry warns about unknown variables that start with FERRY_.',
    ],
    [
      'Settings',
      {
        terms: SettingDefinitions.properties.map((property) => {
          const definition = SettingDefinitions.definitions[property] as SettingDefinitions.Definition;
          return [definition.env, `${docs[property]}${defaultOf(definition)}`] as const;
        }),
      },
      {
        terms: [
          [
            `${SettingDefinitions.rpcUrlPrefix}<CHAIN>`,
            `the RPC URL of a chain of the network in use: ${SettingDefinitions.rpcUrlVariable('base-sepolia')} for base-sepolia`,
          ],
          [
            `${SettingDefinitions.rpcUrlsPrefix}<CHAIN>`,
            'further nodes of the chain, separated by commas: asked if the first does not answer, and as witnesses',
          ],
        ],
      },
    ],
    ['Places', { terms: Object.entries(SettingDefinitions.places) }],
    ['Terminal and system', { terms: foreign }],
    [
      'Set by ferry sandbox exec',
      {
        terms: [
          ['FERRY_SANDBOX_URL', 'the service'],
          ['FERRY_SANDBOX_WS_URL', 'its WebSocket of statuses'],
          ['FERRY_SANDBOX_VENUE_CHAIN_ID', 'the chain id that signatures for the venue are bound to'],
          ['FERRY_SANDBOX_VENUE_URL', 'the venue'],
          ['FERRY_SANDBOX_API_KEY', 'its API key, which is no secret'],
          ['FERRY_SANDBOX_REFERRER', 'the referrer that it knows the key by'],
          ['ALPHA_RPC_URL, BETA_RPC_URL', 'the chains; ETH_RPC_URL is the first'],
          ['ALPHA_CHAIN_ID, BETA_CHAIN_ID, LIGHTER_CHAIN_ID', 'their ids, and the venue’s'],
          ['ALPHA_USDC, BETA_USDC, …', 'the addresses of their tokens: ETH, WETH, USDC, USDT, DAI, GULL, KELP'],
          ['LIGHTER_USDC', 'the venue’s currency'],
          ['SVM_RPC_URL, SVM_CHAIN_ID, SVM_SOL, SVM_USDC', 'the chain svm and its tokens, if litesvm is installed'],
        ],
      },
    ],
  ];
}

function defaultOf({ format, initial }: SettingDefinitions.Definition): string {
  const shown = format.show(initial);
  return shown === undefined ? '' : ` (default: ${shown})`;
}

const success = '{"schema":"ferry.config-get/1","ok":true,"network":"sandbox","data":{…},"warnings":[]}';

const failure = [
  '{"schema":"ferry.error/1","ok":false,"network":"sandbox","error":{',
  '  "code":"service.unreachable","message":"…","facts":{…},',
  '  "hint":"…","next":"ferry sandbox start",',
  '  "retryable":true,"funds":"untouched","exit":3}}',
];

export function json(): Document {
  return [
    [
      'JSON',
      'With --json, stdout is one document on one line, whether the command succeeds, fails or is mistyped; nothing else is ever written to stdout. Help alone stays text. The exit code is the same as without --json.',
      { lines: [success] },
      'A failure, here wrapped for readability:',
      { lines: failure },
      {
        terms: [
          ['schema', 'the type of the document; the number increases when the meaning of a field changes'],
          ['network', 'the network in use; null if the command failed before it was known'],
          ['data', 'the result: ferry schema <command> prints its JSON Schema'],
          ['warnings', 'the warnings that are also printed on stderr'],
          ['error.code', 'ferry help exit-codes lists them'],
          ['error.next', 'the command to type next, or null'],
          ['error.retryable', 'whether the same command can safely be repeated'],
          ['error.funds', 'untouched, in-flight, returned, held, delivered or unknown'],
        ],
      },
      'An error has run, requestId, txHash, httpStatus and trace if they are known. Token amounts are strings of digits in base units; a formatted field next to one is the same amount in whole tokens.',
    ],
    [
      'Streams',
      'Commands that follow a transfer (execute, resume, status --watch and others) print one line of JSON per event, with the schema ferry.event/1 and a type; ferry schema event prints the JSON Schema of each type. The last line is the envelope: tail -n 1 is the result.',
      'A batch prints an event of the type result for each of its lines, with id, ok, error, and data as the command would print it for that transfer alone. A ledger (--out) contains the same lines. An event of the type service says that the service has stopped answering or answers again, one of the type held-up which line holds back the results of later ones.',
    ],
    [
      'Schemas and fields',
      'With --fields, data has only the given fields; in a batch, this applies to the data of each line: requestId,minimum.amount. A field of a list selects that field of each member. --fields implies --json.',
      {
        lines: [
          'ferry schema quote',
          'ferry schema error',
          'ferry schema event',
          'ferry quote 100 alpha/usdc beta/usdc --json | jq .data',
        ],
      },
    ],
  ];
}

export async function networks(): Promise<Document> {
  const shipped = await NetworkRegistry.all();
  return [
    [
      'Networks',
      'A network is a deployment of the service with the chains it supports. Select one with --network, FERRY_NETWORK or the network setting; the default is the sandbox. All output names its network.',
      { terms: shipped.map((network) => [network.name, networkInWords(network)] as const) },
      'A project file may only select a network that moves no real money. ferry chains lists the chains of the network in use, ferry tokens the tokens that have a symbol.',
    ],
    ...shipped.map(
      ({ name, chains }) =>
        [`Chains of ${name}`, chains.map((chain) => `${chain.name} (${chain.id})`).join(', ')] as const,
    ),
    [
      'Networks of your own',
      'Any other name with a base URL is also a network, which counts as moving real money by default. Of the shipped chains it has those that you name, or mainnet’s if you name none. These settings, in your own configuration file, also override those of the shipped networks:',
      {
        terms: [
          ...rows('networks.<name>', SettingDefinitions.networkFormats),
          ...rows('networks.<name>.chains.<chain>', SettingDefinitions.chainFormats),
          ...rows('networks.<name>.venue', SettingDefinitions.venueFormats),
        ],
      },
      'A chain that ferry does not ship is added to the others of its network. It needs id, vm, nativeSymbol and nativeDecimals, which have no default, and its contracts must be accepted (ferry contracts accept). Of a shipped chain, only the URLs can be changed.',
      {
        lines: [
          'ferry config set networks.local.baseUrl http://localhost:4000',
          'ferry config set networks.local.realMoney false',
          'ferry chains --network local',
        ],
      },
      'An API key belongs to the origin that it was configured for and is never sent to another. With several (apiKey and apiKeys), each request goes out with the one that has room within its limits; all processes that use a key share its limits. A key that the service refuses while it accepts another is set aside for ten minutes. A referrer must belong to each of them.',
    ],
  ];
}

function networkInWords({ baseUrl, realMoney, chains, venue }: Network): string {
  const where = baseUrl ?? 'on this machine, started on demand';
  const money = realMoney ? 'moves real money' : 'no real money';
  return `${where}; ${chains.length} chains${venue ? ' with the venue' : ''}, ${money}`;
}

function rows(at: string, formats: Readonly<Record<string, { expects: string }>>): (readonly [string, string])[] {
  return Object.entries(formats).map(([key, { expects }]) => [`${at}.${key}`, expects] as const);
}

/** The options of ferry quote and ferry execute that set a parameter, or why none does. */
export type Parameter =
  | { options: readonly string[]; note?: string }
  /** Sent by itself, where the transfer needs it. */
  | { sent: string }
  | { why: string };

const solana = 'it is about Solana as the origin, where ferry signs nothing';
const sources =
  'what a swap does is proved from its calls, whoever makes it, so that a list of exchanges makes nothing safer; a loss is limited by --slippage, --min-out and --max-impact';

/** By the names of the service. */
export const parameters: Readonly<Record<keyof QuoteV2.Request, Parameter>> = {
  user: { options: ['--account'] },
  originChainId: { sent: 'the chain of the currency to pay' },
  destinationChainId: { sent: 'the chain of the currency to receive' },
  originCurrency: { sent: 'the currency to pay' },
  destinationCurrency: { sent: 'the currency to receive' },
  tradeType: { options: ['--exact-output', '--expected-output'], note: 'by default the input is exact' },
  amount: { sent: 'the amount' },
  recipient: { options: ['--recipient'] },
  refundTo: { options: ['--refund-to'], note: 'always sent: without it the service refunds nothing by itself' },
  recoveryAddress: {
    why: 'it may take what lies at an open deposit address; a strict one refunds by its order, to --refund-to',
  },
  referrer: { options: ['--referrer'] },
  referrerAddress: { why: 'no check can show what it does; --referrer names who sent the transfer' },
  appFees: { options: ['--app-fee'] },
  txs: { options: ['--call', '--calls'] },
  txsGasLimit: {
    why: 'the service estimates the gas of the calls, and a limit that is too low would only have the transfer refunded',
  },
  authorizationList: {
    why: 'an order does not bind it, so that nothing shows which of them are executed. A raw call has them: --destination-authorization of ferry execute call',
  },
  additionalData: { why: 'it is about Bitcoin as the origin, where ferry signs nothing' },
  gasLimitForDepositSpecifiedTxs: {
    why: 'it is about calls within the deposit; ferry makes calls on the destination alone, where an order binds them',
  },
  originGasOverhead: { sent: 'what a batch costs beyond its calls, with --gasless' },
  slippageTolerance: { options: ['--slippage'] },
  latePaymentSlippageTolerance: {
    why: 'it loosens the minimum of a payment that comes after its deadline, which no order binds; ferry sends no late payment',
  },
  topupGas: { options: ['--gas-topup'] },
  topupGasAmount: { options: ['--gas-topup'] },
  enableTrueExactOutput: {
    why: 'it gives the surplus of an exact output to the solver; without it the recipient has it',
  },
  indicativeQuote: { why: 'its answer cannot be paid or proved; ferry quote proves a whole one, and signs nothing' },
  fixedRate: {
    why: 'the order binds the minimum in any case, and a rate says nothing about fees; --min-out and --exact-output hold the result',
  },
  ttl: {
    why: 'no order binds it: it is the service’s word alone. The order’s own deadline is checked, and --timeout limits how long ferry follows',
  },
  overridePriceImpact: { why: 'it switches a protection off; --max-impact is the limit here' },
  refundOnOrigin: { why: 'it is deprecated: an order refunds on the origin chain, which ferry checks' },
  explicitDeposit: {
    why: 'without it the deposit is a bare token transfer, whose order id no contract reads; ferry proves deposits by the depository’s own event',
  },
  usePermit: { options: ['--permit'] },
  permitExpiry: { why: 'the service’s ten minutes are used, and checked in what is signed' },
  useDepositAddress: { sent: 'with --deposit-address of ferry execute' },
  strict: { sent: 'with --deposit-address; version 2 of the request ignores it, so the answer is proved to be strict' },
  includeProtocolData: { sent: 'where the network names its solver, whose signature is then checked' },
  protocolVersion: { why: 'the request itself is of version 2, and ferry proves no other' },
  subsidizeFees: { options: ['--sponsor'] },
  sponsoredFeeComponents: { options: ['--sponsor'] },
  maxSubsidizationAmount: { options: ['--max-sponsored-usd'] },
  subsidizationBps: { why: 'a share of each component is not checked yet; --max-sponsored-usd limits the whole' },
  subsidizeRent: { why: 'it is deprecated: --sponsor takes rent' },
  useExternalLiquidity: {
    why: 'it is not known what binds the result of a bridge of others, and nothing is signed on its word',
  },
  useFallbacks: { why: 'it is not known what binds the result of a fallback route, and nothing is signed on its word' },
  forceSolverExecution: {
    why: 'a transfer on one chain is then filled later, by an order, instead of at once in the account’s own transaction, whose whole effect is simulated',
  },
  includedSwapSources: { why: sources },
  excludedSwapSources: { why: sources },
  includedOriginSwapSources: { why: sources },
  includedDestinationSwapSources: { why: sources },
  disableSwapProviderPreference: { why: sources },
  disableOriginSwaps: { why: 'the swap before a deposit is proved like any other; to avoid it, pay what needs none' },
  depositFeePayer: { why: solana },
  maxRouteLength: { why: solana },
  useSharedAccounts: { why: solana },
  includeComputeUnitLimit: { why: solana },
};

export function quoteParameters(): Document {
  const all = Object.entries(parameters);
  return [
    [
      'Parameters of a quote',
      'The parameters of the service’s quote request (POST /quote/v2), and the options of ferry quote and ferry execute that set them. An option exists where the answer can be held to it.',
      {
        terms: all.flatMap(([name, each]) =>
          'options' in each
            ? [[name, `${each.options.join(', ')}${each.note === undefined ? '' : `; ${each.note}`}`] as const]
            : 'sent' in each
              ? [[name, each.sent] as const]
              : [],
        ),
      },
    ],
    [
      'Not offered',
      'Parameters that ferry never sends, and why.',
      { terms: all.flatMap(([name, each]) => ('why' in each ? [[name, each.why] as const] : [])) },
    ],
  ];
}
