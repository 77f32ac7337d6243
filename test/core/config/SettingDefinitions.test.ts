import { expect, test } from 'vitest';
import * as SettingDefinitions from '../../../src/core/config/SettingDefinitions.js';

test('definitions: behavior: the settings that a project file may change', () => {
  const may = (what: string) =>
    SettingDefinitions.properties.filter((each) => SettingDefinitions.definitions[each].project === what);
  expect(may('choose')).toEqual(['network', 'color', 'quiet']);
  expect(may('lower')).toEqual([
    'slippageBps',
    'maxImpactBps',
    'maxFeeUsd',
    'maxVenueFee',
    'maxGasUsd',
    'maxTipWei',
    'maxAgeMs',
    'rateLimit',
  ]);
});
