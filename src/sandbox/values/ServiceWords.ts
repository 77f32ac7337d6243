/** Names of the service's own in its answers. */

/** The platform component in quotes and in requests/v2. */
export const platformWord = 'relay';

/** Whoever finds the way of a swap. */
export const routerName = 'relay';
