/** Logs of the sandbox in memory. */
import { type FrameLog, inMemory } from '../../src/sandbox/storage/frameLog.js';

/** What a log holds now, in a log of its own. */
export function copyOf(log: FrameLog): FrameLog {
  const copy = inMemory();
  for (const { content } of log.frames()) copy.append(Buffer.from(content));
  return copy;
}
