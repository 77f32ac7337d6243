/** The types that the service's SDK has for the answers of the service, and what answers have and lack of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Claim } from './compiled.js';
import type { Answer } from './sdkAnswers.js';
import * as TypeTree from './typeTree.js';

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

const tree = TypeTree.fromInterface(readFileSync(join(declarations, 'api.d.ts'), 'utf8'), 'paths');

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

/**
 * What no answer has, as rows of a table: of each endpoint the fields and literals of its types, with the status if that
 * is not 200, or the status alone if nothing was answered with it; and the endpoints that have no answer. Reasons of
 * failures are left out: a fault may name any.
 */
export function neverAnswered(answers: readonly Answer[]): string[] {
  const rows: string[] = [];
  const unanswered: string[] = [];
  for (const [endpoint, methods] of fieldsOf(tree)) {
    const mine = answers.filter((each) => each.endpoint === endpoint);
    if (mine.length === 0) unanswered.push(endpoint);
    const [method] = fieldsOf(methods);
    if (mine.length === 0 || !method) continue;
    const lacking = fieldsOf(TypeTree.at(method[1], 'responses')).flatMap(([code]) => {
      const found = mine.filter(({ status }) => String(status) === code);
      const [first] = found;
      if (!first) return [code];
      const values = found.map(({ body }) => body);
      const absent = TypeTree.absent(treeOf(first), values).filter((each) => !/[fF]ailReason/.test(each));
      return joined(absent).map((each) => (code === '200' ? each : `${code} ${each}`));
    });
    if (lacking.length > 0) rows.push(row(endpoint, lacking));
  }
  return [...rows, row('no answer at all', unanswered)];
}

function row(name: string, cells: readonly string[]): string {
  return `| ${name.startsWith('/') ? `\`${name}\`` : name} | ${cells.map((each) => `\`${each}\``).join(', ')} |`;
}

/** Paths that differ in one fee or in one share of it alone, as one with `*` in its place. */
function joined(paths: readonly string[]): string[] {
  const fees = /\.components\.(execution|swap|relay|platform|app|rent)\.(total|sponsored|userPays)\./;
  return [...new Set(paths.map((path) => path.replace(fees, '.components.*.*.')))];
}

function fieldsOf(type: TypeTree.Tree): [string, TypeTree.Tree][] {
  return type.kind === 'object' ? [...type.fields].map(([name, field]) => [name, field.type]) : [];
}

function treeOf({ endpoint, method, status }: Answer): TypeTree.Tree {
  return TypeTree.at(tree, endpoint, method, 'responses', String(status), 'content', 'application/json');
}
