/** The checks that every artoo knows. */
export const BUILT_IN_CHECKS = [
  'fileExists', 'fileContains', 'outputMatches', 'outputEquals', 'jsonPath', 'toolSucceeded', 'numberInRange',
] as const;
export type BuiltInCheck = (typeof BUILT_IN_CHECKS)[number];
