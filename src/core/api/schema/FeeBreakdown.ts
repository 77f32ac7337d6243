/**
 * Fees by component. The service names the platform component itself, so its name is data: it is the one key that is
 * not a known component.
 */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** One fee component in dollars, as a decimal, and in a token if known. */
export type Component = z.output<typeof component>;
/** Every component by name; the platform component is under the name that the service gives it. */
export type Breakdown = z.output<typeof schema>;

/** A cost to the user is negative, a sponsored amount positive. */
export const component = Primitives.object({
  usd: z.string(),
  /** In base units, unsigned. */
  amount: z.optional(z.string()),
  amountFormatted: z.optional(z.string()),
});

/** The names of all components except the platform's. */
export const words = ['swap', 'execution', 'app', 'sponsored', 'rent'] as const;

export const schema = z.catchall(
  z.object({
    swap: component,
    execution: component,
    app: z.optional(component),
    sponsored: z.optional(component),
    rent: z.optional(component),
  }),
  z.unknown(),
);

/** The platform component and the service's name for it; undefined unless exactly one key qualifies. */
export function platform(breakdown: Breakdown): { word: string; component: Component } | undefined {
  const found = Object.entries(breakdown).flatMap(([word, value]) => {
    if ((words as readonly string[]).includes(word)) return [];
    const read = z.safeParse(component, value);
    return read.success ? [{ word, component: read.data }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
