/** The one place where signals, timers and deadlines are linked, and what was added is taken off again. */
export { abortError } from './abort-error.js';
export { delay, type DelayOptions } from './delay.js';
export { linkedController, type LinkedController } from './linked-controller.js';
export { onAbort } from './on-abort.js';
export {
  runWithTimeout, runWithTimeScope, type RunWithTimeoutOptions, type RunWithTimeScopeOptions, type TimeScope,
} from './run-with-timeout.js';
