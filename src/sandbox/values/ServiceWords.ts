/** Names that the service uses for itself in its responses. */

/** The `platform` component in quotes and in requests/v2. */
export const platformComponent = 'relay';

/** The routers named in a quote's swap details: without a swap, of an exchange, of wrapping. */
export const routerNames = { none: 'relay', pools: 'kyberswap', wrap: 'weth' } as const;
