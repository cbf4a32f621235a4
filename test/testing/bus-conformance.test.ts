import { describe, test } from 'vitest';
import { createBus } from 'artoo/bus';
import { busConformance, RecordingBus } from 'artoo/testing';

describe('the in-process bus', () => {
  for (const rule of busConformance) test(rule.name, () => rule.run(() => createBus()));
});

describe('RecordingBus over the in-process bus', () => {
  for (const rule of busConformance) test(rule.name, () => rule.run(() => new RecordingBus(createBus())));
});
