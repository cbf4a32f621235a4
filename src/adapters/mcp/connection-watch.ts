import type { Clock } from '../../contracts/runtime.js';
import type { Wire } from './client.js';
import { isUnknownMethod, isUnreachable } from './failures.js';

/** While a call is under way. */
const PING_EVERY_MS = 2_000;
/** A ping that isn't answered means a busy server; only the connection's own error means that it is gone. */
const PING_TIMEOUT_MS = 2 ** 31 - 1;

export interface ConnectionWatch {
  /** Rejects with the connection's error when it is lost; otherwise stays open. */
  readonly lost: Promise<never>;
  readonly stop: () => void;
}

/**
 * Pings a server while a call waits. Over HTTP the death of a server need not end the call: the SDK tries to take the stream
 * up again, gives up in silence, and the call would wait for its timeout.
 */
export function watchConnection(wire: Wire, clock: Clock): ConnectionWatch {
  let stopped = false;
  let cancelTimer: (() => void) | undefined;
  let pinging: AbortController | undefined;
  let lose: (error: unknown) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => { lose = reject; });
  lost.catch(() => undefined);

  const ping = async (): Promise<void> => {
    const controller = new AbortController();
    pinging = controller;
    try {
      await wire.ping!({ signal: controller.signal, timeout: PING_TIMEOUT_MS });
    } catch (error) {
      if (stopped || isUnknownMethod(error)) return;
      if (isUnreachable(error)) {
        lose(error);
        return;
      }
    } finally {
      pinging = undefined;
    }
    arm();
  };
  const arm = (): void => {
    if (!stopped) cancelTimer = clock.setTimeout(() => { void ping(); }, PING_EVERY_MS);
  };
  if (wire.ping) arm();

  return {
    lost,
    stop: () => {
      stopped = true;
      cancelTimer?.();
      pinging?.abort(new Error('the call has ended'));
    },
  };
}
