/** Names that are promised by door: other people's code imports them. More may be there. */
export const FIXED: Readonly<Record<string, readonly string[]>> = {
  artoo: ['createArtoo', 'defineTool', 'ArtooError'],
  'artoo/contracts': ['ROLE_CONTRACTS', 'ArtooError', 'payloadSchemas', 'messageTypes'],
  'artoo/ggs': [
    'DEFAULT_HYPERPARAMETERS', 'distance', 'implausibility', 'resourceCost', 'loss', 'gradient', 'trend', 'decide', 'DECISION_TABLE',
    'initialState', 'step', 'accept', 'gradeOutcomes', 'decideV07', 'decideNaive',
  ],
  'artoo/memory': ['createMemory', 'createLevelMemory', 'openMemory', 'QUANTIZATION'],
  'artoo/bus': ['createBus', 'rolePort'],
  'artoo/roles': ['Perceiver', 'Planner', 'Executor', 'AgentValidator', 'MetaValidator', 'GoalGradientSolver', 'Dispatcher', 'SharedMemory'],
  'artoo/tools': ['defineTool', 'ToolError', 'workspaceTools', 'listFiles', 'glob', 'grep', 'readFile', 'writeFile', 'shell'],
  'artoo/llm': ['completeStructured', 'withRetry', 'withLimits', 'withFallback', 'withCache'],
  'artoo/openai': ['createOpenAIClient'],
  'artoo/ledger': ['createFileLedger', 'createMemoryLedger'],
  'artoo/testing': [
    'ScriptedLLM', 'ManualClock', 'CountingIds', 'RecordingBus', 'runConformance',
    'busConformance', 'ledgerConformance', 'llmClientConformance', 'memoryStoreConformance', 'toolConformance',
  ],
  'artoo/offline': ['createOfflineModel'],
};
