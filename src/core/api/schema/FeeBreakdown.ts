/**
 * Fees by component. The platform component is named by the service in its own word, so the word is data: the one
 * key that is not another component.
 */
import * as z from 'zod/mini';
import * as Primitives from './Primitives.js';

/** One component: dollars as a decimal, and the same in a token where that is told. */
export type Component = z.output<typeof component>;
/** Every component by its name, the platform’s under the service’s own word. */
export type Breakdown = z.output<typeof schema>;

/** A cost to the user is negative, what is sponsored is positive. */
export const component = Primitives.object({
  usd: z.string(),
  /** Base units, without a sign. */
  amount: z.optional(z.string()),
  amountFormatted: z.optional(z.string()),
});

/** Every component but the platform's. */
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

/** The service's word for the platform component, with the component; undefined unless there is exactly one. */
export function platform(breakdown: Breakdown): { word: string; component: Component } | undefined {
  const found = Object.entries(breakdown).flatMap(([word, value]) => {
    if ((words as readonly string[]).includes(word)) return [];
    const read = z.safeParse(component, value);
    return read.success ? [{ word, component: read.data }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
