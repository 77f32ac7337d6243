/** The types that the service's SDK has for the answers of the service. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Claim } from './compiled.js';
import type { Answer } from './sdkAnswers.js';

const declarations = fileURLToPath(
  new URL('../../node_modules/@relayprotocol/relay-sdk/_types/src/types', import.meta.url),
);

/** The types that claims may name. */
export const preamble = [
  // The SDK's own types demand of any signature what each kind has, and of a venue transfer what a transaction has.
  "type Transfer = Pick<TransactionStepItem['data'], 'action'>;",
  "type Signature = NonNullable<SignatureStepItem['data']>;",
  "type Signed = Omit<Signature, 'sign'> & { sign: Partial<Signature['sign']> };",
  `import type { paths } from '${join(declarations, 'api.js')}';`,
  `import type { Execute, SignatureStepItem, TransactionStepItem } from '${join(declarations, 'index.js')}';`,
].join('\n');

/** The name of an answer's type. */
export function typeOf({ endpoint, method, status, kind }: Answer): string {
  const type = `paths['${endpoint}']['${method}']['responses']['${status}']['content']['application/json']`;
  if (endpoint !== '/execute' || status !== 400) return type;
  // A union, whose members would lend each other their fields.
  return `${kind.startsWith('a simulation') ? 'Extract' : 'Exclude'}<${type}, { message: string }>`;
}

/** The steps of quotes and claims, as the SDK itself works with them. */
export function stepClaims(bodies: readonly unknown[]): Claim[] {
  return bodies.flatMap((body) => {
    const steps = (body as { steps?: { kind: string; items: { data: unknown }[] }[] }).steps ?? [];
    const items = steps.flatMap(({ kind, items: all }) =>
      all.map(({ data }) => ({
        value: data,
        type: kind === 'signature' ? 'Signed' : 'action' in Object(data) ? 'Transfer' : "TransactionStepItem['data']",
      })),
    );
    return steps.length === 0 ? [] : [{ value: steps, type: "Execute['steps']" }, ...items];
  });
}
