/** Events as `--json` prints them: one JSON object per line, each `bigint` as decimal digits. `Event.fromLine` reads them. */
import * as JsonText from '../text/JsonText.js';
import type { CommandEvent, DisplayEvent } from './DisplayEvent.js';
import type { Event } from './Event.js';

/** `{"schema":"ferry.event/1","network":…,"type":…,…}`, without a line break. */
export function format({ type, ...fields }: Event, network: string): string {
  return JsonText.line({ schema: 'ferry.event/1', network, type, ...fields });
}

const displayOnly: Readonly<Record<DisplayEvent['type'], true>> = {
  progress: true,
  checking: true,
  'answer-checked': true,
  'config-proposed': true,
  'contracts-proposed': true,
  'case-begun': true,
  'case-again': true,
  'case-ended': true,
  'attack-ended': true,
};

/** Whether `--json` prints it. */
export function isPrinted(event: CommandEvent): event is Event {
  return !Object.hasOwn(displayOnly, event.type);
}
