/**
 * Checks that somebody can use what reaches an address. An order binds an address, not whether anybody holds its key: a
 * contract wallet of one chain need not exist on another, and what is sent to a token or to the service's own contracts
 * is lost, or anybody's.
 */
import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type * as Network from '../../network/Network.js';
import type { Chain } from '../../ports/Ports.js';
import type * as Currency from '../../quote/Currency.js';
import { user as byUser, collect, type Finding } from '../../quote/Finding.js';
import type { Intent } from '../../quote/TransferIntent.js';

/** The name of the finding. */
const name = 'unusable-address';

type Node = Pick<Chain, 'code'>;

/** The node of a chain; undefined if none can be reached. */
export type NodeOf = (chain: Network.Chain) => Promise<Node | undefined>;

/** The parties of a transfer who are not the payer; no finding about those that can use what they get. */
export async function observe(
  { user, recipient, refundTo, origin, destination }: Intent,
  nodeOf: NodeOf,
): Promise<Finding[]> {
  const parties = [
    { what: undefined, address: recipient, at: destination, other: origin.chain },
    { what: 'refund', address: refundTo, at: origin, other: destination.chain },
  ];
  const found = parties.map(async ({ what, address, at, other }) => {
    const findings = collect(what);
    if (at.chain.vm !== 'evm' || Address.isEqual(address, user)) return [];
    const why = lostAt(address, at) ?? (await missingOn(at.chain, other, address as Address.Address, nodeOf));
    if (why) findings.cannot(name, 'an address that somebody can use', why, byUser);
    return findings.list;
  });
  return (await Promise.all(found)).flat();
}

/** Why nobody can use what reaches an address, as far as shipped data says so. */
function lostAt(address: string, { chain, token: own }: Currency.Currency): string | undefined {
  const isIt = (other: unknown): boolean => typeof other === 'string' && Address.isEqual(other, address);
  if (burns.test(address)) return `nobody has the key of ${address}`;
  const token = [own, ...chain.tokens].find((each) => isIt(each.address));
  if (token) return `${address} is the contract of ${token.symbol} on ${chain.name}`;
  const isContract = Object.values(chain.contracts).some(isIt);
  return isContract ? `${address} is a contract that transfers pass through on ${chain.name}` : undefined;
}

/** The zero address, precompiled contracts, and what people type to burn something. */
const burns = /^0x(0{36}[0-9a-f]{4}|0{36}dead|dead0{36}|(dead){10}|dead0{16}42069420694206942069|e{40})$/i;

/** Why a contract of the other chain is nobody's here: there is none at its address. */
async function missingOn(
  on: Network.Chain,
  other: Network.Chain,
  address: Address.Address,
  nodeOf: NodeOf,
): Promise<string | undefined> {
  if (other.vm !== 'evm' || other.id === on.id) return undefined;
  const codeOn = async (chain: Network.Chain): Promise<Hex | undefined> =>
    (await nodeOf(chain))?.code(address).catch(() => undefined);
  const [here, there] = await Promise.all([codeOn(on), codeOn(other)]);
  if (there === undefined || !hasContract(there) || (here !== undefined && here !== '0x')) return undefined;
  const contract = `${address} is a contract on ${other.name}`;
  return here === undefined
    ? `${contract}, and no node of ${on.name} says what it is there`
    : `${contract}, and nothing on ${on.name}`;
}

/** An account with a key may have delegated to code (EIP-7702). */
function hasContract(code: Hex): boolean {
  return code !== '0x' && !code.toLowerCase().startsWith('0xef0100');
}
