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
/** The same as a client takes it: any component may be missing. */
export type Received = z.output<typeof received>;

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

const text = Primitives.receivedText;

/** A component as a client takes it. */
const componentReceived = Primitives.object({ usd: text, amount: text, amountFormatted: text });

const one = z.nullish(componentReceived);

/** A breakdown as a client takes it. */
export const received = z.catchall(
  z.object({ swap: one, execution: one, app: one, sponsored: one, rent: one }),
  z.unknown(),
);

/** A component that is known by its dollars, since its name is not known. */
const priced = Primitives.object({ ...componentReceived.shape, usd: Primitives.decimalText });

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
