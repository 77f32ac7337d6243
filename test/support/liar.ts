/**
 * An attacker who alters an answer and then makes the rest consistent: the order id, the data that carries it, repeated
 * amounts and the solver's signature. Only a comparison with the request can detect such an answer.
 */

import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { OrderData } from '../../src/core/api/schema/OrderData.js';
import * as OrderId from '../../src/sandbox/quote/OrderId.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { attacker, type Mutant } from './mutations.js';
import { get, type Place, places, put } from './places.js';
import { depositAll, metadataOf, witnessHash } from './routerCalldata.js';
import type { Specimen } from './specimens.js';

/** The lies a mutant can be made into, by changing every value of the same meaning, or every equal value. */
export async function lies(specimen: Specimen, mutant: Mutant): Promise<unknown[]> {
  const all = [mutant.answer, ...followed(specimen, mutant)];
  const fitting = await Promise.all(all.map((answer) => fitted(specimen, answer)));
  return [...new Map(fitting.map((answer) => [JSON.stringify(answer), answer])).values()];
}

/** Recomputes the order id, replaces the old one everywhere, and signs it as the solver named in the order. */
async function fitted(specimen: Specimen, answer: unknown): Promise<unknown> {
  const order = 'protocol.v2.orderData';
  if (get(answer, order) === get(specimen.answer, order)) return answer;
  const old = get(specimen.answer, 'protocol.v2.orderId');
  const id = orderId(get(answer, order));
  if (typeof old !== 'string' || id === undefined) return answer;
  const renamed: unknown = bound(
    JSON.parse(JSON.stringify(answer).replaceAll(old.slice(2), id.slice(2))),
    specimen.answer,
  );
  const signed = get(renamed, 'protocol.v2.orderSignature');
  if (signed === undefined || signed !== get(specimen.answer, 'protocol.v2.orderSignature')) return renamed;
  return put(renamed, 'protocol.v2.orderSignature', await signature(renamed, id));
}

/** With the nonce of an authorization to the approval proxy recomputed, if the alteration left it alone. */
function bound(answer: unknown, honest: unknown): unknown {
  const nonce = 'steps.0.items.0.data.sign.value.nonce';
  const [before, after] = [nonceOf(honest), nonceOf(answer)];
  return before && after && get(answer, nonce) === before ? put(answer, nonce, after) : answer;
}

/** The nonce of an authorization for the deposit that an answer's order asks for; undefined if it has none. */
function nonceOf(answer: unknown): Hex | undefined {
  const at = (place: string): Hex => get(answer, place) as Hex;
  if (get(answer, 'steps.0.items.0.data.sign.primaryType') !== 'ReceiveWithAuthorization') return undefined;
  try {
    const router: Hex = `0x${at('protocol.v2.orderData.inputs.0.refunds.0.extraData').slice(-40)}`;
    const deposit = depositAll({
      router,
      depository: at('protocol.v2.paymentDetails.depository'),
      depositor: at('details.sender'),
      token: at('details.currencyIn.currency.address'),
      id: at('protocol.v2.orderId'),
    });
    const { solver, relayer } = accounts;
    return witnessHash({
      relayer: relayer.address,
      refundTo: solver.address,
      nftRecipient: solver.address,
      metadata: metadataOf(at('requestId')),
      calls: [deposit],
    });
  } catch {
    return undefined;
  }
}

/** The attacker's own signature if the order names the attacker. Others cannot be forged, and a quote may have none. */
async function signature(answer: unknown, id: `0x${string}`): Promise<string | undefined> {
  const solver = String(get(answer, 'protocol.v2.orderData.solver'));
  if (solver.toLowerCase() !== attacker.address.toLowerCase()) return undefined;
  return privateKeyToAccount(attacker.privateKey).signMessage({ message: { raw: id } });
}

/** The EIP-712 hash of an order; undefined if it is not an order. */
export function orderId(orderData: unknown): Hex | undefined {
  try {
    return OrderId.from(orderData as OrderData);
  } catch {
    return undefined;
  }
}

