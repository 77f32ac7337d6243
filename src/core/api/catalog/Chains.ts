/** `GET /chains`: the chains that the service supports. */
import * as z from 'zod/mini';
import * as Primitives from '../schema/Primitives.js';

export type Response = z.output<typeof response>;
/** A chain as the service describes it, unverified. */
export type Chain = z.output<typeof chain>;
/** A currency of a chain as the service describes it, unverified. */
export type ChainCurrency = z.output<typeof currency>;

export const endpoint = { method: 'GET', path: '/chains' } as const;

export const query = z.strictObject({
  /** Comma-separated chain ids. */
  includeChains: z.optional(z.string()),
});

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());

/** A currency and the features that the service supports for it. The fees are floats and never used as money. */
const currency = Primitives.object({
  id: text,
  symbol: z.string(),
  name: text,
  address: text,
  decimals: z.nullish(Primitives.decimals),
  supportsBridging: flag,
  supportsPermit: flag,
  withdrawalFee: z.nullish(z.number()),
  depositFee: z.nullish(z.number()),
  surgeEnabled: flag,
  metadata: z.nullish(Primitives.object({ logoURI: text, verified: flag, isNative: flag })),
});

const currencies = z.nullish(z.array(currency));

const contracts = Primitives.object({
  multicall3: text,
  erc20Router: text,
  approvalProxy: text,
  v3: z.nullish(Primitives.object({ erc20Router: text, approvalProxy: text })),
});

const chain = Primitives.object({
  id: z.int(),
  name: z.string(),
  displayName: text,
  httpRpcUrl: text,
  wsRpcUrl: text,
  explorerUrl: text,
  explorerName: text,
  explorerPaths: z.nullish(Primitives.object({ transaction: text, address: text, token: text })),
  depositEnabled: flag,
  /** `All` or `Limited`. */
  tokenSupport: text,
  disabled: flag,
  partialDisableLimit: z.nullish(z.number()),
  blockProductionLagging: flag,
  currency: z.nullish(currency),
  withdrawalFee: z.nullish(z.number()),
  depositFee: z.nullish(z.number()),
  surgeEnabled: flag,
  featuredTokens: currencies,
  erc20Currencies: currencies,
  solverCurrencies: currencies,
  iconUrl: text,
  logoUrl: text,
  contracts: z.nullish(contracts),
  /** `evm`, `lvm`, `svm` and so on. */
  vmType: text,
  baseChainId: z.nullish(z.int()),
  statusMessage: text,
  solverAddresses: z.nullish(z.array(z.string())),
  tags: z.nullish(z.array(z.string())),
  protocol: z.nullish(
    Primitives.object({
      v2: z.nullish(
        Primitives.object({
          /** The chain's name in the order protocol. */
          chainId: text,
          depository: text,
          depositoryVault: text,
        }),
      ),
    }),
  ),
});

export const response = Primitives.object({ chains: z.array(chain) });
