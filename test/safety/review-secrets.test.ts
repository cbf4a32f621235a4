import { inspect } from 'node:util';
import { ArtooError } from 'artoo';
import { createBus } from 'artoo/bus';
import type { BusReport } from 'artoo/contracts';
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/text/index.js';
import { call, Hands, modelThatCalls, scene } from './scene.js';

const redactor = createRedactor();

test.each(['token:', 'TOKEN:', 'authorization:'])('a text of nothing but "%s" is covered sooner or later instead of being looked at without end, and its length stays', (separator) => {
  const text = separator.repeat(100_000);
  const masked = redactor.text(text);
  expect(masked).toHaveLength(text.length);
  expect(masked).toMatch(/\u2588{8}/);
  expect(masked.startsWith(separator.repeat(100))).toBe(true);
  expect(redactor.text(masked)).toBe(masked);
});

test('many plain texts behind names of secrets stay as they are, and a secret among them is found', () => {
  const plain = 'token: none\npassword: required\n'.repeat(5_000);
  expect(redactor.text(plain)).toBe(plain);
  const masked = redactor.text(`${plain}password: Hunter22x\n${plain}`);
  expect(masked).not.toContain('Hunter22x');
  expect(masked).toHaveLength(2 * plain.length + 'password: Hunter22x\n'.length);
});

test('what follows a covered value within the same line is still looked at', () => {
  expect(redactor.text('password=Hunter22x, token=abc123def456ghi789')).toBe(`password=${'\u2588'.repeat(9)}, token=${'\u2588'.repeat(18)}`);
});

test('a report of a handler that failed hides secrets of the message, the error and what the error carries', async () => {
  const reports: BusReport[] = [];
  const bus = createBus({ onReport: (report) => { reports.push(report); } });
  const secret = 'Hunter22xyz';
  const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [new Hands().tool('send')], {
    bus,
    onEvent: ({ type }) => {
      if (type === 'TaskSpec') throw new ArtooError('ARTOO_STRUCTURED_OUTPUT', `no reply: password=${secret}`, { hint: 'ask again', details: { raw: [`password=${secret}`] }, cause: new Error(`password=${secret}`) });
      if (type === 'DispatchManifest') throw new TypeError(`bad password=${secret}`);
      if (type === 'SubTask') throw `password=${secret}`;
      if (type === 'ExecutionResult') throw new RangeError('nothing to hide');
    },
  });
  await artoo.run({ input: `work with password=${secret}` }).result;
  await artoo.close();
  const failures = reports.flatMap((report) => (report.kind === 'handler_failed' ? [report] : []));
  expect(failures.map(({ envelope }) => envelope.type)).toEqual(expect.arrayContaining(['TaskSpec', 'DispatchManifest', 'SubTask', 'ExecutionResult']));
  expect(inspect(reports, { depth: 20, showHidden: true, maxStringLength: null })).not.toContain(secret);
  const errorAt = (type: string): unknown => failures.find(({ envelope }) => envelope.type === type)?.error;
  expect(ArtooError.is(errorAt('TaskSpec'), 'ARTOO_STRUCTURED_OUTPUT')).toBe(true);
  expect(errorAt('TaskSpec')).toMatchObject({ hint: 'ask again', details: { raw: [`password=${'\u2588'.repeat(secret.length)}`] } });
  expect(errorAt('ExecutionResult')).toBeInstanceOf(RangeError);
});
