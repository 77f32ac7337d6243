/** What only the sandbox does. */
import { BaseError } from '../../core/base/Errors.js';
import type { Context } from '../../core/command/Context.js';

/** The context, if its network is the sandbox. @throws request.unsupported */
export function onSandbox(context: Context): Context {
  if (context.network.name === 'sandbox') return context;
  throw new BaseError(
    'request.unsupported',
    `Only the sandbox can do this, and the network is ${context.network.name}.`,
    {
      hint: 'Nothing was asked of any server.',
      next: 'ferry config set network sandbox',
    },
  );
}
