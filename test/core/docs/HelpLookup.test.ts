import { describe, expect, test } from 'vitest';
import * as HelpLookup from '../../../src/core/docs/HelpLookup.js';
import { topics } from '../../../src/core/docs/HelpTopic.js';
import { failure } from '../../support/workbench.js';

const names = ['quote', 'config', 'config set'];

describe('from', () => {
  test.each(topics.map(({ name }) => name))('default: the topic %s, wrapped to the width', async (name) => {
    for (const columns of [60, 80, 200]) {
      const subject = await HelpLookup.from([name], { topics, names }, columns);
      const lines = 'text' in subject ? subject.text.split('\n') : [];
      expect(lines.length).toBeGreaterThan(10);
      // Preformatted lines are indented by four.
      expect(lines.filter((line) => line.length > columns && !line.startsWith('    '))).toEqual([]);
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    }
  });

  test('error: neither a command nor a topic', async () => {
    const error = await failure('usage.unknown-command', () => HelpLookup.from(['exit-code'], { topics, names }, 80));
    expect(error).toMatchObject({ hint: 'Did you mean exit-codes?', next: 'ferry --help' });
    expect(
      await failure('usage.unknown-command', () => HelpLookup.from(['config', 'st'], { topics, names }, 80)),
    ).toMatchObject({
      hint: 'Did you mean config set?',
    });
  });
});
