/** Recorded answers with the published shape and the project's own values. */
import { readFileSync } from 'node:fs';

/** A recorded answer by its file name, without `.json`. A fresh copy each time. */
export function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../recorded/${name}.json`, import.meta.url), 'utf8'));
}
