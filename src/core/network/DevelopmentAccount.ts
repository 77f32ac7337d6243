/**
 * The accounts of the mnemonic that development tools share: "test test test test test test test test test test test
 * junk". Their keys are public, so ferry signs with them on the sandbox only.
 */

import { keccak256 } from 'viem/utils';
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';

/** Indices 0 to 19. Precomputed, so that looking up `dev0` does not load elliptic curve code. */
export const addresses: readonly Address[] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
  '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
  '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec',
  '0xdF3e18d64BC6A983f673Ab319CCaE4f1a57C7097',
  '0xcd3B766CCDd6AE721141F452C550Ca635964ce71',
  '0x2546BcD3c84621e976D8185a91A922aE77ECEc30',
  '0xbDA5747bFD65F08deb54cb465eB87D40e51B197E',
  '0xdD2FD4581271e230360230F9337D5c0430Bf44C0',
  '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199',
];

/** The slot of the API key of a development account on the sandbox's venue. */
export const venueSlot = 4;

/** The private keys of `dev0` to `dev9`. */
const keys: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
];

/** The index of `dev0` … `dev9`; undefined for any other name. */
export function index(name: string): number | undefined {
  return /^dev\d$/.test(name) ? Number(name.slice(3)) : undefined;
}

/** The address of `dev0` … `dev9`. */
export function address(at: number): Address {
  return addresses[at] as Address;
}

/** The private key of `dev0` … `dev9`. */
export function key(at: number): Hex {
  return keys[at] as Hex;
}

/** The index of an address among `dev0` … `dev9`. */
export function indexOf(text: Address): number | undefined {
  const found = addresses.slice(0, 10).findIndex((each) => each.toLowerCase() === text.toLowerCase());
  return found === -1 ? undefined : found;
}

/**
 * The API key of the sandbox venue account that `dev0` … `dev4` owns: the first 40 bytes of keccak256(key) followed by
 * keccak256(keccak256(key)). It is derived, so the source contains nothing that looks like another secret.
 */
export function venueKey(at: number): Hex {
  const first = keccak256(key(at));
  return `0x${(first + keccak256(first).slice(2)).slice(2, 82)}`;
}

/** Whether an address is one of the 20 development accounts, whose keys are public. */
export function isKnown(text: Address): boolean {
  return addresses.some((each) => each.toLowerCase() === text.toLowerCase());
}

/** Thrown if a public development key would sign on a network other than the sandbox. */
export function developmentKey(who: string, where: string): BaseError {
  return new BaseError('auth.development-key', `${who} is a public development key: it signs on the sandbox only.`, {
    facts: [['network', where]],
    hint: 'Anyone can take the funds that it holds elsewhere. Use a key of your own.',
    next: 'ferry key new main',
  });
}
