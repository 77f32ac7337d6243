/**
 * What the signature of a submitted batch covers: its name, its place and every line with the account that pays it. The
 * lines are hashed in blocks, so that one line is checked without reading the others.
 */
import { concat, recoverMessageAddress, sha256, stringToBytes } from 'viem/utils';
import type { Address } from '../base/Address.js';
import * as AddressText from '../base/AddressText.js';
import type { Hex } from '../base/Hex.js';
import * as JsonDigest from '../base/JsonDigest.js';

/** What is signed of a line: its place from 0, its id, the digest of its transfer, and who pays. */
export type Leaf = { n: number; id: string; digest: string; account: string };

/** What is signed of a batch. `lines` is their number. */
export type Header = {
  name: string;
  network: string;
  instance: string | null;
  /** The id of the store that it is for; null if it was signed by a version before stores had one. */
  store: string | null;
  lines: number;
  /** Digest of the digests of all blocks. */
  digest: Hex;
};

export const blockLines = 256;

export function leafOf({ n, id, digest, account }: Leaf): Hex {
  return JsonDigest.of([n, id, digest, account.toLowerCase()]);
}

/** The digest of a block, of the digests of its lines. */
export function blockOf(leaves: readonly Hex[]): Hex {
  return sha256(leaves.length === 0 ? stringToBytes('') : concat(leaves));
}

/** Adds lines in their order, and ends with the digests of all blocks. */
export function create(): {
  add(leaf: Omit<Leaf, 'n'>): Leaf;
  end(): { lines: number; blocks: readonly Hex[]; digest: Hex };
} {
  const blocks: Hex[] = [];
  let leaves: Hex[] = [];
  let lines = 0;
  return {
    add(given) {
      const leaf = { n: lines++, ...given };
      leaves.push(leafOf(leaf));
      if (leaves.length === blockLines) {
        blocks.push(blockOf(leaves));
        leaves = [];
      }
      return leaf;
    },
    end() {
      const all = leaves.length > 0 ? [...blocks, blockOf(leaves)] : blocks;
      return { lines, blocks: all, digest: blockOf(all) };
    },
  };
}

/** The text that the submitter signs, as a wallet shows it. */
export function message({ name, network, instance, store, lines, digest }: Header): string {
  return [
    'ferry batch submit',
    `name: ${name}`,
    `network: ${network}${instance === null ? '' : ` ${instance}`}`,
    ...(store === null ? [] : [`store: ${store}`]),
    `lines: ${lines}`,
    `digest: ${digest}`,
  ].join('\n');
}

/** What the submitter signs to have a line begun again although runs of it are lost: it may be paid, and is paid again then. */
export function acceptance(header: Header, { n, id }: Pick<Leaf, 'n' | 'id'>, runs: readonly string[]): string {
  const line = JSON.stringify([n, id]);
  return ['ferry batch retry', `batch: ${idOf(header)}`, `line: ${line}`, `runs: ${runs.join(' ')}`].join('\n');
}

/** The runs whose loss the submitter has accepted for a line; none if it is not what was signed. */
export async function acceptedOf(
  header: Header & { submitter: string },
  line: Pick<Leaf, 'n' | 'id'>,
  accepted: Acceptance | null,
): Promise<readonly string[]> {
  if (!accepted) return [];
  const message = acceptance(header, line, accepted.runs);
  const signer = await recoverMessageAddress({ message, signature: accepted.signature }).catch(() => undefined);
  return signer !== undefined && AddressText.isEqual(signer, header.submitter) ? accepted.runs : [];
}

/** That the loss of runs is accepted, by whoever submitted their batch. */
export type Acceptance = { runs: readonly string[]; signature: Hex };

/** Identifies a batch: the same lines under another name are another one. */
export function idOf(header: Header): Hex {
  return sha256(stringToBytes(message(header)));
}

/** Whether an address has signed a batch whose blocks are these. */
export async function isSigned(
  header: Header,
  { blocks, submitter, signature }: { blocks: readonly Hex[]; submitter: string; signature: Hex },
): Promise<boolean> {
  if (blockOf(blocks) !== header.digest) return false;
  if (blocks.length !== Math.ceil(header.lines / blockLines)) return false;
  const signer: Address | undefined = await recoverMessageAddress({ message: message(header), signature }).catch(
    () => undefined,
  );
  return signer !== undefined && AddressText.isEqual(signer, submitter);
}
