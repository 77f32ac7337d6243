/** The fee components that an integrator pays, and how much of each. */
import * as z from 'zod/mini';
import * as CurrencyAmount from './CurrencyAmount.js';
import * as Primitives from './Primitives.js';

export type FeeSponsorship = z.output<typeof schema>;
export type Phase = z.output<typeof phase>;
export type Component = z.output<typeof component>;
/** The same as a client takes them. */
export type Received = z.output<typeof received>;
export type PhaseReceived = z.output<typeof phaseReceived>;

export const component = Primitives.object({
  selected: z.boolean(),
  total: CurrencyAmount.brief,
  sponsored: CurrencyAmount.brief,
  userPays: CurrencyAmount.brief,
});

export const phase = Primitives.object({
  selectedComponents: z.array(z.string()),
  /** Millionths of a dollar. */
  maxSubsidizationAmount: z.nullish(z.string()),
  subsidizationBps: z.nullish(z.number()),
  capHit: z.optional(z.boolean()),
  /** By component name, including the platform's. */
  components: z.record(z.string(), component),
  sponsoredTotal: CurrencyAmount.brief,
  userPaysTotal: CurrencyAmount.brief,
  /** The amount charged to the sponsor, once charged. */
  sponsorPayment: z.nullish(
    Primitives.object({
      amount: z.optional(z.string()),
      address: z.optional(z.string()),
      chainId: z.optional(z.int()),
    }),
  ),
});

export const schema = Primitives.object({
  quoted: z.nullish(phase),
  actual: z.nullish(phase),
  currency: z.nullish(CurrencyAmount.briefCurrency),
});

const amount = z.nullish(CurrencyAmount.briefReceived);

const phaseReceived = Primitives.object({
  capHit: z.nullish(z.boolean()),
  components: z.nullish(
    z.record(z.string(), z.nullish(Primitives.object({ total: amount, sponsored: amount, userPays: amount }))),
  ),
  sponsoredTotal: amount,
  userPaysTotal: amount,
});

/** The sponsorship of a record as a client takes it. */
export const received = Primitives.object({ quoted: z.nullish(phaseReceived), actual: z.nullish(phaseReceived) });
