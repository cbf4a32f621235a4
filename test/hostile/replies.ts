import { raw, text, type Answer } from './scene.js';

const nested = (depth: number, around: (inner: string) => string): string => around('['.repeat(depth) + ']'.repeat(depth));
const MEGABYTE = 1_000_000;

/** Texts and values that no role can use, whoever is asked. */
export const unusable: readonly (readonly [string, Answer])[] = [
  ['an empty reply', () => text('')],
  ['white space', () => text(' \n\t\u3000 ')],
  ['prose', () => 'Certainly! I would be glad to help you with that; everything is done.'],
  ['prose in another language', () => '抱歉，我不能以 JSON 回答。'],
  ['a reply that was cut', () => text('{"slug": "look_up", "intent": "Look up the w', 'length')],
  ['thinking without an end', () => '<think>{"status": "completed", "output": "four letters"} but maybe'],
  ['another schema, each time', () => ({ unexpected: [1, 2, 3] })],
  ['right keys, wrong types', () => ({
    slug: 7, intent: [], taskCriteria: 'all', subtasks: 3, status: 'splendid', output: 1, verdicts: 'pass', summary: null, mergedOutput: null,
  })],
  ['two different JSON objects', () => '{"status": "completed", "output": "one"}\n{"status": "failed", "output": "two"}'],
  ['a reply of over a megabyte', () => `{"intent": "${'x'.repeat(MEGABYTE)}"}`],
  ['a megabyte of brackets', () => '{'.repeat(MEGABYTE)],
  ['lists nested 10,000 deep', () => nested(10_000, (inner) => `{"status": "completed", "output": ${inner}, "intent": ${inner}}`)],
  ['a list where an object is wanted', () => []],
  ['null', () => 'null'],
  ['a withheld reply', () => text('', 'content_filter')],
];

/** What no client should do. */
export const broken: readonly (readonly [string, Answer])[] = [
  ['undefined', () => raw(undefined)],
  ['null', () => raw(null)],
  ['a promise of undefined', () => raw(Promise.resolve(undefined))],
  ['a number', () => raw(Promise.resolve(42))],
  ['a reply without text', () => raw(Promise.resolve({ finishReason: 'stop' }))],
  ['a text that is none', () => raw(Promise.resolve({ text: { toString: () => 'x' }, finishReason: 'stop' }))],
  ['tool calls that are none', () => raw(Promise.resolve({ text: null, toolCalls: [null, 3], finishReason: 'tool_calls' }))],
  ['a reply whose parts throw when read', () => raw(Promise.resolve({ get text(): string { throw new Error('no text for you'); }, finishReason: 'stop' }))],
  ['a thrown undefined', () => { throw undefined; }],
  ['a thrown text', () => { throw 'boom'; }],
  ['a thrown object', () => { throw { status: 500, message: 'server' }; }],
  ['a rejection with null', () => raw(Promise.reject(null))],
  ['a rejection with a symbol', () => raw(Promise.reject(Symbol('boom')))],
  ['an error whose message throws', () => { throw Object.defineProperty(new Error(), 'message', { get: () => { throw new Error('again'); } }); }],
];
