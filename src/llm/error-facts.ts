/** What can be read off a thrown value, whichever SDK threw it. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  /** HTTP status. */
  readonly status: number | undefined;
  /** A system error code such as ECONNRESET, or a provider's such as context_length_exceeded. */
  readonly codes: readonly string[];
  readonly retryAfterMs: number | undefined;
}

/** Looks at an error, its `error` body, its `response` and its causes. Never throws, whatever the object does. */
export function readErrorFacts(error: unknown, now: number): ErrorFacts {
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  const codes: string[] = [];
  const names: string[] = [];
  const messages: string[] = [];
  for (const layer of layers(error)) {
    status ??= httpStatus(property(layer, 'status')) ?? httpStatus(property(layer, 'statusCode')) ?? httpStatus(property(layer, 'code'));
    const own = property(layer, 'retryAfterMs');
    retryAfterMs ??= isDuration(own) ? own : retryAfter(property(layer, 'headers'), now);
    for (const key of ['code', 'type']) {
      const code = property(layer, key);
      if (typeof code === 'string') codes.push(code);
    }
    const name = property(layer, 'name');
    if (typeof name === 'string') names.push(name);
    const constructorName = property(property(layer, 'constructor'), 'name');
    if (typeof constructorName === 'string') names.push(constructorName);
    const message = property(layer, 'message');
    if (typeof message === 'string') messages.push(message);
  }
  if (typeof error === 'string') messages.push(error);
  return { name: names.join(' '), message: messages.join(' | '), status, codes, retryAfterMs };
}

/** The error, then what hangs on it, four deep. */
function layers(error: unknown): unknown[] {
  const found: unknown[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.length < 12) {
    const next = queue.shift();
    if (typeof next !== 'object' || next === null || found.includes(next)) continue;
    found.push(next);
    const nested = property(next, 'errors');
    queue.push(property(next, 'response'), property(next, 'error'), property(next, 'cause'), ...(Array.isArray(nested) ? nested.slice(0, 3) : []));
  }
  return found;
}

function property(value: unknown, key: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function httpStatus(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value < 600 ? value : undefined;
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** `retry-after-ms`, or `retry-after` in seconds or as an HTTP date; in ms from `now`, never negative. */
function retryAfter(headers: unknown, now: number): number | undefined {
  const milliseconds = Number.parseFloat(header(headers, 'retry-after-ms') ?? '');
  if (isDuration(milliseconds)) return milliseconds;
  const value = header(headers, 'retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function header(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    const get = property(headers, 'get');
    if (typeof get === 'function') {
      const value: unknown = get.call(headers, name);
      return typeof value === 'string' ? value : undefined;
    }
    for (const [key, value] of Object.entries(headers)) {
      if (key.toLowerCase() !== name) continue;
      const single: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof single === 'string' || typeof single === 'number') return String(single);
    }
  } catch {
    // A headers object that throws has nothing to say.
  }
  return undefined;
}
