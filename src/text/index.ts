/** Pure functions over text. */
export { canonicalJson } from './canonical-json.js';
export { cleanText } from './clean-text.js';
export { extractJson, type ExtractedJson, type ExtractJsonOptions } from './extract-json.js';
export { fence, fenceMark, type FenceOptions } from './fence.js';
export { hash53 } from './hash.js';
export { headTail, type HeadTailOptions } from './head-tail.js';
export { findQuote, normalizeForQuote, type FoundQuote } from './quote.js';
export { createRedactor, isMasked, type Redactor } from './redact.js';
export { DEFAULT_SECRET_PATTERNS } from './secret-patterns.js';
export { slugify } from './slugify.js';
export { stringifyOutput, type StringifyOutputOptions } from './stringify-output.js';
export { stripThink } from './strip-think.js';
export { tokenOverlap } from './token-overlap.js';
export { unfence } from './unfence.js';
export { ungrounded } from './ungrounded.js';
export { ARTOO_NAMESPACE, uuidV5 } from './uuid.js';
