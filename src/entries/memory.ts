export { QUANTIZATION, isMemoryState, quantize, type MemoryState, type Quantum } from '../mkct/quantization.js';
export { DAY_MS, FORGET_BELOW, attentionOf, collectAfterDays } from '../mkct/decay.js';
export { ATTENTION_THRESHOLD, DECISION_THRESHOLD, classify, potentials, type Action, type Channels } from '../mkct/potentials.js';
export { calibrate, CLOSE_OVERLAP, MOST_CONSTRAINTS, type Calibration, type CalibrationOptions, type Lesson, type MustNot } from '../mkct/calibrate.js';
export {
  BANKRUPT_K, PROMOTE_ATTENTION, PROMOTE_DECISION, planBankruptcy, planForget, planPromotion, supportOf,
  type DemoteOperation, type ForgetOperation, type PromoteOperation,
} from '../mkct/consolidate.js';
export { UNTRUSTED_DECAY, breakthroughMegrams, directiveMegrams, knowledgeMegram, terminalMegram, type LessonFrame } from '../mkct/lesson.js';
export { describeTag } from '../mkct/constraint-text.js';
export { environmentPlace, intentPlace, slugOfSpace, targetOfEntity, toolOfSpace, toolPlace, toolTag, type Place } from '../mkct/tags.js';
export { slugFor } from '../mkct/slug.js';
export { wordsOf } from '../mkct/words.js';
export { type Recollection, type RelatedIntent, type TagRecollection } from '../mkct/recollection.js';
export { recall } from '../memory/recall.js';
export { recollect, type RecollectQuery } from '../memory/recollect.js';
export { relatedByMeaning, type Embed } from '../memory/related-by-meaning.js';
export { createDreamer, type Distil, type DreamReport, type Dreamer, type DreamerOptions } from '../memory/dreamer.js';
export { forgetSource } from '../memory/forget-source.js';
export { deferMemory } from '../memory/deferred-memory.js';
export { DREAMER_SOURCE, type ArtooMemory, type Consolidating, type Consolidation, type MemoryExtras, type MemoryReport, type RuleEvidence, type Weighed } from '../memory/store-types.js';
export { createMemory } from '../adapters/level-memory/ram-memory.js';
export { createLevelMemory, type Change, type LevelDatabase, type LevelIterator, type LevelMemoryOptions, type MemoryOptions } from '../adapters/level-memory.js';
export { openMemory, type OpenMemoryOptions } from '../adapters/classic-level-memory.js';
export { HOST_RULES, type DreamerServices, type MemoryCheck, type MemoryFilter, type MemoryStore, type Potentials, type RecallQuery } from '../contracts/memory.js';
export { megramSchema, type MemoryReply, type MemoryTag, type Megram, type PlanConstraint } from '../contracts/messages.js';
