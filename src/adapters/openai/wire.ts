/** Reading what came over the wire, where nothing can be taken for granted. */
export type Wire = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): Wire {
  return typeof value === 'object' && value !== null ? (value as Wire) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Message content: a string, or parts of which the text ones count. */
export function asContent(value: unknown): string {
  if (typeof value === 'string') return value;
  return asList(value).map((part) => asText(asRecord(part)['text'])).join('');
}

export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
