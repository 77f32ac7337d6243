/**
 * Fees by component. The service names the platform component itself, so its name is data: it is the one key that is
 * not a known component.
 */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** Fees by component; any may be missing. The platform component is under the name that the service gives it. */
export type Received = z.output<typeof received>;

/** The names of all components except the platform's. */
export const words = ['swap', 'execution', 'app', 'sponsored', 'rent'] as const;

const text = Primitives.receivedText;

/** A component in dollars, and in base units of a token, unsigned. A cost to the user is negative. */
const component = Primitives.object({ usd: text, amount: text, amountFormatted: text });

const one = z.nullish(component);

export const received = z.catchall(
  z.object({ swap: one, execution: one, app: one, sponsored: one, rent: one }),
  z.unknown(),
);

/** A component that is known by its dollars, since its name is not known. */
const priced = Primitives.object({ ...component.shape, usd: Primitives.decimalText });

type Priced = z.output<typeof priced>;

/** The platform component and the service's name for it; undefined unless exactly one key qualifies. */
export function platform(breakdown: Received): { word: string; component: Priced } | undefined {
  const found = Object.entries(breakdown).flatMap(([word, value]) => {
    if ((words as readonly string[]).includes(word)) return [];
    const read = z.safeParse(priced, value);
    return read.success ? [{ word, component: read.data }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
