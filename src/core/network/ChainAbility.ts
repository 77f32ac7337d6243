/**
 * What ferry can do with a chain.
 *
 * Solana, Bitcoin, Tron, TON and Hyperliquid are paid to and never from: ferry holds no key for them, and reads none of
 * the forms in which a payment there would name its order. The order id covers their accounts and currencies
 * (`core/order/AddressEncoding`), so minimum and recipient are bound as on an EVM chain, and the deposit is on one.
 */
import type { Chain } from './Network.js';

/**
 * `send`: pay a transfer there. `receive`: be paid there. `gasless`: the service submits the payment. `call`: a transfer's
 * calls are made there on arrival. `deposit address`: anybody may pay there, at an address that proves itself.
 */
export type Ability = (typeof abilities)[number];

export const abilities = ['send', 'receive', 'gasless', 'call', 'deposit address'] as const;

/** The abilities of a chain, in the order of the words. */
export function of(chain: Pick<Chain, 'vm' | 'contracts'>): readonly Ability[] {
  const can: Readonly<Record<Ability, boolean>> = {
    send: canSend(chain),
    receive: true,
    gasless: chain.vm === 'evm' && chain.contracts.batchExecutor !== undefined,
    call: chain.vm === 'evm' && chain.contracts.router !== undefined,
    'deposit address': chain.vm === 'evm' && chain.contracts.depositFactory !== undefined,
  };
  return abilities.filter((each) => can[each]);
}

/** Whether ferry pays transfers from the chain: it signs for EVM chains and for the venue, and proves what it signs. */
export function canSend({ vm }: Pick<Chain, 'vm'>): boolean {
  return vm === 'evm' || vm === 'lvm';
}
