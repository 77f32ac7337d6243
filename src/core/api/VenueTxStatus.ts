/** The documented statuses of a transaction at the venue. Other values are kept as received. */
export const statuses = { failed: 0, pending: 1, executed: 2, final: 3 } as const;
