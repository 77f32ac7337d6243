/**
 * The rooms of src and what each may import. `rooms.test.ts` holds it over every import, those of types and the dynamic
 * ones included.
 */

/** Top to bottom. A room imports only rooms that stand on a line further down. */
export const order: readonly (readonly string[])[] = [
  ['index.ts', 'start.ts'],
  ['main.ts', 'complete.ts'],
  ['cli'],
  ['commands'],
  ['transfer/batches'],
  ['transfer'],
  ['setup'],
  ['io/sandbox'],
  ['io/connect', 'sandbox/service'],
  ['core/command'],
  ['core/view'],
  [
    'core/claims',
    'core/deposit',
    'core/gasless',
    'core/receipt',
    'core/withdrawal',
    'io/chain',
    'io/postgres',
    'sandbox/deposit',
    'sandbox/execute',
  ],
  ['core/execution', 'io/http', 'io/keys', 'io/runs', 'sandbox/settlement'],
  ['core/event'],
  ['core/compare', 'core/history', 'core/proof', 'io/state', 'sandbox/ledger'],
  ['core/checks', 'core/completion', 'core/fees', 'core/proof/signature', 'core/worker', 'io/locks'],
  ['core/proof/address', 'core/proof/price', 'core/proof/router', 'core/tracking', 'io/files'],
  ['sandbox/chainProxy', 'sandbox/svm', 'sandbox/venue'],
  ['core/batch', 'core/docs', 'core/quote', 'sandbox/http'],
  ['core/config', 'core/signing', 'io/terminal', 'sandbox/quote'],
  ['core/ports', 'sandbox/chain', 'sandbox/pricing'],
  ['sandbox/storage', 'sandbox/values'],
  ['core/accounts', 'core/order', 'core/trace'],
  ['core/network', 'venue'],
  ['core/text', 'core/api', 'core/api/catalog'],
  ['core/base'],
  ['core/api/schema'],
];

/** A ring: its folder, and the rooms and files outside it that it may import besides itself. */
type Ring = {
  rooms: readonly string[];
  /** Packages of all its files; `node:*` is every module of Node. */
  packages: readonly string[];
};

const pure = ['viem', 'viem/utils', 'zod/mini'];

/** What is left out may import everything. */
export const rings: Readonly<Record<string, Ring>> = {
  core: { rooms: ['venue'], packages: pure },
  venue: { rooms: ['core/base'], packages: pure },
  setup: { rooms: ['core'], packages: pure },
  transfer: { rooms: ['setup', 'core', 'venue'], packages: pure },
  commands: { rooms: ['transfer', 'setup', 'core', 'venue'], packages: pure },
  io: {
    rooms: ['core', 'venue', 'sandbox/service'],
    packages: ['node:*', 'viem', 'viem/utils', 'viem/accounts', 'viem/actions', 'zod/mini'],
  },
  // The shapes of the service and never the client's judgement: else the client would be checking itself.
  sandbox: {
    rooms: [
      ...['core/api', 'core/api/catalog', 'core/api/schema'],
      ...['Address', 'Amount', 'Errors', 'Hex', 'Usd'].map((name) => `core/base/${name}.ts`),
      ...['DevelopmentAccount', 'Network', 'sandbox'].map((name) => `core/network/${name}.ts`),
      'venue',
      // How bytes are spelled decides nothing.
      'core/order/BaseCodec.ts',
      // How a file is written whole knows nothing of its content.
      'io/files/atomicWrite.ts',
    ],
    packages: [
      'node:*',
      ...['viem', 'viem/utils', 'viem/accounts', 'viem/actions', 'zod/mini'],
      ...['hono', '@hono/node-server'],
    ],
  },
  cli: { rooms: ['commands', 'core', 'io'], packages: ['zod/mini'] },
};

/** Every other package belongs to one file. */
export const packages: Readonly<Record<string, string>> = {
  '@inquirer/prompts': 'io/terminal/prompt.ts',
  '@noble/curves/secp256k1': 'core/base/Secp256k1.ts',
  '@noble/hashes/scrypt': 'io/keys/keystoreCipher.ts',
  '@scure/base': 'core/order/BaseCodec.ts',
  chalk: 'io/terminal/style.ts',
  commander: 'cli/program.ts',
  cosmiconfig: 'io/state/configStore.ts',
  'get-east-asian-width': 'core/text/TerminalText.ts',
  ora: 'io/terminal/progress.ts',
  litesvm: 'sandbox/svm/liteSvm.ts',
  '@solana/kit': 'sandbox/svm/liteSvm.ts',
  '@solana-program/token': 'sandbox/svm/liteSvm.ts',
  ws: 'sandbox/http/webSockets.ts',
  pg: 'io/postgres/session.ts',
  undici: 'io/http/httpClient.ts',
  uqr: 'io/terminal/qrCode.ts',
};

/** The parts of viem that reach out, for rings whose packages are pure. */
export const impureViem =
  /^(create\w*(Client|Transport)|http|webSocket|fallback|custom|ipc|publicActions|walletActions)$/;
