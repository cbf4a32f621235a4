/**
 * A deeply frozen copy of plain data; what is frozen already is taken as it is. Values that are neither arrays nor
 * plain objects are shared.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  // Entries, not assignment: an own key `__proto__` stays a key.
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item as unknown)]))) as T;
}
