/** Events that are displayed to a person and never printed under `--json`: they add nothing to the result. */
import type * as AttackReport from '../checks/AttackReport.js';
import type * as HealthCheck from '../checks/HealthCheck.js';
import type * as SmokeReport from '../checks/SmokeReport.js';
import type * as ContractChange from '../network/ContractChange.js';
import type { Event } from './Event.js';

/** Whatever a command may yield. */
export type CommandEvent = Event | DisplayEvent;

export type DisplayEvent =
  | Progress
  | ConfigProposed
  | ContractsProposed
  /** `ferry doctor` starts its checks. */
  | { type: 'checking'; network: string }
  /** `ferry config init` checked an answer. */
  | { type: 'answer-checked'; check: HealthCheck.Check }
  /** An execution of `ferry smoke` begins. */
  | { type: 'case-begun'; name: string }
  /** A case of `ferry smoke` failed before it signed anything, and is repeated. */
  | { type: 'case-again'; name: string; attempt: number; retries: number; code: string }
  /** A case of `ferry smoke` has ended. */
  | { type: 'case-ended'; result: SmokeReport.Result }
  /** An attack of `ferry demo attack` has ended. */
  | { type: 'attack-ended'; attack: AttackReport.Attacked };

/** How many quotes of a comparison or lines of a batch are done. */
export type Progress = {
  type: 'progress';
  what: 'quotes' | 'lines';
  /** Includes those that failed. */
  done: number;
  /** Undefined if the input is read from a pipe. */
  total: number | undefined;
  failed: number;
  elapsedMs: number;
};

/** What `ferry config init` is about to write; a null value removes the key. */
export type ConfigProposed = {
  type: 'config-proposed';
  path: string;
  written: readonly { key: string; value: string | null }[];
};

/** What `ferry contracts accept` is about to trust. */
export type ContractsProposed = {
  type: 'contracts-proposed';
  contracts: readonly ContractChange.ContractChange[];
  tokens: readonly {
    symbol: string;
    /** The address that the symbol meant so far; null if it was unknown. */
    before: string | null;
    after: string;
    /** The token's own symbol. */
    ownSymbol: string;
    decimals: number;
  }[];
  /** Why the chain could not be read; null if it could, or if that was not needed. */
  notLooked: string | null;
};
