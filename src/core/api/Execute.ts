/** `POST /execute`: a raw call that the service submits on the client's behalf. Needs an API key. */
import * as z from 'zod/mini';
import * as Authorization from './schema/Authorization.js';
import * as Decode from './schema/Decode.js';
import * as Primitives from './schema/Primitives.js';
import * as SimulationFailure from './schema/SimulationFailure.js';

/** A raw call and its submission options: spec 2.1. */
export type Request = z.output<typeof request>;
/** Confirms that the call is queued, with its request id: spec 2.2. */
export type Response = z.output<typeof response>;
export type Call = z.output<typeof call>;
/** The error body if the simulated call reverts, with its call frames: spec 7. */
export type SimulationError = z.output<typeof simulationError>;

export const endpoint = { method: 'POST', path: '/execute' } as const;

const call = z.strictObject({
  to: z.optional(Primitives.address),
  /** In wei. */
  value: z.optional(z.string()),
  data: z.optional(Primitives.hex),
});

/** Fields are in the order in which the service reports missing ones. */
const data = z.strictObject({
  to: Primitives.address,
  data: Primitives.hex,
  /** In wei. */
  value: Primitives.digits,
  chainId: z.int(),
  authorizationList: z.optional(z.array(Authorization.schema).check(z.minLength(1))),
});

const destinationChainExecutionData = z.strictObject({
  calls: z.array(call).check(z.minLength(1)),
  authorizationList: z.optional(z.array(Authorization.schema).check(z.minLength(1))),
});

const executionOptions = z.strictObject({
  /** Required by the specification, optional on the live service: both are accepted. */
  referrer: z.optional(z.string()),
  subsidizeFees: z.boolean(),
  destinationChainExecutionData: z.optional(destinationChainExecutionData),
});

export const request = z.strictObject({
  executionKind: z.literal('rawCalls'),
  data,
  executionOptions,
  requestId: z.optional(z.string()),
  /** In gas units. Undocumented, but sent by existing clients. */
  originGasOverhead: z.optional(z.number()),
});

export const response = Primitives.object({ message: z.string(), requestId: Primitives.requestId });

/** The body if the simulation failed (400). Any other failure is `{ error }` alone. */
export const simulationError = Primitives.object({
  /** The error code: `DELEGATION_REDEEM_FAILED`. */
  error: z.string(),
  message: z.string(),
  requestId: z.string(),
  details: z.optional(SimulationFailure.details),
});

/** The service's 400 message for a request that does not decode: its first problem. */
export function complaint(problems: readonly Decode.Problem[]): string {
  const problem = Decode.foremost(problems);
  if (!problem) return 'invalid request';
  const field = problem.path.at(-1);
  if (problem.kind === 'missing') return `${field} is required`;
  if (field === 'authorizationList' && problem.expectation === 'at least 1 item') return `${field} cannot be empty`;
  return Decode.format(problem);
}
