/**
 * The documented statuses of a transaction at the venue. Other values are kept as received. Apart from the endpoints, whose
 * schemas a transfer that is not of the venue would make for these four numbers.
 */
export const statuses = { failed: 0, pending: 1, executed: 2, final: 3 } as const;
