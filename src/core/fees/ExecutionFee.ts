/** What the execution component of a bill consists of: the solver's flat fee and its gas, as far as there is either. */

/** The flat part of every execution fee, in millionths of a dollar. */
const flatUsd = 20_000n;

export type ExecutionFee = {
  /** In millionths of a dollar, negative if the user pays. */
  flat: bigint;
  gas: bigint;
};

/** The parts of an execution fee. Undefined if it is less than the flat fee, as without a solver. */
export function partsOf(execution: bigint): ExecutionFee | undefined {
  return execution > -flatUsd ? undefined : { flat: -flatUsd, gas: execution + flatUsd };
}

/** Where the solver's gas is paid. A transfer without gas of one's own has it on the origin too. */
export function gasInWords(isGasless: boolean | undefined): string {
  return isGasless ? 'gas on the destination and the origin' : 'gas on the destination';
}

/** What the fee is for: `the flat fee`, `the flat fee and gas on the destination`. */
export function inWords(execution: bigint, isGasless: boolean | undefined): string {
  if (execution === 0n) return 'none: no solver takes part';
  const parts = partsOf(execution);
  if (!parts) return 'what the service takes to execute it';
  return parts.gas === 0n ? 'the flat fee' : `the flat fee and ${gasInWords(isGasless)}`;
}
