/** Foundry's cast: an independent client that reads the chains. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const binary = createRequire(import.meta.url).resolve(`@foundry-rs/cast-${platform()}/bin/cast`);

/** Runs cast and resolves to its stdout without the final newline. */
export async function cast(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, [...args], { env: { PATH: process.env.PATH } });
  return stdout.trimEnd();
}

/** A balance in base units: of the native asset under the zero address, of an ERC-20 token elsewhere. */
export async function balance(rpcUrl: string, token: string, owner: string): Promise<bigint> {
  if (/^0x0+$/.test(token)) return BigInt(await cast('balance', owner, '--rpc-url', rpcUrl));
  const text = await cast('call', token, 'balanceOf(address)(uint256)', owner, '--rpc-url', rpcUrl);
  return BigInt(text.split(' ')[0] ?? '');
}

function platform(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return `${process.platform}-${arch}`;
}
