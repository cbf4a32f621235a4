/** The size in bytes of a buffer, a view of one, or a blob-like value; undefined for anything else. */
export function binarySize(value: object): number | undefined {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') return (value as ArrayBuffer).byteLength;
  return undefined;
}
