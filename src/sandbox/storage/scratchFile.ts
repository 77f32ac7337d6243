/** A file without a name, for what would fill memory and can be made again. It is gone with the process. */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';

export type ScratchFile = {
  /** Whether the bytes could be written: a disk may be full. */
  write(bytes: Uint8Array, position: number): boolean;
  /** Fills the array. @throws if the file is shorter than that */
  read(into: Uint8Array, position: number): void;
  close(): void;
};

/** Opens one at a path, whose name is given up at once. Undefined where that is not possible. */
export function open(path: string): ScratchFile | undefined {
  let file: number;
  try {
    file = openSync(path, 'w+', 0o600);
    unlinkSync(path);
  } catch {
    return undefined;
  }
  let isOpen = true;
  return {
    write(bytes, position) {
      // The number of a closed file may be another's by now.
      if (!isOpen) return false;
      try {
        for (let done = 0; done < bytes.length; )
          done += writeSync(file, bytes, done, bytes.length - done, position + done);
        return true;
      } catch {
        return false;
      }
    },
    read(into, position) {
      if (!isOpen) throw new Error(`${path} is closed.`);
      for (let done = 0; done < into.length; ) {
        const count = readSync(file, into, done, into.length - done, position + done);
        if (count === 0) throw new Error(`${path} is shorter than it was.`);
        done += count;
      }
    },
    close() {
      isOpen = false;
      closeSync(file);
    },
  };
}
