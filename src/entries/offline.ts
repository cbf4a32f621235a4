/**
 * A rule-based model client for files, without network or key. It says what it is: no language model.
 *
 * @example
 * import { createOfflineModel } from 'artoo/offline';
 * const model = createOfflineModel();
 */
export { createOfflineModel, OFFLINE_MODEL_NAME } from '../offline/create-offline-model.js';
export type { OfflineModelOptions } from '../offline/create-offline-model.js';
