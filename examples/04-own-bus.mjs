// A bus of one's own, here over node:events as a stand-in for a message system, proved by the published suite.
import { EventEmitter } from 'node:events';
import { createArtoo } from 'artoo';
import { assertEnvelope } from 'artoo/bus';
import { createOfflineModel } from 'artoo/offline';
import { busConformance, runConformance } from 'artoo/testing';
import { workspaceTools } from 'artoo/tools';

/** @returns {import('artoo').Bus} */
export function createEventsBus() {
  const wire = new EventEmitter().setMaxListeners(0);
  const [filters, taps, queue, idle] = [new Set(), new Set(), [], []];
  let [running, closed] = [0, false];

  const report = (/** @type {any} */ notice) => taps.forEach((tap) => { try { tap.observer.report?.(notice); } catch { /* a tap harms nobody */ } });
  const settle = () => { if (running === 0 && queue.length === 0) idle.splice(0).forEach((wake) => wake()); };
  const start = (envelope, handler) => {
    running += 1;
    new Promise((resolve) => resolve(handler(envelope)))
      .catch((error) => report({ kind: 'handler_failed', envelope, error }))
      .finally(() => { running -= 1; settle(); });
  };
  const pump = () => {
    for (let envelope = queue[0]; envelope; queue.shift(), envelope = queue[0]) {
      taps.forEach((tap) => tap.offer(envelope));
      wire.emit('message', envelope);
    }
    settle();
  };
  return {
    publish(envelope) {
      try {
        if (closed) throw new Error('the bus is closed');
        assertEnvelope(envelope);
        // A copy, as it would come off a wire.
        if (queue.push(frozen(JSON.parse(JSON.stringify(envelope)))) === 1) queueMicrotask(pump);
      } catch (error) {
        report({ kind: 'dead_letter', reason: String(error), envelope });
      }
    },
    subscribe(/** @type {any} */ filter, /** @type {any} */ handler) {
      const own = { ...filter };
      const listener = (envelope) => { if (filters.has(own) && fits(own, envelope)) start(envelope, handler); };
      filters.add(own) && wire.on('message', listener);
      return () => { filters.delete(own); wire.off('message', listener); };
    },
    tap(given, { limit = 1024 } = {}) {
      const observer = typeof given === 'function' ? { message: given } : given;
      let [waiting, busy] = [[], false];
      const next = async () => {
        busy = true;
        for (let envelope = waiting.shift(); envelope; envelope = waiting.shift()) {
          await new Promise((resolve) => resolve(observer.message(envelope))).catch((error) => report({ kind: 'handler_failed', envelope, error }));
        }
        busy = false;
      };
      const tap = { observer, dropped: 0,
        offer(envelope) { if (waiting.push(envelope) > limit) { waiting.shift(); tap.dropped += 1; } if (!busy) void next(); },
        close() { taps.delete(tap); waiting = []; },
      };
      return taps.add(tap) && tap;
    },
    report,
    listens: (type, to) => [...filters].some((filter) => (!filter.type || [filter.type].flat().includes(type)) && (!to || !filter.to || filter.to === to)),
    drain: () => new Promise((resolve) => { idle.push(resolve); settle(); }),
    async close() { await this.drain(); closed = true; },
  };
}

const fits = ({ type, to, from, taskId }, envelope) => (!type || [type].flat().includes(envelope.type)) && (!to || envelope.to === 'all' || [envelope.to].flat().includes(to))
  && (!from || from === envelope.from) && (!taskId || taskId === envelope.taskId);
const frozen = (value) => { if (value && typeof value === 'object') Object.values(value).forEach(frozen); return Object.freeze(value); };

const results = await runConformance(busConformance, createEventsBus);
console.log(`${results.filter(({ status }) => status === 'passed').length} of ${results.length} rules hold`);
const model = createOfflineModel();
const artoo = createArtoo({ models: { brain: model, tool: model }, tools: workspaceTools({ root: import.meta.dirname }), bus: createEventsBus() });
console.log((await artoo.run('How many .mjs files are there?').result).output);
await artoo.close();