/** Places with the same meaning in an honest answer. */
const meanings: readonly RegExp[] = [
  /^details\.sender$|\.data\.from$|depositor$|value\.(from|owner)$/,
  /^details\.recipient$|payments\.0\.recipient$|refunds\.1\.recipient$|transfer\.to$|data\.to$/,
  /refunds\.0\.recipient$|details\.sender$/,
  /currencyIn\.amount$|payment\.amount$|paymentDetails\.amount$|\.amount$|data\.value$|value\.value$|dMulticall/,
  /currencyOut\.amount$|expectedAmount$/,
  /currencyOut\.minimumAmount$|payments\.0\.minimumAmount$/,
  /currencyIn\.currency\.address$|payment\.currency$|refunds\.0\.currency$|paymentDetails\.currency$|\.token$|data\.to$|verifyingContract$|dMulticall/,
  /currencyOut\.currency\.address$|payments\.0\.currency$|refunds\.1\.currency$/,
  /currencyIn\.currency\.chainId$|data\.chainId$|payment\.chainId$|refunds\.0\.chainId$|paymentDetails\.chainId$|domain\.chainId$/,
  /currencyOut\.currency\.chainId$|output\.chainId$|refunds\.1\.chainId$/,
  /depository$|data\.to$|spender$|value\.to$|toAccountIndex$/,
  /requestId$/,
  /deadline$/,
  /extraData$/,
];

/** The new value at every place with the same meaning, and at every place with an equal value. */
function followed(specimen: Specimen, { at, before, after, answer }: Mutant): unknown[] {
  const [old, now] = [before, after].map((value) => canonical(value, specimen));
  if (old === undefined || now === undefined || !isNumber(old) || !isNumber(now)) return [];
  if (/^0x[0-9a-f]{64}$/i.test(String(before)))
    return [JSON.parse(JSON.stringify(answer).replaceAll(String(before), String(after)))];
  const meaning = meanings.filter((names) => names.test(at));
  const all = spelling(specimen).get(old) ?? [];
  const same = all.filter((place) => meaning.some((names) => names.test(place.at)));
  const changed = (places: readonly Place[]): unknown =>
    places.reduce((each, place) => put(each, place.at, spelt(after, place.value, specimen)), answer);
  const lies = same.length > 1 ? [changed(same)] : [];
  return all.length > same.length && old.length > 4 ? [...lies, changed(all)] : lies;
}

/** The places of an honest answer by their value. */
function spelling(specimen: Specimen): ReadonlyMap<string, readonly Place[]> {
  const known = spellings.get(specimen) ?? new Map<string, Place[]>();
  if (known.size === 0)
    for (const place of places(specimen.answer)) {
      const key = canonical(place.value, specimen);
      known.set(key, [...(known.get(key) ?? []), place]);
    }
  spellings.set(specimen, known);
  return known;
}

const spellings = new WeakMap<Specimen, Map<string, Place[]>>();

/** A canonical form of a value in any spelling: a number, digits, an address, a word of calldata, a chain's slug. */
function canonical(value: unknown, { network }: Specimen): string {
  if (typeof value === 'object' || value === undefined) return 'nothing';
  const text = String(value).toLowerCase();
  const chain = network.chains.find(({ slug }) => slug === text);
  if (chain) return canonical(chain.id, { network } as Specimen);
  if (/^[0-9a-f]{64}$/.test(text)) return String(BigInt(`0x${text}`));
  return /^(0x[0-9a-f]{1,64}|[0-9]+)$/.test(text) ? String(BigInt(text)) : text;
}

function isNumber(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** A value in the spelling of another one. */
function spelt(value: unknown, like: unknown, { network }: Specimen): unknown {
  const text = canonical(value, { network } as Specimen);
  const number = BigInt(text);
  if (typeof like === 'number') return Number(number);
  const form = String(like);
  if (network.chains.some(({ slug }) => slug === form))
    return network.chains.find(({ id }) => BigInt(id) === number)?.slug ?? value;
  if (/^[0-9a-fA-F]{64}$/.test(form)) return number.toString(16).padStart(64, '0').slice(-64);
  if (form.startsWith('0x')) return `0x${number.toString(16).padStart(form.length - 2, '0')}`;
  return text;
}
