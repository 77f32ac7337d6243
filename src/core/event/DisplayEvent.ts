/** Events that are displayed to a person and never printed under `--json`: they add nothing to the result. */
import type * as HealthCheck from '../checks/HealthCheck.js';
import type * as SmokeReport from '../checks/SmokeReport.js';
import type * as ContractChange from '../network/ContractChange.js';

export type DisplayEvent =
  /** How many quotes of a comparison or lines of a batch are done. */
  | {
      type: 'progress';
      what: 'quotes' | 'lines';
      /** Includes those that failed. */
      done: number;
      /** Undefined while the input is still being read. */
      total: number | undefined;
      failed: number;
      elapsedMs: number;
    }
  /** `ferry doctor` starts its checks. */
  | { type: 'checking'; network: string }
  /** `ferry config init` checked an answer. */
  | { type: 'answer-checked'; check: HealthCheck.Check }
  /** What `ferry config init` is about to write; a null value removes the key. */
  | { type: 'config-proposed'; path: string; written: readonly { key: string; value: string | null }[] }
  /** What `ferry contracts accept` is about to trust. */
  | {
      type: 'contracts-proposed';
      contracts: readonly ContractChange.Proposal[];
      tokens: readonly TokenChange[];
      /** Why the chain could not be read; null if it could, or if it was not needed. */
      notLooked: string | null;
    }
  /** An execution of `ferry smoke` begins. */
  | { type: 'case-begun'; name: string }
  /** A case of `ferry smoke` failed before it signed anything, and is repeated. */
  | { type: 'case-again'; name: string; attempt: number; retries: number; code: string }
  /** A case of `ferry smoke` has ended. */
  | { type: 'case-ended'; result: SmokeReport.Result };

/** A token symbol that is about to be pinned. */
export type TokenChange = {
  symbol: string;
  /** The address that the symbol meant so far; null if it was unknown. */
  before: string | null;
  after: string;
  /** The token's own symbol. */
  ownSymbol: string;
  decimals: number;
};
