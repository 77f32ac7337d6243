/** Names that the service uses for itself in its responses. */

/** The `platform` component in quotes and in requests/v2. */
export const platformComponent = 'relay';

/** The router named in a quote's swap details. */
export const routerName = 'relay';
