/** The port to the faults of the sandbox in use. */

/** A fault, by `kind`; the sandbox checks it. */
export type Fault = Readonly<Record<string, unknown>>;

/** Adds faults, and clears those that were added here. */
export type FaultControl = {
  /** @param place the service, or a chain by its name @throws sandbox.start if there is no sandbox that takes it */
  add(place: string, fault: Fault): Promise<void>;
  /** Clears them all; also after Ctrl-C. */
  clear(): Promise<void>;
};
