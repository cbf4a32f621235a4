/** Deeper values are refused: they serve nobody and overflow the stack of whoever walks them. */
const MAX_DEPTH = 256;

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * Parses strict JSON. Never throws, refuses values nested deeper than 256, and leaves out keys that could reach a
 * prototype when the value is merged into another object (`__proto__`, and `constructor` holding a `prototype`).
 */
export function parseJson(text: string): ParsedJson {
  if (isTooDeep(text)) return { ok: false };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value: mayTouchPrototypes(text) ? withoutPrototypeKeys(value) : value };
  } catch {
    return { ok: false };
  }
}

/** Escapes count too: a key can be spelled with them. */
function mayTouchPrototypes(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');
}

function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  const clean: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') continue;
    if (key === 'constructor' && typeof item === 'object' && item !== null && Object.hasOwn(item, 'prototype')) continue;
    clean[key] = withoutPrototypeKeys(item);
  }
  return clean;
}

function isTooDeep(text: string): boolean {
  // Each level takes two characters at least.
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
}
