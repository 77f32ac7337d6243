/** The payments that the transfers of all machines have counted as theirs, each once. */
import type { Counted } from '../../core/ports/Ports.js';
import { fileNameOf } from '../locks/countedPayments.js';
import type { Session } from './session.js';

/** @param place the network or, for the sandbox, its instance */
export function createStoreCounted(session: Session, place: () => Promise<string>): Counted {
  return {
    async count(id, owner) {
      const [row] = await session.announce(
        `insert into ferry.counted as c (place, id, owner) values ($1, $2, $3)
        on conflict (place, id) do update set owner = c.owner returning owner`,
        [await place(), fileNameOf(id), owner],
      );
      return row?.owner === owner;
    },
    async ownerOf(id) {
      const [row] = await session.query('select owner from ferry.counted where place = $1 and id = $2', [
        await place(),
        fileNameOf(id),
      ]);
      return row && String(row.owner);
    },
  };
}
