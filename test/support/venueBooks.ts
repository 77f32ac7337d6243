/** Queries of the sandbox's venue for tests. */
import { expect } from 'vitest';
import type * as VenueApi from '../../src/core/api/VenueApi.js';
import type { TestSandbox } from './sandbox.js';

/** An account's perps balance in millionths of USDC. */
export async function usdcOf({ venueUrl }: Pick<TestSandbox, 'venueUrl'>, index: number): Promise<bigint> {
  const answer = await fetch(`${venueUrl}/api/v1/account?by=index&value=${index}`);
  const { accounts } = (await answer.json()) as VenueApi.Answer<typeof VenueApi.account>;
  const usdc = accounts[0]?.assets?.find(({ symbol }) => symbol === 'USDC')?.margin_balance ?? '0';
  return BigInt(usdc.replace('.', ''));
}

/** The nonce of the account's next transaction, which is the number of accepted ones. */
export async function nonceOf({ venueUrl }: Pick<TestSandbox, 'venueUrl'>, index: number): Promise<number> {
  const answer = await fetch(`${venueUrl}/api/v1/nextNonce?account_index=${index}&api_key_index=4`);
  return Number(((await answer.json()) as VenueApi.Answer<typeof VenueApi.nextNonce>).nonce);
}

/** Resolves once what the venue has accepted of the account is executed. */
export async function idle(sandbox: Pick<TestSandbox, 'venueUrl'>, index: number): Promise<void> {
  const executed = async (): Promise<number> => {
    const answer = await fetch(`${sandbox.venueUrl}/api/v1/apikeys?account_index=${index}&api_key_index=4`);
    return Number(((await answer.json()) as VenueApi.Answer<typeof VenueApi.apiKeys>).api_keys[0]?.nonce);
  };
  await expect.poll(executed).toBe(await nonceOf(sandbox, index));
}
